"""A formula of elements: what a C++ lambda makes of its parameters, each part with its C++ type.

The types are C++'s: what is narrower than an `int` becomes one before anything is done to it, two
operands are brought to a common type, and `c10::Half` and `c10::BFloat16` have operators of their own,
which compute in float and round. Conversions are parts of the formula like any other. But of a sum that
is cut down to 8 bits nobody sees more than these: it is computed in 8 bits from the beginning.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.type_names import cpp_type
from registry_runtime.aten.loops.element_forms import BY_PROCESSOR, OF_ONE, OF_TWO
from registry_runtime.aten.tensor.scalar_type import (
    ScalarType,
    is_complex_type,
    is_floating_type,
    is_integral_type,
)
from registry_runtime.cxx import Code, NamedType, TemplateArgument, Type
from registry_runtime.cxx.arithmetic import ARITHMETIC, common, convert, promoted, type_of
from registry_runtime.cxx.symbolic import Symbolic

BOOL, INT, LONG = ScalarType.Bool, ScalarType.Int, ScalarType.Long
UINT16, UINT, ULONG = ScalarType.UInt16, ScalarType.UInt32, ScalarType.UInt64
FLOAT, DOUBLE = ScalarType.Float, ScalarType.Double
_HALVES = (ScalarType.Half, ScalarType.BFloat16)
_ELEMENTS = {
    T.cpp: T
    for T in (
        *(BOOL, ScalarType.Byte, ScalarType.Char, ScalarType.Short, INT, LONG, FLOAT, DOUBLE),
        *(UINT16, UINT, ULONG),
    )
}
_PROMOTED = (INT, LONG, UINT, ULONG)  # what integers are computed in
_BY_CPP = _ELEMENTS | {T.cpp: T for T in _HALVES}
_OF_ALL, _OF_INTEGERS = ("+", "-", "*", "/"), ("%", "&", "|", "^")
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_WRAPS = ("+", "-", "*", "&", "|", "^", "negated")


@dataclass(frozen=True, slots=True)
class Traced(Symbolic):
    """A value that knows how it comes about: `form` of `parts`. What has no parts is an `input` or
    `captured`, which `of` says more of, or a `number` of the text."""

    T: ScalarType
    form: str
    parts: tuple[Traced, ...] = ()
    of: Any = None
    is_vector: bool = False

    @property
    def type(self) -> Type:
        of = cpp_type(self.T)
        return NamedType("at::vec::Vectorized", (TemplateArgument(of),)) if self.is_vector else of

    def operated(self, operator: str, *operands: Any) -> Traced:
        """C++'s operator on elements, or on vectors of them."""
        if any(getattr(one, "is_vector", False) for one in operands):
            return _of_vectors(self, operator, operands)
        parts = tuple(_part(one) for one in operands)
        if operator == "?:":
            return _chosen(*parts)
        return _unary(operator, *parts) if len(parts) == 1 else _binary(operator, *parts)

    def converted(self, to: Type) -> Traced:
        T = _BY_CPP.get(str(to), self.T if str(to) == self.T.cpp else None)
        vector = self.is_vector and str(to) != f"at::vec::Vectorized<{self.T.cpp}>"
        if vector or (T is None and not self.is_vector):
            raise _refusal(f"a vector as a `{to}`" if vector else f"an element as a `{to}`")
        return self if T is None or self.is_vector else cast(self, T)

    def called(self, function: str, *arguments: Any) -> Traced:
        if any(getattr(one, "is_vector", False) for one in arguments):
            raise _refusal(f"`std::{function}` of a vector", "Vectorized has member functions")
        return _called(function, [_part(one) for one in arguments])

    def replaced(self, value: Any) -> Traced:
        made = _part(value)
        if self.is_vector or made.is_vector:
            return made
        return cast(made, self.T)

    def __neg__(self) -> Traced:
        return self.operated("-", self)


def _refusal(what: str, hint: str = "") -> TorchError:
    return TorchError(f"not understood: {what}", hint=hint, code=Code.NOT_UNDERSTOOD)


def _no_operator(operator: str, *parts: Traced) -> TorchError:
    shown = " and ".join(f"`{part.T.cpp}`" for part in parts)
    return TorchError(f"there is no `{operator}` for {shown}")


def number(T: ScalarType, value: Any) -> Traced:
    """A number of the text, of this type."""
    return Traced(T, "number", (), value)


def _part(value: Any) -> Traced:
    if isinstance(value, Traced):
        return value
    type = type_of(value)
    T = _ELEMENTS.get(str(type))
    if T is None:
        dtype = getattr(value, "dtype", None)
        if type is not None or dtype is None:
            raise _refusal(f"{f'a `{type}`' if type else 'this'} together with an element")
        return number(ScalarType.of(dtype), value.item())
    return number(T, bool(value) if T is BOOL else int(value) if isinstance(value, int) else value)


