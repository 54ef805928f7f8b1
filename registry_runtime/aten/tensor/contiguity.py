"""Which layouts in memory the sizes and strides of a tensor spell.

Strides count elements: moving one step along dimension d moves `strides[d]` elements on. A tensor is
contiguous if its elements follow one another in C order, channels-last if dimension 1 moves fastest
and the others follow in C order, non-overlapping and dense if *some* order of its dimensions makes
it contiguous. The stride of a dimension of size 1 is never used, and so is free.

Answers are remembered: few layouts occur in a program, and every call asks. Sources:
`c10/core/Contiguity.h`, `c10/core/MemoryFormat.h`, `aten/src/ATen/ExpandUtils.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import lru_cache

Sizes = tuple[int, ...]


class MemoryFormat(IntEnum):
    """`c10::MemoryFormat`. `str()` prints it as PyTorch does."""

    Contiguous = 0
    Preserve = 1
    ChannelsLast = 2
    ChannelsLast3d = 3

    def __str__(self) -> str:
        return self.name


# Dimensions from the fastest to the slowest.
_CHANNELS_LAST_ORDER = {
    MemoryFormat.ChannelsLast: (1, 3, 2, 0),
    MemoryFormat.ChannelsLast3d: (1, 4, 3, 2, 0),
}


@lru_cache(4096)
def is_contiguous(
    sizes: Sizes, strides: Sizes, memory_format: MemoryFormat = MemoryFormat.Contiguous
) -> bool:
    """Whether the elements follow one another in that format's order; an empty tensor is
    contiguous, but not channels-last unless its strides are.
    """
    if memory_format is MemoryFormat.Contiguous:
        if 0 in sizes:
            return True
        order: tuple[int, ...] = tuple(range(len(sizes) - 1, -1, -1))
    else:
        order = _CHANNELS_LAST_ORDER[memory_format]
        if len(order) != len(sizes):
            return False
    expected = 1
    for dim in order:
        if sizes[dim] != 1:
            if strides[dim] != expected:
                return False
            expected *= sizes[dim]
    return True


@lru_cache(4096)
def is_non_overlapping_and_dense(sizes: Sizes, strides: Sizes) -> bool:
    """Whether the elements fill a range of memory without gap or overlap, in whatever order."""
    if is_contiguous(sizes, strides):
        return True
    used = sorted((stride, size) for stride, size in zip(strides, sizes, strict=True) if size > 1)
    expected = 1
    for stride, size in used:
        if stride != expected:
            return False
        expected *= size
    return True


def fastest_first(
    sizes: Sizes, operands: Sequence[Sizes], compared_first: Sequence[bool] = ()
) -> Sizes:
    """The dimensions in the order of their strides, ascending.

    `operands` are the strides of several tensors of these sizes; the first that can tell two
    dimensions apart decides. A stride of 0 can't, being a repetition; equal strides put the smaller
    dimension first. C order is kept where nothing decides. An operand with `compared_first` has its
    zeros in front of everything else: those are dimensions that a reduction sums over.
    """
    reduced = compared_first or (False,) * len(operands)
    order = list(range(len(sizes) - 1, -1, -1))
    # Insertion sort, since it can walk past what it can't compare; `sorted` can't.
    for i in range(1, len(order)):
        at = i
        for before in range(i - 1, -1, -1):
            way = _compare(order[before], order[at], sizes, zip(operands, reduced, strict=True))
            if way > 0:
                order[before], order[at] = order[at], order[before]
                at = before
            elif way < 0:
                break
    return tuple(order)


def _compare(dim0: int, dim1: int, sizes: Sizes, operands: Iterable[tuple[Sizes, bool]]) -> int:
    """1 if dim0 should come after dim1, -1 if before it, 0 if nothing can tell."""
    for strides, is_reduced in operands:
        stride0, stride1 = strides[dim0], strides[dim1]
        if is_reduced and (stride0 == 0) != (stride1 == 0):
            return 1 if stride1 == 0 else -1
        if stride0 == 0 or stride1 == 0:
            continue
        if stride0 != stride1:
            return -1 if stride0 < stride1 else 1
        if sizes[dim0] > sizes[dim1]:
            return 1
    return 0


def dense_strides(sizes: Sizes, strides: Sizes) -> Sizes:
    """`at::infer_dense_strides`: strides without gaps that keep the order of the dimensions."""
    dense, stride = [0] * len(sizes), 1
    for dim in fastest_first(sizes, (strides,)):
        dense[dim] = stride
        stride *= max(sizes[dim], 1)
    return tuple(dense)


@lru_cache(4096)
def contiguous_strides(sizes: Sizes) -> Sizes:
    """The strides of a contiguous tensor; a dimension of size 0 counts as one of size 1."""
    strides = [1] * len(sizes)
    for dim in range(len(sizes) - 2, -1, -1):
        strides[dim] = strides[dim + 1] * max(sizes[dim + 1], 1)
    return tuple(strides)


def channels_last_strides(sizes: Sizes) -> Sizes:
    """The strides of a tensor of these 4 or 5 sizes whose dimension 1 moves fastest."""
    memory_format = MemoryFormat.ChannelsLast if len(sizes) == 4 else MemoryFormat.ChannelsLast3d
    strides, stride = [0] * len(sizes), 1
    for dim in _CHANNELS_LAST_ORDER[memory_format]:
        strides[dim] = stride
        stride *= sizes[dim] if dim == 1 else max(sizes[dim], 1)
    return tuple(strides)


def storage_numel(sizes: Sizes, strides: Sizes, storage_offset: int = 0) -> int:
    """How many elements the storage must have: one past the last that the tensor reaches."""
    if 0 in sizes:
        return 0
    return (
        storage_offset + 1 + sum(map(math.prod, zip((s - 1 for s in sizes), strides, strict=True)))
    )
