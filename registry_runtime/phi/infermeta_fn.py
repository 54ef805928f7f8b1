"""InferMeta functions under a kernel's name, and the wrapper that unpacks their arguments.

As with kernels, a map needs functions of one type. `PD_INFER_META(phi::TraceInferMeta)` names a
wrapper that takes an `InferMetaContext` and hands the function what each of its parameters asks for:
the next input for a `const MetaTensor&`, the next attribute for an `int`, the next output for a
`MetaTensor*`. What the function has no parameter for stays in the box, and nobody misses it.

Most texts only declare the function; what is called is the Python one of that name in
`registry_runtime.phi.infermeta`. If some text of the program has the function's body, that is what
runs: a header declares an InferMeta, a file of its own defines it, and a third one names it.

Source: `paddle/phi/core/infermeta_utils.h` of Paddle 3.3.1.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from registry_runtime.cxx import (
    NULLPTR,
    CxxError,
    CxxFunction,
    Lazy,
    Parameter,
    Pointer,
    PointerType,
    TemplateArgument,
    UnknownType,
    name_span,
    unknown_call,
)
from registry_runtime.phi.data_type import trans_to_phi_data_type
from registry_runtime.phi.enforce import (
    AlreadyExists,
    InvalidArgument,
    NotFound,
    PreconditionNotMet,
)

if TYPE_CHECKING:
    from registry_runtime.phi.infermeta_context import InferMetaContext

Defining = Callable[[CxxFunction], CxxFunction]  # finds the body, in whichever text

# --- The wrapper ----------------------------------------------------------------------------------

_INPUT = "const phi::MetaTensor&"
_INPUTS = "const std::vector<const phi::MetaTensor*>&"
_OPTIONAL_INPUTS = f"const paddle::optional<{_INPUTS.removeprefix('const ').removesuffix('&')}>&"
_OUTPUT, _OUTPUTS = "phi::MetaTensor*", "std::vector<phi::MetaTensor*>"
_CONFIG = "phi::MetaConfig"
_KIND = {
    _INPUT: "Input",
    _INPUTS: "Input",
    _OPTIONAL_INPUTS: "Input",
    _OUTPUT: "Outputs",
    _OUTPUTS: "Outputs",
    _CONFIG: "MetaConfig",
}


def _kind(spelling: str) -> str:
    """What a parameter of this type is for; empty where an InferMeta can't have one."""
    from registry_runtime.phi.parameter_types import INFERRED  # many a text has no InferMeta

    return _KIND.get(spelling) or ("Attributes" if spelling in INFERRED else "")


