"""Attributes as a person types them: a number, a list, a name, whatever the C++ type says.

Nothing here is evaluated as Python: only numbers, signs, brackets and the names that C has for what is
no number.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Any

from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType, data_type_named

_LONGEST = 10_000  # characters of a list; a longer one is no small list any more
_NAMES = {"nan": math.nan, "inf": math.inf, "infinity": math.inf, "true": True, "false": False}


def number(text: str) -> Any:
    """Each of these raises ValueError, with what was typed, for anything else."""
    value = literal(text)
    if isinstance(value, list):
        raise ValueError(f"one number is wanted, not '{short(text)}'")
    return value


def integer(text: str) -> int:
    value = number(text)
    if isinstance(value, complex) or value != value or abs(value) == math.inf or value % 1:
        raise ValueError(f"a whole number is wanted, not '{short(text)}'")
    return int(value)


def integers(text: str) -> list[int]:
    values = literal(text if text.strip().startswith("[") else f"[{text}]")
    return [integer(str(value)) for value in values]


def real(text: str) -> float:
    value = number(text)
    if isinstance(value, complex):
        raise ValueError(f"a real number is wanted, not '{short(text)}'")
    return float(value)


def boolean(text: str) -> bool:
    value = {"true": True, "false": False, "1": True, "0": False}.get(text.strip().lower())
    if value is None:
        raise ValueError(f"true or false is wanted, not '{short(text)}'")
    return value


def data_type(text: str) -> DataType:
    return data_type_named(text.strip())


def data_layout(text: str) -> DataLayout:
    found = DataLayout.__members__.get(text.strip().rpartition("::")[2])
    if found is None:
        raise ValueError(f"a layout is wanted, as NCHW, not '{short(text)}'")
    return found


def each(of: Callable[[str], Any]) -> Callable[[str], list[Any]]:
    """A list of what `of` reads, with brackets around it or without."""

    def listed(text: str) -> list[Any]:
        inner = text.strip()
        inner = inner[1:-1] if inner.startswith("[") and inner.endswith("]") else inner
        return [of(one.strip()) for one in inner.split(",")] if inner.strip() else []

    return listed


def literal(text: str) -> Any:
    """A number, or a list of lists of numbers."""
    try:
        if len(text) > _LONGEST:
            raise ValueError
        return _value(ast.parse(text.strip(), mode="eval").body)
    except (ValueError, SyntaxError, RecursionError, MemoryError, OverflowError):
        raise ValueError(f"'{short(text)}' is no number, and no list of numbers") from None


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


def short(text: str) -> str:
    text = text.strip()
    return text if len(text) <= 40 else f"{text[:39]}…"
