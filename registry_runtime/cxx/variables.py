"""The variables of a body: names, the objects that they name, and copies where C++ copies.

A variable is a name for a `Cell`, and a reference is a second name for the same cell; that is all
there is to `int& y = x`. What is declared without `&` is an object of its own: `auto def =
kernel->InputAt(0)` copies the description, and changing the copy leaves the kernel as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Cell:
    """An object with a name, or with several."""

    value: object


@dataclass(frozen=True, slots=True)
class Variable:
    """One name for a cell. Through a const one the cell can't be assigned."""

    cell: Cell
    is_const: bool = False


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
