"""`std::exp`, `std::log` and `std::pow`, whose last digit no standard fixes; and what of two numbers is
exact, `std::fmod` and `std::copysign`.

A compiler works out `std::pow(2.5, 3.1)` of constants exactly and rounds once; what a program computes
as it runs, its C library rounds as well as it can: [library.c] leaves both free. So the library's own
function is asked, in the type that the call has, and beside it the exact value is rounded. Where the
two differ, once in a thousand calls, there is no value that every program has, and it is refused.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Mapping
from decimal import Context, Decimal, DecimalException
from functools import cache

from registry_runtime.cxx.arithmetic import (
    DOUBLE,
    FLOAT,
    Arithmetic,
    convert,
    number,
    type_of,
)
from registry_runtime.cxx.bindings import Binding, Function, Typed
from registry_runtime.cxx.span import Refusal
from registry_runtime.cxx.symbolic import symbolic

# Digits enough for what `pow` makes of two doubles where the exponent is a small whole number.
_EXACT = Context(prec=400, Emin=-999_999, Emax=999_999, traps=[])
_TWO = Decimal(2)

_FORMS: Mapping[str, Callable[..., Decimal]] = {
    "exp": lambda x: x.exp(_EXACT),
    "exp2": lambda x: _EXACT.power(_TWO, x),
    "log": lambda x: x.ln(_EXACT),
    "log2": lambda x: _EXACT.divide(x.ln(_EXACT), _TWO.ln(_EXACT)),
    "log10": lambda x: x.log10(_EXACT),
    "pow": _EXACT.power,
}
_EXACTLY = ("fmod", "copysign")
OF_TWO = ("pow", *_EXACTLY)


def _call(name: str, *values: object) -> object:
    if (unknown := symbolic(*values)) is not None:
        return unknown.called(name, *values)
    types = [type_of(value) for value in values]
    if None in types or len(types) != (2 if name in OF_TWO else 1):
        raise Refusal(f"std::{name} takes {'two numbers' if name in OF_TWO else 'a number'}")
    to = FLOAT if set(types) == {FLOAT} else DOUBLE  # an integer is made a double: [c.math.syn]
    return _rounded_twice(name, to, *(float(convert(to, value)) for value in values))  # type: ignore[arg-type]


def _rounded_twice(name: str, to: Arithmetic, *values: float) -> object:
    made = _library(name, to)(*values)
    if name in _FORMS and math.isfinite(made) and made and all(map(math.isfinite, values)):
        try:
            exact = number(to, convert(to, float(_FORMS[name](*map(Decimal, values)))))
        except (DecimalException, OverflowError, Refusal):
            exact = math.nan
        if exact != made:
            shown = ", ".join(f"{value:g}" for value in values)
            raise Refusal(
                f"`std::{name}({shown})` has no last digit that every compiler agrees on",
                hint="a compiler rounds the exact value, and the C library comes near to it",
            )
    return number(to, made)


@cache
def _library(name: str, of: Arithmetic) -> Callable[..., float]:
    """The function of this process's own C library."""
    real = ctypes.c_float if of is FLOAT else ctypes.c_double
    try:
        found = getattr(ctypes.CDLL(None), name + "f" * (of is FLOAT))
    except (AttributeError, OSError, TypeError):
        raise Refusal(f"this system's C library has no `{name}` that can be asked") from None
    found.restype, found.argtypes = real, [real] * (2 if name in OF_TWO else 1)
    return found  # type: ignore[no-any-return]


def _bound(name: str) -> Function:
    return Function(Typed(lambda *values: _call(name, *values)))


EXPONENTIALS: Mapping[str, Binding] = {
    f"std::{name}": _bound(name) for name in (*_FORMS, *_EXACTLY)
}