@dataclass(frozen=True, eq=False)
class InferMetaFn:
    """An InferMeta function and its wrapper. `python` runs where no text has the function's body, as
    `defining` finds it.

    An output whose dims the function sets nowhere stays `MetaTensor.shaped` False.
    """

    declared: CxxFunction
    python: Callable[..., None] | None
    defining: Defining

    @property
    def function(self) -> CxxFunction:
        """The C++ function, with its body if the program has one."""
        return self.defining(self.declared)

    @property
    def implementation(self) -> Callable[..., None] | None:
        """What a call runs; None where it is only declared."""
        function = self.function
        return partial(_run_body, function) if function.is_defined else self.python

    @property
    def can_run(self) -> bool:
        """Whether there is something to run, all of which is understood."""
        function = self.function
        if not function.is_defined:
            return self.python is not None
        return unknown_call(_with_names(function)) is None

    @property
    def name(self) -> str:
        return str(self.declared)

    def Call(self, ctx: InferMetaContext) -> None:
        """Take the arguments out of the context and run the function.

        Raises what the function raises, NotFound where nobody wrote it in Python, OutOfRange for an
        argument that isn't in the context and InvalidArgument for one of another type.
        """
        implementation = self.implementation
        if implementation is None or self.declared.type is None:
            raise NotFound(
                f"`{self.name}` is declared only: nobody wrote it in Python",
                hint="open the file that has its body, too",
            )
        arguments: list[Any] = []
        inputs = attributes = outputs = 0
        for parameter in self.declared.type.parameters:
            spelling = str(parameter.type)
            match _kind(spelling):
                case "Input":
                    arguments.append(_input(ctx, spelling, inputs))
                    inputs += 1
                case "Outputs":
                    start, end = ctx.OutputRangeAt(outputs)
                    several = spelling == _OUTPUTS
                    arguments.append(
                        ctx.MutableOutputBetween(start, end)
                        if several
                        else ctx.MutableOutputAt(start)
                    )
                    outputs += 1
                case "MetaConfig":
                    arguments.append(ctx.GetMetaConfig())
                case _:
                    arguments.append(_attribute(ctx, spelling, attributes))
                    attributes += 1
        ctx.called = self
        try:
            implementation(*arguments)
        except AttributeError as error:
            if error.obj is not None or all(given is not None for given in arguments):
                raise
            # As MetaTensor's ValidCheck has it, where the function looks at what is absent.
            raise PreconditionNotMet("The current MetaTensor is not initialized.") from None

    def __call__(self, ctx: object) -> None:
        """The same from a body of the text, which passes `&infer_meta_context`."""
        from registry_runtime.phi.infermeta_context import InferMetaContext  # for calls

        boxed = ctx.to if isinstance(ctx, Pointer) else ctx
        if not isinstance(boxed, InferMetaContext):
            raise InvalidArgument("the address of an InferMetaContext is wanted here", argument=0)
        self.Call(boxed)


def _input(ctx: InferMetaContext, spelling: str, index: int) -> Any:
    start, end = ctx.InputRangeAt(index)
    if spelling == _INPUT:
        return ctx.InputAt(start)
    if spelling == _INPUTS:
        return ctx.InputsBetween(start, end)
    return ctx.OptionalInputsBetween(start, end)


def _attribute(ctx: InferMetaContext, spelling: str, index: int) -> Any:
    if spelling == "phi::DataType" and type(held := ctx.AttrAt(index)) is int:
        # A program on disk has Fluid's number for a type; BuildInferMetaContext converts it there.
        return trans_to_phi_data_type(held)
    return ctx.AttrAt(index, spelling.replace("phi::", ""))


def infer_meta_fn_impl(
    defining: Defining, arguments: tuple[TemplateArgument, ...]
) -> Mapping[str, object]:
    """`phi::InferMetaFnImpl<decltype(&f), &f>`, which `PD_INFER_META(f)` expands to."""
    function = arguments[1].value if len(arguments) == 2 else None
    if not isinstance(function, CxxFunction):
        raise InvalidArgument(
            "InferMetaFnImpl takes the type of a function pointer, and the pointer"
        )
    if arguments[0].type != PointerType(function.type or UnknownType(function)):
        raise CxxError(
            f"`{function}` has another type than the first argument of InferMetaFnImpl says",
            arguments[0].span,
            "PD_INFER_META writes one function twice",
        )
    return {"Call": Lazy(partial(_call, function, defining))}


def _call(function: CxxFunction, defining: Defining) -> InferMetaFn:
    if function.type is None:
        raise CxxError(
            f"`{function}` is not declared in this text",
            function.span,
            "its parameters say what is taken out of the context: is a header missing?",
        )
    seen = ""
    for parameter in function.type.parameters:
        kind = _kind(str(parameter.type))
        if not kind:
            raise CxxError(
                f"`{_shown(function, parameter)}`: an InferMeta can't have a parameter of this type",
                parameter.span,
                "inputs are const MetaTensor&, outputs MetaTensor*, attributes as a kernel's",
            )
        if (kind == "Input" and seen) or (kind == "Attributes" and seen == "Outputs"):
            before = "Attributes" if kind == "Input" and seen == "Attributes" else "Outputs"
            article = "InferMeta's " + kind
            raise CxxError(f"{article} should appear before {before}.", parameter.span)
        if kind in ("Attributes", "Outputs"):
            seen = kind
    implementation = find_infer_meta(function.name)
    if implementation is not None and not defining(function).is_defined:
        _compare(function, implementation)
    return InferMetaFn(function, implementation, defining)


