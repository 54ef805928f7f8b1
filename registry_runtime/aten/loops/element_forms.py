"""What the formula of a loop may call besides `+`, `-` and `*`: C++'s other operators on elements.

A formula is Python, and Python's `/` is another one. So each has a name here; what machine code it is,
`element_code` says, which Numba comes with.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from registry_runtime.aten.tensor.scalar_type import ScalarType


def _named(name: str, said: str) -> Callable[..., Any]:
    def form(*elements: Any) -> Any:
        raise NotImplementedError("compiled by Numba: see element_code")

    form.__name__ = form.__qualname__ = name
    form.__doc__ = said
    globals()[name] = form  # Numba knows a function by where it can be found
    return form


# Of two elements of one type, which is the result's.
DIVIDED, REMAINDER = _named("divided", "`a / b`"), _named("remainder", "`a % b`")
BITWISE = {
    "&": _named("bit_and", "`a & b`"),
    "|": _named("bit_or", "`a | b`"),
    "^": _named("bit_xor", "`a ^ b`"),
}
# Of two elements of one type; the result is a bool.
COMPARED = {
    operator: _named(f"is_{word}", f"`a {operator} b`")
    for operator, word in {
        "==": "equal", "!=": "unequal", "<": "less",
        "<=": "less_or_equal", ">": "greater", ">=": "greater_or_equal",
    }.items()
}  # fmt: skip
CHOSEN = _named("chosen", "`condition ? a : b`")
CAST = {T: _named(f"as_{T}", f"`static_cast<{T.cpp}>(x)`") for T in ScalarType if T.cpp}

# Of floats and doubles: what processors have, and what C's library has.
BY_PROCESSOR = {
    name: _named(f"std_{name}", f"`std::{name}(x)`") for name in ("sqrt", "floor", "ceil", "trunc")
}
MAGNITUDE = _named("std_abs", "`std::abs(x)`")
OF_ONE = {
    name: _named(f"libm_{name}", f"`std::{name}(x)`")
    for name in (
        *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin"),
        *("acos", "atan", "sinh", "cosh", "tanh", "erf", "erfc", "cbrt", "round", "nearbyint"),
    )
}
OF_TWO = {name: _named(f"libm_{name}", f"`std::{name}(x, y)`") for name in ("pow", "fmod", "atan2")}


@cache
def constant(T: ScalarType, value: float) -> Callable[..., Any]:
    """A number of the text of another type than the elements have; its argument is any element."""
    spelled = float(value).hex() if T in (ScalarType.Float, ScalarType.Double) else str(value)
    for sign, word in (("-", "minus_"), (".", "_"), ("+", "")):
        spelled = spelled.replace(sign, word)
    form = _named(f"number_{T}_{spelled}", f"`{value}`")
    form.__dict__["number"] = (T, value)
    return form


FORMS = {
    form.__name__: form
    for form in (
        *(DIVIDED, REMAINDER, CHOSEN, MAGNITUDE, *BITWISE.values(), *COMPARED.values()),
        *(*CAST.values(), *BY_PROCESSOR.values(), *OF_ONE.values(), *OF_TWO.values()),
    )
}
