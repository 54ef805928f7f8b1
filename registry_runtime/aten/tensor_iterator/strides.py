"""Strides in bytes, and the order of dimensions in which walking is quickest.

A broadcast dimension has stride 0: the same element is read again. Dimensions are then sorted by
stride, the smallest first, so that the innermost loop takes the smallest steps; and neighbours that
one stride could walk through are merged. Most calls end with one dimension.

Where inputs disagree about the order, the first one that can tell two dimensions apart decides; the
outputs, if they are to be made, take their layout from this order too. Source:
`TensorIteratorBase::reorder_dimensions` and "NOTE: [Computing output strides]" in
`TensorIterator.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry_runtime.aten.tensor.contiguity import fastest_first
from registry_runtime.aten.tensor.tensor import Sizes

if TYPE_CHECKING:
    from registry_runtime.aten.tensor_iterator.build import TensorIteratorBase
    from registry_runtime.aten.tensor_iterator.config import TensorIteratorConfig


def compute_strides(iterator: TensorIteratorBase, config: TensorIteratorConfig) -> None:
    """Give every operand that exists and keeps its size its strides in bytes, 0 for broadcast."""
    shape = iterator.shape
    for operand in iterator.operands:
        tensor = operand.tensor
        if tensor is None or operand.will_resize:
            continue
        sizes = tensor.sizes if config.static_shape is None else shape
        offset = len(shape) - len(sizes)
        itemsize = tensor.dtype.itemsize
        strides = [0] * offset
        for size, stride, wanted in zip(sizes, tensor.strides, shape[offset:], strict=False):
            strides.append(0 if size == 1 and wanted != 1 else stride * itemsize)
        operand.stride_bytes = tuple(strides)


def reorder_dimensions(iterator: TensorIteratorBase, config: TensorIteratorConfig) -> None:
    """Sort the dimensions by stride, ascending; `perm[i]` is where dimension i was before."""
    ndim = iterator.ndim
    if ndim == 1:
        iterator.perm = (0,)
        return
    if iterator.enforce_linear_iteration:
        iterator.perm = tuple(range(ndim - 1, -1, -1))
    else:
        deciding = [
            operand
            for operand in iterator.operands
            if operand.stride_bytes and not operand.will_resize
        ]
        iterator.perm = fastest_first(
            iterator.shape,
            [operand.stride_bytes for operand in deciding],
            [iterator.is_reduction and operand.is_output for operand in deciding],
        )
    permute_dimensions(iterator, iterator.perm)


def permute_dimensions(iterator: TensorIteratorBase, perm: Sizes) -> None:
    """Let dimension i be what dimension `perm[i]` was."""
    iterator.shape = tuple([iterator.shape[dim] for dim in perm])
    for operand in iterator.operands:
        if operand.stride_bytes:
            operand.stride_bytes = tuple([operand.stride_bytes[dim] for dim in perm])


def compatible_stride(shape: Sizes, element_size: int) -> Sizes:
    """Strides in bytes of a dense tensor whose dimension 0 is the fastest."""
    strides, stride = [], element_size
    for size in shape:
        strides.append(stride)
        stride *= size
    return tuple(strides)


def invert_perm(values: Sizes, perm: Sizes) -> Sizes:
    """What belongs to the iterator's dimensions, in the order of the tensor's."""
    restored = [0] * len(perm)
    for value, dim in zip(values, perm, strict=True):
        restored[dim] = value
    return tuple(restored)


def coalesce_dimensions(iterator: TensorIteratorBase, config: TensorIteratorConfig) -> None:
    """Merge neighbouring dimensions that every operand could walk with one stride.

    So it is if one of them has size 1, or if stepping through the inner one ends where the outer
    one's next step begins.
    """
    if iterator.ndim <= 1:
        return
    shape = list(iterator.shape)
    strides = [list(operand.stride_bytes) for operand in iterator.operands]
    last = 0
    for dim in range(1, len(shape)):
        if (
            shape[last] == 1
            or shape[dim] == 1
            or all(shape[last] * own[last] == own[dim] for own in strides)
        ):
            if shape[last] == 1:
                for own in strides:
                    own[last] = own[dim]
            shape[last] *= shape[dim]
        else:
            last += 1
            shape[last] = shape[dim]
            for own in strides:
                own[last] = own[dim]
    iterator.shape = tuple(shape[: last + 1])
    for operand, own in zip(iterator.operands, strides, strict=True):
        operand.stride_bytes = tuple(own[: last + 1])
    iterator.has_coalesced_dimensions = True
