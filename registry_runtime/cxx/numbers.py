"""What bodies compute with of C++'s `<algorithm>` and `<cmath>`: `std::max(a, b)`, `std::sqrt(x)`.

Each takes and gives numbers with the types that they have in C++, [alg.min.max], [c.math]: `std::max`
wants two of one type, and the square root of an integer is a double.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from registry_runtime.cxx.arithmetic import (
    DOUBLE,
    Arithmetic,
    Number,
    convert,
    number,
    promoted,
    type_of,
)
from registry_runtime.cxx.arithmetic import unary as signed
from registry_runtime.cxx.bindings import Arguments, Binding, Function, FunctionTemplate, Typed
from registry_runtime.cxx.conversions import arithmetic_type
from registry_runtime.cxx.span import Refusal


def _chosen(name: str, better: Callable[[Any, Any], bool]) -> FunctionTemplate:
    def instantiate(arguments: Arguments) -> Callable[..., object]:
        to = arithmetic_type(arguments[0].type) if arguments else None

        def choose(*values: Any) -> object:
            given = values[0] if len(values) == 1 and isinstance(values[0], tuple) else values
            types = {to or type_of(value) for value in given}
            if len(types) != 1 or None in types or (given is values and len(values) != 2):
                raise Refusal(
                    f"std::{name} takes two numbers of one type",
                    hint=f"say which: std::{name}<int64_t>(a, b)",
                )
            chosen, *others = given if to is None else (convert(to, value) for value in given)
            for other in others:
                chosen = other if better(other, chosen) else chosen
            return chosen

        return Typed(choose)

    return FunctionTemplate(instantiate)


def _absolute(value: object) -> Number:
    type = _arithmetic(value, "abs")
    if not type.is_floating and not promoted(type).is_signed:
        raise Refusal(f"std::abs is ambiguous for a `{type}`", argument=0)
    if type.is_floating:
        return number(type, abs(value))  # type: ignore[arg-type]
    return signed("-" if value < 0 else "+", value)  # type: ignore[arg-type, operator]


def _of_floats(name: str, function: Callable[[float], float]) -> Function:
    def call(value: object) -> Number:
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


def _whole(function: Callable[[float], int]) -> Callable[[float], float]:
    # What is rounded to zero keeps its sign, and infinity is whole.
    return lambda value: math.copysign(function(value), value) if math.isfinite(value) else value


NUMBERS: Mapping[str, Binding] = {
    "std::max": _chosen("max", lambda other, chosen: chosen < other),
    "std::min": _chosen("min", lambda other, chosen: other < chosen),
    "std::abs": Function(Typed(_absolute)),
    "std::sqrt": _of_floats("sqrt", _root),
    "std::floor": _of_floats("floor", _whole(math.floor)),
    "std::ceil": _of_floats("ceil", _whole(math.ceil)),
}
