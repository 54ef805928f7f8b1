"""`torch::RegisterOperators`: how operators were registered before there were libraries.

`static auto r = torch::RegisterOperators().op("ns::f", &f)` is an object that no macro makes: each
`op` defines an operator in the namespace that it names itself, with kernels that it is handed directly
or in `options()` (`ATen/core/op_registration/op_registration.h`). Extensions are still written so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.cpp_function import CppFunction, dispatch
from registry_runtime.aten.library.library import Kind, Library
from registry_runtime.aten.library.torch_library_init import TorchLibraryInit
from registry_runtime.aten.schema.function_schema import AliasAnalysisKind, FunctionSchema
from registry_runtime.aten.world import World
from registry_runtime.cxx import (
    Class,
    CxxError,
    Function,
    FunctionTemplate,
    Located,
    Method,
    Span,
    TemplateArgument,
)

MakeFunction = Callable[[object], CppFunction]
_DEBUG = "registered by RegisterOperators"


class RegisterOperators(TorchLibraryInit):
    """`c10::RegisterOperators`, whose library has the namespace of the operator at hand."""

    def __init__(self, world: World, at: Span) -> None:
        library = Library(world, Kind.FRAGMENT, "", None, "", 0, at)
        library.debug = _DEBUG
        super().__init__(library, lambda _: None, at)

    def op(
        self,
        name: object,
        kernels: tuple[CppFunction, ...],
        analysis: AliasAnalysisKind | None,
        at: Span,
    ) -> RegisterOperators:
        """Define an operator, by its schema or its name, and register its kernels."""
        library = self.lib_
        if isinstance(name, CxxError):
            raise name
        if not isinstance(name, str):
            raise TorchError("a schema or a name, a string, is wanted here", argument=0)
        parsed = library.schema_or_name(name)
        operator = parsed.name if isinstance(parsed, FunctionSchema) else parsed
        inferred = kernels[0].schema if kernels else None
        if isinstance(parsed, OperatorName) and inferred is not None:
            parsed = inferred.with_name(parsed)
        library.ns_ = operator.namespace() or ""
        if not library.ns_:
            hint = f"write ns::{operator}, with a namespace of your own"
            raise TorchError(f"the operator {operator} has no namespace", argument=0, hint=hint)
        try:
            schema: str | FunctionSchema = name
            if isinstance(
                parsed, FunctionSchema
            ):  # what is not said is the default, inferred or not
                schema = replace(parsed, alias_analysis=analysis)
            library.def_(schema, kernels[0] if kernels else None, at=at)
            for kernel in kernels[1:]:
                library.impl(str(operator), kernel, at=at)
        except BaseException:
            library.reset()
            raise
        return self


@dataclass(frozen=True, slots=True)
class Options:
    """`torch::RegisterOperators::options()`: a schema, kernels for keys, how aliases are analysed."""

    name: object = None
    kernels: tuple[CppFunction, ...] = ()
    analysis: AliasAnalysisKind | None = None

    def schema(self, schema: object) -> Options:
        return replace(self, name=schema)

    def aliasAnalysis(self, kind: object) -> Options:
        if not isinstance(kind, AliasAnalysisKind):
            raise TorchError("an AliasAnalysisKind is wanted here", argument=0)
        if self.analysis is not None:
            raise TorchError("You can only call aliasAnalysis() once per operator registration.")
        return replace(self, analysis=kind)

    def kernel(self, function: CppFunction) -> Options:
        return replace(self, kernels=(*self.kernels, function))


def register_operators(world: World, function: MakeFunction) -> Class:
    """The class, for the table of names; `function` makes a kernel of what the text hands over."""

    def construct(at: Span, *values: object) -> RegisterOperators:
        made = RegisterOperators(world, at)
        return _op(function, at, made, *values) if values else made

    return Class(Located(construct, takes_unread=True), {"options": Function(Options)})


def register_operators_methods(function: MakeFunction) -> dict[type, Mapping[str, Method]]:
    """The member functions of both classes."""

    def op(at: Span, made: RegisterOperators, *values: object) -> RegisterOperators:
        return _op(function, at, made, *values)

    def kernel(arguments: tuple[TemplateArgument, ...]) -> Callable[..., Options]:
        # kernel<decltype(f), &f>(key), or kernel(key, f)
        named = [a.value for a in arguments if a.type is None]
        return lambda options, key, *given: options.kernel(
            dispatch(key, function((*named, *given)[-1]))
        )

    def catch_all(arguments: tuple[TemplateArgument, ...]) -> Callable[..., Options]:
        named = [a.value for a in arguments if a.type is None]
        return lambda options, *given: options.kernel(function((*named, *given)[-1]))

    return {
        RegisterOperators: {"op": Located(op, takes_unread=True)},
        Options: {
            "schema": Options.schema,
            "kernel": FunctionTemplate(kernel),
            "catchAllKernel": FunctionTemplate(catch_all),
            "aliasAnalysis": Options.aliasAnalysis,
        },
    }


def _op(
    function: MakeFunction, at: Span, made: RegisterOperators, *values: object
) -> RegisterOperators:
    options = next((value for value in values if isinstance(value, Options)), Options())
    given = [value for value in values if not isinstance(value, Options)]
    name = options.name if options.name is not None else given.pop(0) if given else None
    return made.op(name, (*map(function, given), *options.kernels), options.analysis, at)
