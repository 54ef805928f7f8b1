"""LAMB as it was published: one parameter after the other, on Python's floats; and by four ranks.

Nothing here knows of fused memory but how to take a parameter out of it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from registry_runtime.kernels.distributed_fused_lamb.arguments import Inputs, Outputs, split
from registry_runtime.kernels.distributed_fused_lamb.layout import Info, shard
from registry_runtime.kernels.distributed_fused_lamb.operations import Attributes
from registry_runtime.kernels.distributed_fused_lamb.ranks import together
from registry_runtime.kernels.distributed_fused_lamb.reference import arrays, updated

_RANKS = 4


def lamb(
    param: list[float],
    grad: list[float],
    moment1: list[float],
    moment2: list[float],
    weight_decay: float,
    lr: float,
    a: Attributes,
    pows: tuple[float, float],
) -> tuple[list[float], list[float], list[float]]:
    """A parameter and its moments after one step."""
    step = []
    for i, g in enumerate(grad):
        moment1[i] += (g - moment1[i]) * (1 - a.beta1)
        moment2[i] += (g * g - moment2[i]) * (1 - a.beta2)
        corrected = math.sqrt(moment2[i] / (1 - pows[1]))
        adam = moment1[i] / (1 - pows[0]) / (corrected + a.epsilon)
        step.append(adam + weight_decay * param[i])
    length, of_step = math.hypot(*param), math.hypot(*step)
    ratio = length / of_step if length and of_step else 1.0
    return [p - lr * ratio * s for p, s in zip(param, step, strict=True)], moment1, moment2


def by_parameter(*arguments: Any) -> tuple[Any, ...]:
    """The outputs of one rank's call, where gradients aren't accumulated."""
    inputs, a = split(arguments)
    inputs = arrays(inputs)
    info, offsets = Info(*inputs.param_info.tolist()), inputs.param_offsets.tolist()
    fp32_end = offsets[info.fp32_all]
    grads = np.concatenate([g for g in (inputs.fp32_grad, inputs.fp16_grad) if g is not None])
    grads = grads.astype(np.float64) / float(inputs.global_scale[0])
    norm = math.hypot(*grads.tolist())
    if a.max_global_grad_norm > 0:
        grads = grads * min(1.0, a.max_global_grad_norm / (norm + 1e-6))
    whole, moment1, moment2 = (
        np.asarray(t, np.float64).copy()
        for t in (inputs.fp32_param, inputs.moment1, inputs.moment2)
    )
    pows = float(inputs.beta1_pow[0]), float(inputs.beta2_pow[0])
    for place, i in enumerate(inputs.param_order.tolist()):
        own = slice(offsets[place], offsets[place] + inputs.param[i].size)
        rank = place - info.fp32_all if place >= info.fp32_all else place
        decays = rank < (info.fp16_decay_end if place >= info.fp32_all else info.fp32_decay_end)
        p, g, m, v = (t[own].tolist() for t in (whole, grads, moment1, moment2))
        decay, lr = a.weight_decay if decays else 0.0, float(inputs.learning_rate[0])
        whole[own], moment1[own], moment2[own] = lamb(p, g, m, v, decay, lr, a, pows)
    place = inputs.param_order.tolist().index(0)
    first = whole[offsets[place] :][: inputs.param[0].size].reshape(inputs.param[0].shape)
    flags = np.array([False]), np.zeros(0, np.int64), np.zeros(0, bool), np.array([1])
    nothing = np.zeros(0)
    powers = np.array([pows[0] * a.beta1]), np.array([pows[1] * a.beta2])
    return whole, whole[fp32_end:], nothing, nothing, moment1, moment2, *powers, first, *flags


def for_ranks(inputs: Inputs, a: Attributes, nranks: int) -> list[tuple[Inputs, Attributes]]:
    """One rank's call as those of several, whose gradients add up to its."""
    info, offsets = Info(*inputs.param_info.tolist()), inputs.param_offsets.tolist()
    middle, shares = offsets[info.fp32_all], []
    weights = np.arange(1, nranks + 1) * 2 / (nranks * (nranks + 1))
    if not a.is_grad_scaled_by_nranks:
        weights = weights * nranks
    for rank in range(nranks):
        fp32, fp16, numbers = shard(offsets, info, rank, nranks)
        low, high = (slice(rank * n, (rank + 1) * n) for n in (fp32[-1], fp16[-1]))
        moments = (
            np.concatenate([moment[:middle][low], moment[middle:][high]])
            for moment in (inputs.moment1, inputs.moment2)
        )
        grads = (
            None if grad is None else grad.astype(np.float64) * weights[rank]
            for grad in (inputs.fp32_grad, inputs.fp16_grad)
        )
        mine: dict[str, Any] = dict(zip(("fp32_grad", "fp16_grad"), grads, strict=True))
        mine |= dict(zip(("moment1", "moment2"), moments, strict=True))
        mine |= {"fp32_partial_offsets": np.array(fp32), "fp16_partial_offsets": np.array(fp16)}
        mine["param_info"] = np.array(numbers)
        shares.append((inputs._replace(**mine), a._replace(nranks=nranks, ring_ids=[0])))
    return shares


def gathered(outs: list[Outputs], middle: int) -> Outputs:
    """What all ranks together know, as one would. `middle` is the number of float32 elements."""
    nranks, whole = len(outs), outs[0].fp32_param_out.copy()
    fp32, fp16 = middle // nranks, (whole.size - middle) // nranks
    for rank, out in enumerate(outs):  # of float16's copies each rank has changed its own
        own = slice(middle + rank * fp16, middle + (rank + 1) * fp16)
        whole[own] = out.fp32_param_out[own]
    moments = (
        np.concatenate([*(m[:fp32] for m in ms), *(m[fp32:] for m in ms)])
        for ms in zip(*((out.moment1_out, out.moment2_out) for out in outs), strict=True)
    )
    moment1, moment2 = moments
    return outs[0]._replace(fp32_param_out=whole, moment1_out=moment1, moment2_out=moment2)


def by_ranks(*arguments: Any) -> tuple[Any, ...]:
    """One rank's call made by four, each with a quarter of the elements and a share of the gradient."""
    inputs, a = split(arguments)
    inputs = arrays(inputs)
    shares = for_ranks(inputs, a, _RANKS)
    outs = together(_RANKS, lambda rank: updated(*shares[rank]))
    middle = int(inputs.param_offsets[int(inputs.param_info[2])])
    return tuple(gathered(outs, middle))


def second_way(*arguments: Any) -> tuple[Any, ...]:
    """By parameter; NaN where four ranks don't come to the same."""
    plain, ranks = by_parameter(*arguments), by_ranks(*arguments)
    return tuple(
        np.where(np.isclose(ours, theirs, 1e-9, 1e-12), ours, np.nan)
        for ours, theirs in zip(plain, ranks, strict=True)
    )
