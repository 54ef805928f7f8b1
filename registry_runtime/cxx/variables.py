"""The variables of a body: names, the objects that they name, and copies where C++ copies.

A variable is a name for a `Cell`, and a reference is a second name for the same cell; that is all
there is to `int& y = x`. An element of a list is a cell too, and a pointer leads to one. What is
declared without `&` is an object of its own: `auto def = kernel->InputAt(0)` copies the description,
and changing the copy leaves the kernel as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from registry_runtime.cxx.arithmetic import ARITHMETIC, Arithmetic, convert, number, plain, type_of
from registry_runtime.cxx.types import NamedType, Type


@dataclass(slots=True, eq=False)
class Cell:
    """An object with a name, or with several."""

    value: object

    @property
    def place(self) -> object:
        """What tells this object from others, as its address does."""
        return id(self)


class Vector(list[Any]):
    """`std::vector`, or an array: changed in place. Its elements are of the type `of`, and kept as
    Python's own, as bound code wants them."""

    def __init__(self, values: Any = (), of: Type | None = None) -> None:
        super().__init__(values)
        self.of = of


@dataclass(slots=True, eq=False)
class Element:
    """One place in a list: the cell that `v[i]` is."""

    sequence: list[Any]
    index: int

    @property
    def value(self) -> object:
        """What stands there, as a number of the type that the list's elements have."""
        found, of = self.sequence[self.index], self._type
        return found if of is None or type_of(found) is None else number(of, found)

    @value.setter
    def value(self, value: Any) -> None:
        of = self._type
        if of is not None and type_of(value) is not None:
            value = convert(of, value)
        self.sequence[self.index] = plain(value)

    @property
    def _type(self) -> Arithmetic | None:
        of = getattr(self.sequence, "of", None)
        return ARITHMETIC.get(of.name) if isinstance(of, NamedType) else None

    @property
    def place(self) -> object:
        return id(self.sequence), self.index


@dataclass(frozen=True, slots=True)
class Variable:
    """One name for a cell. Through a const one the cell can't be assigned."""

    cell: Cell | Element
    is_const: bool = False


class Pointer:
    """A pointer to an object that isn't a function; functions are their own pointers."""

    __slots__ = ("variable",)

    def __init__(self, to: object) -> None:
        self.variable = to if isinstance(to, Variable) else Variable(Cell(to))

    @property
    def to(self) -> Any:
        """The object, as it is now."""
        return self.variable.cell.value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pointer):
            return NotImplemented
        if self.variable.cell.place == other.variable.cell.place:
            return True
        # Two pointers that bound code has made of one object; a number has no identity in Python.
        return self.to is other.to and not isinstance(self.to, int | float | str)

    __hash__ = None  # type: ignore[assignment]


# What to pass for a pointer parameter, where None would be the address of nothing.
NULLPTR = Variable(Cell(None))


@dataclass
class Variables:
    """The variables of one block of a body, and of the blocks around it.

    `ends` are the destructors to run where the block ends, the last one first.
    """

    values: dict[str, Variable] = field(default_factory=dict)
    around: Variables | None = None
    ends: list[Callable[[], object]] = field(default_factory=list)

    def find(self, name: str) -> Variable | None:
        """The innermost variable of this name, or None."""
        block: Variables | None = self
        while block is not None:
            if name in block.values:
                return block.values[name]
            block = block.around
        return None