# --- Operators ------------------------------------------------------------------------------------


def _unary(operator: str, of: Traced) -> Traced:
    if operator == "!":
        return _binary("==", cast(of, BOOL), number(BOOL, False))
    if operator == "-" and (of.T in _HALVES or is_complex_type(of.T)):
        return Traced(of.T, "negated", (of,))
    if is_complex_type(of.T):
        return of if operator == "+" else _fail(operator, of)
    T = FLOAT if of.T in _HALVES else _BY_CPP[promoted(ARITHMETIC[of.T.cpp]).name]
    wide = cast(of, T)
    if operator == "~":
        return _binary("^", wide, number(INT, -1)) if T in _PROMOTED else _fail("~", of)
    return wide if operator == "+" else Traced(T, "negated", (wide,))


def _fail(operator: str, *parts: Traced) -> Traced:
    raise _no_operator(operator, *parts)


def _binary(operator: str, a: Traced, b: Traced) -> Traced:
    if operator in ("&&", "||"):
        return _joined(operator, cast(a, BOOL), cast(b, BOOL))
    if is_complex_type(a.T) or is_complex_type(b.T):
        return _of_complex(operator, a, b)
    if operator in _COMPARISONS:
        T = _common(operator, _widened(a), _widened(b))
        return Traced(BOOL, operator, (cast(a, T), cast(b, T)))
    halves = [part.T for part in (a, b) if part.T in _HALVES]
    T = _of_halves(operator, a, b, halves) if halves else _common(operator, a, b)
    if operator not in _OF_ALL and (operator not in _OF_INTEGERS or T not in _PROMOTED):
        raise _refusal(f"`{operator}` of `{a.T.cpp}` and `{b.T.cpp}`")
    return Traced(T, operator, (cast(a, T), cast(b, T)))


def _joined(operator: str, a: Traced, b: Traced) -> Traced:
    return Traced(BOOL, "&" if operator == "&&" else "|", (a, b))


def _widened(part: Traced) -> Traced:
    return cast(part, FLOAT) if part.T in _HALVES else part


def _common(operator: str, a: Traced, b: Traced) -> ScalarType:
    made = common(ARITHMETIC[a.T.cpp], ARITHMETIC[b.T.cpp])
    if made.name not in _ELEMENTS:
        raise _no_operator(operator, a, b)
    return _ELEMENTS[made.name]


def _of_halves(operator: str, a: Traced, b: Traced, halves: list[ScalarType]) -> ScalarType:
    """What c10's own operators are for: two of one kind, or one and a float, double, int or int64_t."""
    other = b.T if a.T in _HALVES else a.T
    if operator in _OF_ALL and (len(set(halves)) == 1 or len(halves) == 1):
        if len(halves) == 2 or other in (INT, LONG):
            return halves[0]
        if other in (FLOAT, DOUBLE):
            return other
    raise _no_operator(operator, a, b)


def _of_complex(operator: str, a: Traced, b: Traced) -> Traced:
    T = a.T if is_complex_type(a.T) else b.T
    for part in (a, b):
        if part.T is not T and part.form != "number":
            raise _refusal(f"`{operator}` of `{a.T.cpp}` and `{b.T.cpp}`")
    if operator not in _OF_ALL or (operator == "/" and T is ScalarType.ComplexHalf):
        raise _refusal(f"`{operator}` of `{T.cpp}`")
    made = (part if part.T is T else number(T, part.of) for part in (a, b))
    return Traced(T, operator, tuple(made))


def _chosen(condition: Traced, a: Traced, b: Traced) -> Traced:
    T = a.T
    if a.T is not b.T:
        if any(part.T in _HALVES or is_complex_type(part.T) for part in (a, b)):
            raise TorchError(f"`{a.T.cpp}` and `{b.T.cpp}` are of no common type")
        T = _common("?:", a, b)
    return Traced(T, "?:", (cast(condition, BOOL), cast(a, T), cast(b, T)))


def _of_vectors(self: Traced, operator: str, operands: tuple[Any, ...]) -> Traced:
    T = next(one.T for one in operands if getattr(one, "is_vector", False))
    divides = operator == "/" and (is_floating_type(T) or is_complex_type(T))
    if operator not in ("+", "-", "*") and not divides:
        hint = "give cpu_kernel the function of elements alone: it needs none of vectors"
        raise _refusal(f"`{operator}` of vectors of `{T.cpp}`", hint)
    parts = [_part(one) for one in operands]
    if any(part.T is not T for part in parts):  # only a scalar_t becomes a vector by itself
        shown = " and ".join(f"`{part.type}`" for part in parts)
        hint = f"make it a `{T.cpp}`: scalar_t(…)"
        raise TorchError(f"there is no `{operator}` for {shown}", hint=hint)
    form = "negated" if len(operands) == 1 and operator == "-" else operator
    if len(operands) == 1 and operator != "-":
        raise _refusal(f"`{operator}` of a vector")
    return vector(T, form, *operands)


