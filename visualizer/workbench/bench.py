"""One opened source file at its moments: which step made which entry, and what stands there by then.

Every registration comes with its place in the expanded text, a place there is a run of tokens, and a
token knows the moment at which it was born. So an entry belongs to the moment at which the last token
of its declaration came onto the screen. Nothing else links the two sides.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from registry_runtime.cxx import Span
from registry_runtime.registering import may_register as may_name
from visualizer.expansion import Diagnostic, Expansion, InputError, Options, Token, preprocess
from visualizer.expansion.ask_compiler import system_folders
from visualizer.expansion.diagnostics import at_token
from visualizer.expansion.hiding import policy_of
from visualizer.expansion.moments import Timeline
from visualizer.expansion.predefined import is_cxx
from visualizer.expansion.source_files import read_source
from visualizer.expansion.tokens import Source, standing_at
from visualizer.expansion.trace import IncludedFile
from visualizer.expansion.views import Look, View, view
from visualizer.workbench.entries import Entry, Shown
from visualizer.workbench.reading import Reading, read, unread
from visualizer.workbench.registration_macros import may_register, names_one

if TYPE_CHECKING:
    from registry_runtime.program import Program, Registration
    from visualizer.workbench.stand_ins import StandIn, Stood, Written


_LAID_OUT = 32  # expansions


class Workbench:
    """A file on the bench. Build it with `open_file`."""

    def __init__(self, reading: Reading) -> None:
        self.path, self.options = reading.path, reading.options
        self.trace = reading.trace
        self.expanded = reading.expanded
        self._reading = reading
        self._stand_ins: dict[str, StandIn] = {}
        made = (r for r in reading.registrations if self._is_read_by_then(r))
        self.entries = tuple(map(self._entry, made))
        self._timelines: dict[int, Timeline] = {}
        self._views: dict[tuple[int, Look], View] = {}
        self._births: dict[Entry, tuple[int, int]] = {}

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the file. It takes a while to tell behind thousands of macros, and nobody
        asks it of a line alone."""
        return self._reading.diagnostics

    @property
    def program(self) -> Program:
        """Into which the file was read."""
        return self._reading.program

    @property
    def registers(self) -> bool:
        """Whether the text would register anything."""
        return self._reading.registers

    def may_register(self) -> bool:
        """Whether it would, if invocations that were passed over were expanded too."""
        names = " ".join(self.trace.passed_over)
        named = may_name(names) and self.program.registers(names)
        return self.registers or named or may_register(self.expanded)

    def take_back(self) -> None:
        """Take out of the registry what this file put in: see `Reading`."""
        self._reading.take_back()

    def apart(self) -> Workbench:
        """The same reading of the file in a program of its own: what is done to one of the two isn't
        seen in the other."""
        return Workbench(self._reading.apart())

    def at_source(self, message: str, span: Span) -> Diagnostic:
        """What went wrong in a body of this file when a call ran it, at the token that a user wrote."""
        return at_token("error", message, self.expanded.place_of(span)[1])

    def unparsed(self) -> Iterator[Diagnostic]:
        """What of this file's own text is not C++, whether anything depends on it or not."""
        from registry_runtime.cxx.parse import parse, syntax_errors

        for error in syntax_errors(parse(self.expanded.text)) if is_cxx(self.options.std) else ():
            found = self.at_source(error.message, error.span)
            if found.where.file == self.trace.file:
                yield found

    def never_run(self) -> Iterator[Diagnostic]:
        """What a compiler refuses of this file's own text, though nothing depends on it here."""
        for error in self._reading.never_run():
            found = replace(self.at_source(error.message, error.span), hint=error.hint)
            if found.where.file == self.trace.file:
                yield found

    def written_at(self, span: Span) -> Source:
        """Where a user wrote what stands in this span of the expanded text."""
        return standing_at(self.expanded.place_of(span)[1])

    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)

    @cached_property
    def source_lines(self) -> list[str]:
        """The file's text as it was read, for display."""
        return read_source(self.path, True, self.options.unsaved).splitlines()

    @cached_property
    def expansions(self) -> tuple[Expansion, ...]:
        """Whatever can be stepped through: the invocations in the text, and behind these, for the
        output has nothing of them, the file's directives."""
        return (*self.trace.expansions, *self.trace.directives)

    @cached_property
    def _indices(self) -> dict[int, int]:
        return {id(expansion): i for i, expansion in enumerate(self.expansions)}

    def index_of(self, expansion: Expansion) -> int:
        return self._indices[id(expansion)]

    @cached_property
    def entries_by_expansion(self) -> Mapping[int | None, Sequence[Entry]]:
        """The entries that each expansion makes, in their order."""
        made = defaultdict[int | None, list[Entry]](list)
        for entry in self.entries:
            made[entry.expansion].append(entry)
        return made

    def among(self, expansion: int) -> range:
        """The invocations, or the directives, whichever this one belongs to."""
        invocations = len(self.trace.expansions)
        if expansion < invocations:
            return range(invocations)
        return range(invocations, len(self.expansions))

    def timeline(self, expansion: int) -> Timeline:
        """The moments of one expansion, laid out when asked for. Each holds all of its steps, so those
        of the last few are kept."""
        if expansion not in self._timelines:
            if len(self._timelines) >= _LAID_OUT:
                del self._timelines[next(iter(self._timelines))]
            self._timelines[expansion] = Timeline(self.expansions[expansion])
        return self._timelines[expansion]

    def view(self, expansion: int, look: Look) -> View:
        """The moments of one expansion that a reader who `looks` at it so wants to stop at."""
        key = expansion, look
        if key not in self._views:
            policy = policy_of(look.hidden, lambda: system_folders(self.options), self.path)
            self._views[key] = view(self.timeline(expansion), look, policy)
        return self._views[key]

    def expansion_at(self, line: int) -> int | None:
        """The first expansion whose invocation or directive stands on this source line, or None."""
        for i, expansion in enumerate(self.expansions):
            if expansion.stands_on(line):
                return i
        return None

    def include_at(self, line: int) -> IncludedFile | None:
        """The text that an `#include` on this source line reads."""
        return next((i for i in self.trace.includes if i.through[-1].line == line), None)

    @property
    def main(self) -> str:
        """The file that is compiled: this one, or one that includes it."""
        return self.options.main or str(self.path)

    def files(self) -> list[Path]:
        """All that the trace was read from: this file first, then the one that is compiled, and the
        headers in the order of their first reading."""
        each = (str(self.path), self.main, *self.trace.included)
        return [Path(file) for file in dict.fromkeys(map(os.path.abspath, each))]

    def expansion_near(self, line: int) -> int | None:
        """That one, or else the expansion whose invocation begins the fewest lines away."""
        at = self.expansion_at(line)
        if at is not None or not self.trace.expansions:
            return at
        lines = [abs(e.where.line - line) for e in self.trace.expansions]
        return lines.index(min(lines))

    def expansion_again(self, where: Source, lines: Sequence[str]) -> int | None:
        """The expansion that stood there while the source was these lines, of which some have been
        edited since; or else the one nearest to it."""
        now, line = self.source_lines, where.line
        above = _alike(lines, now)
        below = min(_alike(lines[::-1], now[::-1]), min(len(lines), len(now)) - above)
        if line > max(above, len(lines) - below):
            line += len(now) - len(lines)
        elif line > above:  # where it was edited
            line = min(line, len(now) - below)
        places = [(e.where.line, e.where.column) for e in self.expansions]
        there = line, where.column
        return places.index(there) if there in places else self.expansion_near(line)

    def first_registration(self) -> int | None:
        """The first expansion that made an entry: what most readers came to see."""
        return next((e.expansion for e in self.entries if e.expansion is not None), None)

    def born(self, entry: Entry) -> tuple[int, int]:
        """The states of the entry's expansion in which its first and last token were born."""
        if entry.expansion is None:
            return 0, 0
        if entry not in self._births:
            timeline = self.timeline(entry.expansion)
            births = [timeline.born(t) for t in entry.tokens]
            self._births[entry] = births[0], max(births)
        return self._births[entry]

    def registry_at(self, expansion: int, state: int) -> list[Shown]:
        """What is in the registry at this moment: all that earlier invocations registered, and of
        this one's entries those that are complete, or begun."""
        shown = []
        newest, newest_birth = None, -1
        last = self._last_before(expansion)
        for entry in self.entries:
            if entry.expansion is not None and entry.expansion > last:
                continue
            begun, complete = self.born(entry) if entry.expansion == expansion else (0, 0)
            if begun > state:
                continue
            pending = complete > state
            if entry.expansion == expansion and not pending and complete >= newest_birth:
                newest, newest_birth = entry, complete
            shown.append((entry, pending))
        return [Shown(entry, pending, entry is newest) for entry, pending in shown]

    def _last_before(self, expansion: int) -> int:
        """The invocation that was expanded last by then: this one, or the last above a directive.
        A text may have neither."""
        invocations = self.trace.expansions
        if expansion < len(invocations) or not self.expansions:
            return expansion
        line = self.expansions[expansion].where.line
        return sum(one.where.line < line for one in invocations) - 1

    def tail(self, expansion: int) -> list[Token]:
        """The tokens behind the invocation that complete what it began: `{}`, or a whole block."""
        places = self._tail_places(expansion)
        return self.trace.output[places.start : places.stop]

    def tail_as_written(self, expansion: int) -> list[Token]:
        """The same before macros in it were replaced."""
        places, output = self._tail_places(expansion), self.trace.output
        tokens: list[Token] = []
        at = places.start
        for inner in self.trace.expansions[expansion + 1 :]:
            if inner.at >= places.stop:
                break
            tokens += [*output[at : inner.at], *inner.before]
            at = inner.at + len(inner.after)
        return [*tokens, *output[at : places.stop]]

    def _tail_places(self, expansion: int) -> range:
        if expansion >= len(self.trace.expansions):
            return range(0)
        _, end = self.expanded.bounds[expansion]
        last = end
        for entry in self.entries:
            body = entry.registration.body
            if entry.expansion == expansion and body is not None:
                last = max(last, self.expanded.end_of(body))
        return range(end, last)

    def _entry(self, registration: Registration) -> Entry:
        tokens = self.expanded.covering(registration.span)
        at, first = self.expanded.place_of(registration.span)
        of = registration.stood_in
        return Entry(
            registration,
            tokens,
            self.expanded.expansion_of(at),
            standing_at(first),
            self._statement(registration),
            partial(self._stand_in, of) if of is not None else lambda: None,
        )

    def _is_read_by_then(self, registration: Registration) -> bool:
        """A text that is included is followed by more, which has registered nothing yet."""
        end = self.trace.end
        return end is None or self.expanded.place_of(registration.span)[0] < end

    def _stand_in(self, of: Stood) -> StandIn:
        """Whose body runs, found out once for all instances of a template."""
        from visualizer.workbench.stand_ins import is_sample, stand_in

        if of.name not in self._stand_ins:
            own = not self.options.unsaved and is_sample(self.path)
            in_samples = partial(_bodies, macros=self.options.macros)
            self._stand_ins[of.name] = stand_in(of, self.expanded, None if own else in_samples)
        return self._stand_ins[of.name]

    def bodies(self) -> dict[str, Written]:
        """What the file has for each function or class that Python stands in for, by name."""
        from visualizer.workbench.stand_ins import written

        stood = (entry.registration.stood_in for entry in self.entries)
        named = {of.name: of for of in stood if of is not None}
        return {name: written(of, self.expanded) for name, of in named.items()}

    def _statement(self, registration: Registration) -> tuple[Token, ...]:
        """PHI's braces register nothing: the object does. A block of PyTorch's does, line by line."""
        call, declared = registration.call, registration.span
        if call is None or declared.start <= call.start < declared.end:
            return ()
        return self.expanded.covering(call)


