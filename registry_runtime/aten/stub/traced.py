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
from registry_runtime.aten.loops import element_forms as forms
from registry_runtime.aten.loops.vectorized import exp, fmadd
from registry_runtime.aten.native import ufunc_add
from registry_runtime.aten.stub.formula import Traced, as_vector, cast, number, vector
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.cxx import Code, Lambda, Parameter, without_reference_and_const
from registry_runtime.cxx.arithmetic import plain, type_of


@dataclass(frozen=True, slots=True)
class ArgumentScalar:
    """A `Scalar` that the kernel is called with: which argument it is."""

    index: int

    def to(self, T: ScalarType) -> Traced:
        return Traced(T, "captured", (), self)


@dataclass(frozen=True, slots=True)
class Captured:
    """A number that a lambda captures: an argument of the call converted to `T`, or a constant."""

    of: ArgumentScalar | Scalar
    T: ScalarType
    negated: bool = False

    def value(self, arguments: Sequence[Any]) -> Any:
        """The number in a call with these arguments. Raises TorchError where it doesn't fit `T`."""
        scalar = arguments[self.of.index] if isinstance(self.of, ArgumentScalar) else self.of
        value = scalar.to(self.T)
        # Of an array: NumPy would warn of a single unsigned number, which wraps around in C++.
        return np.negative(np.asarray(value))[()] if self.negated else value


_WRITTEN = {
    "+": "({} + {})",
    "-": "({} - {})",
    "*": "({} * {})",
    "/": "divided({}, {})",
    "%": "remainder({}, {})",
    "negated": "(-{})",
    "fmadd": "fmadd({}, {}, {})",
    "vector exp": "exp({})",
    "abs": "std_abs({})",
    "?:": "chosen({}, {}, {})",
    **{op: f"{form.__name__}({{}}, {{}})" for op, form in forms.COMPARED.items()},
    **{op: f"{form.__name__}({{}}, {{}})" for op, form in forms.BITWISE.items()},
    **{name: f"{form.__name__}({{}})" for name, form in forms.BY_PROCESSOR.items()},
    **{name: f"{form.__name__}({{}})" for name, form in forms.OF_ONE.items()},
    **{name: f"{form.__name__}({{}}, {{}})" for name, form in forms.OF_TWO.items()},
}


@dataclass
class _Writing:
    """A formula as Python's, for elements of `T`: what it captures, each thing once, and the numbers
    of other types that it calls."""

    T: ScalarType
    is_vector: bool = False
    captured: list[Captured] = field(default_factory=list)
    numbers: dict[str, Callable[..., Any]] = field(default_factory=dict)

    def text(self, of: Traced) -> str:
        match of.form:
            case "input":
                return str(of.of)
            case "captured":
                return self._name(self._captured(of))
            case "number" if of.T is self.T:
                return self._name(Captured(Scalar.of(plain(of.of)), self.T))
            case "number" if of.T.itemsize == 2 and of.T is not ScalarType.Short:
                return f"as_{of.T}({self.text(number(ScalarType.Float, of.of))})"
            case "number":
                made = forms.constant(of.T, of.of)
                self.numbers[made.__name__] = made
                return f"{made.__name__}(x0)"
            case "cast":
                return f"as_{of.T}({self.text(of.parts[0])})"
            case "negated" if of.T is self.T and of.parts[0].form in ("captured", "number"):
                return self._negative(of.parts[0])
        return _WRITTEN[of.form].format(*map(self.text, of.parts))

    def _captured(self, of: Traced) -> Captured:
        if of.T is not self.T and (self.is_vector or of.T is not ScalarType.Float):
            raise TorchError(
                f"not understood: a captured `{of.T.cpp}` beside elements, which are `{self.T.cpp}`",
                hint=f"capture one of these: static_cast<{self.T.cpp}>(…)",
                code=Code.NOT_UNDERSTOOD,
            )
        return Captured(of.of, of.T)

    def _negative(self, of: Traced) -> str:
        scalar = of.of if of.form == "captured" else Scalar.of(plain(of.of))
        return self._name(Captured(scalar, self.T, negated=True))

    def _name(self, one: Captured) -> str:
        if one not in self.captured:
            self.captured.append(one)
        return f"c{self.captured.index(one)}"


def std(name: str) -> Callable[..., object]:
    """`std::name` of elements."""

    def call(*values: object) -> object:
        traced = next((value for value in values if isinstance(value, Traced)), None)
        if traced is None:
            raise TorchError(f"std::{name} is known only for the elements of a kernel's lambda")
        return traced.called(name, *values)

    return call


