"""One of PHI's functions, run on an operator's variables: `BuildPhiKernelContext`, and the call.

The signature has the operator's names in the kernel's order, so the box is filled by going along it:
under each name stands an input, an attribute or an output. What a registration says of an input,
another place or a complex type, is done to a copy. An attribute's name may lead to an input, since a
Scalar or an IntArray can be made of a tensor.

The dims are those that InferShape found. A kernel's own may be others of as many elements: Fluid's
tensors have one axis at least, PHI's may have none.

Source: `BuildPhiKernelContext` and `PreparePhiData` in `paddle/fluid/framework/operator.cc`.
"""

from __future__ import annotations

import math
from typing import Any

from registry_runtime.fluid.execution_context import ExecutionContext
from registry_runtime.fluid.native import only_checking
from registry_runtime.phi.arg_map_context import KernelSignature
from registry_runtime.phi.call.kernel_call import Compute, instance_of
from registry_runtime.phi.call.op_call import Blame
from registry_runtime.phi.data_transform import PrepareData
from registry_runtime.phi.data_type import trans_to_phi_data_type
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.kernel import AttributeType, Kernel
from registry_runtime.phi.kernel_context import KernelContext
from registry_runtime.phi.parameter_types import ANYTHING, type_of
from registry_runtime.phi.runtime import Runtime


def launch(
    phi: Runtime, kernel: Kernel, signature: KernelSignature, blame: Blame, ctx: ExecutionContext
) -> None:
    """Fill the call's outputs. Raises OpError for a name that the call doesn't have, EnforceNotMet and
    KernelError for what the kernel refuses."""
    box = KernelContext(ctx.dev_ctx)
    for index, name in enumerate(signature.input_names):
        box.EmplaceBackInputs(_inputs(phi, kernel, blame, ctx, name, index))
    fresh: dict[str, list[DenseTensor | None]] = {}
    for name in signature.output_names:
        wanted = ctx.call.outputs.get(name, ())
        fresh[name] = [None if one is None else DenseTensor() for one in wanted] or [None]
        box.EmplaceBackOutputs(fresh[name])
    defs = kernel.args_def.attribute_defs
    for index, name in enumerate(signature.attr_names):
        box.EmplaceBackAttr(_attribute(blame, ctx, name, defs[index].type_index))
    if only_checking.on:
        instance_of(kernel)
        return
    Compute(kernel, box)
    for name, found in ctx.call.outputs.items():
        for one, made in zip(found, fresh.get(name, ()), strict=False):
            if one is not None and made is not None:
                _take_over(name, one, made)


def _inputs(
    phi: Runtime, kernel: Kernel, blame: Blame, ctx: ExecutionContext, name: str, index: int
) -> list[Any]:
    given, op_type = ctx.call.inputs.get(name, ()), ctx.call.op_type
    defs = kernel.args_def.input_defs
    definition = defs[index] if index < len(defs) else None
    wanted = type_of(definition.type_index if definition else "")
    if not given:
        if wanted.is_optional:
            return [None]
        said = f"the signature names the input {name}, which the call doesn't have"
        there = ", ".join(ctx.call.inputs) or "none"
        raise blame.error(f"{op_type}: {said}: its inputs are {there}; pass {name}", name)
    if len(given) > 1 and wanted is not ANYTHING and not wanted.is_list:
        raise blame.error(
            f"{op_type}: {name} holds {len(given)} tensors, the kernel takes one", name
        )
    if definition is None:
        return list(given)
    use_stride_kernel = phi.factory.use_stride_kernel
    return [
        PrepareData(name, tensor, definition, phi.devices, use_stride_kernel=use_stride_kernel)[0]
        for tensor in given
    ]


def _attribute(blame: Blame, ctx: ExecutionContext, name: str, wanted: AttributeType) -> Any:
    call = ctx.call
    if name in call.attrs:
        return _typed(call.attrs[name], wanted)
    tensors = call.inputs.get(name, ())
    if tensors and wanted in (AttributeType.SCALAR, AttributeType.INT_ARRAY):
        return tensors[0] if len(tensors) == 1 else list(tensors)
    raise blame.error(
        f"{call.op_type}: ({name}) is not found in AttributeMap when buildind static "
        f"KernelContext. (its attributes are {', '.join(call.attrs) or 'none'})",
        name,
    )


def _typed(value: Any, wanted: AttributeType) -> Any:
    if wanted is AttributeType.DATA_TYPE and isinstance(value, int):
        return trans_to_phi_data_type(value)  # on disk a type is Fluid's number for it
    return value


def _take_over(name: str, variable: DenseTensor, made: DenseTensor) -> None:
    if made.data is None:
        return
    dims = variable.dims
    if made.dims != dims and -1 not in dims:  # what InferShape left open, the kernel resized
        if math.prod(made.dims) != math.prod(dims):
            raise InvalidArgument(
                f"InferShape found the dims {list(dims)} for output {name}, and the kernel's "
                f"result has {list(made.dims)}",
                hint="make the two agree",
            )
        made.data = made.data.reshape(dims)
    variable.data, variable.held_at = made.data, made.held_at
