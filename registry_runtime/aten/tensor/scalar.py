"""`c10::Scalar`: a number that has no dtype of its own yet, such as `alpha`.

It remembers which kind of number it was made from, in the widest type of the kind: a bool, an
int64, a double, a complex double. A kernel asks for it as its own `scalar_t`, and that conversion is
checked: 1000 is no int8. Unsigned types let a negative number wrap, so that subtracting can be
adding with `alpha` = -1.

Sources: `c10/core/Scalar.h`, `c10/util/TypeCast.h`, `c10/util/overflows.h` of PyTorch 2.13.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.scalar_type import (
    ScalarType,
    is_complex_type,
    is_floating_type,
    to_real_value_type,
)

_INT64_MIN, _INT64_MAX, _UINT64_MAX = -(2**63), 2**63 - 1, 2**64 - 1


class Scalar:
    """One number; `type` is Bool, Long, UInt64 (an integer beyond int64), Double or ComplexDouble."""

    __slots__ = ("type", "value")

    def __init__(self, value: Any) -> None:
        """From Python's or NumPy's number. Raises TypeError for anything else, TorchError beyond
        64 bits.
        """
        if hasattr(value, "item"):
            value = value.item()
        self.value: bool | int | float | complex = value
        if isinstance(value, bool):
            self.type = ScalarType.Bool
        elif isinstance(value, int):
            if not _INT64_MIN <= value <= _UINT64_MAX:
                raise TorchError("Overflow when unpacking long long")
            self.type = ScalarType.Long if value <= _INT64_MAX else ScalarType.UInt64
        elif isinstance(value, float):
            self.type = ScalarType.Double
        elif isinstance(value, complex):
            self.type = ScalarType.ComplexDouble
        else:
            raise TypeError(f"a number is wanted, not {type(value).__name__}")

    @classmethod
    def of(cls, value: Any) -> Scalar:
        """`value` itself if it is a Scalar, a Scalar of it otherwise."""
        return value if isinstance(value, Scalar) else cls(value)

    def __neg__(self) -> Scalar:
        """`Scalar::operator-`. Raises TorchError for a bool."""
        if isinstance(self.value, bool):
            raise TorchError("torch boolean negative, the `-` operator, is not supported.")
        return Scalar(-self.value)

    def is_boolean(self) -> bool:
        return self.type is ScalarType.Bool

    def is_integral(self, include_bool: bool) -> bool:
        if self.type is ScalarType.Bool:
            return include_bool
        return self.type is ScalarType.Long or self.type is ScalarType.UInt64

    def is_floating_point(self) -> bool:
        return self.type is ScalarType.Double

    def is_complex(self) -> bool:
        return self.type is ScalarType.ComplexDouble

    def to(self, target: ScalarType) -> Any:
        """The number as `target`, a NumPy scalar of `target.numpy`.

        Raises TorchError, in PyTorch's words, where the value doesn't fit: an integer out of range,
        a finite number beyond the largest of a floating-point type, an imaginary part that would
        be lost. Converting to Bool always succeeds.
        """
        value = self.value
        if target is ScalarType.Bool:
            return np.bool_(bool(value))
        if self._overflows(target):
            raise TorchError(f"value cannot be converted to type {target.cpp} without overflow")
        if is_complex_type(target):
            if target is ScalarType.ComplexHalf:
                value = complex(value)
                return np.array((value.real, value.imag), target.numpy)[()]
            return target.numpy.type(value)
        if isinstance(value, complex):
            value = value.real
        if is_floating_type(target):
            return target.numpy.type(value)
        # A negative number becomes unsigned by two's complement, a fraction is cut off.
        return np.array(int(value) % 2 ** (8 * target.itemsize), f"u{target.itemsize}").view(
            target.numpy
        )[()]

    def _overflows(self, target: ScalarType) -> bool:
        value = self.value
        if isinstance(value, bool):
            return False
        if isinstance(value, complex):
            if not is_complex_type(target) and value.imag != 0:
                return True
            parts: tuple[int | float, ...] = (value.real, value.imag)
        else:
            parts = (value,)
        return any(_part_overflows(part, to_real_value_type(target)) for part in parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scalar) and self.type is other.type and self.value == other.value

    def __hash__(self) -> int:
        return hash((self.type, self.value))

    def __repr__(self) -> str:
        return f"Scalar({self.type}, {self.value})"


def _part_overflows(value: int | float, target: ScalarType) -> bool:
    lowest, largest = _limits(target)
    if is_floating_type(target):
        if isinstance(value, float) and not math.isfinite(value):
            return False
        return not lowest <= value <= largest
    if isinstance(value, float):
        return not lowest <= value <= largest  # true for NaN and the infinities too
    return value > largest or value < (lowest or -largest)


def _limits(target: ScalarType) -> tuple[int | float, int | float]:
    if not is_floating_type(target):
        bits = 8 * target.itemsize
        signed = not (target is ScalarType.Byte or target.torch_name.startswith("u"))
        return (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    largest = _LARGEST.get(target, math.inf)
    return -largest, largest


_LARGEST = {
    ScalarType.Half: 65504.0,
    ScalarType.BFloat16: float.fromhex("0x1.fep+127"),
    ScalarType.Float: float.fromhex("0x1.fffffep+127"),
    ScalarType.Double: float.fromhex("0x1.fffffffffffffp+1023"),
    ScalarType.Float8_e5m2: 57344.0,
    ScalarType.Float8_e4m3fn: 448.0,
    ScalarType.Float8_e5m2fnuz: 57344.0,
    ScalarType.Float8_e4m3fnuz: 240.0,
    ScalarType.Float8_e8m0fnu: float.fromhex("0x1p+127"),
}
