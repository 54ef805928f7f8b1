"""The variables of a body: names, the objects that they name, and copies where C++ copies.

A variable is a name for a `Cell`, and a reference is a second name for the same cell; that is all
there is to `int& y = x`. An element of a list is a cell too, and a pointer leads to one. What is
declared without `&` is an object of its own: `auto def = kernel->InputAt(0)` copies the description,
and changing the copy leaves the kernel as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from registry_runtime.cxx.accesses import note
from registry_runtime.cxx.arithmetic import (
    ARITHMETIC,
    Arithmetic,
    convert,
    number,
    plain,
    type_of,
)
from registry_runtime.cxx.span import Refusal
from registry_runtime.cxx.types import ConstType, NamedType, Type


@dataclass(frozen=True, slots=True)
class NoValue:
    """What a cell holds that nobody may read: `why` says what has become of its object, or hasn't yet.

    `type` is the type of one that was declared without a value.
    """

    why: str
    type: Type | None = None


UNDEFINED = "what C++ makes of it is undefined"
GONE = NoValue("doesn't exist any more here")
MOVED = NoValue("was moved from, and nobody knows what is left of it")


@dataclass(slots=True, eq=False)
class Cell:
    """An object with a name, or with several; what it holds is a value, or none that may be read."""

    held: object

    @property
    def value(self) -> object:
        """The value. Raises Refusal where there is none: to read it is undefined."""
        note(self, changes=False)
        if isinstance(self.held, NoValue):
            raise Refusal(f"what is read here {self.held.why}", hint=UNDEFINED)
        if isinstance(self.held, Vector):
            note(self.held, changes=False)
        return self.held

    @value.setter
    def value(self, value: object) -> None:
        if self.held is GONE:
            raise Refusal(f"what is assigned to {GONE.why}", hint=UNDEFINED)
        note(self, changes=True)
        self.end(value)

    def end(self, held: object) -> None:
        """Hold something else; places in a vector that was held lead nowhere from now on."""
        if isinstance(self.held, Vector) and self.held is not held:
            self.held.version += 1
        self.held = held

    @property
    def place(self) -> object:
        """What tells this object from others, as its address does."""
        return id(self)


class Vector(list[Any]):
    """`std::vector`: changed in place. Its elements are of the type `of`, and kept as Python's own, as
    bound code wants them. Where its elements may have moved its `version` is another."""

    def __init__(self, values: Any = (), of: Type | None = None) -> None:
        super().__init__(values)
        self.of = of
        self.version = 0


class BuiltInArray(Vector):
    """An array: fixed in size, without member functions, and a pointer to its first element wherever
    it isn't the array itself that is named: [conv.array]."""

    def __init__(self, values: Any = (), of: Type | None = None, is_const: bool = False) -> None:
        super().__init__(values, of)
        self.is_const = is_const


def version_of(sequence: object) -> int:
    """The version of a list whose elements may move."""
    return sequence.version if isinstance(sequence, Vector) else 0


class Array(list[Any]):
    """`std::array`: as many elements as its type says, of the type `of`."""

    def __init__(self, values: Any = (), of: Type | None = None) -> None:
        super().__init__(values)
        self.of = of


class InitializerList(tuple[Any, ...]):
    """What `auto v = {a, b}` holds, a `std::initializer_list`: it can be gone through, and be made a
    vector of; [initializer.list] has no `[]` for it and no `==`."""

    __slots__ = ()


class Nullopt:
    """`std::nullopt`, of which there is one: `NULLOPT`."""

    cxx_type = NamedType("std::nullopt_t")


NULLOPT = Nullopt()


class Optional:
    """`std::optional<of>`: an object that may hold another one, `held`."""

    def __init__(self, of: Type | None, value: object = NULLOPT) -> None:
        self.of = of
        self.held = None if value is NULLOPT else Variable(Cell(value))

    @property
    def value(self) -> object:
        """What bound code gets for it: None where it holds nothing."""
        return self.held.cell.value if self.held is not None else None

    def hold(self, value: object) -> None:
        """Hold a value instead, in the object that was there; with NULLOPT none: that one is gone."""
        if value is NULLOPT:
            if self.held is not None:
                self.held.cell.end(GONE)
            self.held = None
        elif self.held is None:
            self.held = Variable(Cell(value))
        else:
            self.held.cell.value = value

    def reached(self) -> Variable:
        """The object inside. Raises Refusal where there is none."""
        if self.held is None:
            raise Refusal("this optional holds nothing", hint="ask it first: has_value()")
        return self.held

    def copy(self) -> Optional:
        """One of its own."""
        return Optional(self.of, NULLOPT if self.held is None else own_copy(self.value))


def what_it_holds(value: Any) -> Any:
    """What bound code gets of an optional: what it holds, or None, as for nullopt. Any other value is
    itself."""
    if isinstance(value, Optional):
        return value.value
    return None if value is NULLOPT else value


class Tuple:
    """`std::tuple`: objects side by side, as data members; nobody can write the names of a tuple's."""

    def __init__(self, *values: object) -> None:
        self.data = {str(n): Variable(Cell(value)) for n, value in enumerate(values)}

    @property
    def parts(self) -> list[Variable]:
        """Its objects, in order."""
        return [*self.data.values()]

    @property
    def values(self) -> tuple[object, ...]:
        """What they hold."""
        return tuple(part.cell.value for part in self.parts)

    def copy(self) -> Tuple:
        """One of its own, as of those inside."""
        return type(self)(*map(_copy, self.values))

    def __eq__(self, other: object) -> bool:
        return self.values == other.values if isinstance(other, Tuple) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


