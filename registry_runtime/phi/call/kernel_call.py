"""Calling a registered kernel, in the two ways that PHI keeps for each.

`Compute` takes a `KernelContext`, and everything else out of it: the context first, then inputs,
attributes and outputs, each as the type of the parameter that it is for. All kernels are called alike
so, which is what an interpreter of programs wants. `VariadicCompute` passes the arguments straight
on; who knows the kernel's type saves the box. Both end in the same function.

Source: `KernelImpl` and `KernelCallHelper` in `paddle/phi/core/kernel_utils.h`.
"""

from __future__ import annotations

from typing import Any

from registry_runtime.phi.contexts import DeviceContext
from registry_runtime.phi.data_type import cpp_type_to_data_type
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import InvalidArgument, OutOfRange
from registry_runtime.phi.kernel import TO_RUN_IT, Kernel
from registry_runtime.phi.kernel_context import KernelContext
from registry_runtime.phi.kernel_template import Instance, KernelError
from registry_runtime.phi.parameter_types import Kind, ParameterType
from registry_runtime.phi.place import AllocationType


def instance_of(kernel: Kernel) -> Any:
    """The instance of the Python kernel behind a registered one, not yet built: of whatever class the
    finder's kernels are.

    Raises KernelError for a kernel that is only declared.
    """
    if kernel.implementation is None or kernel.function is None:
        name = kernel.function.name if kernel.function else "this kernel"
        if kernel.function is not None and kernel.function.type is None:
            raise KernelError(
                f"{name} is registered, and no C++ function of that name is declared: declare it, or "
                "include the header that does"
            )
        raise KernelError(
            f"{name} is registered as declared: its C++ function is known, but nobody wrote the "
            f"kernel in Python; {TO_RUN_IT}"
        )
    dtype, context = (str(a) for a in kernel.function.arguments)
    return kernel.implementation.instantiate(
        cpp_type_to_data_type(dtype), context.rpartition("::")[2]
    )


def Compute(kernel: Kernel, ctx: KernelContext) -> None:
    """Run the kernel on what lies in `ctx`; the outputs there get memory where they have none.

    Raises OutOfRange where an argument is missing, InvalidArgument for one of another type, and for
    one too many, which C++ would not look at. Raises KernelError as `Instance.launch` does.
    """
    instance: Instance = instance_of(kernel)
    arguments: list[Any] = []
    in_idx = attr_idx = out_idx = 0
    for parameter in instance.template.parameters[1:]:
        match parameter.type.kind:
            case Kind.INPUT:
                arguments.append(_input(ctx, in_idx, parameter.type))
                in_idx += 1
            case Kind.OUTPUT:
                arguments.append(_wanted_output(ctx, out_idx, parameter.type))
                out_idx += 1
            case _:
                arguments.append(ctx.AttrAt(attr_idx, parameter.cpp_type))
                attr_idx += 1
    for kind, taken, there in (
        ("inputs", in_idx, ctx.InputRangesSize()),
        ("attributes", attr_idx, ctx.AttrsSize()),
        ("outputs", out_idx, ctx.OutputRangesSize()),
    ):
        if taken != there:
            raise InvalidArgument(
                f"{instance.template.name} takes {taken} {kind}, and the context has {there}"
            )
    VariadicCompute(kernel, ctx.GetDeviceContext(), *arguments)


def _input(ctx: KernelContext, index: int, wanted: ParameterType) -> Any:
    start, end = ctx.InputRangeAt(index)
    if wanted.is_list:
        several = ctx.OptionalInputsBetween if wanted.is_optional else ctx.InputsBetween
        return several(start, end, DenseTensor)
    one = ctx.OptionalInputAt if wanted.is_optional else ctx.InputAt
    return one(start, DenseTensor)


def _wanted_output(ctx: KernelContext, index: int, wanted: ParameterType) -> Any:
    start, end = ctx.OutputRangeAt(index)
    if wanted.is_list:
        return ctx.MutableOutputBetween(start, end, DenseTensor)
    return ctx.MutableOutputAt(start, DenseTensor)


def VariadicCompute(kernel: Kernel, dev_ctx: DeviceContext, *arguments: Any) -> None:
    """Run the kernel on its inputs, attributes and outputs, in the order of its C++ function.

    An output is a DenseTensor, which gets memory where it has none, or None if nobody wants it.
    Raises OutOfRange for a wrong number of arguments, InvalidArgument for another context than the
    kernel's, for an output that is no tensor, or whose dims are others than the kernel's result has.
    Raises KernelError as `Instance.launch` does.
    """
    instance: Instance = instance_of(kernel)
    template = instance.template
    wanted = len(template.parameters) - 1
    if len(arguments) != wanted:
        names = ", ".join(parameter.name for parameter in template.parameters[1:])
        raise OutOfRange(
            f"{template.name} takes {wanted} arguments ({names}), got {len(arguments)}"
        )
    if not isinstance(dev_ctx, DeviceContext) or dev_ctx.name != instance.context:
        got = dev_ctx.name if isinstance(dev_ctx, DeviceContext) else type(dev_ctx).__name__
        raise InvalidArgument(f"{template.name} is compiled for {instance.context}, not for {got}")
    taken = len(template.inputs)
    flat = _flat(arguments[taken:])
    called = template.result_names(len(flat))
    if len(called) != len(flat):
        raise OutOfRange(f"{template.name} has {len(called)} outputs, got {len(flat)}")
    outputs = tuple(_output(name, out) for name, out in zip(called, flat, strict=True))
    given = dict(zip((parameter.name for parameter in template.inputs), arguments, strict=False))
    for name, out in zip(called, outputs, strict=True):
        if name in template.in_place and out is not given[template.in_place[name]]:
            raise InvalidArgument(
                f"Input({template.in_place[name]}) and Output({name}) must be the same."
            )
    held = tuple(None if out is None else out.data for out in outputs)
    results = instance.launch(*arguments[:taken], out=held if len(held) > 1 else held[0])
    for name, out, result in zip(
        called, outputs, results if len(held) > 1 else (results,), strict=True
    ):
        if out is not None and out.data is None:
            _give_memory(name, out, result, dev_ctx)


def _flat(outputs: tuple[Any, ...]) -> list[Any]:
    """The outputs, and those of a vector one by one."""
    return [o for output in outputs for o in (output if isinstance(output, list) else [output])]


def _output(name: str, out: Any) -> DenseTensor | None:
    if out is not None and not isinstance(out, DenseTensor):
        raise InvalidArgument(f"output {name} is a DenseTensor*, not {type(out).__name__}")
    return out


def _give_memory(name: str, out: DenseTensor, result: Any, dev_ctx: DeviceContext) -> None:
    if out.valid() and out.dims != result.shape:
        raise InvalidArgument(
            f"output {name} was declared with dims {list(out.dims)}, "
            f"and the kernel's result has {list(result.shape)}"
        )
    out.data = result
    out.held_at = dev_ctx.place if dev_ctx.place.type is AllocationType.CUSTOM else None
