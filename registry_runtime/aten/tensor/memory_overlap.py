"""Whether a tensor may be written to, element by element, in any order.

It may not if two of its elements are one place in memory (an expanded dimension has stride 0), nor
if it shares some of its memory with an operand that is still to be read. Sharing all of it is fine:
each element is read before it is written. A full answer would be the solution of a Diophantine
equation; PyTorch answers where it is easy and lets the rest pass.

Source: `aten/src/ATen/MemoryOverlap.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

from enum import Enum

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.tensor import Tensor


class MemOverlap(Enum):
    """`at::MemOverlap`: of a tensor with itself."""

    No = 0
    Yes = 1
    TooHard = 2


class MemOverlapStatus(Enum):
    """`at::MemOverlapStatus`: of one tensor with another."""

    Full = 0
    Partial = 1
    No = 2
    TooHard = 3


def has_internal_overlap(tensor: Tensor) -> MemOverlap:
    """Whether two of the tensor's elements lie in one place."""
    if tensor.is_non_overlapping_and_dense():
        return MemOverlap.No
    for size, stride in zip(tensor.sizes, tensor.strides, strict=True):
        if stride == 0 and size > 1:
            return MemOverlap.Yes
    return MemOverlap.TooHard


def assert_no_internal_overlap(tensor: Tensor) -> None:
    """Raises TorchError, in PyTorch's words, if two elements lie in one place."""
    if has_internal_overlap(tensor) is MemOverlap.Yes:
        raise TorchError(
            "unsupported operation: more than one element of the written-to tensor refers to a "
            "single memory location. Please clone() the tensor before performing the operation."
        )


def get_overlap_status(a: Tensor, b: Tensor) -> MemOverlapStatus:
    """How much memory two tensors share. Only tensors of one storage can share any."""
    if a is b:
        return MemOverlapStatus.Full
    if a.numel() == 0 or b.numel() == 0:
        return MemOverlapStatus.No
    if not (a.is_non_overlapping_and_dense() and b.is_non_overlapping_and_dense()):
        return MemOverlapStatus.TooHard
    if not a.is_alias_of(b):
        return MemOverlapStatus.No
    begin_a, end_a = _range(a)
    begin_b, end_b = _range(b)
    if (begin_a, end_a) == (begin_b, end_b):
        same = a.strides == b.strides
        return MemOverlapStatus.Full if same else MemOverlapStatus.Partial
    shared = begin_a < end_b and begin_b < end_a
    return MemOverlapStatus.Partial if shared else MemOverlapStatus.No


def assert_no_partial_overlap(a: Tensor, b: Tensor) -> None:
    """Raises TorchError, in PyTorch's words, if the two share some memory and not all."""
    if get_overlap_status(a, b) is MemOverlapStatus.Partial:
        raise TorchError(
            "unsupported operation: some elements of the input tensor and the written-to tensor "
            "refer to a single memory location. Please clone() the tensor before performing the "
            "operation."
        )


def _range(tensor: Tensor) -> tuple[int, int]:
    """Where in its storage a dense tensor begins and ends, in bytes."""
    begin = tensor.storage_offset * tensor.dtype.itemsize
    return begin, begin + tensor.numel() * tensor.dtype.itemsize
