"""An entry: what the runtime says was registered, together with the tokens that registered it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from visualizer.expansion import Token
from visualizer.expansion.tokens import Source, standing_at

if TYPE_CHECKING:
    from registry_runtime.program import Registration
    from visualizer.workbench.stand_ins import StandIn


@dataclass(frozen=True, eq=False)
class Entry:
    """A registration, and the tokens of the static object that made it.

    `expansion` is the index of the invocation that they came from, None where there was no macro. A
    block behind the macro may register many times; `statement` is what in it did so here.
    `whose_body` finds out whose body runs.
    """

    registration: Registration
    tokens: tuple[Token, ...]
    expansion: int | None
    where: Source
    statement: tuple[Token, ...] = ()
    whose_body: Callable[[], StandIn | None] = lambda: None

    @property
    def statement_at(self) -> Source:
        """Where the statement stands; without one, where the macro does."""
        return standing_at(self.statement[0]) if self.statement else self.where

    @cached_property
    def stand_in(self) -> StandIn | None:
        """Where Python runs in the place of the text; what it is compared with is read when somebody
        asks."""
        return self.whose_body()


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry as the registry pane shows it: pending while its declaration is being produced."""

    entry: Entry
    pending: bool
    newest: bool


def replacements(entries: Iterable[Entry]) -> dict[Entry, Entry]:
    """The entries that replaced another of the same name and key, and which. INNER registrations do
    so in silence."""
    latest: dict[tuple[str, object], Entry] = {}
    replaced = {}
    for entry in entries:
        place = entry.registration.kernel_name, entry.registration.key
        if entry.registration.replaced and place in latest:
            replaced[entry] = latest[place]
        latest[place] = entry
    return replaced
