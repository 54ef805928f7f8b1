"""An operator that computes nothing itself: it says where its kernel is found, and what comes out.

`framework::OperatorWithKernel` is the base class of nearly all operators. What its subclasses override
is in the text, and is interpreted: `GetExpectedKernelType`, the key, by default made of the data type
that all inputs share and the place where the program runs; and `InferShape`. Here is what those
bodies inherit, and the search for one of Fluid's own kernels.

Source: `paddle/fluid/framework/operator.cc` of 2022; `KernelTypeToString` in `op_kernel_type.h`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from registry_runtime.cxx import CxxFunction, Method
from registry_runtime.fluid.execution_context import ExecutionContext, no_such_name
from registry_runtime.fluid.infer_shape_context import InferShapeContext
from registry_runtime.fluid.op_info import OperatorObject, OpInfo
from registry_runtime.fluid.op_kernel_type import AllOpKernels, ClassKernel, OpKernelType, VarType
from registry_runtime.phi.data_type import DataType, trans_to_proto_var_type
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import (
    EnforceNotMet,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    Unavailable,
)
from registry_runtime.phi.place import CPU_PLACE
from registry_runtime.phi.selected_rows import SelectedRows
from registry_runtime.phi.tensor_array import TensorArray

# --- The key --------------------------------------------------------------------------------------


def expected_kernel_type(op: OperatorObject, ctx: ExecutionContext) -> OpKernelType:
    """`InnerGetExpectedKernelType`: the operator's own key, unless `op_device` names another place.

    Raises the CxxError of what an override holds, and EnforceNotMet.
    """
    override = op.cxx_class.method("GetExpectedKernelType")
    made = GetExpectedKernelType(op, ctx) if override is None else override.call_on(op, ctx)
    if not isinstance(made, OpKernelType):
        raise InvalidArgument(
            f"GetExpectedKernelType of {op.type} returns no OpKernelType",
            hint="return framework::OpKernelType(data_type, ctx.GetPlace());",
        )
    if ctx.call.attrs.get("op_device") == "cpu":
        return replace(made, place=CPU_PLACE)
    return made


def GetExpectedKernelType(op: OperatorObject, ctx: ExecutionContext) -> OpKernelType:
    """`OperatorWithKernel::GetExpectedKernelType`, for those who don't override it."""
    return OpKernelType(IndicateDataType(op, ctx), ctx.GetPlace())


def IndicateDataType(op: OperatorObject, ctx: ExecutionContext) -> VarType:
    """The data type that the inputs have. Where they differ the last counts, as in Paddle; only tensors
    that share a name must agree, with each other and with what came before. Raises NotFound where no
    input is a tensor, and InvalidArgument for one without memory."""
    found: VarType | None = None
    for name in ctx.InNameList():
        found = _data_type(op, ctx, name, found)
    if found is None:
        raise NotFound(f"DataType should be indicated by input Variable at {op.type}.")
    return found


def IndicateVarDataType(op: OperatorObject, ctx: ExecutionContext, name: str) -> VarType:
    """The data type of one input. Raises InvalidArgument where it is no tensor."""
    if name not in ctx.call.inputs:
        raise no_such_name(op.type, "input", name, ctx.call.inputs, argument=1)
    found = _data_type(op, ctx, name, None)
    if found is None:
        raise InvalidArgument(
            f"The Input Variable({name}) of ({op.type}) Operator used to determine kernel data type "
            "is empty or not LoDTensor or SelectedRows or LoDTensorArray.",
            argument=1,
        )
    return found


def IndicateOrPromoteVarDataTypes(
    op: OperatorObject, ctx: ExecutionContext, name1: str, name2: str
) -> VarType:
    """The first input's data type; if one of the two is complex, that of both as a complex one."""
    types = [_tensor(op, ctx, name).dtype for name in (name1, name2)]
    if not any(dtype.numpy.kind == "c" for dtype in types):
        return VarType(trans_to_proto_var_type(types[0]))
    promoted = np.result_type(*(dtype.numpy for dtype in types))
    return VarType(trans_to_proto_var_type(DataType.of(promoted)))


def _tensor(op: OperatorObject, ctx: ExecutionContext, name: str) -> DenseTensor:
    variable = ctx.InputVar(name)
    if variable is None:
        raise NotFound(f"The variable {name} is not found when promote complex types.")
    return _dense(op, name, variable)