def fused(a: object, b: object, c: object) -> Traced:
    """`vec::fmadd`, of elements and of vectors."""
    T, is_vector = _elements(a, b, c)
    if is_vector:
        return vector(T, "fmadd", a, b, c)
    parts = [cast(as_vector(T, one), T) for one in (a, b, c)]
    product = parts[0].operated("*", parts[0], parts[1])
    return cast(parts[2].operated("+", product, parts[2]), T)


def _elements(*arguments: object) -> tuple[ScalarType, bool]:
    traced = [one for one in arguments if isinstance(one, Traced)]
    if not traced:
        raise TorchError("this function is known only inside of a kernel's lambda")
    vectors = [one for one in traced if one.is_vector]
    return (vectors or traced)[0].T, bool(vectors)


@dataclass(frozen=True, slots=True)
class Operation:
    """A lambda's function, for Numba to compile, and what it captures; `numbers` are those of other
    types that its formula calls."""

    function: Callable[..., Any]
    captured: tuple[Captured, ...]
    formula: str
    arity: int
    numbers: tuple[tuple[str, Callable[..., Any]], ...] = ()

    def taking(self, captured: tuple[Captured, ...]) -> Operation:
        """The same with more behind what it captures, which it doesn't look at."""
        if captured == self.captured:
            return self
        function = _compiled(self.formula, _names(self.arity, captured), self.numbers)
        return replace(self, function=function, captured=captured)

    def bind(self, arguments: Sequence[Any]) -> loops.Lambda:
        """The function with what it captures in a call with these arguments."""
        values = tuple(c.value(arguments) for c in self.captured)
        return loops.Lambda(self.function, values, tuple(c.T for c in self.captured))


def operation(
    function: object, T: ScalarType, is_vector: bool, captured: Sequence[Captured] = ()
) -> Operation:
    """Run a lambda of the text on names. It takes what another one has `captured` first, and behind
    that what else it captures. Raises CxxError for a body that is no formula."""
    if not isinstance(function, Lambda):
        raise TorchError("a lambda is wanted here")
    for parameter in function.type.parameters:
        _check_taken(parameter, T, is_vector)
    count = len(function.type.parameters)
    result = function(*(Traced(T, "input", (), name, is_vector) for name in _names(count, ())))
    if not isinstance(result, Traced) and type_of(result) is None:
        result = _of_python(result, T)
    writing = _Writing(T, is_vector, list(captured))
    text = writing.text(as_vector(T, result))
    taken, numbers = tuple(writing.captured), tuple(writing.numbers.items())
    compiled = _compiled(text, _names(count, taken), numbers)
    return Operation(compiled, taken, text, count, numbers)


def _names(arity: int, captured: Sequence[Captured]) -> tuple[str, ...]:
    elements, others = (f"x{i}" for i in range(arity)), (f"c{i}" for i in range(len(captured)))
    return (*elements, *others)


def _of_python(value: object, T: ScalarType) -> Traced:
    if not hasattr(value, "dtype") and not isinstance(value, complex):
        raise TorchError(f"this function is to return a `{T.cpp}`")
    return Traced(T, "number", (), value)


def _check_taken(parameter: Parameter, T: ScalarType, is_vector: bool) -> None:
    # The loop hands over vectors, or elements: a compiler would turn neither into the other.
    spelled = str(without_reference_and_const(parameter.type))
    if spelled == "auto" or spelled.startswith(_VECTOR) is is_vector:
        if is_vector or spelled in ("auto", T.cpp):
            return
        raise TorchError(
            f"the elements here are `{T.cpp}`, and `{parameter.name}` is a `{spelled}`: the loop would "
            "read other bytes",
            hint="take a scalar_t",
        )
    wanted = f"vec::Vectorized<{T.cpp}>" if is_vector else T.cpp
    given = "vectors" if is_vector else "single elements"
    raise TorchError(
        f"this function is given {given}: `{parameter.name}` is a {spelled} and should be a {wanted}"
    )


_VECTOR = "at::vec::Vectorized<"


@cache
def _compiled(
    text: str, names: tuple[str, ...], numbers: tuple[tuple[str, Callable[..., Any]], ...]
) -> Callable[..., Any]:
    known: dict[tuple[str, tuple[str, ...]], Callable[..., Any]] = {
        ("(x0 + (c0 * x1))", ("x0", "x1", "c0")): ufunc_add.add,
        ("fmadd(x1, c0, x0)", ("x0", "x1", "c0")): ufunc_add.add_vectorized,
    }
    function = known.get((text, names))
    if function is None:
        # Made of the forms above, of names that we made and of nothing else.
        space = {"exp": exp, "fmadd": fmadd, **forms.FORMS, **dict(numbers)}
        function = eval(f"lambda {', '.join(names)}: {text}", space)
    return function
