"""The outputs that don't exist yet, or not in the right size.

The iterator never makes them itself: it calls `set_output_raw_strided`, which whoever runs the
operator overrides (`at::empty_strided` for a functional call, a resize for `out=`). In C++ nobody
looks at what that did.

Source: `TensorIteratorBase::allocate_or_resize_outputs` in `TensorIterator.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.tensor import Sizes
from registry_runtime.aten.tensor.tensor_meta import TensorOptions
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
            set_output(iterator, index, operand.tensor.sizes, (), options)
            continue
        itemsize = operand.target_dtype.itemsize
        operand.stride_bytes = compatible_stride(iterator.shape, itemsize)
        sizes = invert_perm(iterator.shape, iterator.perm)
        if in_c_order:
            set_output(iterator, index, sizes, (), options)
        else:
            strides = invert_perm(operand.stride_bytes, iterator.perm)
            in_elements = tuple([stride // itemsize for stride in strides])
            set_output(iterator, index, sizes, in_elements, options)
        operand.current_dtype = operand.target_dtype


def set_output(
    iterator: TensorIteratorBase, index: int, sizes: Sizes, strides: Sizes, options: TensorOptions
) -> None:
    """Call the hook, and see that the output is what was asked for: the loop will write to wherever it
    leads. Raises TorchError where it is another tensor, or none."""
    operand = iterator.operands[index]
    kept = operand.tensor.strides if operand.tensor is not None and not operand.will_resize else ()
    iterator.set_output_raw_strided(index, sizes, strides, options)
    wanted, tensor = kept or strides or options.strides_of(sizes), operand.tensor
    if tensor is None:
        raise TorchError(f"output {index} was asked for, and not set")
    if (tensor.sizes, tensor.dtype) != (sizes, operand.target_dtype) or any(
        size > 1 and is_ != asked
        for size, is_, asked in zip(sizes, tensor.strides, wanted, strict=False)
    ):
        asked = f"{operand.target_dtype} {list(sizes)} with strides {list(wanted)}"
        given = f"{tensor.dtype} {list(tensor.sizes)} with strides {list(tensor.strides)}"
        raise TorchError(f"output {index} was to be {asked}, and was set to {given}")
