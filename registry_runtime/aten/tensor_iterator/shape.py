"""The shape that the operands broadcast to, and which outputs don't have it yet.

Shapes are aligned at their last dimension; a missing dimension, and one of size 1, is repeated.
Outputs have no say as long as they may be resized. Source: `TensorIterator.cpp` and
`aten/src/ATen/ExpandUtils.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.tensor import Sizes

if TYPE_CHECKING:
    from registry_runtime.aten.tensor_iterator.build import TensorIteratorBase
    from registry_runtime.aten.tensor_iterator.config import TensorIteratorConfig


def infer_size(a: Sizes, b: Sizes) -> Sizes:
    """The shape that two shapes broadcast to. Raises TorchError, in PyTorch's words."""
    ndim = max(len(a), len(b))
    shape = [1] * ndim
    # From the last dimension to the first: the first that doesn't fit is named.
    for back in range(1, ndim + 1):
        size_a = a[-back] if back <= len(a) else 1
        size_b = b[-back] if back <= len(b) else 1
        if size_a != size_b and size_a != 1 and size_b != 1:
            raise TorchError(
                f"The size of tensor a ({size_a}) must match the size of tensor b ({size_b}) "
                f"at non-singleton dimension {ndim - back}"
            )
        shape[-back] = size_b if size_a == 1 else size_a
    return tuple(shape)


def compute_shape(iterator: TensorIteratorBase, config: TensorIteratorConfig) -> None:
    """Set the iterator's `shape`, and whether all operands have it, or all have no dimensions.

    Raises TorchError for shapes that don't broadcast.
    """
    if config.static_shape is not None:
        iterator.shape = config.static_shape
        return
    shape: Sizes = ()
    same, has_scalars, has_tensors = True, False, False
    for operand in iterator.operands:
        if operand.tensor is None or (config.resize_outputs and operand.is_output):
            continue
        sizes = operand.tensor.sizes
        if sizes:
            has_tensors = True
        else:
            has_scalars = True
        if not shape:
            shape = sizes
        elif sizes != shape:
            same = False
            shape = infer_size(shape, sizes)
    iterator.shape = shape
    iterator.all_ops_same_shape = same and not (has_scalars and has_tensors)
    iterator.all_ops_are_scalars = not has_tensors


def mark_resize_outputs(iterator: TensorIteratorBase, config: TensorIteratorConfig) -> None:
    """Mark the outputs of another shape as `will_resize`.

    Raises TorchError for one that is also an input, since resizing it would lose what is to be read.
    """
    if config.static_shape is not None:
        return
    for operand in iterator.operands[: iterator.num_outputs]:
        output = operand.tensor
        if output is None or output.sizes == iterator.shape:
            continue
        if config.resize_outputs and not operand.is_read_write:
            operand.will_resize = True
        elif not iterator.is_reduction:
            raise TorchError(
                f"output with shape {list(output.sizes)} doesn't match the broadcast shape "
                f"{list(iterator.shape)}"
            )
