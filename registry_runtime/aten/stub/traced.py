"""What a C++ lambda computes, found out by running it once on names instead of numbers.

`[=](scalar_t self, scalar_t other) { return ufunc::add(self, other, one); }` is called with two
operands that only know their names. Every operation on them writes itself down, so that what comes
back is a formula, `x0 + c0 * x1`, and the list of what was captured. From that the loop is built: the
C++ text says what is computed, Numba makes machine code of it.

A number that depends on a `Scalar` of the call is captured as a recipe, "the alpha, as an Int"; so one
run of the body serves all calls with that dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.loops import cpu_kernel_vec as loops
from registry_runtime.aten.loops.vectorized import exp, fmadd
from registry_runtime.aten.native import ufunc_add
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.cxx import Code, Lambda, Parameter, Type, without_reference_and_const
from registry_runtime.cxx.arithmetic import ARITHMETIC, common, plain, type_of


@dataclass(frozen=True, slots=True)
class ArgumentScalar:
    """A `Scalar` that the kernel is called with: which argument it is."""

    index: int

    def to(self, T: ScalarType) -> Captured:
        return Captured(self, T)


@dataclass(frozen=True, slots=True)
class Captured:
    """A number that a lambda captures: an argument of the call converted to `T`, or a constant."""

    of: ArgumentScalar | Scalar
    T: ScalarType
    negated: bool = False

    def __neg__(self) -> Captured:
        return replace(self, negated=not self.negated)

    def value(self, arguments: Sequence[Any]) -> Any:
        """The number in a call with these arguments. Raises TorchError where it doesn't fit `T`."""
        scalar = arguments[self.of.index] if isinstance(self.of, ArgumentScalar) else self.of
        value = scalar.to(self.T)
        # Of an array: NumPy would warn of a single unsigned number, which wraps around in C++.
        return np.negative(np.asarray(value))[()] if self.negated else value


@dataclass
class _Captures:
    """What one lambda captured, each thing once."""

    T: ScalarType
    listed: list[Captured] = field(default_factory=list)

    def name(self, value: object) -> str:
        if isinstance(value, Broadcast):
            value = value.of
        if not isinstance(value, Captured):
            value = Captured(Scalar.of(plain(value)), self.T)
        if value not in self.listed:
            self.listed.append(value)
        return f"c{self.listed.index(value)}"


@dataclass(frozen=True, slots=True)
class Broadcast:
    """`Vectorized<T>(number)`: a register full of the same number."""

    of: Any

    def __neg__(self) -> Broadcast:
        return Broadcast(-self.of)


@dataclass(frozen=True, slots=True)
class Traced:
    """A value that knows how it comes about. Python's operators make further ones."""

    text: str
    is_vector: bool
    captures: _Captures

    def __add__(self, other: object) -> Traced:
        return self.formula("({0} + {1})", self, other)

    def __radd__(self, other: object) -> Traced:
        return self.formula("({0} + {1})", other, self)

    def __sub__(self, other: object) -> Traced:
        return self.formula("({0} - {1})", self, other)

    def __rsub__(self, other: object) -> Traced:
        return self.formula("({0} - {1})", other, self)

    def __mul__(self, other: object) -> Traced:
        return self.formula("({0} * {1})", self, other)

    def __rmul__(self, other: object) -> Traced:
        return self.formula("({0} * {1})", other, self)

    def __neg__(self) -> Traced:
        return self.formula("(-{0})", self)

    def formula(self, form: str, *parts: object) -> Traced:
        """`form` with each part's own text, or the name that it is captured under, put in. Raises
        TorchError for a number that C++ would not make one of the element's type."""
        for part in parts:
            self._check_type(part)
        texts = (p.text if isinstance(p, Traced) else self.captures.name(p) for p in parts)
        return Traced(form.format(*texts), self.is_vector, self.captures)

    def _check_type(self, part: object) -> None:
        # `x * 0.5` of a float is computed in double, and only its result is a float again.
        given, T = type_of(part), self.captures.T
        of = ARITHMETIC.get(T.cpp)
        if given is not None and given.is_floating and (of is None or common(of, given) != of):
            raise TorchError(
                f"not understood: a `{given}` together with an element, which is a `{T.cpp}`",
                hint=f"make it one: static_cast<{T.cpp}>(…)",
            )


