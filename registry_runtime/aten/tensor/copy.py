"""Copying elements from one type into another, as C++ converts them (`c10::convert`).

A complex number that becomes real keeps its real part, and becomes true if either part isn't zero. A
fraction that becomes an integer is cut off. Half and BFloat16 are converted through float: that is
what their only constructor takes, and so a double may be rounded twice.

Sources: `c10/util/TypeCast.h`, `aten/src/ATen/native/TensorConversions.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from registry_runtime.aten.tensor.contiguity import dense_strides
from registry_runtime.aten.tensor.device import Device, DeviceType
from registry_runtime.aten.tensor.scalar_type import ScalarType, is_complex_type, is_integral_type
from registry_runtime.aten.tensor.tensor import Tensor, empty_strided


def to(tensor: Tensor, dtype: ScalarType) -> Tensor:
    """`Tensor::to`: the tensor itself, or a copy with elements of that type."""
    return tensor if dtype is tensor.dtype else to_copy(tensor, dtype)


def to_copy(tensor: Tensor, dtype: ScalarType) -> Tensor:
    """`at::_to_copy`: a new tensor with these elements as `dtype`."""
    return copy_(empty_like(tensor, dtype, tensor.device), tensor)


def empty_like(tensor: Tensor, dtype: ScalarType, device: Device) -> Tensor:
    """`at::empty_like`: a new tensor of these sizes, its elements not set.

    Its strides are the old ones if those are dense, else dense ones in the same order.
    """
    strides = tensor.strides
    if not tensor.is_non_overlapping_and_dense():
        strides = dense_strides(tensor.sizes, strides)
    return empty_strided(tensor.sizes, strides, dtype, device)


def copy_(target: Tensor, source: Tensor) -> Tensor:
    """`Tensor::copy_`: write the elements of `source`, converted, into `target`; same sizes.

    Nothing happens on `meta`. Returns `target`. Warns where imaginary parts are lost.
    """
    if is_complex_type(source.dtype) and not is_complex_type(target.dtype):
        warnings.warn(
            "Casting complex values to real discards the imaginary part", UserWarning, stacklevel=2
        )
    if target.device.type is not DeviceType.Meta:
        target.numpy_or_cupy()[...] = convert(source.numpy_or_cupy(), source.dtype, target.dtype)
    return target


def convert(array: Any, source: ScalarType, target: ScalarType) -> Any:
    """The array of `source`'s elements with `target`'s; the array itself if it needs no change."""
    if source is target:
        return array
    if source is ScalarType.ComplexHalf:
        whole = np.empty(array.shape, np.complex64)
        whole.real, whole.imag = array["real"], array["imag"]
        array = whole
    if target is ScalarType.Bool:
        return array != 0
    if is_complex_type(target):
        return _to_complex(array, target)
    if array.dtype.kind == "c":
        array = array.real
    with np.errstate(all="ignore"):
        if target in (ScalarType.Half, ScalarType.BFloat16):
            array = array.astype(np.float32)
        elif target is ScalarType.Byte and not is_integral_type(source, include_bool=True):
            array = array.astype(np.int64)
        return array.astype(target.numpy)


def _to_complex(array: Any, target: ScalarType) -> Any:
    with np.errstate(all="ignore"):
        if target is not ScalarType.ComplexHalf:
            return array.astype(target.numpy)
        whole = array.astype(np.complex64)
        pairs = np.empty(array.shape, target.numpy)
        pairs["real"], pairs["imag"] = whole.real, whole.imag
    return pairs
