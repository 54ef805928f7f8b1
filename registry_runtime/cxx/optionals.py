"""`std::optional` in a body: its member functions. What it holds `*` and `->` lead to.

An optional of a framework's own, such as Paddle's, is its value itself, as what bound code takes and
gives back is: None for one that holds nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registry_runtime.cxx.bindings import Arguments, Bindings, ClassTemplate, Typed
from registry_runtime.cxx.conversions import initialised, optional_of
from registry_runtime.cxx.variables import Optional


def _optional(arguments: Arguments) -> Callable[..., object]:
    of = arguments[0].type if arguments else None
    return Typed(lambda value=None: optional_of(of, value))


def _value_or(optional: Optional, other: Any) -> object:
    if optional.held is not None or optional.of is None:
        return optional.value
    return initialised(optional.of, other)


def _reset(optional: Optional) -> None:
    optional.held = None


OPTIONALS = Bindings(
    {"std::optional": ClassTemplate(constructor=_optional)},
    {
        Optional: {
            "has_value": lambda optional: optional.held is not None,
            "value": Optional.reached,
            "value_or": Typed(_value_or),
            "reset": _reset,
        }
    },
    copies={Optional: Optional.copy},
    operators={Optional: frozenset({"==", "!="})},
    changing={Optional: frozenset({"reset"})},
)
