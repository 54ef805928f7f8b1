"""What becomes of an argument's value, by the type that the kernel's C++ function says.

The types themselves are read whenever somebody registers; values come with the first call. So they are
apart, and who only steps through a registration needn't wait for NumPy.

Source: `paddle/phi/core/kernel_utils.h`, `paddle/phi/common/scalar.h`, `int_array.h`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from registry_runtime.phi import attribute_text as text
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.int_array import IntArray
from registry_runtime.phi.place import Place
from registry_runtime.phi.scalar import Scalar


def _same(value: Any) -> Any:
    return value


def _anything(value: Any) -> bool:
    return True


@dataclass(frozen=True)
class ArgumentValue:
    """convert: a caller's value to what the C++ type promises; raises TypeError or ValueError.
    fits, take: whether a value in a KernelContext is one, and what is taken out then.
    read: what a person types, to a value; raises ValueError.
    """

    convert: Callable[[Any], Any] = _same
    fits: Callable[[Any], bool] = _anything
    take: Callable[[Any], Any] = _same
    read: Callable[[str], Any] = str.strip


def _tensors(values: Any) -> list[DenseTensor]:
    return [DenseTensor.of(value) for value in values]


def _ints(values: Any) -> list[int]:
    if isinstance(values, DenseTensor):
        values = values.data
    return [operator.index(value) for value in (values if np.ndim(values) else (values,))]


def _bool(value: Any) -> bool:
    if not isinstance(value, bool | int | np.bool):
        raise TypeError("True or False is wanted")
    return bool(value)


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a string is wanted")
    return value


def _data_type(value: Any) -> DataType:
    return value if isinstance(value, DataType) else DataType.of(value)


def _single(value: Any) -> float:
    return float(np.float32(value))


def _is_int(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool)


def _within(bits: int) -> Callable[[Any], bool]:
    return lambda value: _is_int(value) and -(2 ** (bits - 1)) <= value < 2 ** (bits - 1)


def _is_number(value: Any) -> bool:
    return isinstance(value, float | np.floating) or _is_int(value)


def _is(*classes: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, classes)


def _can_be(make: Callable[[Any], Any]) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        try:
            make(value)
        except (TypeError, ValueError):
            return False
        return True

    return fits


def _scalar(value: Any) -> Scalar:
    # A tensor of one element stands for its number, as a phi::TensorRef does.
    size = getattr(value, "numel", getattr(value, "size", None))
    if hasattr(value, "dtype") and size == 1 and not isinstance(value, Scalar | np.generic):
        return Scalar.of(np.asarray(value).reshape(())[()])
    return Scalar.of(value)


def _each(of: ArgumentValue, **more: Any) -> ArgumentValue:
    """Of a vector of attributes, each of which must fit for itself."""

    def fits(values: Any) -> bool:
        return isinstance(values, list | tuple) and all(map(of.fits, values))

    return ArgumentValue(**{"fits": fits, "take": list, "read": text.each(of.read), **more})


_BOOL = ArgumentValue(_bool, _is(bool, np.bool), bool, text.boolean)
_INT = ArgumentValue(operator.index, _within(32), int, text.integer)
_INT64 = replace(_INT, fits=_within(64))
_FLOAT = ArgumentValue(_single, _is_number, _single, text.real)
_DOUBLE = replace(_FLOAT, convert=float, take=float)
_STRING = ArgumentValue(_string, _is(str))
_SCALAR = ArgumentValue(Scalar.of, _can_be(_scalar), _scalar, text.number)
_PLACE = ArgumentValue(str, _is(Place))

ANY = ArgumentValue()
VALUES = {
    "phi::DenseTensor": ArgumentValue(DenseTensor.of),
    "paddle::optional<phi::DenseTensor>": ArgumentValue(
        lambda x: None if x is None else DenseTensor.of(x)
    ),
    "std::vector<const phi::DenseTensor*>": ArgumentValue(_tensors),
    "paddle::optional<std::vector<const phi::DenseTensor*>>": ArgumentValue(
        lambda xs: None if xs is None else _tensors(xs)
    ),
    "bool": _BOOL,
    "int": _INT,
    "int64_t": _INT64,
    "float": _FLOAT,
    "double": _DOUBLE,
    "std::string": _STRING,
    "phi::Scalar": _SCALAR,
    "phi::IntArray": ArgumentValue(_ints, _can_be(IntArray.of), IntArray.of, text.integers),
    "std::vector<bool>": _each(_BOOL),
    "std::vector<int>": _each(
        _INT,
        convert=lambda values: [operator.index(value) for value in values],
        read=text.integers,
    ),
    "std::vector<int64_t>": _each(_INT64),
    "std::vector<float>": _each(_FLOAT),
    "std::vector<double>": _each(_DOUBLE),
    "std::vector<std::string>": _each(_STRING),
    "std::vector<phi::Scalar>": _each(
        _SCALAR, take=lambda values: [_scalar(value) for value in values]
    ),
    "phi::DataType": ArgumentValue(_data_type, _is(DataType), read=text.data_type),
    "phi::DataLayout": ArgumentValue(fits=_is(DataLayout), read=text.data_layout),
    "phi::Place": _PLACE,
}
"""Those that not anything fits, by what `typeid` sees of the type."""
