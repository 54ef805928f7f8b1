"""From a kernel's C++ type to the description of its arguments.

C++ has no reflection, but a template can take a function type apart:
`KernelArgsParseFunctor<Return (*)(Args...)>` gets every parameter's type in `Args`, and hands them as
`std::type_index`es to `SetKernelArgsDef`, a long chain of ifs. A tensor parameter becomes an input
or an output, expected with the backend and data type of the kernel's key; anything else becomes an
attribute; contexts are skipped.

One detail of C++ decides how strict that chain is: `typeid` ignores references and an outermost
const. To it `DenseTensor&`, `DenseTensor` and `const DenseTensor&` are the same. So this is *not* the
place where a missing `const` is found; that is `kernel_impl`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from registry_runtime.cxx import (
    CxxError,
    FunctionType,
    PointerType,
    Span,
    TemplateArgument,
    UnknownType,
    without_reference_and_const,
)
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.kernel import AttributeType, KernelArgsDef, TensorArgDef
from registry_runtime.phi.kernel_key import KernelKey


@dataclass(frozen=True, slots=True)
class KernelArgsParseFn:
    """`KernelArgsParseFunctor<…>::Parse` for one function type; None if nobody declared it."""

    function_type: FunctionType | None
    span: Span

    def __call__(self, default_key: KernelKey, args_def: KernelArgsDef) -> None:
        set_kernel_args_def(self.function_type, default_key, args_def)


def kernel_args_parse_functor(arguments: tuple[TemplateArgument, ...]) -> Mapping[str, object]:
    """`phi::KernelArgsParseFunctor`: defined for pointers to functions alone."""
    type = arguments[0].type if len(arguments) == 1 else None
    pointee = type.to if isinstance(type, PointerType) else None
    if isinstance(pointee, UnknownType):
        return {"Parse": KernelArgsParseFn(None, arguments[0].span)}
    if isinstance(pointee, FunctionType):
        return {"Parse": KernelArgsParseFn(pointee, arguments[0].span)}
    if isinstance(type, FunctionType):
        raise CxxError(
            "KernelArgsParseFunctor takes a pointer to a function, and this is the function",
            arguments[0].span,
            "write decltype(&…), with the &",
        )
    raise InvalidArgument("KernelArgsParseFunctor takes the type of a pointer to a function")


def set_kernel_args_def(
    function_type: FunctionType | None, default_key: KernelKey, args_def: KernelArgsDef
) -> None:
    """`phi::SetKernelArgsDef`: append to `args_def` what a function of this type takes.

    Raises CxxError, at the parameter, for a type that PHI knows no argument of. For a function that
    isn't declared (None), `args_def` is left open.
    """
    from registry_runtime.phi.parameter_types import DESCRIBED, Kind, ParameterType  # for kernels

    layout = default_key.layout
    if layout is DataLayout.ANY:
        layout = DataLayout.NCHW  # what Fluid's tensors had by default
    if function_type is None:
        args_def.open_slot = TensorArgDef(default_key.backend, layout, default_key.dtype)
        return
    for parameter in function_type.parameters:
        type_index = str(without_reference_and_const(parameter.type))
        tensor = TensorArgDef(default_key.backend, layout, default_key.dtype, str(parameter.type))
        match DESCRIBED.get(type_index):
            case ParameterType(kind=Kind.CONTEXT):
                continue
            case ParameterType(kind=Kind.INPUT):
                args_def.append_input(tensor)
            case ParameterType(kind=Kind.OUTPUT):
                args_def.append_output(tensor)
            case ParameterType(attribute=AttributeType() as attribute):
                args_def.append_attribute(attribute)
            case _:
                raise _unsupported(type_index, parameter.span)


def _unsupported(type_index: str, span: Span) -> CxxError:
    return CxxError(
        f"Unsupported kernel argument type `{type_index}`.",
        span,
        "SetKernelArgsDef has no branch for it: use a type that a registered kernel takes",
    )
