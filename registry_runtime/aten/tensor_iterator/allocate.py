"""The outputs that don't exist yet, or not in the right size.

The iterator never makes them itself: it calls `set_output_raw_strided`, which whoever runs the
operator overrides (`at::empty_strided` for a functional call, a resize for `out=`).

Source: `TensorIteratorBase::allocate_or_resize_outputs` in `TensorIterator.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry_runtime.aten.tensor_iterator.strides import compatible_stride, invert_perm

if TYPE_CHECKING:
    from registry_runtime.aten.tensor_iterator.build import TensorIteratorBase
    from registry_runtime.aten.tensor_iterator.config import TensorIteratorConfig


def allocate_or_resize_outputs(iterator: TensorIteratorBase, config: TensorIteratorConfig) -> None:
    """Set every output: a new or resized one in the order that the dimensions were sorted into."""
    ndim = iterator.ndim
    in_c_order = iterator.perm == tuple(range(ndim - 1, -1, -1))
    for index in range(iterator.num_outputs):
        operand = iterator.operands[index]
        options = operand.original_options()
        if operand.tensor is not None and not operand.will_resize:
            # Nothing to do but to tell whoever overrides the hook which tensor it is.
            iterator.set_output_raw_strided(index, operand.tensor.sizes, (), options)
            continue
        itemsize = operand.target_dtype.itemsize
        operand.stride_bytes = compatible_stride(iterator.shape, itemsize)
        sizes = invert_perm(iterator.shape, iterator.perm)
        if in_c_order:
            iterator.set_output_raw_strided(index, sizes, (), options)
        else:
            strides = invert_perm(operand.stride_bytes, iterator.perm)
            in_elements = tuple([stride // itemsize for stride in strides])
            iterator.set_output_raw_strided(index, sizes, in_elements, options)
        operand.current_dtype = operand.target_dtype
