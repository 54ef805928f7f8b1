"""What a text that nobody has saved yet expands to.

The engine reads files; an *attempt* is one reading in which some files are as an editor has them. It
never fails: a text that can't be read as source is an attempt with a message and without a workbench.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from visualizer.expansion import Diagnostic, InputError, Options, memory
from visualizer.expansion.alike import COUNTER
from visualizer.expansion.source_files import display_path, read_source
from visualizer.expansion.text_operators import PRAGMA_OPERATOR
from visualizer.expansion.tokens import Source
from visualizer.expansion.trace import Expansion, Step, every
from visualizer.workbench.bench import Workbench, open_file

TOO_LONG = 1_000_000  # characters: more than this is edited and saved, but not traced at every key

_DEFINE = re.compile(r"\s*#\s*define\s+(\w+)")


@dataclass(frozen=True, slots=True)
class Outline:
    """How many moments an invocation's timeline has, and the macros that it leads to."""

    moments: int
    macros: frozenset[str]


@dataclass(frozen=True, eq=False)
class Attempt:
    """`bench` is None where the text can't be read at all; then `diagnostics` says why."""

    bench: Workbench | None
    diagnostics: Sequence[Diagnostic]
    text: str = ""  # of the source

    @cached_property
    def outlines(self) -> Sequence[Outline]:
        """Of each invocation, what there is to say about all of its steps; found out once for those
        that take the same."""
        known: dict[int, Outline] = {}
        found = []
        for expansion in self.bench.expansions if self.bench is not None else ():
            alike = getattr(expansion.steps, "alike", None)
            if alike is None or id(alike) not in known:
                known[id(alike)] = _outline(expansion)
            found.append(known[id(alike)])
        return found

    @cached_property
    def is_felt_below(self) -> bool:
        """Whether the text does more to what is below than to ask `__COUNTER__`, or its directives ask
        that."""
        trace = self.bench.trace if self.bench is not None else None
        return trace is not None and (
            any(PRAGMA_OPERATOR in each.macros() for each in trace.expansions)
            or any(step.macro == COUNTER for each in trace.directives for step in every(each.steps))
        )

    def invocation_at(self, path: Path, line: int, lines: Sequence[str]) -> int | None:
        """The invocation that someone means who edits `line` of this file, whose text is `lines`: in
        the definition of a macro, the first that uses it; in the source, the one on the line, else
        the nearest above; elsewhere None."""
        if self.bench is None or not self.bench.expansions:
            return None
        macro = defined_at(line, lines)
        if macro is not None:
            return next(
                (i for i, outline in enumerate(self.outlines) if macro in outline.macros), None
            )
        if display_path(path) != self.bench.trace.file:
            return None
        here = self.bench.expansion_at(line)
        if here is not None:
            return here
        above = [i for i, e in enumerate(self.bench.trace.expansions) if e.where.line <= line]
        return above[-1] if above else 0


def attempt(path: Path, options: Options, texts: Mapping[Path, str]) -> Attempt:
    """Read a file, with these texts standing for what the files hold on disk."""
    unsaved = tuple((str(p), text) for p, text in texts.items())
    if sum(len(text) for _, text in unsaved) > TOO_LONG:
        long = f"a text of more than {TOO_LONG:,} characters is not traced while it is edited"
        return _refused(path, long, "save it, and open it in the stepper")
    try:
        with memory.no_garbage():
            bench = open_file(path, replace(options, unsaved=unsaved))
            text = read_source(path, True, unsaved)
            tried = Attempt(bench, bench.diagnostics, text)
            _ = tried.outlines, tried.is_felt_below  # worked out here, in the attempt's thread
            return tried
    except InputError as error:
        return Attempt(None, (error.diagnostic,))
    except Exception as error:  # a fault of ours must not take the reader's text with it
        return _refused(path, f"Unfold fails at this text: {error!r}", "please report it")


def _refused(path: Path, message: str, hint: str) -> Attempt:
    where = Source(display_path(path), 1, 1)
    return Attempt(None, (Diagnostic("error", message, where, hint),))


def _outline(expansion: Expansion) -> Outline:
    moments, macros = 0, set()
    for step in _all_steps(expansion):
        macros.add(step.macro)
        moments += 1 + any(a.prescan and a.prescan.steps for a in step.arguments)
    return Outline(moments, frozenset(macros))


def defined_at(line: int, lines: Sequence[str]) -> str | None:
    """The macro in whose `#define`, continued lines and all, this line stands."""
    first = min(line, len(lines)) - 1
    while first > 0 and lines[first - 1].endswith("\\"):
        first -= 1
    found = _DEFINE.match(lines[first]) if 0 <= first < len(lines) else None
    return found[1] if found else None


def _all_steps(expansion: Expansion) -> Iterator[Step]:
    """The steps at every depth, in no order."""
    waiting = [expansion.steps]
    while waiting:
        for step in waiting.pop():
            yield step
            waiting += [a.prescan.steps for a in step.arguments if a.prescan and a.prescan.steps]