def _data_type(
    op: OperatorObject, ctx: ExecutionContext, name: str, before: VarType | None
) -> VarType | None:
    found = before
    variables = ctx.call.inputs.get(name, ())
    for variable in variables:
        for tensor in variable if isinstance(variable, TensorArray) else (variable,):
            if tensor is None:
                continue
            held = VarType(trans_to_proto_var_type(_dense(op, name, tensor).dtype))
            if len(variables) > 1 and found not in (None, held):
                raise InvalidArgument(
                    f"The DataType of {op.type} Op's duplicable or different slot Variable {name} "
                    "must be consistent or reigster GetExpectedKernelType. The current variable "
                    f"type is ({held}), but the previous variable type is ({found})."
                )
            found = held
    return found


def _dense(op: OperatorObject, name: str, variable: Any) -> DenseTensor:
    tensor = variable.value if isinstance(variable, SelectedRows) else variable
    if not isinstance(tensor, DenseTensor) or not tensor.has_allocation():
        raise InvalidArgument(
            f"The {op.type} Op's Input Variable `{name}` contains uninitialized Tensor."
        )
    return tensor


# --- The shapes -----------------------------------------------------------------------------------


def infer_shape(op: OperatorObject, info: OpInfo, ctx: InferShapeContext) -> None:
    """Run the operator's InferShape, or the functor that stands in its stead.

    Raises PermissionDenied where it has neither, and the CxxError of what its body holds. What it
    leaves open is in `ctx.forgotten()`.
    """
    if info.infer_shape is None:
        raise PermissionDenied(
            "The default InferShape function of OperatorWithKernel is not allowed to be called, "
            "please override corresponding InferShape function in the specific operator.",
            hint=f"{op.cxx_class} has none, nor has {op.type} an InferShapeFunctor",
        )
    info.infer_shape(ctx)
    ctx.settle()


def infer_shape_function(info: OpInfo) -> CxxFunction | None:
    """The function whose body says what comes out; of a functor, that of its `operator()`."""
    return info.infer_shape.function if info.infer_shape else None


# --- One of Fluid's own kernels -------------------------------------------------------------------


def choose_kernel(
    op_type: str, all_op_kernels: AllOpKernels, expected_kernel_key: OpKernelType
) -> ClassKernel:
    """`OperatorWithKernel::ChooseKernel`. Raises Unavailable and NotFound."""
    kernels = all_op_kernels.get(op_type)
    if not kernels:
        raise Unavailable(
            f"There are no kernels which are registered in the {op_type} operator.",
            hint=f"open a file with REGISTER_OP_CPU_KERNEL({op_type}, …), or one that registers "
            "PHI's kernel for it",
        )
    kernel = kernels.get(expected_kernel_key)
    if kernel is None:
        raise _no_kernel_for(op_type, kernels, expected_kernel_key)
    return kernel


def _no_kernel_for(
    op_type: str, kernels: Mapping[OpKernelType, ClassKernel], wanted: OpKernelType
) -> EnforceNotMet:
    on_place = [key for key in kernels if key.place.type == wanted.place.type]
    if on_place:
        types = ", ".join(dict.fromkeys(str(key.data_type) for key in on_place))
        there = f"on {wanted.place} there are kernels for {types}"
    else:
        there = f"there are kernels on {', '.join(dict.fromkeys(str(k.place) for k in kernels))}"
    return NotFound(f"Operator ({op_type}) does not have kernel for {wanted}.", hint=there)


# What an operator's bodies may call without an object.
METHODS: Mapping[type, Mapping[str, Method]] = {
    OperatorObject: {
        "Type": lambda op: op.type,
        "IndicateDataType": IndicateDataType,
        "IndicateVarDataType": IndicateVarDataType,
        "IndicateOrPromoteVarDataTypes": IndicateOrPromoteVarDataTypes,
        "GetExpectedKernelType": GetExpectedKernelType,
        "CanMKLDNNBeUsed": lambda op, ctx, data_type: False,
    },
}

__all__ = [
    "METHODS",
    "choose_kernel",
    "expected_kernel_type",
    "infer_shape",
    "infer_shape_function",
]
