"""`std::vector` in a body: a list that is changed in place, by what C++ changes it by.

An iterator is a place in a vector. `v.erase(v.begin() + 2)` is all that most bodies do with one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any

from registry_runtime.cxx.accesses import note
from registry_runtime.cxx.arithmetic import SIZE_T, Integer, convert, plain, type_of
from registry_runtime.cxx.bindings import Bindings, ClassTemplate, Function, Method, Typed
from registry_runtime.cxx.conversions import element, initialised, listed, zero
from registry_runtime.cxx.operators import binary
from registry_runtime.cxx.places import Iterator, Pointer
from registry_runtime.cxx.span import Refusal
from registry_runtime.cxx.types import NamedType, TemplateArgument, Type
from registry_runtime.cxx.variables import (
    UNDEFINED,
    BuiltInArray,
    Element,
    Variable,
    Vector,
    copy_of,
)


def _vector(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    of = arguments[0].type if arguments else None

    def construct(*values: Any) -> Vector:
        match values:
            case ():
                return Vector(of=of)
            case (Iterator() as first, Iterator() as last):
                return Vector((_kept(of, value) for value in _between(first, last)), of)
            case (bool() | int() | float() as size,):
                return Vector((plain(zero(of)) for _ in range(_bounded(size))), of)
            case (bool() | int() | float() as size, value):
                return Vector((_kept(of, value) for _ in range(_bounded(size))), of)
            case (list() | tuple() as other,):
                made = initialised(NamedType("std::vector", arguments), other)
                return copy_of(made) if isinstance(made, Vector) else listed(of, made)
        raise Refusal("a vector is made of a size and a value, of two iterators, or of {…}")

    return construct


def _from_list(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    def construct(*values: Any) -> Vector:
        return listed(arguments[0].type if arguments else _type_of(values), values)

    return Typed(construct)


def _type_of(values: tuple[object, ...]) -> Type | None:
    # std::vector v{1, 2}: its elements say what they are.
    found = type_of(values[0]) if values else None
    return NamedType(found.name) if found else None


def _kept(of: Type | None, value: object) -> Any:
    return plain(element(of, value))


def _bounded(size: object) -> int:
    if type_of(size) is None:
        raise Refusal("a size is wanted here", argument=0)
    count = convert(SIZE_T, size)  # type: ignore[arg-type]
    if count > 1000:
        raise Refusal(f"a vector of {size} elements: a shape has a handful")
    return int(count)


def _at(sequence: list[Any], index: object) -> Variable:
    if isinstance(index, int) and 0 <= index < len(sequence):
        return Variable(Element(sequence, int(index)))
    raise Refusal(f"at({index}) is out of range: there are {len(sequence)}", argument=0)


def _place_in(vector: Vector, at: object, *, end: bool = False) -> int:
    if isinstance(at, Iterator) and at.is_reverse:
        raise Refusal("a reverse iterator is no iterator of the vector", argument=0)
    if isinstance(at, Iterator) and at.of is vector and 0 <= at.place() < len(vector) + end:
        return at.index
    there = f"it has {len(vector)} elements"
    raise Refusal(f"this iterator leads to no element of the vector: {there}", argument=0)


def _between(first: Iterator, last: Iterator) -> Vector:
    """The elements from one place of a vector to another, as a vector of their own."""
    if first.is_reverse:
        begin, end = last.place(first), first.place()
    else:
        begin, end = _places(first.of, first, last)
    if begin > end:
        raise Refusal("the first of the two iterators is behind the second", argument=0)
    made = copy_of(Vector(first.of[begin:end], first.of.of))
    if first.is_reverse:
        made.reverse()
    return made


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
            vector[place:place] = [_kept(vector.of, value) for value in _between(first, last)]
        case (value,):
            vector.insert(place, _kept(vector.of, value))
        case _:
            raise Refusal("insert takes a place and a value, or two iterators")
    return Iterator(vector, place)


def _resize(vector: Vector, size: object, *value: object) -> None:
    count = _bounded(size)
    del vector[count:]
    made = _kept(vector.of, value[0]) if value else plain(zero(vector.of))  # converted in any case
    vector += [_kept(vector.of, made) for _ in range(count - len(vector))]


def _push_back(vector: Vector, value: object) -> None:
    vector.append(_kept(vector.of, value))


def _size(vector: Vector) -> Integer:
    return Integer(len(vector), SIZE_T)


def _changing(method: Callable[..., object]) -> Callable[..., object]:
    # Its elements may move: places in it lead nowhere from now on, but for the one that is returned.
    @wraps(method)
    def call(vector: Vector, *values: object) -> object:
        made = method(vector, *values)
        vector.version += 1
        return Iterator(vector, made.index) if isinstance(made, Iterator) else made

    return call


def _assign(vector: Vector, *values: object) -> None:
    made: Any = _vector((TemplateArgument(vector.of),))(*values)
    vector[:] = made


def _base(at: Iterator) -> Iterator:
    if not at.is_reverse:
        raise Refusal("this iterator has no member `base`")
    return replace(at, is_reverse=False, index=at.place())


def _find(first: object, last: object, value: Any) -> Iterator:
    if not isinstance(first, Iterator) or not isinstance(last, Iterator):
        raise Refusal("not understood: std::find in something else than a vector", argument=0)
    end = last.place(first)
    while first.place() != end:
        if binary("==", first.to.cell.value, value):
            break
        first += 1
    return first


def _sort(first: object, last: object) -> None:
    vector, begin, end = _range_of("sort", first, last)
    values = vector[begin:end]
    if any(type_of(value) is None for value in values):
        raise Refusal("not understood: std::sort of something else than numbers", argument=0)
    zeros = {math.copysign(1, value) for value in values if value == 0}
    if len(zeros) > 1 or any(value != value for value in values):
        raise Refusal("what `<` doesn't order, std::sort leaves in any order", hint=UNDEFINED)
    vector[begin:end] = sorted(values)


def _reverse(first: object, last: object) -> None:
    vector, begin, end = _range_of("reverse", first, last)
    vector[begin:end] = vector[begin:end][::-1]


def _range_of(name: str, first: object, last: object) -> tuple[Vector, int, int]:
    """The vector whose elements from the one place to the other are to be put in another order."""
    if not isinstance(first, Iterator) or first.is_reverse:
        raise Refusal(f"not understood: std::{name} of something else than a vector", argument=0)
    if first.is_const:
        raise Refusal("the elements are const here, and would be changed", argument=0)
    note(first.of, changes=True)
    return first.of, *_places(first.of, first, last)


_CHANGING: Mapping[str, Callable[..., object]] = {
    "clear": lambda vector: list.clear(vector),
    "resize": _resize,
    "push_back": _push_back,
    "emplace_back": _push_back,
    "pop_back": lambda vector: _erase(vector, Iterator(vector, len(vector) - 1)),
    "insert": _insert,
    "erase": _erase,
    "assign": _assign,
    "reserve": lambda vector, size: None,
}
_METHODS: Mapping[str, Method] = {
    "size": _size,
    "empty": lambda vector: not vector,
    "at": _at,
    "front": lambda vector: _at(vector, 0),
    "back": lambda vector: _at(vector, len(vector) - 1),
    "begin": lambda vector: Iterator(vector, 0),
    "end": lambda vector: Iterator(vector, len(vector)),
    "cbegin": lambda vector: Iterator(vector, 0, is_const=True),
    "cend": lambda vector: Iterator(vector, len(vector), is_const=True),
    "rbegin": lambda vector: Iterator(vector, len(vector), is_reverse=True),
    "rend": lambda vector: Iterator(vector, 0, is_reverse=True),
    "crbegin": lambda vector: Iterator(vector, len(vector), is_const=True, is_reverse=True),
    "crend": lambda vector: Iterator(vector, 0, is_const=True, is_reverse=True),
    **{name: _changing(method) for name, method in _CHANGING.items()},
}

VECTORS = Bindings(
    {
        "std::vector": ClassTemplate(constructor=_vector, from_list=_from_list),
        "std::find": Function(Typed(_find)),
        "std::sort": Function(Typed(_sort)),
        "std::reverse": Function(Typed(_reverse)),
    },
    {Vector: _METHODS, Iterator: {"base": _base}},
    copies={Vector: copy_of, BuiltInArray: copy_of},
    operators={
        Iterator: frozenset({"+", "-", "==", "!=", "<", "<=", ">", ">="}),
        Pointer: frozenset({"+", "-", "<", "<=", ">", ">="}),
    },
    changing={Vector: frozenset(_CHANGING)},
)
