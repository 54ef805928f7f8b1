"""Which NumPy and CuPy arrays a tensor can look at.

What PyTorch refuses, and in which words, is in `torch/csrc/utils/tensor_numpy.cpp`.
"""

from __future__ import annotations

from typing import Any

from registry_runtime.aten.errors import TypeTorchError, ValueTorchError
from registry_runtime.aten.tensor.scalar_type import ScalarType


def checked_scalar_type(array: Any) -> ScalarType:
    """The type of a tensor over this array, NumPy's or CuPy's.

    Raises TypeTorchError for elements that PyTorch has no type for, ValueTorchError for strides
    that a tensor can't have (negative ones, and parts of an element) and for foreign byte order.
    """
    if not array.dtype.isnative:
        raise ValueTorchError(
            "given numpy array has byte order different from the native byte order. "
            "Conversion between byte orders is currently not supported."
        )
    try:
        kind = ScalarType.of(array.dtype)
    except TypeError:
        raise TypeTorchError(
            f"can't convert np.ndarray of type numpy.{array.dtype.type.__name__}. The only "
            "supported types are: float64, float32, float16, complex64, complex128, int64, "
            "int32, int16, int8, uint64, uint32, uint16, uint8, and bool."
        ) from None
    for stride in array.strides:
        if stride < 0:
            raise ValueTorchError(
                "At least one stride in the given numpy array is negative, and tensors with "
                "negative strides are not currently supported. (You can probably work around "
                "this by making a copy of your array  with array.copy().) "
            )
        if stride % kind.itemsize:
            raise ValueTorchError(
                "given numpy array strides not a multiple of the element byte size. "
                "Copy the numpy array to reallocate the memory."
            )
    return kind
