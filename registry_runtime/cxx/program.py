"""A text that runs: what it declares, what its names are bound to, and how far it has come."""

from __future__ import annotations

import threading
from bisect import bisect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tree_sitter import Node

from registry_runtime.cxx.bindings import Bindings
from registry_runtime.cxx.declarations import Declarations, VariableDeclaration
from registry_runtime.cxx.own_types import OwnType
from registry_runtime.cxx.parse import Source
from registry_runtime.cxx.span import CxxError, Refusal, Span
from registry_runtime.cxx.types import Type
from registry_runtime.cxx.variables import GONE, Cell

# No registration goes round a loop this often; one that does has no end.
_MOST_STEPS = 4096


class Running(threading.local):
    """How far the body that runs in this thread has come: calls inside calls, and rounds of loops in
    all of them."""

    depth: int = 0
    steps: int = 0
    looked_up: int = 0  # names whose meaning was asked for
    kept: list[CxxError] | None = None
    temporaries: tuple[Cell, ...] = ()
    registered: tuple[object, ...] = ()  # by functions, for the object whose constructor calls them

    def temporary(self, value: object) -> Cell:
        """A new object without a name."""
        cell = Cell(value)
        self.temporaries = (*self.temporaries, cell)
        return cell

    def end_temporaries(self, kept: tuple[Cell, ...]) -> None:
        """The statement ends that began when only these were there."""
        for cell in self.temporaries[len(kept) :]:
            cell.end(GONE)
        self.temporaries = kept

    def keep(self, error: CxxError) -> None:
        """Keep what a statement of the outermost body raised, if the others are to run all the same.
        What was thrown while it ran ends the body, as in C++; a compiler's errors don't."""
        if self.kept is None or self.depth != 1 or isinstance(error.__cause__, Refusal):
            raise error
        self.kept.append(error)

    def count(self, span: Span) -> None:
        """One more round or call. Raises CxxError at `span` when there were too many."""
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise CxxError(f"stopped after {_MOST_STEPS} rounds: does this loop end?", span)


@dataclass(frozen=True)
class Program:
    """A text, what it declares, and what its names are bound to.

    `execute` runs a `CxxFunction` of this text, `outcome` an expression in a `Context`, and
    `initial_value` what initialises a variable of this full name: names are given a meaning long
    before anything runs, so how to run is handed in; so is `member_type`, the type that a member of a
    class is a name for, and `own_type`, what is known of an enumeration or a plain struct of the text.
    `unknown` are the names that something was to be made of and that neither has, `called` those of
    functions whose body is wanted too; `unknown_types` those of types, which need not be known unless
    they are aliases.
    What the text includes isn't in it: `elsewhere` says whether a header has a word, and so may declare
    what the text doesn't.
    The two dictionaries remember what was worked out once: the type of a declaration (by position),
    the instance of a template (by name and arguments).
    """

    source: Source
    declarations: Declarations
    bindings: Bindings
    execute: Callable[..., object]
    outcome: Callable[[Any, Node], object]
    initial_value: Callable[[Program, str, VariableDeclaration], object]
    member_type: Callable[..., Type | None] = lambda program, of, member, span: None
    elsewhere: Callable[[str], bool] = lambda word: False
    own_type: Callable[[Program, str], OwnType | None] = lambda program, name: None
    types: dict[int, Type] = field(default_factory=dict)
    instances: dict[tuple[object, ...], object] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    unknown_types: set[str] = field(default_factory=set)
    running: Running = field(default_factory=Running)

    def once(self, key: tuple[object, ...], work_out: Callable[[], Any]) -> Any:
        """What `work_out` comes to, found out once for this key."""
        known = self.instances.get(key, _NOT_YET)
        if known is _NOT_YET:
            known = self.instances[key] = work_out()
        return known

    def spelled(self, key: tuple[object, ...], at: int | None, work_out: Callable[[], Any]) -> Any:
        """The same for what a piece of text comes to, which is spelled so at many places: it is the
        same at each where no name was looked up for it, that may mean something else at another; and
        else in one declaration, if it stands `at` a place of one at namespace scope."""
        known = self.instances.get(key, _NOT_YET)
        if known is not _NOT_YET:
            return known
        here = None if at is None else (*key, bisect(self.declarations.items, at))
        known = self.instances.get(here, _NOT_YET) if here is not None else _NOT_YET
        if known is _NOT_YET:
            before = self.running.looked_up
            known = work_out()
            if self.running.looked_up == before:
                self.instances[key] = known
            elif here is not None:
                self.instances[here] = known
        return known


_NOT_YET: Any = object()
