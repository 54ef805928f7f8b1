"""Many parameters in one piece of memory, and a rank's share of it.

What is one tensor takes one kernel. So the parameters are put one behind the other, those of float32
before those of float16, and of each those first whose weights decay; every one begins at a multiple of
the alignment, and the last is followed by so many zeros that each rank gets as many elements. Ranks
share memory out without regard for where a parameter begins: the first and the last of a rank's share
may belong to its neighbours as well.

float16 keeps a copy in float32, behind the float32 parameters: changes smaller than its last place
would be lost in it.

This is what `distributed_fused_lamb_init` does before the first step.

Source: `paddle/phi/kernels/fusion/gpu/distributed_fused_lamb_init_kernel.cu`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

HALF, SINGLE = np.dtype(np.float16), np.dtype(np.float32)


class Info(NamedTuple):
    """The eight numbers of `param_info`. `start` is counted among all parameters, `decay_end` among
    the rank's own."""

    fp32_start: int
    fp32_count: int
    fp32_all: int
    fp32_decay_end: int
    fp16_start: int
    fp16_count: int
    fp16_all: int
    fp16_decay_end: int


@dataclass(frozen=True)
class Fused:
    """What the operator's first inputs are, by the kernel's names for them."""

    fp32_param: Any
    fp32_grad: Any
    fp16_param: Any
    fp16_grad: Any
    param_offsets: Any
    param_info: Any  # as if there were one rank
    param_order: Any


def aligned(count: int, to: int) -> int:
    return -(-count // to) * to


def fuse(
    params: list[Any], grads: list[Any], decays: list[bool], nranks: int, alignment: int = 128
) -> Fused:
    """`alignment` is in bytes. `nranks` decides how many zeros there are at the end."""
    order: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    counts: list[int] = []
    begin = 0
    for dtype in (SINGLE, HALF):
        ours = [i for i, param in enumerate(params) if param.dtype == dtype]
        ours = [i for i in ours if decays[i]] + [i for i in ours if not decays[i]]
        order += ours
        counts += [len(ours), sum(bool(decays[i]) for i in ours)]
        unit, size = alignment // dtype.itemsize, 0
        for i in ours:
            starts.append(begin + size)
            last = i == ours[-1]
            size = aligned(size + params[i].size, unit * nranks if last else unit)
        ends.append(begin + size)
        begin += size
    fp32_end, whole = ends
    fused = [np.zeros(whole, SINGLE), np.zeros(fp32_end, SINGLE)]
    fused += [np.zeros(whole - fp32_end, HALF) for _ in range(2)]
    for i, start in zip(order, starts, strict=True):
        end, is_half = start + params[i].size, params[i].dtype == HALF
        fused[0][start:end] = params[i].reshape(-1)
        fused[3 if is_half else 1][start - is_half * fp32_end :][: end - start] = grads[i].reshape(
            -1
        )
        if is_half:
            fused[2][start - fp32_end : end - fp32_end] = params[i].reshape(-1)
    fp32_all, fp32_decay, fp16_all, fp16_decay = counts
    info = Info(0, fp32_all, fp32_all, fp32_decay, fp32_all, fp16_all, fp16_all, fp16_decay)
    numbers = (np.array(list(n), np.int32) for n in ([*starts, whole], info, order))
    return Fused(*fused, *numbers)


def shard(
    offsets: list[int], info: Info, rank: int, nranks: int
) -> tuple[list[int], list[int], Info]:
    """The rank's offsets of float32 and of float16, and its numbers, from those of one rank."""
    cuts: list[list[int]] = []
    numbers: list[int] = []
    for first, count, decay_end in (
        (0, info.fp32_all, info.fp32_decay_end),
        (info.fp32_all, info.fp16_all, info.fp16_decay_end),
    ):
        bounds = np.array(offsets[first : first + count + 1]) - offsets[first]
        share = int(bounds[-1]) // nranks
        begin, end = rank * share, (rank + 1) * share
        if share == 0:
            cuts.append([0])
            numbers += [first, 0, count, 0]
            continue
        low = int(np.searchsorted(bounds, begin, "right")) - 1
        high = int(np.searchsorted(bounds, end, "left"))
        cuts.append((np.clip(bounds[low : high + 1], begin, end) - begin).tolist())
        decayed = min(max(decay_end, low), high) - low
        numbers += [first + low, high - low, count, decayed]
    return cuts[0], cuts[1], Info(*numbers)


def elements(offsets: list[int], numbers: Info, order: list[int], params: list[Any]) -> list[Any]:
    """Where each parameter lies in the float32 memory, as a slice, in the caller's order."""
    found: list[Any] = [None] * len(params)
    for place, i in enumerate(order):
        found[i] = slice(offsets[place], offsets[place] + int(np.prod(params[i].shape, dtype=int)))
    return found
