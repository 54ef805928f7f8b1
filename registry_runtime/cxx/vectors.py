"""`std::vector` in a body: a list that is changed in place, by what C++ changes it by.

An iterator is a place in a vector. `v.erase(v.begin() + 2)` is all that most bodies do with one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import total_ordering
from typing import Any

from registry_runtime.cxx.bindings import Binding, Bindings, ClassTemplate, Function, Method
from registry_runtime.cxx.span import Refusal
from registry_runtime.cxx.types import TemplateArgument


class Vector(list[Any]):
    """`std::vector`, changed in place."""

    __slots__ = ()


@total_ordering
@dataclass(frozen=True, slots=True)
class Iterator:
    """A place in a vector: `v.begin() + 2`."""

    of: Vector
    index: int

    def __add__(self, places: int) -> Iterator:
        return Iterator(self.of, self.index + places)

    def __sub__(self, other: object) -> object:
        if isinstance(other, Iterator):
            return self.index - other.index
        return Iterator(self.of, self.index - other) if isinstance(other, int) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return self.index < other.index if isinstance(other, Iterator) else NotImplemented


def _vector(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    def construct(*values: object) -> Vector:
        match values:
            case ():
                return Vector()
            case (Iterator() as first, Iterator() as last):
                return _between(first, last)
            case (int() as size,) if type(size) is int:
                return Vector(_zero(arguments) for _ in range(_bounded(size)))
            case (int() as size, value) if type(size) is int:
                return Vector(_copy(value) for _ in range(_bounded(size)))
            case (list() | tuple() as other,):
                return Vector(map(_copy, other))
        raise Refusal("a vector is made of a size and a value, of two iterators, or of {…}")

    return construct


def _from_list(*values: object) -> Vector:
    return Vector(map(_copy, values))


def _copy(value: object) -> Any:
    # A vector owns its elements: what is put into one is a copy, down to the vectors inside.
    return type(value)(map(_copy, value)) if isinstance(value, list) else value


def _zero(arguments: tuple[TemplateArgument, ...]) -> object:
    of = str(arguments[0]) if arguments else ""
    if of.startswith("std::vector<"):
        return Vector()
    return {"std::string": "", "bool": False}.get(of, 0)


def _bounded(size: int) -> int:
    if not 0 <= size <= 1000:
        raise Refusal(f"a vector of {size} elements: a shape has a handful")
    return size


def _at(sequence: list[Any] | tuple[Any, ...], index: object) -> Any:
    if isinstance(index, int) and 0 <= index < len(sequence):
        return sequence[index]
    raise Refusal(f"at({index}) is out of range: there are {len(sequence)}", argument=0)


def _place_in(vector: Vector, at: object, *, end: bool = False) -> int:
    if isinstance(at, Iterator) and at.of is vector and 0 <= at.index < len(vector) + end:
        return at.index
    there = f"it has {len(vector)} elements"
    raise Refusal(f"this iterator leads to no element of the vector: {there}", argument=0)


def _between(first: Iterator, last: Iterator) -> Vector:
    """The elements from one place of a vector to another, as a vector of their own."""
    begin, end = _places(first.of, first, last)
    return Vector(map(_copy, first.of[begin:end]))


def _places(vector: Vector, first: object, last: object) -> tuple[int, int]:
    begin, end = (_place_in(vector, at, end=True) for at in (first, last))
    if begin > end:
        raise Refusal("the first of the two iterators is behind the second", argument=0)
    return begin, end


def _erase(vector: Vector, first: object, last: object = None) -> Iterator:
    if last is None:
        begin = _place_in(vector, first)
        end = begin + 1
    else:
        begin, end = _places(vector, first, last)
    del vector[begin:end]
    return Iterator(vector, begin)


def _insert(vector: Vector, at: object, *values: object) -> Iterator:
    place = _place_in(vector, at, end=True)
    match values:
        case (Iterator() as first, Iterator() as last):
            vector[place:place] = _between(first, last)
        case (value,):
            vector.insert(place, _copy(value))
        case _:
            raise Refusal("insert takes a place and a value, or two iterators")
    return Iterator(vector, place)


def _resize(vector: Vector, size: object, value: object = 0) -> None:
    if not isinstance(size, int):
        raise Refusal("a size is wanted here", argument=0)
    del vector[_bounded(size) :]
    vector += [_copy(value) for _ in range(size - len(vector))]


def _push_back(vector: Vector, value: object) -> None:
    vector.append(_copy(value))


def _absolute(value: object) -> object:
    if isinstance(value, int | float):
        return abs(value)
    raise Refusal("std::abs takes a number", argument=0)


def _end(which: Callable[..., Any]) -> Callable[[object, object], object]:
    def chosen(left: object, right: object) -> object:
        if isinstance(left, int | float) and isinstance(right, int | float):
            return which(left, right)
        raise Refusal(f"std::{which.__name__} takes two numbers")

    return chosen


_METHODS: Mapping[str, Method] = {
    "size": len,
    "empty": lambda vector: not vector,
    "at": _at,
    "front": lambda vector: _at(vector, 0),
    "back": lambda vector: _at(vector, len(vector) - 1),
    "begin": lambda vector: Iterator(vector, 0),
    "end": lambda vector: Iterator(vector, len(vector)),
    "clear": list.clear,
    "reserve": lambda vector, size: None,
    "resize": _resize,
    "push_back": _push_back,
    "emplace_back": _push_back,
    "pop_back": lambda vector: _erase(vector, Iterator(vector, len(vector) - 1)),
    "insert": _insert,
    "erase": _erase,
}

_NAMES: Mapping[str, Binding] = {
    "std::vector": ClassTemplate(constructor=_vector, from_list=_from_list),
    "std::max": Function(_end(max)),
    "std::min": Function(_end(min)),
    "std::abs": Function(_absolute),
}

VECTORS = Bindings(
    _NAMES,
    {Vector: _METHODS},
    copies={Vector: _copy},
    operators={Iterator: frozenset({"+", "-", "==", "!=", "<", "<=", ">", ">="})},
)
