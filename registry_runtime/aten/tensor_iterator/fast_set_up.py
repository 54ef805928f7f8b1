"""The short way through the build: operands that one flat loop can walk together.

If all operands have the same shape and the same dense layout, the order of their elements in memory
is the same, and the loop is one dimension with a stride of one element. Broadcasting, sorting and
merging dimensions would find that out slowly; this looks for it first, and skips them.

Source: `TensorIteratorBase::compute_fast_setup_type` and `fast_set_up` in `TensorIterator.cpp` of
PyTorch 2.13.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from registry_runtime.aten.tensor.contiguity import MemoryFormat
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.aten.tensor_iterator.allocate import set_output

if TYPE_CHECKING:
    from registry_runtime.aten.tensor_iterator.build import TensorIteratorBase
    from registry_runtime.aten.tensor_iterator.config import TensorIteratorConfig


class FastSetupType(Enum):
    """`at::FastSetupType`: which layout the operands share."""

    NONE = 0
    CONTIGUOUS = 1
    CHANNELS_LAST = 2
    NON_OVERLAPPING_DENSE = 3


_MEMORY_FORMATS = {
    FastSetupType.CONTIGUOUS: MemoryFormat.Contiguous,
    FastSetupType.CHANNELS_LAST: MemoryFormat.ChannelsLast,
}


def compute_fast_setup_type(iterator: TensorIteratorBase) -> FastSetupType:
    """The layout that all operands share which exist and keep their size; NONE if they don't."""
    if iterator.is_reduction or not iterator.all_ops_same_shape:
        return FastSetupType.NONE
    tensors: list[Tensor] = [
        operand.tensor
        for operand in iterator.operands
        if operand.tensor is not None and not operand.will_resize
    ]
    if all(tensor.is_contiguous() for tensor in tensors):
        return FastSetupType.CONTIGUOUS
    if iterator.enforce_linear_iteration:
        return FastSetupType.NONE
    if all(tensor.is_contiguous(MemoryFormat.ChannelsLast) for tensor in tensors):
        return FastSetupType.CHANNELS_LAST
    if all(
        tensor.is_non_overlapping_and_dense() and tensor.strides == tensors[-1].strides
        for tensor in tensors
    ):
        return FastSetupType.NON_OVERLAPPING_DENSE
    return FastSetupType.NONE


def fast_set_up(iterator: TensorIteratorBase, config: TensorIteratorConfig) -> None:
    """Set the outputs and one flat dimension, if the operands' layouts allow it.

    `fast_setup_type` says afterwards whether they did.
    """
    setup_type = iterator.fast_setup_type = compute_fast_setup_type(iterator)
    if setup_type is FastSetupType.NONE:
        return
    strides: tuple[int, ...] = ()
    if setup_type is FastSetupType.NON_OVERLAPPING_DENSE:
        # The last operand that exists: an input, unless there is none.
        strides = next(
            op.tensor for op in reversed(iterator.operands) if op.tensor is not None
        ).strides
    memory_format = _MEMORY_FORMATS.get(setup_type)
    shape = iterator.shape
    for index in range(iterator.num_outputs):
        options = iterator.operands[index].original_options()
        if memory_format is not None:
            options = options._replace(memory_format=memory_format)
        set_output(iterator, index, shape, strides, options)
    if len(shape) > 1:
        iterator.has_coalesced_dimensions = True
    if shape:
        iterator.shape = (iterator.numel,)
    for operand in iterator.operands:
        assert operand.tensor is not None
        operand.stride_bytes = (operand.tensor.dtype.itemsize,) if shape else ()
