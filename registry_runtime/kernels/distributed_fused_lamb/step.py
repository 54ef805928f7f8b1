"""One rank's step: what it adds up, what it exchanges, and which kernel does what.

LAMB (https://arxiv.org/abs/1904.00962) is Adam whose step is as long as the parameter is large. Two
norms of each parameter are needed before one element of it can change, and every rank has but a part of
it; so the ranks exchange squares of norms. They add up the gradients beforehand, of which each keeps
its share, and hand round the changed parameters at the end. What is exchanged in between is a few
numbers.

The arithmetic is left to `Operations`: NumPy's in `reference.py`, kernels of ours in `device.py`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from registry_runtime.kernels.distributed_fused_lamb.layout import Info
from registry_runtime.kernels.distributed_fused_lamb.operations import (
    Attributes,
    Operations,
    Rates,
    Tensors,
)
from registry_runtime.kernels.distributed_fused_lamb.sums import Shares, share_out, sum_up


class Group(NamedTuple):
    """The rank's elements of one type. `start` is its first parameter's place among all."""

    param: Any  # in float32
    grad: Any
    moment1: Any
    moment2: Any
    offsets: Any
    start: int
    decay_end: int
    half: Any  # the same elements in float16; None for float32


def take_step(ops: Operations, t: Tensors, a: Attributes) -> None:
    """Changes `t`. Raises KernelError for sizes that don't go together."""
    fp16_numel = t.fp16_param.size
    fp32_numel = t.fp32_param.size - fp16_numel
    grads = (t.fp32_grad, t.fp16_grad)
    if a.acc_steps > 1:
        if accumulate(ops, t, a):
            t.found_inf[...], t.stop_update[...] = False, True
            return
        t.stop_update[...] = False
        grads = (t.fp32_acc_grad, t.fp16_acc_grad[:fp16_numel])
    shares = share_out(fp32_numel, fp16_numel, t.moment1.size, a)
    max_norm = a.max_global_grad_norm
    (fp32_grad, fp16_grad), square = sum_up(ops, t, a, grads, shares)
    if not math.isfinite(square):
        t.found_inf[...] = True
        return
    t.found_inf[...] = False
    t.step[...] += 1

    scale = (1.0 if a.is_grad_scaled_by_nranks else 1.0 / a.nranks) / float(t.global_scale[0])
    if max_norm > 0 and a.clip_after_allreduce:
        scale *= min(1.0, max_norm / (math.sqrt(square) * scale + 1e-6))
    rates = Rates(
        *(scale, a.beta1, a.beta2, float(t.beta1_pow[0]), float(t.beta2_pow[0])),
        *(a.epsilon, a.weight_decay),
    )
    info = Info(*t.param_info.tolist())
    lr = float(t.learning_rate[0])
    fp32 = slice(shares.rank * shares.fp32, (shares.rank + 1) * shares.fp32)
    fp16 = slice(shares.rank * shares.fp16, (shares.rank + 1) * shares.fp16)
    single, master = t.fp32_param[:fp32_numel], t.fp32_param[fp32_numel:]
    groups = [
        Group(
            *(single[fp32], fp32_grad, t.moment1[: shares.fp32], t.moment2[: shares.fp32]),
            *(t.fp32_partial_offsets, info.fp32_start, info.fp32_decay_end, None),
        ),
        Group(
            *(master[fp16], fp16_grad, t.moment1[shares.fp32 :], t.moment2[shares.fp32 :]),
            *(t.fp16_partial_offsets, info.fp16_start, info.fp16_decay_end, t.fp16_param[fp16]),
        ),
    ]
    steps = []
    for group in groups:
        param, grad, moment1, moment2, offsets, _, decay_end, _ = group
        decayed = int(offsets[decay_end]) if param.size else 0
        steps.append(ops.moments(param, grad, moment1, moment2, decayed, rates))
    norms, step_norms = all_norms(ops, t, a, shares, info, (single, master[fp16]), steps)
    for group, step in zip(groups, steps, strict=True):
        if group.param.size:
            own = slice(group.start, group.start + group.offsets.size - 1)
            ratio = (norms[own], step_norms[own])
            ops.update(group.param, step, group.offsets, lr, *ratio, group.half)
    if shares.of and shares.devices > 1:
        shares.of.all_gather(single[fp32], single)
        shares.of.all_gather(t.fp16_param[fp16], t.fp16_param)
    t.beta1_pow[...] *= a.beta1
    t.beta2_pow[...] *= a.beta2


def accumulate(ops: Operations, t: Tensors, a: Attributes) -> bool:
    """Adds the gradients to those before. True where more are to come.

    Of three or more in float16 the sum is kept in float32, behind the one in float16, to which it
    comes with the last.
    """
    t.acc_step[...] += 1
    turn: int = int(t.acc_step[0]) % a.acc_steps
    if turn == 1:
        t.fp32_acc_grad[...] = t.fp32_grad
    else:
        ops.add(t.fp32_grad, t.fp32_acc_grad, t.fp32_acc_grad)
    count = t.fp16_grad.size
    total, rest = t.fp16_acc_grad[:count], t.fp16_acc_grad[count:]
    if turn == 1:
        total[...] = t.fp16_grad
    elif a.acc_steps == 2 or not a.use_master_acc_grad:
        ops.add(total, t.fp16_grad, total)
    else:
        master = rest.view("float32")
        before = total if turn == 2 else master
        ops.add(t.fp16_grad, before, total if turn == 0 else master)
    return turn != 0


def all_norms(
    ops: Operations,
    t: Tensors,
    a: Attributes,
    shares: Shares,
    info: Info,
    params: tuple[Any, Any],
    steps: list[Any],
) -> tuple[Any, Any]:
    """The squares of the norms of all parameters, and of their steps.

    Every rank has all float32 parameters, and needs nobody for their norms; and all float16 ones, if
    their norms will do.
    """
    count = info.fp32_all + info.fp16_all
    norms, step_norms = ops.zeros(count), ops.zeros(count)
    single, master = params
    fp32_own = slice(info.fp32_start, info.fp32_start + info.fp32_count)
    fp16_own = slice(info.fp16_start, info.fp16_start + info.fp16_count)
    if info.fp32_all:
        norms[: info.fp32_all] = ops.square_norms(single, t.param_offsets[: info.fp32_all + 1])
        step_norms[fp32_own] = ops.square_norms(steps[0], t.fp32_partial_offsets)
    if info.fp16_count:
        if a.use_master_param_norm:
            norms[fp16_own] = ops.square_norms(master, t.fp16_partial_offsets)
        else:
            offsets = t.param_offsets[info.fp16_start : info.fp16_start + info.fp16_count + 1]
            begin = int(offsets[0]) - single.size
            norms[fp16_own] = ops.square_norms(t.fp16_param[begin:], offsets)
        step_norms[fp16_own] = ops.square_norms(steps[1], t.fp16_partial_offsets)
    if shares.of and shares.devices > 1:
        if a.use_master_param_norm:
            norms[info.fp32_all :] = shares.of.all_reduce(norms[info.fp32_all :])
        step_norms = shares.of.all_reduce(step_norms)
    return norms, step_norms
