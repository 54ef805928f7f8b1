"""What C++'s operators do to values; what they do to numbers says `arithmetic`.

C++ is stricter than Python here, and a file that compares a backend with a data type, or takes an
`enum class` for a condition, does not compile. So it must not register anything either: what C++ has
no operator for is a `Refusal`.
"""

from __future__ import annotations

from collections.abc import Callable
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

from registry_runtime.cxx import arithmetic
from registry_runtime.cxx.arithmetic import type_of
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.own_types import Plain
from registry_runtime.cxx.places import Pointer
from registry_runtime.cxx.span import Code, Refusal
from registry_runtime.cxx.symbolic import Symbolic, symbolic
from registry_runtime.cxx.variables import (
    NULLOPT,
    InitializerList,
    Nullopt,
    Optional,
    what_it_holds,
)


class Literal(str):
    """A string literal, a `const char*`: no `std::string` before it is made one."""

    __slots__ = ()


def is_function(value: object) -> bool:
    """Whether `value` is a function of the text, or a bound one."""
    return isinstance(value, CxxFunction) or callable(value)


def truth(value: object) -> bool:
    """`value` as a condition."""
    value = arithmetic.operand(value)
    if value is None:
        return False
    if isinstance(value, Pointer) or is_function(value):
        return True
    if isinstance(value, Optional):
        return value.held is not None
    if type_of(value) is not None:
        return bool(value)
    if isinstance(value, Symbolic):
        raise Refusal(
            "not understood: here an element decides which statements run",
            hint="write `condition ? a : b` for the value, which is computed for each element",
            code=Code.NOT_UNDERSTOOD,
        )
    raise Refusal(f"{kind(value)} is no condition")


def unary(operator: str, value: Any) -> object:
    """`operator value`, for `-`, `+` and `~`."""
    value = arithmetic.operand(value)
    if type_of(value) is not None:
        return arithmetic.unary(operator, value)
    if isinstance(value, Symbolic):
        return value.operated(operator, value)
    raise Refusal(f"there is no `{operator}` for {kind(value)}")


_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip


def binary(operator: str, left: Any, right: Any) -> object:
    """`left operator right`."""
    left, right = arithmetic.operand(left), arithmetic.operand(right)
    if type_of(left) is not None and type_of(right) is not None:
        return arithmetic.binary(operator, left, right)
    if (unknown := symbolic(left, right)) is not None:
        return unknown.operated(operator, left, right)
    if operator in _COMPARISONS and (isinstance(left, Optional) or isinstance(right, Optional)):
        return _of_optionals(operator, left, right)
    kinds = (kind(left), kind(right))
    if operator in _COMPARISONS and _can_compare(operator, kinds, left):
        return _COMPARISONS[operator](left, right)
    if operator == "+" and STRING in kinds and set(kinds) <= _STRINGS:
        return str(left) + str(right)
    raise Refusal(f"there is no `{operator}` for {kinds[0]} and {kinds[1]}")


def _of_optionals(operator: str, left: object, right: object) -> object:
    """What holds nothing is less than anything else, [optional.relops], nullopt too."""
    is_left, is_right = (
        side.held is not None if isinstance(side, Optional) else side is not NULLOPT
        for side in (left, right)
    )
    if is_left and is_right:
        return binary(operator, what_it_holds(left), what_it_holds(right))
    return _COMPARISONS[operator](is_left, is_right)


_OVERLOADABLE: dict[str, Callable[..., object]] = {
    "+": add, "-": sub, "*": mul, "<<": lshift, ">>": rshift, "&": and_, "|": or_, "^": xor,
    "/": truediv, "%": mod, **_COMPARISONS,
}  # fmt: skip
_UNARY: dict[str, Callable[[Any], object]] = {"-": neg, "~": invert, "!": not_}


def overloaded(operator: str, *operands: object) -> object:
    """An operator that C++ overloads for an operand, done by Python's own. Raises Refusal."""
    try:
        if len(operands) == 1:
            return _UNARY[operator](operands[0])
        return _OVERLOADABLE[operator](*operands)
    except (TypeError, KeyError):
        shown = " and ".join(kind(operand) for operand in operands)
        raise Refusal(f"there is no `{operator}` for {shown}") from None


STRING, _LITERAL = "`std::string`", "a string literal"
_STRINGS = {STRING, _LITERAL}


def _can_compare(operator: str, kinds: tuple[str, str], left: object) -> bool:
    if isinstance(left, Plain | InitializerList):
        return False  # it has no operator that nobody wrote
    if set(kinds) <= _STRINGS:
        # == on two string literals compares addresses, which nobody means.
        return STRING in kinds
    if operator in ("==", "!="):
        pointers = set(kinds) <= {"a pointer", "nullptr"}
        return pointers or kinds[0] == kinds[1]
    return kinds[0] == kinds[1] and isinstance(left, Enum)


def kind(value: object) -> str:
    """What a value is called in a message."""
    if value is None:
        return "nullptr"
    if isinstance(value, Enum):
        return f"`{type(value).__name__}`"
    if (known := type_of(value)) is not None:
        return f"`{known}`"
    if isinstance(value, str):
        return _LITERAL if isinstance(value, Literal) else STRING
    if isinstance(value, Pointer) or is_function(value):
        return "a pointer"
    if isinstance(value, Plain):
        return f"`{value.of}`"
    if isinstance(value, Optional):
        return f"`std::optional<{value.of}>`" if value.of is not None else "a `std::optional`"
    if isinstance(value, Nullopt):
        return f"`{value.cxx_type}`"
    if isinstance(value, InitializerList):
        return "a `std::initializer_list`"
    return f"`{type(value).__name__}`"