@dataclass(frozen=True, slots=True)
class Widened:
    """`static_cast<double>(x)`: a traced element, for a function of C++'s own library."""

    of: Traced


def cast(value: Traced | Widened, target: Type) -> Traced | Widened:
    """An element as another type: from its own to double, or from double back. An int that is made of a
    float, say, is none of the forms that a formula has."""
    traced = value.of if isinstance(value, Widened) else value
    if str(target) == traced.captures.T.cpp and not traced.is_vector:
        return traced
    if isinstance(value, Traced) and not value.is_vector and str(target) == "double":
        return Widened(traced)
    said = f"not understood: a cast of an element to `{target}`"
    raise TorchError(said, code=Code.NOT_UNDERSTOOD)


def std_exp(value: object) -> object:
    """`std::exp`, which is computed in double where an element is cast to it."""
    if isinstance(value, Widened):
        return Widened(value.of.formula("exp({0})", value.of))
    if not isinstance(value, Traced) or value.is_vector:
        raise TorchError("std::exp is known only for the elements of a kernel's lambda")
    return value.formula("exp({0})", value)


OPERATORS = frozenset("+-*")
SIGNS = frozenset("-")  # of a number that is captured


def applied(scalar_form: str, vector_form: str, *arguments: object) -> Traced:
    """A function that C++ overloads for single elements and for vectors, on traced arguments."""
    traced = next((a for a in arguments if isinstance(a, Traced)), None)
    if traced is None:
        raise TorchError("this function is known only inside of a kernel's lambda")
    return traced.formula(vector_form if traced.is_vector else scalar_form, *arguments)


@dataclass(frozen=True, slots=True)
class Operation:
    """A lambda's function, for Numba to compile, and what it captures."""

    function: Callable[..., Any]
    captured: tuple[Captured, ...]
    formula: str

    def bind(self, arguments: Sequence[Any]) -> loops.Lambda:
        """The function with what it captures in a call with these arguments."""
        return loops.Lambda(self.function, tuple(c.value(arguments) for c in self.captured))


def operation(function: object, T: ScalarType, is_vector: bool) -> Operation:
    """Run a lambda of the text on names. Raises CxxError for a body that is no formula."""
    if not isinstance(function, Lambda):
        raise TorchError("a lambda is wanted here")
    for parameter in function.type.parameters:
        _check_taken(parameter, T, is_vector)
    captures = _Captures(T)
    count = len(function.type.parameters)
    names = [f"x{i}" for i in range(count)]
    result = function(*(Traced(name, is_vector, captures) for name in names))
    if not isinstance(result, Traced):
        result = Traced(captures.name(result), is_vector, captures)
    names += [f"c{i}" for i in range(len(captures.listed))]
    return Operation(_compiled(result.text, tuple(names)), tuple(captures.listed), result.text)


def _check_taken(parameter: Parameter, T: ScalarType, is_vector: bool) -> None:
    # The loop hands over vectors, or elements: a compiler would turn neither into the other.
    spelled = str(without_reference_and_const(parameter.type))
    if spelled == "auto" or spelled.startswith(_VECTOR) is is_vector:
        return
    wanted = f"vec::Vectorized<{T.cpp}>" if is_vector else T.cpp
    given = "vectors" if is_vector else "single elements"
    raise TorchError(
        f"this function is given {given}: `{parameter.name}` is a {spelled} and should be a {wanted}"
    )


_VECTOR = "at::vec::Vectorized<"


@cache
def _compiled(text: str, names: tuple[str, ...]) -> Callable[..., Any]:
    known: dict[tuple[str, tuple[str, ...]], Callable[..., Any]] = {
        ("(x0 + c0 * x1)", ("x0", "x1", "c0")): ufunc_add.add,
        ("fmadd(x1, c0, x0)", ("x0", "x1", "c0")): ufunc_add.add_vectorized,
    }
    function = known.get((text, names))
    if function is None:
        # Made of the forms above, of names that we made and of nothing else.
        function = eval(f"lambda {', '.join(names)}: {text}", {"exp": exp, "fmadd": fmadd})
    return function