def open_file(
    path: str | Path, options: Options | None = None, program: Program | None = None
) -> Workbench:
    """Preprocess a file, run its static initialisation into `program` (a new one by default).

    Raises InputError if the file cannot be read as source.
    """
    options = (options or Options()).settled(path)
    trace = preprocess(path, options, skip_included_text=True)
    return _told(read(Path(path), trace, program, options))


def _told(reading: Reading) -> Workbench:
    """With what is wrong in it: that is worked out here, where it is waited for."""
    _ = reading.diagnostics
    return Workbench(reading)


def _alike(some: Sequence[str], others: Sequence[str]) -> int:
    """How many lines two texts begin with that are the same."""
    pairs = enumerate(zip(some, others, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(some), len(others)))


def open_line(path: str | Path, options: Options | None, line: int) -> Workbench:
    """The same for who asks about one line: only what is invoked there is expanded. A file that may
    register is opened whole, since it takes all of it to say what a line registers; so is one that
    invokes nothing there, since what is near is told."""
    options = (options or Options()).settled(path)
    if not names_one(read_source(path, included=True, unsaved=options.unsaved)):
        bench = line_alone(path, options, line)
        if bench.expansion_at(line) is not None and not bench.may_register():
            return bench
    return open_file(path, options)


def line_alone(
    path: str | Path, options: Options | None, line: int, counted: int | None = None
) -> Workbench:
    """A file of which only what one line invokes is expanded, and that registers nothing; `counted` as
    in `preprocess`. Raises InputError if the file cannot be read as source."""
    options = (options or Options()).settled(path)
    trace = preprocess(path, options, skip_included_text=True, line=line, counted=counted)
    return Workbench(unread(Path(path), trace, options))


