"""`std::optional` in a body: its member functions. What it holds `*` and `->` lead to.

An optional of a framework's own, such as Paddle's, is its value itself, as what bound code takes and
gives back is: None for one that holds nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registry_runtime.cxx.arithmetic import type_of
from registry_runtime.cxx.bindings import Arguments, Bindings, ClassTemplate, Function, Typed
from registry_runtime.cxx.conversions import OPTIONAL, assigned, initialised, optional_of
from registry_runtime.cxx.span import Refusal
from registry_runtime.cxx.types import NamedType
from registry_runtime.cxx.variables import NULLOPT, Optional, Variable


def _optional(arguments: Arguments) -> Callable[..., object]:
    if len(arguments) != 1:
        raise Refusal("an optional is of one type, which stands between `<` and `>`")
    (of,) = arguments
    return Typed(lambda value=NULLOPT: optional_of(of.type, value))


def make_optional(value: Any) -> Optional:
    """`std::make_optional(x)`; of what x is of, that is no number, nobody is told here."""
    of = type_of(value)
    return optional_of(None if of is None else NamedType(of.name), value)


def _value_or(optional: Optional, other: Any) -> object:
    if optional.held is not None or optional.of is None:
        return optional.value
    return initialised(optional.of, other)


def _emplace(optional: Optional, value: Any) -> Variable:
    assigned(optional, value)
    return optional.reached()


OPTIONALS = Bindings(
    {
        OPTIONAL: ClassTemplate(constructor=_optional),
        "std::make_optional": Function(Typed(make_optional)),
    },
    {
        Optional: {
            "has_value": lambda optional: optional.held is not None,
            "value": Optional.reached,
            "value_or": Typed(_value_or),
            "emplace": Typed(_emplace),
            "reset": lambda optional: optional.hold(NULLOPT),
        }
    },
    copies={Optional: Optional.copy},
    changing={Optional: frozenset({"emplace", "reset"})},
)
