"""Types that the text itself defines and that bodies compute with: enumerations and plain structs.

An enumeration's values are members of a Python `IntEnum` made for it. A plain struct is an aggregate,
[dcl.init.aggr], whose data members are numbers, strings, enumerators and other plain structs: it has
no constructor and no base, and so nothing happens where one is made but that its members are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

from registry_runtime.cxx.arithmetic import Arithmetic
from registry_runtime.cxx.span import Refusal
from registry_runtime.cxx.types import NamedType, Type
from registry_runtime.cxx.variables import Cell, Tuple, Variable


@dataclass(frozen=True, slots=True, eq=False)
class OwnType(NamedType):
    """A type with a name of the text. That of a body's block can't be written, and isn't shown."""

    def __str__(self) -> str:
        return re.sub(r"\{[^}]*\}(::|$)", "", self.name) or "an enum without a name"


@dataclass(frozen=True, slots=True, eq=False)
class EnumType(OwnType):
    """An enumeration: its values `of`, and, if it is unscoped, the type that one of them is promoted
    to, [conv.prom]."""

    of: type[IntEnum] = IntEnum
    promoted: Arithmetic | None = None


@dataclass(frozen=True, slots=True, eq=False)
class IteratorType(NamedType):
    """A place in a vector: `to` is what it leads to, const or not."""

    to: Type = field(default_factory=lambda: NamedType("auto"))


class Member(NamedTuple):
    """A data member; `default` is what it holds where nothing else is said."""

    type: Type
    is_const: bool
    default: Callable[[], object] | None


@dataclass(frozen=True, slots=True, eq=False)
class PlainType(OwnType):
    """A plain struct, with its data members in order."""

    members: Mapping[str, Member] = field(default_factory=dict, repr=False)


class Plain(Tuple):
    """An object of a plain struct."""

    def __init__(self, of: PlainType, values: Mapping[str, object]) -> None:
        self.of = of
        self.data = {n: Variable(Cell(v), of.members[n].is_const) for n, v in values.items()}

    def copy(self) -> Plain:
        """One of its own, member by member."""
        return Plain(self.of, {n: copy_of_plain(part.cell.value) for n, part in self.data.items()})

    def assign(self, other: Any) -> None:
        """`self = other`, member by member. Raises Refusal."""
        if any(member.is_const for member in self.of.members.values()):
            raise Refusal(f"a `{self.of}` has a const member, and can't be assigned")
        for name, value in other.copy().data.items():
            held = self.data[name].cell.held
            if isinstance(held, Plain):  # whose members stay the objects that names are for
                held.assign(value.cell.value)
            else:
                self.data[name].cell.value = value.cell.value


def copy_of_plain(value: object) -> object:
    """The value as an object of its own."""
    return value.copy() if isinstance(value, Plain) else value
