"""Where a value leads to: a pointer to an object, an iterator to a place in a vector.

An array is one too wherever it isn't the array itself that is named: [conv.array].
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import total_ordering
from typing import Any

from registry_runtime.cxx.arithmetic import INT64, Integer
from registry_runtime.cxx.span import Refusal
from registry_runtime.cxx.variables import (
    UNDEFINED,
    BuiltInArray,
    Cell,
    Element,
    Variable,
    Vector,
)


@total_ordering
@dataclass(frozen=True, slots=True)
class Iterator:
    """A place in a vector: `v.begin() + 2`. Once its elements may have moved, it leads nowhere.

    One that `is_reverse` leads to the element before its place, and goes to the front:
    [reverse.iterators].
    """

    of: Vector
    index: int
    is_const: bool = False
    is_reverse: bool = False
    version: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "version", self.of.version)

    def place(self, like: Iterator | None = None) -> int:
        """Where it stands; together with another, which must be of this vector too. Raises Refusal."""
        if like is not None and (like.of is not self.of or like.is_reverse != self.is_reverse):
            raise Refusal("these iterators aren't of one vector, or not of one direction")
        if self.version != self.of.version:
            raise Refusal("this iterator leads to no element of the vector", hint=UNDEFINED)
        return self.index

    @property
    def to(self) -> Variable:
        """The element. Raises Refusal."""
        index = self.place() - self.is_reverse
        if not 0 <= index < len(self.of):
            raise Refusal("this iterator leads to no element of the vector", hint=UNDEFINED)
        return Variable(Element(self.of, index), self.is_const)

    def __add__(self, places: object) -> Iterator:
        if not isinstance(places, int):
            return NotImplemented
        moved = self.place() + (-int(places) if self.is_reverse else int(places))
        if not 0 <= moved <= len(self.of):
            there = f"it has {len(self.of)} elements"
            raise Refusal(f"this iterator leads to no element of the vector: {there}")
        return replace(self, index=moved)

    def __sub__(self, other: object) -> object:
        if isinstance(other, Iterator):
            apart = self.place() - other.place(self)
            return Integer(-apart if self.is_reverse else apart, INT64)
        return self + -int(other) if isinstance(other, int) else NotImplemented

    def __eq__(self, other: object) -> bool:
        return self.place() == other.place(self) if isinstance(other, Iterator) else False

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Iterator):
            return NotImplemented
        ours, theirs = self.place(), other.place(self)
        return ours > theirs if self.is_reverse else ours < theirs

    __hash__ = None  # type: ignore[assignment]


class Pointer:
    """A pointer to an object that isn't a function; functions are their own pointers."""

    __slots__ = ("variable",)

    def __init__(self, to: object) -> None:
        self.variable = to if isinstance(to, Variable) else Variable(Cell(to))

    @property
    def to(self) -> Any:
        """The object, as it is now."""
        return self.variable.cell.value

    def _element(self) -> Element:
        if not isinstance(self.variable.cell, Element):
            raise Refusal("this pointer leads to one object, and not into an array", hint=UNDEFINED)
        return self.variable.cell

    def __add__(self, places: object) -> Pointer:
        if not isinstance(places, int):
            return NotImplemented
        at = self._element()
        moved, count = at.index + int(places), len(at.sequence)
        if not 0 <= moved <= count:
            raise Refusal(f"this pointer leads to no element: there are {count}", hint=UNDEFINED)
        element = replace(at, index=moved)
        element.version = at.version  # what had moved has moved
        return Pointer(Variable(element, self.variable.is_const))

    __radd__ = __add__

    def __sub__(self, other: object) -> object:
        if isinstance(other, Pointer):
            return Integer(self._element().index - self._beside(other).index, INT64)
        return self + -int(other) if isinstance(other, int) else NotImplemented

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Pointer):
            return NotImplemented
        return self._element().index < self._beside(other).index

    def __le__(self, other: object) -> bool:
        return not other < self if isinstance(other, Pointer) else NotImplemented

    def _beside(self, other: Pointer) -> Element:
        if other._element().sequence is not self._element().sequence:
            raise Refusal("these pointers lead into two arrays", hint=UNDEFINED)
        return other._element()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pointer):
            return NotImplemented
        one, two = self.variable.cell, other.variable.cell
        if isinstance(one, Element) and isinstance(two, Element):
            return one.sequence is two.sequence and one.index == two.index
        if self.variable.cell.place == other.variable.cell.place:
            return True
        # Two pointers that bound code has made of one object; a number has no identity in Python.
        return self.to is other.to and not isinstance(self.to, int | float | str)

    __hash__ = None  # type: ignore[assignment]


def decayed(value: object) -> object:
    """An array as a pointer to its first element; any other value as it is."""
    return pointer_into(value, value.is_const) if isinstance(value, BuiltInArray) else value


def pointer_into(sequence: Vector, is_const: bool) -> Pointer:
    """A pointer to the first element, through which none can be written if it `is_const`."""
    return Pointer(Variable(Element(sequence, 0), is_const))


# What to pass for a pointer parameter, where None would be the address of nothing.
NULLPTR = Variable(Cell(None))
