"""Values for a kernel: words that a person types, and arrays that are made up.

A shape is `4096x1024` or `1e6`, values stand in brackets, `[1, 2, nan]`; `given` reads a tensor, which
is either of them, or a file. How an attribute is read, its C++ type says.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from registry_runtime.phi.attribute_text import literal, short
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.parameter_types import type_of

DTYPES = tuple(  # of the tensors that somebody may want, the most usual ones first
    str(dtype)
    for dtype in (
        *(DataType.FLOAT32, DataType.FLOAT64, DataType.FLOAT16, DataType.BFLOAT16),
        *(DataType.INT8, DataType.INT16, DataType.INT32, DataType.INT64, DataType.UINT8),
        *(DataType.BOOL, DataType.COMPLEX64, DataType.COMPLEX128),
    )
)
_MOST_DIMS = 9  # PHI's DDim::kMaxRank
_LARGEST_DIM = 2**63 - 1  # an int64_t


def parse_shape(text: str) -> tuple[int, ...]:
    """`4096x1024`, `4096, 1024`, `1e6`, `1_000`: the dims. `()` is a tensor of one number.

    Raises ValueError, with what was typed, for anything else.
    """
    if text.strip().replace(" ", "") == "()":
        return ()
    words = [word for word in re.split(r"[x×*,;\s]+", text.strip().strip("()").lower()) if word]
    dims = [_dim(word, text) for word in words]
    if not dims:
        raise ValueError(_no_shape(text))
    if len(dims) > _MOST_DIMS:
        raise ValueError(f"{len(dims)} dims are more than PHI's {_MOST_DIMS}")
    return tuple(dims)


def _dim(word: str, text: str) -> int:
    if not re.fullmatch(r"\d[\d_]*|\d+(\.\d+)?e\+?\d{1,2}", word):
        raise ValueError(_no_shape(text))
    dim = int(word) if word.replace("_", "").isdigit() else float(word)
    if dim > _LARGEST_DIM:
        raise ValueError(f"{word} in '{text.strip()}' is more than an int64_t holds")
    if dim != int(dim):
        raise ValueError(f"{word} in '{text.strip()}' is no whole number of elements")
    return int(dim)


def _no_shape(text: str) -> str:
    return (
        f"'{text.strip()}' is no shape: write 4096x1024, or 1e6, or values in brackets, [1, 2, nan], "
        "or the name of a file, x.npy"
    )


def shown_shape(shape: tuple[int, ...]) -> str:
    """As `parse_shape` reads it: `4096x1024`."""
    return "x".join(map(str, shape)) or "()"


def parse_values(text: str, dtype: DataType) -> NDArray[Any]:
    """`[1, 2, nan]`, `[[true, false], [1, 0]]`, `[1+2j]`: an array of that dtype.

    Raises ValueError for what is no such list, for rows of different lengths, and for a number that
    `dtype` doesn't hold.
    """
    values = literal(text)
    if not isinstance(values, list):
        values = [values]
    try:
        array = np.array(values if values else np.empty(0))
    except (ValueError, OverflowError):
        raise ValueError(f"the rows of '{short(text)}' differ in length") from None
    return _as_dtype(array, dtype)


def _as_dtype(array: NDArray[Any], dtype: DataType) -> NDArray[Any]:
    target = dtype.numpy
    if array.dtype.kind == "O":
        raise ValueError(f"no type that PHI has holds {max(array.reshape(-1), key=abs)}")
    if array.dtype.kind == "c" and target.kind != "c":
        raise ValueError(f"{array[array.imag != 0].flat[0]} is complex, and {dtype} is not")
    if target.kind in "iu" and array.size:
        limits = np.iinfo(target)
        whole = (array >= limits.min) & (array <= limits.max) & (array == np.floor(array))
        if not whole.all():
            raise ValueError(f"{array[~whole].flat[0]} is no {dtype}")
    with np.errstate(over="ignore"):
        return array.astype(target)


def parse_attribute(text: str, cpp_type: str) -> Any:
    """The value for a parameter of this C++ type, as a caller in Python would pass it.

    Raises ValueError for what isn't one. Whether the kernel wants it, only the kernel knows.
    """
    return type_of(cpp_type).value.read(text)


def shown_attribute(value: Any) -> str:
    """As `parse_attribute` reads it."""
    value = getattr(value, "value", value) if not isinstance(value, DataType) else value
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(str, value)) + "]"
    return str(value)


def made_up(
    dtype: np.dtype[Any], shape: tuple[int, ...], rng: np.random.Generator, below: int = 100
) -> NDArray[Any]:
    """Standard normal numbers; of an integer type those from 0 to `below`, without it."""
    if dtype.names is not None:  # a complex number of two halves
        pair = np.empty(shape, dtype)
        for part in dtype.names:
            pair[part] = rng.standard_normal(shape)
        return pair
    if dtype.kind in "biu":
        whole = rng.integers(0, 2 if dtype.kind == "b" else below, shape, dtype=np.int64)
        return np.asarray(whole.astype(dtype))
    values = rng.standard_normal(shape)
    if dtype.kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return np.asarray(values.astype(dtype))


def on_host(value: Any) -> Any:
    """The array in host memory, where it was on a GPU; anything else as it is."""
    return value.get() if hasattr(value, "get") and hasattr(value, "shape") else value
