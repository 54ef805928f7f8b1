"""What `distributed_fused_lamb` is called with by one rank, and the same of the next step."""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.kernels.distributed_fused_lamb.arguments import Attributes, Inputs, Outputs
from registry_runtime.kernels.distributed_fused_lamb.layout import Info, fuse, shard

PLAIN = Attributes(1, 0.9, 0.999, 1e-6, -1.0, 0.01, True, True, True, True, False, 1, [0])


def inputs(
    params: list[Any], grads: list[Any], decays: list[bool], rank: int = 0, devices: int = 1
) -> Inputs:
    """Of the first step; `rank` of `devices`, which share out the elements."""
    fused = fuse(params, grads, decays, devices, alignment=16)
    info, one = Info(*fused.param_info.tolist()), np.ones(1, np.float32)
    fp32, fp16, own = shard(fused.param_offsets.tolist(), info, rank, devices)
    moment = np.zeros(fused.fp32_param.size // devices, np.float32)
    fused_tensors = (fused.fp32_param, fused.fp32_grad, fused.fp16_param, fused.fp16_grad)
    whole = (tensor if tensor.size else None for tensor in fused_tensors)
    pows = (one * np.float32(0.9), one * np.float32(0.999))
    offsets = (fused.param_offsets, np.array(fp32, np.int32), np.array(fp16, np.int32))
    numbers = (np.array(own, np.int32), fused.param_order, one * np.float32(0.125), one)
    return Inputs(params, grads, *whole, moment, moment, *pows, *offsets, *numbers)


def with_grads(given: Inputs, grads: list[Any], decays: list[bool], devices: int) -> Inputs:
    fused = fuse(given.param, grads, decays, devices, alignment=16)
    there = {name: getattr(given, name) is not None for name in ("fp32_grad", "fp16_grad")}
    return given._replace(
        grad=grads, **{name: getattr(fused, name) for name, is_there in there.items() if is_there}
    )


def after(given: Inputs, outs: Outputs) -> Inputs:
    """The inputs of the step after the one that put `outs` out, but for the gradients."""
    changed = {
        name: getattr(outs, f"{name}_out")
        for name in ("fp32_param", "fp16_param", "moment1", "moment2", "beta1_pow", "beta2_pow")
        if getattr(given, name) is not None
    }
    return given._replace(**changed)


def apart(given: Inputs, outs: Outputs) -> list[Any]:
    """The parameters, taken out of the fused memory."""
    found: list[Any] = [None] * len(given.param)
    offsets, fp32_all = given.param_offsets.tolist(), int(given.param_info[2])
    for place, i in enumerate(given.param_order.tolist()):
        is_half = place >= fp32_all
        fused = outs.fp16_param_out if is_half else outs.fp32_param_out
        begin = offsets[place] - (offsets[fp32_all] if is_half else 0)
        found[i] = fused[begin : begin + given.param[i].size].reshape(given.param[i].shape)
    return found
