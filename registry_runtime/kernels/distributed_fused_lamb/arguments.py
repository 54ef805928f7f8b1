"""The kernel's parameters, in Paddle's order.

C++ updates tensors in place and checks that input and output are one. Here the outputs begin as copies,
and from then on the step knows only them. Four outputs are read before they are written, with no input
to go with them: they hold what an earlier step left there. Zeros stand for a first step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from registry_runtime.kernels.distributed_fused_lamb.operations import Attributes, Tensors
from registry_runtime.kernels.template import (
    Context,
    Int64,
    OptionalTensor,
    Out,
)
from registry_runtime.kernels.template import (
    Tensors as TensorList,
)
from registry_runtime.phi.dense_tensor import DenseTensor


def signature(
    dev_ctx: Context,
    param: TensorList,
    grad: TensorList,
    fp32_param: OptionalTensor,
    fp32_grad: OptionalTensor,
    fp16_param: OptionalTensor,
    fp16_grad: OptionalTensor,
    moment1: DenseTensor,
    moment2: DenseTensor,
    beta1_pow: DenseTensor,
    beta2_pow: DenseTensor,
    param_offsets: DenseTensor,
    fp32_partial_offsets: DenseTensor,
    fp16_partial_offsets: DenseTensor,
    param_info: DenseTensor,
    param_order: DenseTensor,
    learning_rate: DenseTensor,
    global_scale: DenseTensor,
    acc_steps: int,
    beta1: float,
    beta2: float,
    epsilon: float,
    max_global_grad_norm: float,
    weight_decay: float,
    clip_after_allreduce: bool,
    use_master_param_norm: bool,
    use_master_acc_grad: bool,
    is_grad_scaled_by_nranks: bool,
    use_hierarchical_allreduce: bool,
    nranks: Int64,
    ring_ids: list[int],
    fp32_param_out: Out,
    fp16_param_out: Out,
    fp32_acc_grad: Out,
    fp16_acc_grad: Out,
    moment1_out: Out,
    moment2_out: Out,
    beta1_pow_out: Out,
    beta2_pow_out: Out,
    param_out: Out,
    found_inf: Out,
    acc_step: Out,
    stop_update: Out,
    step: Out,
) -> None: ...


class Inputs(NamedTuple):
    """The tensors that go in."""

    param: list[Any]
    grad: list[Any]
    fp32_param: Any
    fp32_grad: Any
    fp16_param: Any
    fp16_grad: Any
    moment1: Any
    moment2: Any
    beta1_pow: Any
    beta2_pow: Any
    param_offsets: Any
    fp32_partial_offsets: Any
    fp16_partial_offsets: Any
    param_info: Any
    param_order: Any
    learning_rate: Any
    global_scale: Any


class Outputs(NamedTuple):
    """What comes out, in Paddle's order."""

    fp32_param_out: Any
    fp16_param_out: Any
    fp32_acc_grad: Any
    fp16_acc_grad: Any
    moment1_out: Any
    moment2_out: Any
    beta1_pow_out: Any
    beta2_pow_out: Any
    param_out: Any
    found_inf: Any
    acc_step: Any
    stop_update: Any
    step: Any


CARRIED = frozenset({"fp32_acc_grad", "fp16_acc_grad", "acc_step", "step"})
IN_PLACE = {
    f"{name}_out": name
    for name in ("fp32_param", "fp16_param", "moment1", "moment2", "beta1_pow", "beta2_pow")
}


def split(arguments: tuple[Any, ...]) -> tuple[Inputs, Attributes]:
    count = len(Inputs._fields)
    return Inputs(*arguments[:count]), Attributes(*arguments[count:])


def begin(inputs: Inputs, outs: Outputs, nothing: Any) -> Tensors:
    """The tensors of a step, with copies of the inputs in the outputs. `nothing` has no elements."""
    for name, source in IN_PLACE.items():
        array = getattr(inputs, source)
        getattr(outs, name)[...] = nothing if array is None else array
    return Tensors(
        *(outs.fp32_param_out, outs.fp16_param_out, outs.fp32_acc_grad, outs.fp16_acc_grad),
        *(outs.moment1_out, outs.moment2_out, outs.beta1_pow_out, outs.beta2_pow_out),
        *(outs.found_inf, outs.acc_step, outs.stop_update, outs.step),
        nothing if inputs.fp32_grad is None else inputs.fp32_grad,
        nothing if inputs.fp16_grad is None else inputs.fp16_grad,
        *(inputs.param_offsets, inputs.fp32_partial_offsets, inputs.fp16_partial_offsets),
        *(inputs.param_info, inputs.learning_rate, inputs.global_scale),
    )


def end(inputs: Inputs, outs: Outputs) -> None:
    """The caller's first parameter: in C++ a piece of the fused memory, which nobody need copy."""
    first, place = inputs.param[0], inputs.param_order.tolist().index(0)
    begin, fp32_all = int(inputs.param_offsets[place]), int(inputs.param_info[2])
    fused = outs.fp32_param_out
    if place >= fp32_all:
        fused, begin = outs.fp16_param_out, begin - int(inputs.param_offsets[fp32_all])
    size = outs.param_out.size
    outs.param_out[...] = fused[begin : begin + size].reshape(first.shape)
