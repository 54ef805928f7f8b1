"""C++'s arithmetic types: the numbers of each, what becomes of one as another, what operators do.

A number knows the type that it has. Of `bool` and `double` Python has the same numbers; an `Integer` is
Python's int, and a `Single` its float, with C++'s type beside it. A plain int comes from bound Python
code, where nearly every integer is a dim, an index or a count, and is taken for an `int64_t`.

The data model is that of 64-bit Linux: two's complement, a signed `char`, IEEE's binary32 and binary64.
What C++ leaves undefined (an overflow of signed integers, a float that no integer is near, a shift by
too much, a division by zero) is a `Refusal`: what a compiler makes of it, nobody can foresee.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum
from operator import add, and_, eq, ge, gt, le, lt, mul, ne, or_, sub, truediv, xor
from typing import Any

from registry_runtime.cxx.span import Refusal


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """An arithmetic type, [basic.fundamental]. `rank` orders the integers, [conv.rank], and behind
    them the floating-point types."""

    name: str
    bits: int
    rank: int
    is_signed: bool = True
    is_floating: bool = False

    def __str__(self) -> str:
        return self.name

    @property
    def least(self) -> int:
        return -(1 << (self.bits - 1)) if self.is_signed else 0

    @property
    def greatest(self) -> int:
        return (1 << (self.bits - self.is_signed)) - 1


_INT, _FLOAT = 3, 6  # their ranks
_TYPES = (
    Arithmetic("bool", 1, 0, is_signed=False),
    Arithmetic("char", 8, 1),
    *(
        Arithmetic(name, bits, rank, is_signed)
        for rank, bits, names in (
            (1, 8, ("int8_t", "uint8_t")),
            (2, 16, ("int16_t", "uint16_t")),
            (_INT, 32, ("int", "uint32_t")),
            (4, 64, ("int64_t", "uint64_t")),
            (5, 64, ("long long", "unsigned long long")),
        )
        for name, is_signed in zip(names, (True, False), strict=True)
    ),
    Arithmetic("float", 32, _FLOAT, is_floating=True),
    Arithmetic("double", 64, _FLOAT + 1, is_floating=True),
)
ARITHMETIC = {type.name: type for type in _TYPES}  # by the canonical names of `types`
_UNSIGNED = {type.rank: type for type in _TYPES if not type.is_signed}
BOOL, CHAR, INT, FLOAT, DOUBLE = (ARITHMETIC[n] for n in ("bool", "char", "int", "float", "double"))
INT64, SIZE_T = ARITHMETIC["int64_t"], ARITHMETIC["uint64_t"]


class Integer(int):
    """A number of one of the integer types."""

    type: Arithmetic

    def __new__(cls, value: int, type: Arithmetic = INT) -> Integer:
        made = super().__new__(cls, value)
        made.type = type
        return made


class Single(float):
    """A number of the type `float`; whoever makes one has rounded it."""

    __slots__ = ()


class Unscoped(IntEnum):
    """An enumerator of an unscoped enumeration of the text, which is a number wherever one is wanted:
    [conv.prom]. `cxx_type` of such a class is its type in C++."""


Number = bool | int | float


def operand(value: Any) -> Any:
    """`value`, or the number that an unscoped enumerator is promoted to."""
    if isinstance(value, Unscoped):
        return Integer(int(value), type(value).cxx_type.promoted)  # type: ignore[attr-defined]
    return value


def number(type: Arithmetic, value: Number) -> Number:
    """`value`, which fits, as a number of this type."""
    if type.is_floating:
        return float(value) if type is DOUBLE else Single(value)
    return bool(value) if type is BOOL else Integer(value, type)  # type: ignore[arg-type]


def plain(value: object) -> Any:
    """`value` as bound Python code gets it: numbers and strings of Python's own."""
    match value:
        case Enum():
            return value
        case Integer():
            return int(value)
        case Single():
            return float(value)
        case str() if type(value) is not str:
            return str(value)
        case tuple() if type(value) is tuple:
            return tuple(map(plain, value))
    return value


def type_of(value: object) -> Arithmetic | None:
    """The arithmetic type that a value has; None for what is no number."""
    match value:
        case Enum():
            return None
        case bool():
            return BOOL
        case Integer():
            return value.type
        case int():
            return INT64
        case Single():
            return FLOAT
        case float():
            return DOUBLE
    return None


# --- Conversions ----------------------------------------------------------------------------------


def convert(to: Arithmetic, value: Number) -> Number:
    """`value` as a number of another type: [conv.bool], [conv.integral], [conv.fpint], [conv.double].

    An integer wraps around; a float loses what is behind the point, or else is rounded to the nearest.
    """
    if to is BOOL:
        return bool(value)
    if to.is_floating:
        return number(to, _rounded(to, value))
    if isinstance(value, float):
        if not math.isfinite(value) or not to.least <= math.trunc(value) <= to.greatest:
            raise _undefined(f"{value:g} is out of range for `{to}`")
        return Integer(math.trunc(value), to)
    return Integer(_wrapped(to, value), to)


def _wrapped(to: Arithmetic, value: int) -> int:
    low = value & ((1 << to.bits) - 1)
    return low - (1 << to.bits) if low > to.greatest else low


def _rounded(to: Arithmetic, value: Number) -> float:
    if to is DOUBLE:
        return float(value)
    if isinstance(value, int) and value.bit_length() > 53:
        # Rounded once and not twice: of the bits that are far behind, it counts that there are any.
        far = value.bit_length() - 53
        value = (value >> far | ((value & ((1 << far) - 1)) != 0)) << far
    try:
        made: float = struct.unpack("<f", struct.pack("<f", value))[0]
        return made
    except OverflowError:
        raise _undefined(f"{value:g} is out of range for `{to}`") from None


