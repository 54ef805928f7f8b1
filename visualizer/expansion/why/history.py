"""What happened to a few names: every `#define` and `#undef`, in headers too, counted or skipped.

The file is preprocessed as for any other command, by a preprocessor that knows which names are asked
about. Headers are still run for their directives only, but those that speak of such a name are read
whole, so that each of their conditionals is seen to be decided, and a definition in a group that is
skipped is seen too: that a header would have defined the name, and what kept it from that, is mostly
the answer.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from visualizer.expansion.builtin_macros import CounterAsked
from visualizer.expansion.definitions import Definition
from visualizer.expansion.directive_scan import DirectiveScan
from visualizer.expansion.directives import read_directives
from visualizer.expansion.include_path import FoundFile
from visualizer.expansion.macro_table import WrittenDefinition
from visualizer.expansion.one_line import OneLine
from visualizer.expansion.options import Options
from visualizer.expansion.pragmas import PUSH_OR_POP
from visualizer.expansion.preprocessor import Preprocessor
from visualizer.expansion.read_file import ReadFile
from visualizer.expansion.saved import Saved
from visualizer.expansion.source_files import display_path
from visualizer.expansion.tokens import (
    IDENTIFIER,
    Source,
    Token,
    spell,
    spelled_at,
    standing_at,
)
from visualizer.expansion.trace import Branch, Through, Trace
from visualizer.expansion.why.groups import Group, open_groups, skipped_by

Deed: TypeAlias = Literal["predefined", "define", "undef", "push", "pop", "poison"]
Turn: TypeAlias = tuple[tuple[bool, int, int], ...]
BUILT_IN, COMMAND_LINE = "<built-in>", "<command-line>"


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """One thing done to a macro, or skipped. `before` and `after` are its definitions around it,
    `through` the `#include`s that led to the file, the main file's first, and `groups` the `#if`s that
    it stands in, include guards aside."""

    deed: Deed
    name: str
    text: str
    where: Source
    counts: bool
    before: Definition | None
    after: Definition | None
    groups: tuple[Group, ...]
    through: Through

    @property
    def at(self) -> Turn:
        return turn(self.through, self.where)


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """A file as preprocessed, what happened to the names, in order, and what is built in at the end:
    the compiler's `operators`, such as `__has_include`, among it. `there`: how many events come before
    the place that was asked about."""

    trace: Trace
    events: tuple[Event, ...]
    built_in: frozenset[str]
    operators: frozenset[str]
    there: int

    def of(self, name: str) -> tuple[Event, ...]:
        return tuple(event for event in self.events if event.name == name)

    def done_here(self, name: str) -> Iterator[Event]:
        """What this text itself does to it, in this pass."""
        return (event for event in self.of(name) if event.through == self.trace.through)

    def before(self, name: str, where: Source) -> Event | None:
        """The last thing done to it before this place of the file: it says what the name is."""
        events = (e for e in self.of(name) if e.counts and e.deed != "push")
        here = turn(self.trace.through, where)
        done = [e for e in events if e.at < here]
        return done[-1] if done else None

    def in_force(self, name: str) -> Event | None:
        """What gave it the definition that is in force at the place that was asked about, which may lie
        in a header."""
        done = [e for e in self.events[: self.there] if _changes(e, name)]
        return done[-1] if done and done[-1].after is not None else None

    def in_force_later(self, name: str) -> Event | None:
        """The first definition that comes behind that place."""
        later = (e for e in self.events[self.there :] if _changes(e, name))
        return next((e for e in later if e.after is not None), None)

    def skipped(self, file: str) -> list[range]:
        """The lines of a file that was read whole which its conditionals skip."""
        if file == self.trace.file:
            return self.trace.skipped
        return next((e.skipped for e in self.trace.entered if e.file == file), [])

    def behind(self, name: str, where: Source) -> Event | None:
        """The first definition that comes behind it."""
        here = turn(self.trace.through, where)
        return next((e for e in self.of(name) if e.counts and e.after and e.at >= here), None)

    def seen_from(self, event: Event) -> Source:
        """Where it is done, as a reader of the file sees it: there, or at the `#include` of the file,
        or of one around it, that leads to where it is done."""
        places = [*event.through, event.where]
        depth = 0
        while self.trace.through[depth : depth + 1] == tuple(places[depth : depth + 1]):
            depth += 1
        return places[depth]


def record(
    path: str | os.PathLike[str],
    options: Options,
    names: Iterable[str],
    at: Source | None = None,
    line: int = 0,
) -> Record:
    """`at` is the place that is asked about, of the file or of one that it includes; without one, its
    end. What is on `line` of the file is expanded. Raises InputError as `preprocess` does."""
    settled = options.settled(os.fspath(path))

    def watched(counts: bool) -> tuple[_Watching, Trace]:
        watching = _Watching(settled, frozenset(names), at, line, counts)
        return watching, watching.run(os.fspath(path))

    try:  # most lines are none of `__COUNTER__`'s, and it takes long to find where others are
        watching, trace = watched(counts=False)
    except CounterAsked:
        watching, trace = watched(counts=True)
    watching.expansions = []  # it refers to itself, as in `preprocess`
    events = tuple(watching.events)
    there = len(events) if watching.there is None else watching.there
    operators = frozenset(watching.condition.operators)
    return Record(trace, events, operators.union(watching.builtins), operators, there)


def _changes(event: Event, name: str) -> bool:
    return event.name == name and event.counts and event.deed != "push"


def turn(through: Through, where: Source) -> Turn:
    """When it is the turn of a place of the file that these `#include`s lead to: they are done one
    behind the other, so what is before in the first file in which two of them part is done before."""
    return tuple((at.file not in (BUILT_IN, COMMAND_LINE), *at[1:]) for at in (*through, where))


@dataclass(slots=True)
class _Reading:
    """One reading of a file: its guard, and its conditionals so far."""

    guard: str | None = None
    branches: list[Branch] = field(default_factory=list)

    def groups(self) -> tuple[Group, ...]:
        return open_groups(self.branches)

    def told(self) -> tuple[Group, ...]:
        """Those that a reader has to know of: the guard around all of a header says nothing."""
        every = self.groups()
        guarded = every and self.guard is not None and self.guard in every[0][0].directive
        return every[1:] if guarded and every[0][0].counts else every


class _Watching(Preprocessor):
    """A preprocessor that writes down what is done to some names."""

    def __init__(
        self, options: Options, names: frozenset[str], at: Source | None, line: int, counts: bool
    ) -> None:
        self.names = names  # asked for by pcpp's constructor already
        self.at = at
        self.there: int | None = None  # how many events come before that place
        super().__init__(options, skip_included_text=True, line=line)
        self.counts = counts
        self.one_line = OneLine(line, self.expander, counts)
        self.events: list[Event] = []
        self._readings: list[_Reading] = []
        self._kept = 0
        self.explain_directives()

    @cached_property
    def scan(self) -> DirectiveScan:
        return _WatchingScan(self, self.names, self.at)

    # ------------------------------------------------------------------ where it is

    @contextmanager
    def inside(
        self, found: FoundFile, at: Source | None = None, name: str = ""
    ) -> Iterator[ReadFile]:
        self._readings.append(_Reading())
        try:
            with super().inside(found, at, name) as file:
                yield file
        finally:
            self._readings.pop()

    def decided(self, branch: Branch, file: ReadFile) -> None:
        self._readings[-1].branches.append(branch)
        super().decided(branch, file)

    def lines_that_count(
        self, lines: Iterable[list[Token]], file: ReadFile, variadic: bool
    ) -> Iterator[list[Token]]:
        if len(self.files) > 1:
            directives = read_directives(
                self.inclusion.text(file.found.path), self.language, file.name
            )
            self._readings[-1].guard = directives.guard if directives is not None else None
        return super().lines_that_count(self._passed(lines), file, variadic)

    def _passed(self, lines: Iterable[list[Token]]) -> Iterator[list[Token]]:
        """The lines as they are read; of those that are skipped, what they would have done is noted."""
        for line in lines:
            self._reaches(spelled_at(line[-1]))
            match [token.text for token in line[:3]]:
                case ["#" | "%:", "define" | "undef" as said, name] if name in self.names:
                    if skipped_by(self._readings[-1].groups()) is not None:
                        deed: Deed = "define" if said == "define" else "undef"
                        self._note(deed, name, line[2], f"#{said} {spell(line[2:])}", counts=False)
            yield line
        if self.at is not None:
            self._reaches(self.at._replace(file=self.files[-1].name))

    def _reaches(self, place: Source) -> None:
        """Note where the place that is asked about is come to for the first time."""
        at = self.at
        if (
            self.there is None
            and at is not None
            and place.file == at.file
            and place.line >= at.line
            and not self._is_another_pass()
        ):
            self.there = len(self.events)

    def _is_another_pass(self) -> bool:
        """Whether what is read is the file that is sought, but not as it is."""
        file = self.files[-1]
        return self.sought.is_file(file.found.path) and file.through != self.sought.through

    # ------------------------------------------------------------------ what is done

    def prologue(self) -> None:
        for n, line in enumerate(self.compiler.macros.splitlines(), 1):
            m = _PREDEFINED.match(line)
            if m is not None and m[1] in self.names:
                where = Source(BUILT_IN, n, m.start(1) + 1)
                made = WrittenDefinition(m[1], line[m.start(1) :], *where, self.language)
                self.events.append(Event("predefined", m[1], line, where, True, None, made, (), ()))
        super().prologue()

    def define(self, tokens: list[Token] | str) -> None:
        if isinstance(tokens, str) or tokens[0].text not in self.names:
            super().define(tokens)
            return
        name = tokens[0].text
        before = self.macros.get(name)
        super().define(tokens)
        if self.macros.get(name) is not before:
            text = f"#define {spell(tokens)}"
            self._note("define", name, tokens[0], text, before)

    def undef(self, tokens: list[Token]) -> None:
        before = self.macros.get(tokens[0].text)
        super().undef(tokens)
        if tokens[0].kind == IDENTIFIER and tokens[0].text in self.names:
            self._note("undef", tokens[0].text, tokens[0], f"#undef {tokens[0].text}", before)

    def push_or_pop(self, pragma: Token) -> None:
        before = {name: self.macros.get(name) for name in self.names}
        super().push_or_pop(pragma)
        m = PUSH_OR_POP.match(pragma.text)
        if m is not None and m[2] in self.names:
            deed: Deed = "push" if m[1] == "push" else "pop"
            self._note(deed, m[2], pragma, pragma.text, before[m[2]])

    def directive(
        self, sharp: Token, name: Token, rest: list[Token], file: ReadFile
    ) -> Iterator[list[Token]]:
        before = {known: self.macros.get(known) for known in self.names}
        yield from super().directive(sharp, name, rest, file)
        if name.text == "pragma" and [t.text for t in rest[:2]] == ["GCC", "poison"]:
            for token in rest[2:]:
                if token.text in self.names:
                    text = f"#pragma GCC poison {token.text}"
                    self._note("poison", token.text, token, text, before[token.text])

    def _note(
        self,
        deed: Deed,
        name: str,
        token: Token,
        text: str,
        before: Definition | None = None,
        counts: bool = True,
    ) -> None:
        reading = self._readings[-1]
        after = self.macros.get(name)
        before = before if counts else after
        known = (before, after, reading.told(), self.files[-1].through)
        self.events.append(Event(deed, name, text, standing_at(token), counts, *known))

    # ------------------------------------------------------------------ what a scan undoes

    def save(self) -> Saved:
        self._kept = len(self.events)
        return super().save()

    def restore(self, saved: Saved) -> None:
        del self.events[self._kept :]
        if self.there is not None and self.there > self._kept:
            self.there = None
        super().restore(saved)


_PREDEFINED = re.compile(r"#define ([A-Za-z_$][\w$]*)")


class _WatchingScan(DirectiveScan):
    """Runs the directives of headers, and has those read whole that speak of the names, or that have
    the place which is asked about."""

    def __init__(self, preprocessor: Preprocessor, names: Iterable[str], at: Source | None) -> None:
        super().__init__(preprocessor)
        self._asked_about = at.file if at is not None else ""
        any_name = "|".join(sorted(map(re.escape, names))) or "(?!)"
        self._speaks = re.compile(
            rf"""(?:define|undef)(?:[ \t]|\\\n|/\*.*?\*/)+(?:{any_name})(?![\w$])
               | (?:push|pop)_macro[ \t]*\([ \t]*\\?"(?:{any_name})\\?"
               | poison[^\n]*[ \t](?:{any_name})(?![\w$])""",
            re.VERBOSE,
        )

    def explains(self) -> bool:
        """Those of the others say nothing of the names."""
        return False

    def file(self, found: FoundFile, at: Source) -> None:
        speaks = self._speaks.search(self.preprocessor.inclusion.text(found.path)) is not None
        if speaks or display_path(found.path) == self._asked_about:
            self._whole.add(found.path)
        super().file(found, at)
