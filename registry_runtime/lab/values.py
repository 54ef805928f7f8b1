"""Words that a person types, as the values that a kernel takes.

A tensor is a shape, `4096x1024` or `1e6`, for somebody else to fill; or it is its own values, in
brackets, `[1, 2, nan]`. An attribute is a number, a list, a name, whatever its C++ type says. Nothing
here is evaluated as Python: only numbers, signs, brackets and the names that C has for what is no
number.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from registry_runtime.phi.data_type import DataType, cpp_type_to_data_type

_LONGEST = 10_000  # characters of a list; a longer one is no small list any more
_MOST_DIMS = 9  # PHI's DDim::kMaxRank
_LARGEST_DIM = 2**63 - 1  # an int64_t
_NAMES = {"nan": math.nan, "inf": math.inf, "infinity": math.inf, "true": True, "false": False}


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
        f"'{text.strip()}' is no shape: write 4096x1024, or 1e6, or values in brackets, [1, 2, nan]"
    )


def shown_shape(shape: tuple[int, ...]) -> str:
    """As `parse_shape` reads it: `4096x1024`."""
    return "x".join(map(str, shape)) or "()"


def parse_values(text: str, dtype: DataType) -> NDArray[Any]:
    """`[1, 2, nan]`, `[[true, false], [1, 0]]`, `[1+2j]`: an array of that dtype.

    Raises ValueError for what is no such list, for rows of different lengths, and for a number that
    `dtype` doesn't hold.
    """
    values = _literal(text)
    if not isinstance(values, list):
        values = [values]
    try:
        array = np.array(values if values else np.empty(0))
    except (ValueError, OverflowError):
        raise ValueError(f"the rows of '{_short(text)}' differ in length") from None
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
    return _ATTRIBUTES.get(cpp_type, str.strip)(text)


def shown_attribute(value: Any) -> str:
    """As `parse_attribute` reads it."""
    value = getattr(value, "value", value) if not isinstance(value, DataType) else value
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(str, value)) + "]"
    return str(value)


def _number(text: str) -> Any:
    value = _literal(text)
    if isinstance(value, list):
        raise ValueError(f"one number is wanted, not '{_short(text)}'")
    return value


def _integer(text: str) -> int:
    value = _number(text)
    if isinstance(value, complex) or value != value or abs(value) == math.inf or value % 1:
        raise ValueError(f"a whole number is wanted, not '{_short(text)}'")
    return int(value)


def _integers(text: str) -> list[int]:
    values = _literal(text if text.strip().startswith("[") else f"[{text}]")
    return [_integer(str(value)) for value in values]


def _real(text: str) -> float:
    value = _number(text)
    if isinstance(value, complex):
        raise ValueError(f"a real number is wanted, not '{_short(text)}'")
    return float(value)


def _bool(text: str) -> bool:
    value = {"true": True, "false": False, "1": True, "0": False}.get(text.strip().lower())
    if value is None:
        raise ValueError(f"true or false is wanted, not '{_short(text)}'")
    return value


def _data_type(text: str) -> DataType:
    word = text.strip()
    for dtype in DataType:
        if str(dtype).lower() == word.lower() and dtype is not DataType.NUM_DATA_TYPES:
            return dtype
    try:
        return cpp_type_to_data_type(word)
    except KeyError:
        there = ", ".join(str(d) for d in DataType if d is not DataType.NUM_DATA_TYPES)
        raise ValueError(f"PHI has no data type '{_short(word)}'; it has {there}") from None


_ATTRIBUTES: dict[str, Callable[[str], Any]] = {
    "const Scalar&": _number,
    "const IntArray&": _integers,
    "const std::vector<int>&": _integers,
    "DataType": _data_type,
    "bool": _bool,
    "int": _integer,
    "int64_t": _integer,
    "float": _real,
    "double": _real,
}


def _literal(text: str) -> Any:
    """A number, or a list of lists of numbers."""
    try:
        if len(text) > _LONGEST:
            raise ValueError
        return _value(ast.parse(text.strip(), mode="eval").body)
    except (ValueError, SyntaxError, RecursionError, MemoryError, OverflowError):
        raise ValueError(f"'{_short(text)}' is no number, and no list of numbers") from None


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=bool() | int() | float() | complex() as value):
            return value
        case ast.Name(id=name) if name.lower() in _NAMES:
            return _NAMES[name.lower()]
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return [_value(element) for element in elements]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand)
        case ast.BinOp(left=left, op=ast.Add(), right=right):  # 1+2j
            return complex(_value(left)) + complex(_value(right))
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return complex(_value(left)) - complex(_value(right))
    raise ValueError


def _short(text: str) -> str:
    text = text.strip()
    return text if len(text) <= 40 else f"{text[:39]}…"
