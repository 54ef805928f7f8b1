"""Between PyTorch's types and NumPy's, which hold the elements on the CPU.

Kept apart from the types themselves, which a registration needs long before anybody needs an array:
NumPy is imported here, and `ml_dtypes` when bfloat16 or float8 is first asked for. What arrays
PyTorch refuses, and in which words, is in `torch/csrc/utils/tensor_numpy.cpp`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from registry_runtime.aten.errors import TypeTorchError, ValueTorchError
from registry_runtime.aten.tensor.scalar_type import (
    ScalarType,
    is_complex_type,
    is_floating_type,
    is_integral_type,
    names,
)


@cache
def numpy_dtype(kind: ScalarType) -> np.dtype[Any]:
    """`ScalarType.numpy`. Raises TypeError where NumPy has no such dtype."""
    if kind is ScalarType.ComplexHalf:
        return np.dtype([("real", np.float16), ("imag", np.float16)])
    if kind is ScalarType.BFloat16 or kind.name.startswith("Float8"):
        import ml_dtypes

        extension: type[Any] = getattr(ml_dtypes, kind.torch_name)
        return np.dtype(extension)
    numbers = is_integral_type(kind, include_bool=True) or is_floating_type(kind)
    if (numbers and kind is not ScalarType.Float4_e2m1fn_x2) or is_complex_type(kind):
        return np.dtype(kind.torch_name)
    raise TypeError(f"PyTorch's data type {kind} has no NumPy dtype")


def scalar_type(dtype: DTypeLike) -> ScalarType:
    """`ScalarType.of`. Raises TypeError where PyTorch has no such type."""
    exact = np.dtype(dtype)
    kind = _KNOWN.get(exact)
    if kind is None:
        kind = ScalarType.ComplexHalf if exact.fields else names().get(exact.name)
        if kind is None or numpy_dtype(kind) != exact:
            raise TypeError(f"PyTorch has no dtype for NumPy's {exact}")
        _KNOWN[exact] = kind
    return kind


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
        kind = scalar_type(array.dtype)
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


_KNOWN: dict[np.dtype[Any], ScalarType] = {}
