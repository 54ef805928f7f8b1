"""What bodies compute with of C++'s `<algorithm>` and `<cmath>`: `std::max(a, b)`, `std::sqrt(x)`.

Each takes and gives numbers with the types that they have in C++, [alg.min.max], [c.math]: `std::max`
wants two of one type, and the square root of an integer is a double.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from registry_runtime.cxx.arithmetic import (
    DOUBLE,
    Arithmetic,
    convert,
    number,
    operand,
    promoted,
    type_of,
)
from registry_runtime.cxx.arithmetic import unary as signed
from registry_runtime.cxx.bindings import (
    Arguments,
    Binding,
    ByReference,
    ClassTemplate,
    Function,
    FunctionTemplate,
    Typed,
)
from registry_runtime.cxx.conversions import arithmetic_type, initialised
from registry_runtime.cxx.operators import kind
from registry_runtime.cxx.span import Refusal
from registry_runtime.cxx.symbolic import Symbolic, symbolic
from registry_runtime.cxx.types import NamedType
from registry_runtime.cxx.variables import Cell, InitializerList, Variable


def _chosen(name: str, better: Callable[[Any, Any], bool]) -> FunctionTemplate:
    def instantiate(arguments: Arguments) -> Callable[..., object]:
        to = arithmetic_type(arguments[0].type) if arguments else None

        def choose(*objects: Variable) -> Variable:
            given = objects[0].cell.value if len(objects) == 1 else None
            listed = given if isinstance(given, tuple) else None
            if listed is not None:  # of `{a, b}`, which are copies
                objects = tuple(Variable(Cell(value), is_temporary=True) for value in listed)
            values = [object.cell.value for object in objects]
            if (unknown := symbolic(*values)) is not None:
                if to is not None:
                    values = [initialised(NamedType(to.name), value) for value in values]
                return Variable(Cell(unknown.called(name, *values)), is_temporary=True)
            types = {to or type_of(object.cell.value) for object in objects}
            if isinstance(given, InitializerList) and to is not None:
                types |= {type_of(value) for value in given}
            if len(types) != 1 or None in types or (listed is None and len(objects) != 2):
                raise Refusal(
                    f"std::{name} takes two numbers of one type",
                    hint=f"say which: std::{name}<int64_t>(a, b)",
                )
            chosen, *others = objects if to is None else (_as(to, object) for object in objects)
            for other in others:
                chosen = other if better(other.cell.value, chosen.cell.value) else chosen
            return chosen if listed is not None else Variable(chosen.cell, is_const=True)

        return ByReference(choose)

    return FunctionTemplate(instantiate)


def _as(to: Arithmetic, object: Variable) -> Variable:
    # A parameter of the type `const T&`: the object itself, or one that is made of its value.
    value: Any = operand(object.cell.value)
    if type_of(value) is None:
        raise Refusal(f"{kind(value)} where a `{to}` is wanted")
    return object if type_of(value) == to else Variable(Cell(convert(to, value)))


def _absolute(value: object) -> object:
    if isinstance(value, Symbolic):
        return value.called("abs", value)
    type = _arithmetic(value, "abs")
    if not type.is_floating and not promoted(type).is_signed:
        raise Refusal(f"std::abs is ambiguous for a `{type}`", argument=0)
    if type.is_floating:
        return number(type, abs(value))  # type: ignore[arg-type]
    return signed("-" if value < 0 else "+", value)  # type: ignore[arg-type, operator]


def _of_floats(name: str, function: Callable[[float], float]) -> Function:
    def call(value: object) -> object:
        if isinstance(value, Symbolic):
            return value.called(name, value)
        type = _arithmetic(value, name)
        type = type if type.is_floating else DOUBLE
        return convert(type, function(float(convert(type, value))))  # type: ignore[arg-type]

    return Function(Typed(call))


def _arithmetic(value: object, name: str) -> Arithmetic:
    type = type_of(value)
    if type is None:
        raise Refusal(f"std::{name} takes a number", argument=0)
    return type


def _root(value: float) -> float:
    return math.sqrt(value) if value >= 0 else math.nan


def _rounded(value: float) -> int:
    # The half goes away from zero, where Python's goes to what is even.
    below = math.floor(value)
    return below + (value - below > 0.5 or (value - below == 0.5 and value > 0))


def _swapped(*objects: Variable) -> None:
    values = [object.cell.value for object in objects]
    types = {type_of(value) for value in values}
    if len(objects) != 2 or len(types) != 1 or None in types:
        raise Refusal("std::swap takes two numbers of one type")
    if any(object.is_const or object.is_temporary for object in objects):
        raise Refusal("std::swap takes what can be changed")
    for object, value in zip(objects, reversed(values), strict=True):
        object.cell.value = value


def _whole(function: Callable[[float], int]) -> Callable[[float], float]:
    # What is rounded to zero keeps its sign, and infinity is whole.
    return lambda value: math.copysign(function(value), value) if math.isfinite(value) else value


def _limits(arguments: Arguments) -> Mapping[str, object]:
    # Of an integer the smallest number is its `min`, of a float the smallest that is above zero.
    type = arithmetic_type(arguments[0].type) if len(arguments) == 1 else None
    if type is None:
        raise Refusal("not understood: std::numeric_limits of something else than a number's type")
    if type.is_floating:
        digits, most = (24, 128) if type.bits == 32 else (53, 1024)
        greatest = math.ldexp(1 - math.ldexp(1, -digits), most)
        limits = {"max": greatest, "lowest": -greatest, "min": math.ldexp(1, 2 - most)}
        limits |= {"epsilon": math.ldexp(1, 1 - digits)}
        limits |= {"infinity": math.inf, "quiet_NaN": math.nan}
    else:
        limits = {"max": type.greatest, "lowest": type.least, "min": type.least}
    return {name: Function(Typed(partial(number, type, of))) for name, of in limits.items()}


NUMBERS: Mapping[str, Binding] = {
    "std::numeric_limits": ClassTemplate(_limits),
    "std::max": _chosen("max", lambda other, chosen: chosen < other),
    "std::min": _chosen("min", lambda other, chosen: other < chosen),
    "std::abs": Function(Typed(_absolute)),
    "std::sqrt": _of_floats("sqrt", _root),
    "std::floor": _of_floats("floor", _whole(math.floor)),
    "std::ceil": _of_floats("ceil", _whole(math.ceil)),
    "std::trunc": _of_floats("trunc", _whole(math.trunc)),
    "std::round": _of_floats("round", _whole(_rounded)),
    "std::fabs": _of_floats("fabs", abs),
    "std::swap": Function(ByReference(_swapped)),
}
