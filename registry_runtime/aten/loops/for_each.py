"""From a whole iterator to two-dimensional steps: `for_each`, `serial_for_each` and `parallel_for`.

The elements are numbered 0 to numel - 1, the first dimension running fastest. Up to `GRAIN_SIZE` of
them one thread works alone; beyond it the numbers are cut into as many ranges as there are threads,
though into no more than there are grains. A range is walked in steps: as much of the first two
dimensions as it covers in one go (`DimCounter.max_2d_step`). Each step is one call of `loop2d`, with
the pointers to where it begins.

There are two drivers, and both call the same `loop2d` with the same numbers. The machine's runs when
nobody looks; Python's, which asks the iterator's own `DimCounter`, runs when somebody wants to be
told of each step. Source: `aten/src/ATen/TensorIterator.cpp`, `TensorIteratorInternal.h`,
`Parallel-inl.h`, `ParallelOpenMP.h`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from registry_runtime.aten.loops.vectorized_loop2d import LoopStory, VectorizedLoop2d
from registry_runtime.aten.tensor_iterator.dim_counter import DimCounter
from registry_runtime.kernels import cores

Facts = np.ndarray[Any, np.dtype[np.int64]]
Loop2d = Callable[[Sequence[int], Sequence[int], int, int, int, LoopStory], None]
GRAIN_SIZE = 32768  # at::internal::GRAIN_SIZE, in elements


class Iterates(Protocol):
    """What the loops want to know of a `TensorIteratorBase` that was built."""

    @property
    def shape(self) -> Sequence[int]: ...

    @property
    def operands(self) -> Sequence[Any]: ...

    @property
    def numel(self) -> int: ...


def for_each(
    iter: Iterates,
    loop: VectorizedLoop2d,
    grain_size: int = GRAIN_SIZE,
    story: LoopStory | None = None,
) -> None:
    """`TensorIteratorBase::for_each`: calls `loop` for every element, on one core or on all."""
    from registry_runtime.aten.loops import drivers  # with which Numba comes

    numel = iter.numel
    if numel == 0:
        return
    ranges = parallel_for(0, numel, grain_size, drivers.get_num_threads())
    if story is not None:
        story.begin(numel, grain_size, ranges)
        for number, (begin, end) in enumerate(ranges):
            story.thread = number
            serial_for_each(iter, loop, begin, end, story)
        return
    _drive(loop, facts_of(iter), ranges, iter.operands[0].current_dtype.itemsize)


def _drive(
    loop: VectorizedLoop2d, facts: Facts, ranges: tuple[tuple[int, int], ...], itemsize: int
) -> None:
    from registry_runtime.aten.loops import drivers  # with which Numba comes

    numel, chunk = ranges[-1][1], ranges[0][1]
    arguments = loop.address, loop.captured_at, facts.ctypes.data
    if len(ranges) > 1 and cores.on_all_cores(
        drivers.parallel(), numel * itemsize, *arguments, chunk, numel, len(ranges)
    ):
        return
    # On one core, range by range all the same: the last few elements of a range go one by one, and
    # BFloat16 and Half are rounded differently there.
    for begin, end in ranges:
        drivers.serial()(*arguments, begin, end)


def parallel_for(
    begin: int, end: int, grain_size: int, num_threads: int
) -> tuple[tuple[int, int], ...]:
    """`at::parallel_for`: the ranges that [begin, end) is cut into, one for each thread."""
    chunk, _ = cut(end - begin, grain_size, num_threads)
    return tuple((at, min(end, at + chunk)) for at in range(begin, end, chunk))


def cut(count: int, grain_size: int, num_threads: int) -> tuple[int, int]:
    """How many of `count` elements a thread gets, and how many threads get some.

    Up to a grain nothing is cut; and no more threads get some than there are grains, the last one
    begun counted.
    """
    if count <= grain_size or count <= 1 or num_threads == 1:
        return count, 1
    if grain_size > 0:
        num_threads = min(num_threads, -(-count // grain_size))
    chunk = -(-count // num_threads)
    return chunk, -(-count // chunk)


def serial_for_each(iter: Iterates, loop: Loop2d, begin: int, end: int, story: LoopStory) -> None:
    """`TensorIteratorBase::serial_for_each`, step by step, each told to `story`."""
    if begin == end:
        return
    ntensors, shape = len(iter.operands), tuple(iter.shape)
    strides = strides_of(iter)
    bases = [operand.data for operand in iter.operands]
    if len(shape) <= 1:
        pointers = [base + begin * stride for base, stride in zip(bases, strides, strict=False)]
        loop(pointers, strides, end - begin, 1, begin, story)
        return
    counter = DimCounter(shape, begin, end)
    while not counter.is_done():
        pointers = list(bases)
        for dim, value in enumerate(counter.values):
            for i in range(ntensors):
                pointers[i] += value * strides[dim * ntensors + i]
        step = counter.max_2d_step()
        loop(pointers, strides, step[0], step[1], counter.offset, story)
        counter.increment(step)


def strides_of(iter: Iterates) -> list[int]:
    """In bytes: those of every operand in the first dimension, then in the next; two at least."""
    strides = [
        operand.stride_bytes[dim] for dim in range(len(iter.shape)) for operand in iter.operands
    ]
    return strides + [0] * ((2 - len(iter.shape)) * len(iter.operands))


def facts_of(iter: Iterates) -> Facts:
    """What the machine's driver reads: ndim, ntensors, the shape, the strides, the pointers."""
    return np.array(
        [
            len(iter.shape),
            len(iter.operands),
            *iter.shape,
            *strides_of(iter),
            *(operand.data for operand in iter.operands),
        ],
        np.int64,
    )
