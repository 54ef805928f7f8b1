"""A text that runs: what it declares, what its names are bound to, and how far it has come."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tree_sitter import Node

from registry_runtime.cxx.bindings import Bindings
from registry_runtime.cxx.declarations import Declarations, VariableDeclaration
from registry_runtime.cxx.parse import Source
from registry_runtime.cxx.span import CxxError, Refusal, Span
from registry_runtime.cxx.types import Type

# No registration goes round a loop this often; one that does has no end.
_MOST_STEPS = 4096


class Running(threading.local):
    """How far the body that runs in this thread has come: calls inside calls, and rounds of loops in
    all of them."""

    depth: int = 0
    steps: int = 0
    kept: list[CxxError] | None = None

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

    `execute` runs a `CxxFunction` of this text, `evaluate` an expression in a `Context`, and
    `initial_value` what initialises a variable of this full name: names are given a meaning long
    before anything runs, so how to run is handed in.
    `unknown` are the names that something was to be made of and that neither has;
    `unknown_types` those of types, which need not be known unless they are aliases.
    The two dictionaries remember what was worked out once: the type of a declaration (by position),
    the instance of a template (by name and arguments).
    """

    source: Source
    declarations: Declarations
    bindings: Bindings
    execute: Callable[..., object]
    evaluate: Callable[[Any, Node], object]
    initial_value: Callable[[Program, str, VariableDeclaration], object]
    types: dict[int, Type] = field(default_factory=dict)
    instances: dict[tuple[object, ...], object] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    unknown_types: set[str] = field(default_factory=set)
    running: Running = field(default_factory=Running)