def _undefined(what: str) -> Refusal:
    return Refusal(what, hint="what C++ makes of it is undefined")


def promoted(type: Arithmetic) -> Arithmetic:
    """What is narrower than an `int` becomes one before anything is done to it: [conv.prom]."""
    return INT if type.rank < _INT else type


def common(left: Arithmetic, right: Arithmetic) -> Arithmetic:
    """The type that two operands are brought to: the usual conversions, [expr.arith.conv]."""
    low, high = sorted(map(promoted, (left, right)), key=lambda type: type.rank)
    if high.is_floating or low.is_signed == high.is_signed:
        return high
    # Of one rank it is the unsigned one that counts; a higher signed one, if it holds all of the other.
    return high if high.is_signed and high.bits > low.bits else _UNSIGNED[high.rank]


def narrows(to: Arithmetic, value: Number, *, is_constant: bool) -> bool:
    """Whether braces refuse the conversion, [dcl.init.list]: what may be lost in it. Of a constant it
    is known whether it is."""
    given = type_of(value)
    assert given is not None
    if given.is_floating:
        if not to.is_floating:
            return True
        return to.rank < given.rank and not (is_constant and abs(value) <= _GREATEST_FLOAT)
    if is_constant:
        return convert(to, value) != value
    return to.is_floating or not (to.least <= given.least and given.greatest <= to.greatest)


_GREATEST_FLOAT = struct.unpack("<f", b"\xff\xff\x7f\x7f")[0]


# --- Operators ------------------------------------------------------------------------------------

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip
_OF_ALL: dict[str, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "*": mul}
_OF_INTEGERS: dict[str, Callable[[int, int], int]] = {"&": and_, "|": or_, "^": xor}


def unary(operator: str, value: Number) -> Number:
    """`+value`, `-value` and `~value`: [expr.unary.op]."""
    type = _type(value)
    if operator == "~" and not type.is_floating:
        return _result(promoted(type), ~value, f"~{value}")  # type: ignore[operator]
    if operator in ("+", "-"):
        made = -value if operator == "-" else +value
        return _result(promoted(type), made, f"{operator}{_shown(value)}")
    raise Refusal(f"there is no `{operator}` for `{type}`")


def binary(operator: str, left: Number, right: Number) -> Number:
    """`left operator right`: [expr.mul], [expr.add], [expr.shift], [expr.rel], [expr.eq] and the
    bitwise ones."""
    if operator in ("<<", ">>"):
        return _shifted(operator, left, right)
    given = f"`{_type(left)}` and `{_type(right)}`"
    type = common(_type(left), _type(right))
    left, right = convert(type, left), convert(type, right)
    shown = f"{_shown(left)} {operator} {_shown(right)}"
    if operator in _COMPARISONS:
        return _COMPARISONS[operator](left, right)
    if operator in _OF_ALL:
        return _result(type, _OF_ALL[operator](left, right), shown, left, right)
    if operator in _OF_INTEGERS and isinstance(left, int) and isinstance(right, int):
        return _result(type, _OF_INTEGERS[operator](left, right), shown)
    if operator == "/" or (operator == "%" and not type.is_floating):
        if right == 0:
            raise _undefined(f"`{shown}` divides by zero")
        if isinstance(left, int) and isinstance(right, int):
            return _divided(operator, type, left, right, shown)
        return _result(type, truediv(left, right), shown, left, right)
    raise Refusal(f"there is no `{operator}` for {given}")


def _divided(operator: str, type: Arithmetic, left: int, right: int, shown: str) -> Number:
    # C++ rounds towards zero, and Python down.
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    made = _result(type, quotient, shown)
    return made if operator == "/" else _result(type, left - quotient * right, shown)


def _shifted(operator: str, left: Number, right: Number) -> Number:
    given, by = promoted(_type(left)), _type(right)
    if not isinstance(left, int) or not isinstance(right, int):
        raise Refusal(f"there is no `{operator}` for `{given}` and `{by}`")
    shown = f"{_shown(left)} {operator} {_shown(right)}"
    if not 0 <= right < given.bits:
        raise _undefined(f"`{shown}` is too far: `{given}` has {given.bits} bits")
    if operator == ">>":
        return number(given, left >> right)
    # What is shifted into the sign is still there; beyond it, or below zero, C++17 has no result.
    if given.is_signed and (left < 0 or (left << right) >> given.bits):
        raise _undefined(f"`{shown}` overflows `{given}`")
    return number(given, _wrapped(given, left << right))


def _type(value: Number) -> Arithmetic:
    type = type_of(value)
    if type is None:
        raise Refusal(f"`{value}` is no number")
    return type


def _shown(value: Number) -> str:
    return f"{value:g}" if isinstance(value, float) else str(int(value))


def _result(type: Arithmetic, value: Number, shown: str, *operands: Number) -> Number:
    # [expr.pre]: a result that isn't in its type's range is undefined, but for unsigned integers.
    if isinstance(value, float):
        if math.isinf(value) and all(map(math.isfinite, operands)):
            raise _undefined(f"`{shown}` overflows `{type}`")
        return number(type, _rounded(type, value))
    if type.is_signed and not type.least <= value <= type.greatest:
        raise _undefined(f"`{shown}` overflows `{type}`")
    return number(type, _wrapped(type, value))
