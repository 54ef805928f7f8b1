"""A counter over a shape, dimension 0 fastest, that hands out two-dimensional blocks.

A kernel runs over two dimensions at once: an inner loop, and one around it. A thread's share of the
elements may begin and end anywhere; `max_2d_step` says how big the next block can be, which is all of
dimension 0 times as much of dimension 1 as is left, or the rest of a row that was begun.

Source: `aten/src/ATen/TensorIteratorInternal.h` and `TensorIterator.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

from registry_runtime.aten.tensor.tensor import Sizes


class DimCounter:
    """`at::DimCounter` over elements `begin` to `end` of `shape`, counted linearly.

    `values` is the index of the next element in each dimension.
    """

    __slots__ = ("end", "offset", "shape", "values")

    def __init__(self, shape: Sizes, begin: int, end: int) -> None:
        self.shape, self.offset, self.end = shape, begin, end
        self.values: list[int] = []
        for size in shape:
            begin, value = divmod(begin, size) if size > 0 else (begin, 0)
            self.values.append(value)
        assert begin == 0, "the range begins beyond the shape"

    def is_done(self) -> bool:
        return self.offset >= self.end

    def max_2d_step(self) -> tuple[int, int]:
        """The next block's extent in dimensions 0 and 1."""
        left = self.end - self.offset
        step0 = min(self.shape[0] - self.values[0], left)
        if step0 != self.shape[0]:
            return step0, 1
        return step0, min(self.shape[1] - self.values[1], left // self.shape[0])

    def increment(self, step: tuple[int, int]) -> None:
        """Move on behind a block of that extent."""
        step0, step1 = step
        self.offset += step0 * step1
        dim, carry = (0, step0) if step1 == 1 else (1, step1)
        while carry and dim < len(self.shape):
            carry, self.values[dim] = divmod(self.values[dim] + carry, self.shape[dim])
            dim += 1
