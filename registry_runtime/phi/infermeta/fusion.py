"""Operators that do the work of several at once."""

from __future__ import annotations

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.meta_tensor import MetaTensor


def DistributedFusedLambInferMeta(
    param: list[MetaTensor],
    fp32_param: MetaTensor | None,
    fp16_param: MetaTensor | None,
    moment1: MetaTensor,
    moment2: MetaTensor,
    beta1_pow: MetaTensor,
    beta2_pow: MetaTensor,
    acc_steps: int,
    use_master_acc_grad: bool,
    fp32_param_out: MetaTensor,
    fp16_param_out: MetaTensor,
    fp32_acc_grad: MetaTensor,
    fp16_acc_grad: MetaTensor,
    moment1_out: MetaTensor,
    moment2_out: MetaTensor,
    beta1_pow_out: MetaTensor,
    beta2_pow_out: MetaTensor,
    param_out: MetaTensor,
    found_inf: MetaTensor,
    acc_step: MetaTensor,
    stop_update: MetaTensor,
    step: MetaTensor,
) -> None:
    """What the kernel leaves the outputs as. Paddle infers nothing: they are persistable variables, and
    the Fluid operator's InferShape has an empty body.

    Accumulated gradients, `acc_step` and `stop_update` have elements where `acc_steps` > 1. float16's
    sum has room for one in float32 behind it.
    """
    whole, half = (0 if tensor is None else tensor.numel for tensor in (fp32_param, fp16_param))
    waits, single = acc_steps > 1, DataType.FLOAT32
    sums = (whole - half, half * (3 if use_master_acc_grad else 1))
    for out, count, dtype in (
        (fp32_param_out, whole, single),
        (fp16_param_out, half, DataType.FLOAT16),
        (fp32_acc_grad, waits * sums[0], single),
        (fp16_acc_grad, waits * sums[1], DataType.FLOAT16),
        (found_inf, 1, DataType.BOOL),
        (acc_step, int(waits), DataType.INT64),
        (stop_update, int(waits), DataType.BOOL),
        (step, 1, DataType.INT64),
    ):
        out.set_dims((count,))
        out.set_dtype(dtype)
    for tensor, out in (
        (moment1, moment1_out),
        (moment2, moment2_out),
        (beta1_pow, beta1_pow_out),
        (beta2_pow, beta2_pow_out),
    ):
        out.share_meta(tensor)
    if param:
        param_out.share_meta(param[0])
