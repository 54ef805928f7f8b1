"""A formula of elements, in the three spellings that a kernel's file has: Numba's, NumPy's, CUDA's.

It is read off a C++ body (`elements`), and holds only what means the same in all three. Numba and NumPy
have rules of their own for numbers of different types, so a number of the text is spelt with the type
that C++ gives it: `type(x)(2)` is a T.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

_LOGICAL = {"&&": ("and", "np.logical_and"), "||": ("or", "np.logical_or")}
_FUNCTIONS = {  # C++'s, Numba's and NumPy's name, CUDA's
    "exp": ("np.exp", "exp"),
    "log": ("np.log", "log"),
    "sqrt": ("np.sqrt", "sqrt"),
    "tanh": ("np.tanh", "tanh"),
    "sin": ("np.sin", "sin"),
    "cos": ("np.cos", "cos"),
    "floor": ("np.floor", "floor"),
    "ceil": ("np.ceil", "ceil"),
    "abs": ("np.abs", "abs"),
    "fabs": ("np.abs", "fabs"),
    "pow": ("np.power", "pow"),
}
FUNCTIONS = frozenset(_FUNCTIONS)
_NUMPY_TYPES = {"float": "np.float32", "double": "np.float64"}


@dataclass(frozen=True, slots=True)
class Name:
    """An element of a tensor, or an attribute."""

    of: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the text; `type` is `T`, `float`, `double`, or `int` for one that stays as it is."""

    text: str
    type: str


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator on one or two parts, or `?:` on three."""

    operator: str
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A function of C's mathematics."""

    function: str
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Cast:
    """To `float` or `double`."""

    type: str
    part: Formula


Formula: TypeAlias = "Name | Number | Operation | Call | Cast"


def in_numba(formula: Formula, like: str) -> str:
    """For one element of each tensor; `like` is one of them, whose type is T's."""
    match formula:
        case Name(of):
            return of
        case Number(text, "T"):
            return f"type({like})({text})"
        case Number(text, type):
            return f"{_NUMPY_TYPES[type]}({text})" if type in _NUMPY_TYPES else text
        case Cast(type, part):
            return f"{_NUMPY_TYPES[type]}({in_numba(part, like)})"
        case Call(function, parts):
            inside = ", ".join(in_numba(part, like) for part in parts)
            return f"{_FUNCTIONS[function][0]}({inside})"
        case Operation("?:", (condition, yes, no)):
            spelled = [_inside(part, in_numba(part, like)) for part in (yes, condition, no)]
            return "{} if {} else {}".format(*spelled)
        case Operation(operator, (part,)):
            sign = "not " if operator == "!" else operator
            return f"{sign}{_inside(part, in_numba(part, like))}"
        case Operation(operator, parts):
            word = _LOGICAL[operator][0] if operator in _LOGICAL else operator
            return f" {word} ".join(_inside(part, in_numba(part, like)) for part in parts)


def in_numpy(formula: Formula, like: str) -> str:
    """For whole arrays."""
    match formula:
        case Name(of):
            return of
        case Number(text, "T"):
            return f"{like}.dtype.type({text})"
        case Number(text, type):
            return f"{_NUMPY_TYPES[type]}({text})" if type in _NUMPY_TYPES else text
        case Cast(type, part):
            return f"np.asarray({in_numpy(part, like)}, {_NUMPY_TYPES[type]})"
        case Call(function, parts):
            inside = ", ".join(in_numpy(part, like) for part in parts)
            return f"{_FUNCTIONS[function][0]}({inside})"
        case Operation("?:", parts):
            return f"np.where({', '.join(in_numpy(part, like) for part in parts)})"
        case Operation("!", (part,)):
            return f"np.logical_not({in_numpy(part, like)})"
        case Operation(operator, (part,)):
            return f"{operator}{_inside(part, in_numpy(part, like))}"
        case Operation(operator, parts) if operator in _LOGICAL:
            return f"{_LOGICAL[operator][1]}({', '.join(in_numpy(p, like) for p in parts)})"
        case Operation(operator, parts):
            return f" {operator} ".join(_inside(part, in_numpy(part, like)) for part in parts)


def in_cuda(formula: Formula) -> str:
    """For one element of each tensor; `T` is its type there."""
    match formula:
        case Name(of):
            return of
        case Number(text, "T"):
            return f"T({text})"
        case Number(text, type):
            return f"{text}f" if type == "float" else text
        case Cast(type, part):
            return f"{type}({in_cuda(part)})"
        case Call(function, parts):
            return f"{_FUNCTIONS[function][1]}({', '.join(map(in_cuda, parts))})"
        case Operation("?:", (condition, yes, no)):
            spelled = [_inside(part, in_cuda(part)) for part in (condition, yes, no)]
            return "{} ? {} : {}".format(*spelled)
        case Operation(operator, (part,)):
            return f"{operator}{_inside(part, in_cuda(part))}"
        case Operation(operator, parts):
            return f" {operator} ".join(_inside(part, in_cuda(part)) for part in parts)


def _inside(part: Formula, spelled: str) -> str:
    """In brackets where it is an operation itself: no reader need know three tables of precedence."""
    return f"({spelled})" if isinstance(part, Operation) else spelled


def names_in(formula: Formula) -> frozenset[str]:
    """The tensors and attributes that it needs."""
    match formula:
        case Name(of):
            return frozenset({of})
        case Number():
            return frozenset()
        case Cast(_, part):
            return names_in(part)
        case Operation(_, parts) | Call(_, parts):
            return frozenset().union(*map(names_in, parts))