def _with_names(function: CxxFunction) -> CxxFunction:
    """The function with the names that bodies use."""
    from registry_runtime.phi.body_names import body_bindings  # for calls

    program = function.program
    joined = replace(program, bindings=program.bindings | body_bindings())
    return replace(function, program=joined)


def _run_body(function: CxxFunction, *arguments: Any) -> None:
    _with_names(function)(*(_in_body(argument) for argument in arguments))


def _in_body(argument: Any) -> Any:
    # An element of a vector is a pointer, and one that nobody wants is a null one.
    if isinstance(argument, list):
        return [None if element is None else Pointer(element) for element in argument]
    return NULLPTR if argument is None else argument


def _compare(function: CxxFunction, implementation: Callable[..., None]) -> None:
    """Raises CxxError at the first parameter that the Python function has otherwise, or not at all."""
    assert function.type is not None
    theirs = function.type.parameters
    ours = [
        p.name if p.default is p.empty else f"[{p.name}]"
        for p in inspect.signature(implementation).parameters.values()
    ]
    required = [name for name in ours if not name.startswith("[")]
    for index, parameter in enumerate(theirs):
        known = ours[index].strip("[]") if index < len(ours) else ""
        moved = parameter.name != known and parameter.name in map(_bare, ours)
        if not known or moved:
            break
    else:
        if len(required) <= len(theirs):
            return
        index = len(theirs) - 1
    span = theirs[index].span if theirs else name_span(function)
    raise CxxError(
        f"`{function.name}` takes ({', '.join(p.name for p in theirs)}) here, and the Python one "
        f"({', '.join(ours)})",
        span,
        "make the two agree, or open the file that has its C++ body before this one",
    )


def _bare(name: str) -> str:
    return name.strip("[]")


_MODULES = ("nullary", "unary", "binary", "ternary", "multiary", "backward")


def find_infer_meta(qualified_name: str) -> Callable[..., None] | None:
    """The Python function for `phi::TraceInferMeta`, or None. Private ones aren't found."""
    namespace, _, name = qualified_name.rpartition("::")
    if namespace != "phi" or not name.endswith(("InferMeta", "InferMetaBase")):
        return None
    for module in _MODULES:
        found = getattr(
            importlib.import_module(f"registry_runtime.phi.infermeta.{module}"), name, None
        )
        if inspect.isfunction(found):
            return found
    return None


def _shown(function: CxxFunction, parameter: Parameter) -> str:
    text = function.program.source.text[parameter.span.start : parameter.span.end]
    return " ".join(text.split())


# --- The map --------------------------------------------------------------------------------------


class MetaFnFactory:
    """`phi::MetaFnFactory`: by the beginning of the kernels' names, which share their InferMeta."""

    def __init__(self) -> None:
        self._fns: dict[str, InferMetaFn] = {}

    def Contains(self, kernel_name_prefix: str) -> bool:
        return kernel_name_prefix in self._fns

    def Insert(self, kernel_name_prefix: str, infer_meta_fn: InferMetaFn) -> None:
        """Raises AlreadyExists."""
        if kernel_name_prefix in self._fns:
            raise AlreadyExists(
                f"`{kernel_name_prefix}`'s Series Kernel's InferMetaFn has been registered."
            )
        self._fns[kernel_name_prefix] = infer_meta_fn

    def Get(self, kernel_name_prefix: str) -> InferMetaFn:
        """Raises NotFound."""
        if kernel_name_prefix not in self._fns:
            raise NotFound(
                f"`{kernel_name_prefix}`'s Series Kernel's InferMetaFn is not registered."
            )
        return self._fns[kernel_name_prefix]

    def clear(self) -> None:
        """Forget everything. Not in PHI, where nothing is taken back."""
        self._fns.clear()