class Pair(Tuple):
    """`std::pair`: two of them, with names."""

    def __init__(self, first: object, second: object) -> None:
        self.data = {"first": Variable(Cell(first)), "second": Variable(Cell(second))}


class Tied(Tuple):
    """`std::tie(a, b)`: names for objects that there are already; None for `std::ignore`."""

    def __init__(self, *names: Variable | None) -> None:
        self.names = names
        self.data = {str(n): name for n, name in enumerate(names) if name is not None}

    def copy(self) -> Tuple:
        raise Refusal("not understood: a tuple of references that is kept")


def own_copy(value: Any) -> Any:
    """A value of its own: what is in a vector, a tuple or an optional is copied with it."""
    if isinstance(value, Tuple | Optional):
        return value.copy()
    return copy_of(value) if isinstance(value, Vector) else value


def copy_of(vector: Vector) -> Vector:
    """A vector of its own, with the same elements."""
    if isinstance(vector, BuiltInArray):
        return BuiltInArray(vector, vector.of, vector.is_const)
    return Vector(map(own_copy, vector), vector.of)


def _copy(value: object) -> object:
    if isinstance(value, Tuple | Optional):
        return value.copy()
    if isinstance(value, Vector):
        raise Refusal("not understood: a pair or a tuple that holds a vector")
    return value


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """`std::ref(x)`, of an object of a class; it is that object wherever one is wanted."""

    to: Any


@dataclass(slots=True, eq=False)
class Element:
    """One place in a list: the cell that `v[i]` is."""

    sequence: list[Any]
    index: int
    version: int = field(init=False)

    def __post_init__(self) -> None:
        self.version = version_of(self.sequence)

    @property
    def value(self) -> object:
        """What stands there, as a number of the type that the list's elements have."""
        found, of = self._sequence(changes=False)[self.index], self._type
        if isinstance(found, NoValue):
            raise Refusal(f"what is read here {found.why}", hint=UNDEFINED)
        return found if of is None or type_of(found) is None else number(of, found)

    @value.setter
    def value(self, value: Any) -> None:
        of, sequence = self._type, self._sequence(changes=True)
        if of is not None and type_of(value) is not None:
            value = convert(of, value)
        sequence[self.index] = plain(value)

    @property
    def held(self) -> object:
        """What stands there, be it readable or not."""
        found = self._sequence(changes=False)[self.index]
        return found if isinstance(found, NoValue) else self.value

    def end(self, held: object) -> None:
        """Hold something else, that isn't converted."""
        self.sequence[self.index] = held

    def _sequence(self, *, changes: bool) -> list[Any]:
        note(self.sequence, changes=changes)
        if self.version == version_of(self.sequence) and self.index == len(self.sequence):
            raise Refusal("no element stands behind the last one", hint=UNDEFINED)
        if version_of(self.sequence) != self.version or self.index >= len(self.sequence):
            raise Refusal(
                "this element may have moved: its vector has changed since",
                hint=UNDEFINED,
            )
        return self.sequence

    @property
    def _type(self) -> Arithmetic | None:
        of = getattr(self.sequence, "of", None)
        of = of.of if isinstance(of, ConstType) else of
        return ARITHMETIC.get(of.name) if isinstance(of, NamedType) else None

    @property
    def place(self) -> object:
        return id(self.sequence), self.index


@dataclass(frozen=True, slots=True)
class Variable:
    """One name for a cell. Through a const one the cell can't be assigned. A temporary has no name, and
    only an expression's value: nothing can be assigned to it. A static one no lambda captures: it is
    the same inside of each."""

    cell: Cell | Element
    is_const: bool = False
    is_temporary: bool = False
    is_static: bool = False


def value_of(found: object) -> object:
    """The value of what is found to be an object; any other is a value. Raises Refusal."""
    return found.cell.value if isinstance(found, Variable) else found


@dataclass
class Variables:
    """The variables of one block of a body, and of the blocks around it.

    `ends` are the destructors to run where the block ends, the last one first; `own` the objects
    that are gone behind it.
    """

    values: dict[str, Variable] = field(default_factory=dict)
    around: Variables | None = None
    ends: list[Callable[[], object]] = field(default_factory=list)
    own: list[Cell] = field(default_factory=list)

    def keep(self, value: object) -> Cell:
        """A new object of this block."""
        cell = Cell(value)
        self.own.append(cell)
        return cell

    def end(self) -> None:
        """The block ends, and with it the objects that were made in it."""
        for end in reversed(self.ends):
            end()
        for cell in self.own:
            cell.end(GONE)

    def find(self, name: str) -> Variable | None:
        """The innermost variable of this name, or None."""
        block: Variables | None = self
        while block is not None:
            if name in block.values:
                return block.values[name]
            block = block.around
        return None

    def names(self) -> Iterable[str]:
        """Of all of them, the innermost first."""
        yield from self.values
        if self.around is not None:
            yield from self.around.names()


def handed_out(found: object) -> object:
    """What Python gets of what a body of the text returned."""
    made = plain(what_it_holds(value_of(found)))
    return made.values if type(made) is Tuple else made
