"""Giving a tensor that exists other sizes, as `out=` does when it doesn't fit.

The storage grows if it must and never shrinks. An output with elements in it is resized too, with a
warning: it was once allowed, and programs rely on it.

Source: `aten/src/ATen/native/Resize.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

import warnings

from registry_runtime.aten.tensor.contiguity import contiguous_strides, storage_numel
from registry_runtime.aten.tensor.tensor import Sizes, Tensor


def resize_(tensor: Tensor, sizes: Sizes, strides: Sizes | None = None) -> Tensor:
    """`Tensor::resize_`, contiguous unless `strides` are given: new elements are not set."""
    if strides is None:
        if sizes == tensor.sizes:
            return tensor
        strides = contiguous_strides(sizes)
    needed = storage_numel(sizes, strides, tensor.storage_offset) * tensor.dtype.itemsize
    if needed > tensor.storage.nbytes:
        tensor.storage.resize(needed)
    return tensor.as_strided_(sizes, strides)


def resize_output(output: Tensor, sizes: Sizes) -> bool:
    """`at::native::resize_output`: whether the sizes changed. Warns if elements were lost."""
    if output.sizes == sizes:
        return False
    if output.numel() != 0:
        warnings.warn(
            "An output with one or more elements was resized since it had "
            f"shape {list(output.sizes)}, which does not match the required output shape "
            f"{list(sizes)}. This behavior is deprecated, and in a future PyTorch release outputs "
            "will not be resized unless they have zero elements. You can explicitly reuse an out "
            "tensor t by resizing it, inplace, to zero elements with t.resize_(0).",
            UserWarning,
            stacklevel=2,
        )
    resize_(output, sizes)
    return True
