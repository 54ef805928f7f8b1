"""An iterator whose output is smaller than what it runs over: the sum of a matrix's rows, say.

The output gets every dimension that the input has, and in those that are summed over a step of 0: the
loop comes to the same element again and again. So a reduction is one more way to lay operands out, and
whoever builds the iterator needs no further rule than that such dimensions come first.

Sources: `aten/src/ATen/native/ReduceOpsUtils.h`, `ATen/WrapDimUtilsMulti.h`, `TensorIterator.cpp`
(`reduce_op`) of PyTorch 2.13.
"""

from __future__ import annotations

from collections.abc import Sequence

from registry_runtime.aten.errors import IndexTorchError, TorchError
from registry_runtime.aten.tensor.copy import to
from registry_runtime.aten.tensor.scalar_type import ScalarType, is_integral_type
from registry_runtime.aten.tensor.tensor import Sizes, Tensor
from registry_runtime.aten.tensor.tensor_meta import MetaBase, TensorOptions
from registry_runtime.aten.tensor_iterator.config import TensorIteratorConfig
from registry_runtime.aten.tensor_iterator.iterator import TensorIterator


def get_dtype_from_self(
    self: Tensor, dtype: ScalarType | None, promote_integers: bool
) -> ScalarType:
    """`at::native::get_dtype_from_self`: what was asked for, or the tensor's; for integers Long."""
    if dtype is not None:
        return dtype
    if promote_integers and is_integral_type(self.dtype, include_bool=True):
        return ScalarType.Long
    return self.dtype


def make_dim_mask(dims: Sequence[int] | None, ndim: int) -> tuple[bool, ...]:
    """Which dimensions are reduced: all, where none is named.

    Raises TorchError, in PyTorch's words, for one that the tensor doesn't have, or is named twice.
    """
    if not dims:
        return (True,) * ndim
    mask = [False] * max(ndim, 1)
    for dim in dims:
        low, high = -len(mask), len(mask) - 1
        if not low <= dim <= high:
            raise IndexTorchError(
                f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})"
            )
        if mask[dim]:
            raise TorchError(f"dim {dim % len(mask)} appears multiple times in the list of dims")
        mask[dim] = True
    return tuple(mask[:ndim])


def resize_reduction(
    meta: MetaBase,
    self: Tensor,
    dims: Sequence[int] | None,
    keepdim: bool,
    out_dtype: ScalarType,
) -> None:
    """`at::meta::resize_reduction`: ask for the output. Raises TorchError."""
    mask = make_dim_mask(dims, self.dim())
    sizes = zip(self.sizes, mask, strict=True)
    shape = tuple(1 if gone else size for size, gone in sizes if keepdim or not gone)
    meta.set_output_raw_strided(0, shape, (), TensorOptions(out_dtype, self.device))


def make_reduction_from_out_ty(
    self: Tensor, result: Tensor, dims: Sequence[int] | None, keepdim: bool, out_dtype: ScalarType
) -> TensorIterator:
    """`at::meta::make_reduction_from_out_ty`: the iterator over `self`, converted, and `result`."""
    mask = make_dim_mask(dims, self.dim())
    viewed = result if keepdim else _with_steps_of_zero(result, mask)
    config = TensorIteratorConfig(
        check_mem_overlap=False,
        resize_outputs=False,
        is_reduction=True,
        promote_inputs_to_common_dtype=True,
    )
    config.add_output(viewed).add_const_input(to(self, out_dtype))
    return TensorIterator.of(config)


def _with_steps_of_zero(result: Tensor, mask: Sequence[bool]) -> Tensor:
    """`at::native::review_reduce_result`: a view with the reduced dimensions again, each of size 1."""
    sizes, strides = iter(result.sizes), iter(result.strides)
    shape: Sizes = tuple(1 if gone else next(sizes) for gone in mask)
    steps: Sizes = tuple(0 if gone else next(strides) for gone in mask)
    return result.as_strided(shape, steps, result.storage_offset)