def open_pass(bench: Workbench, text: IncludedFile) -> Workbench:
    """A text that the program of the bench includes, as it is read there, with a registry of its own.

    Raises InputError if it cannot be read, or is not read there.
    """
    if not text.through:  # the main file
        return open_file(bench.main, replace(bench.options, main="", nth=0))
    options = replace(bench.options, main=bench.main)
    trace = preprocess(text.file, options, skip_included_text=True, through=text.through)
    options = replace(options, nth=trace.nth)
    return _told(read(Path(text.file), trace, None, options))


def passes_of(bench: Workbench) -> list[IncludedFile]:
    """This text in each of its passes."""
    return [IncludedFile(bench.trace.file, through) for through in bench.trace.passes]


@cache
def _bodies(sample: Path, macros: tuple[tuple[str, str], ...]) -> dict[str, Written]:
    """Those of a sample, expanded with these `-D` and `-U`."""
    try:
        return open_file(sample, Options(macros=macros)).bodies()
    except InputError:  # which these made of it
        return {}


def reopen(bench: Workbench, options: Options | None = None) -> Workbench:
    """The file as it is now, into the same registry: what it registered before is taken back.
    `options` are the ones that it was opened with, if no others are given.

    Raises InputError if the file can't be read any more; then the registry stays as it is.
    """
    options = (options or bench.options).settled(bench.path)
    trace = preprocess(bench.path, options, skip_included_text=True)
    bench.take_back()
    return _told(read(bench.path, trace, bench.program, options))
