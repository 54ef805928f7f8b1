"""The wrapper that gives every kernel one type, and what it demands of a kernel's parameters.

A table can hold functions of one type only, and no two kernels need have the same. So PHI generates
for each kernel `KernelImpl<…>::Compute(KernelContext*)`, which takes the arguments out of the context
one after the other (`paddle/phi/core/kernel_utils.h`). How to take one out is a template specialised
for each type of parameter, and specialisations are matched exactly: there is one for
`const DenseTensor&`, none for `DenseTensor&`. That is why a forgotten `const` doesn't compile. The
same templates assert the order: context, inputs, attributes, outputs.

In C++ a member function of a template is compiled when somebody mentions it. So it is here:
`VariadicCompute` passes the arguments straight on and demands nothing; `Compute` demands it all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from registry_runtime.cxx import (
    CxxError,
    CxxFunction,
    FunctionType,
    Lazy,
    Parameter,
    PointerType,
    TemplateArgument,
    UnknownType,
    class_of,
    name_span,
    without_reference_and_const,
)
from registry_runtime.near import did_you_mean
from registry_runtime.phi.backend import CONTEXTS
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.kernel import KernelFn

if TYPE_CHECKING:
    from registry_runtime.phi.parameter_types import ParameterType


def kernel_impl(arguments: tuple[TemplateArgument, ...]) -> Mapping[str, object]:
    """`phi::KernelImpl<decltype(&f), &f>`."""
    function = arguments[1].value if len(arguments) == 2 else None
    if not isinstance(function, CxxFunction):
        raise InvalidArgument("KernelImpl takes the type of a function pointer, and the pointer")
    wanted = PointerType(function.type or UnknownType(function))
    if arguments[0].type != wanted:
        raise CxxError(
            f"`{function}` has another type than the first argument of KernelImpl says",
            arguments[0].span,
            "both arguments of KernelImpl are of one function",
        )
    fn = KernelFn(function, str(function))
    return {"Compute": Lazy(partial(_compute, fn)), "VariadicCompute": fn}


def struct_kernel_impl(arguments: tuple[TemplateArgument, ...]) -> Mapping[str, object]:
    """`paddle::framework::StructKernelImpl<S>`, for what is still one of Fluid's structures.

    Three operators are, in 3.3.1 (`paddle/fluid/framework/op_registry.h`).
    """
    if len(arguments) != 1 or arguments[0].type is None:
        raise InvalidArgument("StructKernelImpl takes a class")
    return {"Compute": KernelFn(None, str(arguments[0]), class_of(arguments[0]))}


def _compute(fn: KernelFn) -> KernelFn:
    assert fn.function is not None
    _check_context(fn.function)
    if fn.function.type is not None:
        from registry_runtime.phi.parameter_types import TAKEN  # many a text has no kernel

        check_parameters(fn.function, fn.function.type, TAKEN)
    return fn


def _check_context(function: CxxFunction) -> None:
    for argument in function.arguments:
        if str(argument).endswith("Context") and str(argument) not in CONTEXTS:
            known = sorted(map(_backend, CONTEXTS))
            raise CxxError(
                f"PHI has no `{argument}`, so no backend of that name to compute on",
                argument.span,
                did_you_mean(_backend(str(argument)), known, f"there are {', '.join(known)}"),
            )


def _backend(context: str) -> str:
    """`CPU` for `phi::CPUContext`."""
    return context.replace("phi::", "").removesuffix("Context")


_KINDS = ("DeviceContext", "Inputs", "Attributes", "Outputs")


def check_parameters(
    function: CxxFunction, type: FunctionType, taken: Mapping[str, ParameterType]
) -> None:
    """Raises CxxError where what takes the arguments out of a context wouldn't compile: there is a
    specialisation for each of the types `taken`."""
    if str(type.returns) != "void":
        raise CxxError(
            f"a kernel returns nothing, and `{function.name}` returns {type.returns}",
            name_span(function),
            "results leave a kernel through its output parameters",
        )
    latest = 0
    for parameter in type.parameters:
        kind = _kind(function, parameter, taken)
        if kind < latest:
            raise CxxError(
                f"`{_shown(function, parameter)}` comes too late: a kernel's {_KINDS[kind]} stand"
                f" before its {_KINDS[latest]}",
                parameter.span,
                "the order is context, inputs, attributes, outputs",
            )
        latest = kind
    if not type.parameters or taken[str(type.parameters[0].type)].kind != 0:
        raise CxxError(
            f"`{function.name}` has no DeviceContext",
            name_span(function),
            "a kernel's first parameter is const Context& dev_ctx",
        )


def _kind(function: CxxFunction, parameter: Parameter, taken: Mapping[str, ParameterType]) -> int:
    spelling = str(parameter.type)
    if row := taken.get(spelling):
        return row.kind
    raise CxxError(
        f"`{_shown(function, parameter)}`: a kernel can't have a parameter of this type",
        parameter.span,
        _what_instead(parameter, taken),
    )


_NAMED = {"phi::DenseTensor", "phi::SelectedRows", "phi::Scalar", "phi::IntArray", "phi::DataType"}


def _what_instead(parameter: Parameter, taken: Mapping[str, ParameterType]) -> str:
    from registry_runtime.phi.parameter_types import Kind

    bare = str(without_reference_and_const(parameter.type))
    pointee = bare.removesuffix("*").removeprefix("const ")
    if bare in CONTEXTS:
        return "write const Context&"
    if (row := taken.get(f"const {pointee}&")) and row.kind is Kind.INPUT:
        short = pointee.replace("phi::", "")
        return f"an input is written const {short}&, an output {short}*"
    for known in (f"const {bare}&", bare):
        if (row := taken.get(known)) and row.kind is not Kind.INPUT:
            return f"write {known.replace('phi::', '')}"
    if f"phi::{pointee}" in _NAMED:
        return f"write phi::{pointee}, or `using phi::{pointee};` above: here is another namespace"
    words = re.findall(r"\w+", " ".join(taken))
    known_words = {"Context", *words} - {"phi"}
    otherwise = (
        "inputs are const DenseTensor&, outputs DenseTensor*, attributes numbers, lists, Scalar"
    )
    return did_you_mean(pointee.rpartition("::")[2], sorted(known_words), otherwise)


def _shown(function: CxxFunction, parameter: Parameter) -> str:
    text = function.program.source.text[parameter.span.start : parameter.span.end]
    return " ".join(text.split())