def vector(T: ScalarType, form: str, *operands: Any) -> Traced:
    """A form of vectors; a number beside one fills one."""
    return Traced(T, form, tuple(as_vector(T, one) for one in operands), None, is_vector=True)


def as_vector(T: ScalarType, value: Any) -> Traced:
    """A vector that is full of a number, where a value isn't one already."""
    part = _part(value)
    return part if part.is_vector else cast(part, T)


def clamped_from_below(a: Any, min: Any) -> Traced:
    """`vec::clamp_min(a, min)`: where `a` is less, `min`."""
    if not (getattr(a, "is_vector", False) and getattr(min, "is_vector", False)):
        raise TorchError("vec::clamp_min takes two vectors")
    less = Traced(BOOL, "<", (a, min), None, is_vector=True)
    return vector(a.T, "?:", less, min, a)


def full(T: ScalarType, number: Any) -> Traced:
    """`Vectorized<T>(number)`."""
    return replace(as_vector(T, number), is_vector=True)


# --- Functions ------------------------------------------------------------------------------------


def _called(function: str, parts: list[Traced]) -> Traced:
    types = {part.T for part in parts}
    if any(map(is_complex_type, types)):
        raise _refusal(f"`std::{function}` of `{parts[0].T.cpp}`")
    if function in ("max", "min"):
        if len(types) != 1:
            said = f"std::{function} takes two numbers of one type"
            raise TorchError(said, hint=f"say which: std::{function}<{parts[0].T.cpp}>(a, b)")
        made = parts[0]
        for other in parts[1:]:
            pair = (made, other) if function == "max" else (other, made)
            made = _chosen(_binary("<", *pair), other, made)
        return made
    if function == "abs" and not is_floating_type(parts[0].T):
        T = _common("std::abs", parts[0], parts[0])
        if T in (UINT, ULONG):  # there are abs(int), abs(long), abs(double)
            raise TorchError(f"std::abs is ambiguous for a `{parts[0].T.cpp}`", argument=0)
        return Traced(T, "abs", (cast(parts[0], T),))
    known = len(parts) == 2 if function in OF_TWO else len(parts) == 1
    if not known or function not in (*OF_ONE, *OF_TWO, *BY_PROCESSOR, "abs"):
        raise _refusal(f"`std::{function}` of elements")
    T = parts[0].T if len(types) == 1 and is_floating_type(parts[0].T) else DOUBLE
    if types & set(_HALVES) and len(types) != 1:
        raise _refusal(f"`std::{function}` of two types")
    return Traced(T, function, tuple(cast(part, T) for part in parts))


# --- Conversions ----------------------------------------------------------------------------------


def cast(of: Traced, T: ScalarType) -> Traced:
    """`static_cast<T>(of)`."""
    if of.T is T:
        return of
    if is_complex_type(T) or is_complex_type(of.T):
        if of.form == "number" and is_complex_type(T):
            return number(T, of.of)
        raise _refusal(f"a `{of.T.cpp}` as a `{T.cpp}`")
    if of.form == "number" and T in _HALVES:
        return number(T, float(np.float32(of.of).astype(T.numpy)))
    if of.form == "number" and of.T not in _HALVES:
        made = convert(ARITHMETIC[T.cpp], of.of if of.T is not FLOAT else float(of.of))
        return number(T, float(made) if is_floating_type(T) else made if T is BOOL else int(made))
    return _low_part(of, T) or Traced(T, "cast", (of,))


def _low_part(of: Traced, T: ScalarType) -> Traced | None:
    """The same, computed in T from the beginning where that comes to the same."""
    if T is BOOL:
        return of_bools(of)
    if not is_integral_type(T, include_bool=False) or not is_integral_type(of.T, False):
        return None
    if of.T.itemsize < T.itemsize:
        return None
    if of.form in _WRAPS:
        return Traced(T, of.form, tuple(cast(part, T) for part in of.parts))
    inner = of.parts[0] if of.form == "cast" else None
    if inner is not None and is_integral_type(inner.T, include_bool=True):
        return cast(inner, T)
    return None


def of_bools(of: Traced) -> Traced | None:
    """Whether a sum of products of bools is not 0: `or` and `and` of them."""
    if of.form == "cast" and of.parts[0].T is BOOL:
        return of.parts[0]
    if of.form == "number" and of.of in (0, 1):
        return number(BOOL, bool(of.of))
    if of.T is not INT or of.form not in ("+", "*"):
        return None
    parts = [of_bools(part) for part in of.parts]
    known = [part for part in parts if part is not None]
    return Traced(BOOL, of.form, tuple(known)) if len(known) == 2 else None
