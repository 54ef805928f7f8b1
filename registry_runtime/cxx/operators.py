"""What C++'s operators and casts do to values.

C++ is stricter than Python here, and a file that compares a backend with a data type, or takes an
`enum class` for a condition, does not compile. So it must not register anything either: what C++ has
no operator for is a `Refusal`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from operator import (
    add,
    and_,
    eq,
    ge,
    gt,
    invert,
    le,
    lshift,
    lt,
    mod,
    mul,
    ne,
    neg,
    not_,
    or_,
    rshift,
    sub,
    truediv,
    xor,
)  # fmt: skip
from typing import Any

from registry_runtime.cxx.bindings import Binding, Enumeration
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.span import Code, Refusal
from registry_runtime.cxx.types import NamedType, PointerType, Type


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer to an object that isn't a function; functions are their own pointers."""

    to: object


def is_function(value: object) -> bool:
    """Whether `value` is a function of the text, or a bound one."""
    return isinstance(value, CxxFunction) or callable(value)


def truth(value: object) -> bool:
    """`value` as a condition."""
    if value is None:
        return False
    if isinstance(value, Pointer) or is_function(value):
        return True
    if _kind(value) == "number":
        return bool(value)
    raise Refusal(f"{_kind(value)} is no condition")


def unary(operator: str, value: object) -> object:
    """`operator value`, for `!`, `-`, `+` and `~`."""
    if operator in ("!", "not"):
        return not truth(value)
    if isinstance(value, int | float) and not isinstance(value, Enum):
        if operator in ("-", "+"):
            return -value if operator == "-" else +value
        if operator == "~" and isinstance(value, int):
            return ~value
    raise Refusal(f"there is no `{operator}` for {_kind(value)}")


_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": add, "-": sub, "*": mul, "<<": lshift, ">>": rshift, "&": and_, "|": or_, "^": xor,
}  # fmt: skip
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip


def binary(operator: str, left: object, right: object) -> object:
    """`left operator right`, for comparisons and for arithmetic on integers and doubles."""
    kinds = (_kind(left), _kind(right))
    if operator in _COMPARISONS and _can_compare(operator, kinds, left):
        return _COMPARISONS[operator](left, right)
    if operator in _ARITHMETIC and isinstance(left, int) and isinstance(right, int):
        small = operator not in ("<<", ">>") or 0 <= right < 64
        if kinds == ("number", "number") and small:
            return _ARITHMETIC[operator](left, right)
    if operator in _OF_DOUBLES and kinds == ("number", "number"):
        return _OF_DOUBLES[operator](left, right)
    raise Refusal(f"there is no `{operator}` for {kinds[0]} and {kinds[1]}")


_OF_DOUBLES: dict[str, Callable[[Any, Any], float]] = {"+": add, "-": sub, "*": mul}


_UNARY: dict[str, Callable[[Any], object]] = {"-": neg, "~": invert, "!": not_}
_OVERLOADABLE: dict[str, Callable[..., object]] = {
    **_ARITHMETIC, **_COMPARISONS, "/": truediv, "%": mod,
}  # fmt: skip


def overloaded(operator: str, *operands: object) -> object:
    """An operator that C++ overloads for an operand, done by Python's own. Raises Refusal."""
    try:
        if len(operands) == 1:
            return _UNARY[operator](operands[0])
        return _OVERLOADABLE[operator](*operands)
    except (TypeError, KeyError):
        shown = " and ".join(_kind(operand) for operand in operands)
        raise Refusal(f"there is no `{operator}` for {shown}") from None


def _can_compare(operator: str, kinds: tuple[str, str], left: object) -> bool:
    if operator in ("==", "!="):
        pointers = set(kinds) <= {"a pointer", "nullptr"}
        # == on two string literals compares addresses, which nobody means.
        return pointers or (kinds[0] == kinds[1] and kinds[0] != "a string literal")
    return kinds[0] == kinds[1] and (kinds[0] == "number" or isinstance(left, Enum))


def _kind(value: object) -> str:
    if value is None:
        return "nullptr"
    if isinstance(value, Enum):
        return f"`{type(value).__name__}`"
    if isinstance(value, bool | int | float):
        return "number"
    if isinstance(value, str):
        return "a string literal"
    if isinstance(value, Pointer) or is_function(value):
        return "a pointer"
    return f"`{type(value).__name__}`"


_CONVERSIONS: dict[str, Callable[[Any], object]] = {
    "bool": bool,
    **dict.fromkeys(("int", "int64_t", "uint32_t", "uint64_t"), int),
    "float": float,
    "double": float,
}


def static_cast(target: Type, binding: Binding | None, value: object) -> object:
    """`static_cast<target>(value)`; `binding` is what the target's name is bound to."""
    if isinstance(target, PointerType) or target == NamedType("auto"):
        return value
    if isinstance(binding, Enumeration) and isinstance(value, binding.of):
        return value
    if isinstance(target, NamedType) and isinstance(value, bool | int | float):
        if target.name in _CONVERSIONS:
            return _CONVERSIONS[target.name](value)
        if isinstance(binding, Enumeration) and isinstance(value, int):
            if value in set(binding.of):
                return binding.of(value)
            raise Refusal(f"`{target}` has no value {value:d}")
    said = f"not understood: a cast of {_kind(value)} to `{target}`"
    raise Refusal(said, code=Code.NOT_UNDERSTOOD)
