"""One opened source file: its trace, the registry that it fills, and which step made which entry.

The expanded tokens are written out as C++ text; the runtime reads that text and runs its static
initialisation, knowing nothing of macros. Every registration comes back with its place in the text,
a place in the text is a run of tokens, and a token knows the moment at which it was born. So an entry
belongs to the moment at which the last token of its declaration came onto the screen. Nothing else
links the two sides.

For a Python user this is the one door:

>>> program = load(["cpp_samples/phi/bitwise_kernel.cc"])  # doctest: +SKIP
>>> program.call("bitwise_and", x, y)  # doctest: +SKIP
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from registry_runtime.aten.library.registered import Registration as AtenRegistration
from registry_runtime.cxx import Span
from registry_runtime.diagnostic import Diagnostic as Explained
from registry_runtime.program import Program, Registration
from visualizer.expansion import (
    Diagnostic,
    Expansion,
    InputError,
    Options,
    Token,
    Trace,
    preprocess,
)
from visualizer.expansion.ask_compiler import system_folders
from visualizer.expansion.diagnostics import at_token
from visualizer.expansion.hiding import policy_of
from visualizer.expansion.lexer import would_fuse
from visualizer.expansion.moments import Timeline
from visualizer.expansion.predefined import is_cxx
from visualizer.expansion.source_files import read_source
from visualizer.expansion.tokens import (
    PRAGMA,
    UNTERMINATED,
    Pasted,
    Source,
    first_made,
    spell,
    standing_at,
    written_at,
)
from visualizer.expansion.views import Look, View, view
from visualizer.workbench.compilations import compilations
from visualizer.workbench.header_classes import missing_classes
from visualizer.workbench.header_functions import missing_declarations


@dataclass(frozen=True, eq=False)
class Entry:
    """A registration, and the tokens of the static object that made it.

    `expansion` is the index of the invocation that they came from, None where there was no macro. A
    block behind the macro may register many times; `statement` is what in it did so here.
    """

    registration: Registration
    tokens: tuple[Token, ...]
    expansion: int | None
    where: Source
    statement: tuple[Token, ...] = ()

    @property
    def statement_at(self) -> Source:
        """Where the statement stands; without one, where the macro does."""
        return standing_at(self.statement[0]) if self.statement else self.where


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry as the registry pane shows it: pending while its declaration is being produced."""

    entry: Entry
    pending: bool
    newest: bool


@dataclass(frozen=True, slots=True)
class ExpandedText:
    """The translation unit after phase 4 as C++ text, with the way back to its tokens."""

    text: str
    tokens: Sequence[Token]
    starts: Sequence[int]

    def covered(self, span: Span) -> range:
        """Indices of the tokens that lie in a span of the text."""
        first = max(0, bisect_right(self.starts, span.start) - 1)
        return range(first, max(first + 1, bisect_left(self.starts, span.end)))


def expanded_text(tokens: Iterable[Token]) -> ExpandedText:
    """Tokens as text, with as little white space as C++ needs."""
    parts: list[str] = []
    kept: list[Token] = []
    starts: list[int] = []
    offset = 0
    for token in tokens:
        if token.kind == PRAGMA:
            continue
        if kept and (token.space or would_fuse(kept[-1], token)):
            parts.append(" ")
            offset += 1
        text = _closed(token.text) if token.kind == UNTERMINATED else token.text
        starts.append(offset)
        parts.append(text)
        offset += len(text)
        kept.append(token)
    return ExpandedText("".join(parts), kept, starts)


def _closed(unterminated: str) -> str:
    """A string that nobody closed, already reported, read as the user most likely meant it."""
    if unterminated.startswith("/*"):
        return " "
    return '""' + ";" * unterminated.rstrip().endswith(";")


class Workbench:
    """A file on the bench. Build it with `open_file`."""

    def __init__(
        self,
        path: Path,
        trace: Trace,
        program: Program,
        options: Options,
        declared: Sequence[Token] = (),
    ) -> None:
        """`declared` are declarations from included headers, for the program to see first."""
        self.path = path
        self.options = options
        self.trace = trace
        self.program = program
        self.expanded = expanded_text([*declared, *trace.output])
        self._declared = len(declared)
        self._initialisation = initialisation = program.run(self._as_cxx())
        self._bounds = self._expansion_bounds()
        self.entries = tuple(self._entry(r) for r in initialisation.registrations)
        found = self._at_their_tokens(initialisation.diagnostics)
        begun = sorted(e.where for e in trace.expansions)
        self.diagnostics = tuple(_without_what_follows(trace.diagnostics, found, begun))
        self._timelines: dict[int, Timeline] = {}
        self._views: dict[tuple[int, Look], View] = {}
        self._births: dict[Entry, tuple[int, int]] = {}

    def _as_cxx(self) -> str:
        """The text for the C++ reader: none of C's, in which `new` and `class` may be names."""
        return self.expanded.text if is_cxx(self.options.std) or self.registers else ""

    @cached_property
    def registers(self) -> bool:
        """Whether the text would register anything. If not, what the C++ reader stumbles over
        matters to nobody who came for the macros."""
        return self.program.registers(self.expanded.text)

    def take_back(self) -> None:
        """Take out of the registry what this file put in, and what it replaced comes back. Entries
        of other files stay, also those that have replaced one of this file's since."""
        self.program.take_back(self._initialisation)

    def apart(self) -> Workbench:
        """The same reading of the file in a program of its own: what is done to one of the two isn't
        seen in the other."""
        declared = self.expanded.tokens[: self._declared]
        return Workbench(self.path, self.trace, Program(), self.options, declared)

    def at_source(self, message: str, span: Span) -> Diagnostic:
        """What went wrong in a body of this file when a call ran it, at the token that a user wrote."""
        return at_token("error", message, self._place_of(span)[1])

    def written_at(self, span: Span) -> Source:
        """Where a user wrote what stands in this span of the expanded text."""
        return standing_at(self._place_of(span)[1])

    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)

    @cached_property
    def source_lines(self) -> list[str]:
        """The file's text as it was read, for display."""
        return read_source(self.path, True, self.options.unsaved).splitlines()

    def timeline(self, expansion: int) -> Timeline:
        """The moments of one expansion, laid out when first asked for."""
        if expansion not in self._timelines:
            self._timelines[expansion] = Timeline(self.trace.expansions[expansion])
        return self._timelines[expansion]

    def view(self, expansion: int, look: Look) -> View:
        """The moments of one expansion that a reader who `looks` at it so wants to stop at."""
        key = expansion, look
        if key not in self._views:
            policy = policy_of(look.hidden, lambda: system_folders(self.options), self.path)
            self._views[key] = view(self.timeline(expansion), look, policy)
        return self._views[key]

    def expansion_at(self, line: int) -> int | None:
        """The first expansion whose invocation stands on this source line, or None."""
        for i, expansion in enumerate(self.trace.expansions):
            if expansion.stands_on(line):
                return i
        return None

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
        for entry in self.entries:
            if entry.expansion is not None and entry.expansion > expansion:
                continue
            begun, complete = self.born(entry) if entry.expansion == expansion else (0, 0)
            if begun > state:
                continue
            pending = complete > state
            if entry.expansion == expansion and not pending and complete >= newest_birth:
                newest, newest_birth = entry, complete
            shown.append((entry, pending))
        return [Shown(entry, pending, entry is newest) for entry, pending in shown]

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
        _, end = self._bounds[expansion]
        last = end
        for entry in self.entries:
            body = entry.registration.body
            if entry.expansion == expansion and body is not None:
                last = max(last, self._output_index(self.expanded.covered(body)[-1]) + 1)
        return range(end, last)

    def _entry(self, registration: Registration) -> Entry:
        covered = self.expanded.covered(registration.span)
        tokens = tuple(self.expanded.tokens[i] for i in covered)
        at = self._output_index(covered[0])
        return Entry(
            registration,
            tokens,
            self._expansion_of(at),
            standing_at(tokens[0]),
            tuple(self._statement(registration)),
        )

    def _statement(self, registration: Registration) -> Iterator[Token]:
        """PHI's braces register nothing: the object does. A block of PyTorch's does, line by line."""
        if not isinstance(registration, AtenRegistration):
            return
        call, declared = registration.call, registration.span
        if not declared.start <= call.start < declared.end:
            yield from (self.expanded.tokens[i] for i in self.expanded.covered(call))

    def _at_their_tokens(self, diagnostics: Iterable[Explained]) -> Iterator[Diagnostic]:
        """What the C++ reader found, at the tokens that a user wrote. An invocation whose list of
        arguments is empty or too long gives text that is no C++; that is said once, and what the
        reader stumbles over behind it isn't."""
        broken_until = -1
        for d in diagnostics:
            at, token = self._place_of(d.span)
            unread = d.message.startswith("not understood") or "is not a macro" in d.message
            if unread and at <= broken_until:
                continue
            index = self._expansion_of(at)
            message, hint = d.message, d.hint
            if unread and index is not None:
                told = _wrong_list(self.trace.expansions[index], token)
                if told:
                    message, hint = told
                    following = self._bounds[index + 1 : index + 2]
                    broken_until = following[0][0] if following else len(self.trace.output)
            if d.earlier is not None:
                _, line, _ = written_at(self._place_of(d.earlier)[1])
                hint = f"{hint}; the first is on line {line}" if hint else f"first on line {line}"
            found = at_token(d.severity, message, token, hint)
            inside = self._inside(token, d.span)
            yield replace(found, where=found.where._replace(column=found.where.column + inside))

    def _inside(self, token: Token, span: Span) -> int:
        """How many characters of a string stand before the span, if the user wrote them there."""
        if not token.text.startswith('"') or not isinstance(token.origin, Source):
            return 0
        starts = self.expanded.starts
        return max(span.start - starts[self.expanded.covered(span)[0]], 0)

    def _expansion_of(self, at: int) -> int | None:
        """The invocation that the token at this place of the output came from."""
        index = bisect_right(self._bounds, (at, len(self.trace.output))) - 1
        inside = index >= 0 and self._bounds[index][0] <= at < self._bounds[index][1]
        return index if inside else None

    def _expansion_bounds(self) -> list[tuple[int, int]]:
        return [(e.at, e.at + len(e.after)) for e in self.trace.expansions]

    @cached_property
    def _kept_indices(self) -> list[int]:
        before = [0] * self._declared  # what headers declare stands before the output
        return before + [i for i, t in enumerate(self.trace.output) if t.kind != PRAGMA]

    def _output_index(self, index: int) -> int:
        return self._kept_indices[index]

    def _place_of(self, span: Span) -> tuple[int, Token]:
        """The token at which a span of the text begins, and its place in the output."""
        tokens = self.expanded.tokens
        if not tokens:
            return -1, Token("other", "", False, Source(self.trace.file, 1, 1))
        index = self.expanded.covered(span)[0]
        return self._output_index(index), tokens[index]


def _wrong_list(expansion: Expansion, token: Token) -> tuple[str, str] | None:
    """Message and hint where the arguments for a macro's `...` are none, or too many to count: then
    a macro's name was made by ##, and no such macro exists. None for any other trouble."""
    step = expansion.steps[0] if expansion.steps else None
    variadic = step.definition.variadic if step is not None and step.definition else None
    if step is None or variadic is None:
        return None
    listed = next((a.raw for a in step.arguments if a.parameter == variadic), ())
    if not listed:
        last = next((a for a in reversed(step.arguments) if a.parameter != variadic), None)
        behind = f" behind {spell(last.raw)}" if last else ""
        return f"the list of types of {step.name.text} is empty", f"write at least one{behind}"
    origin = first_made(token).origin
    if not isinstance(origin, Pasted):
        return None
    count = f"{_counted(listed)} arguments in the list of {step.name.text}"
    return (
        f"`{token.text}` is not a macro: {count} are more than this header's macros count",
        f"made by ## in {origin.by.text}; take types out of the list",
    )


def _counted(arguments: Sequence[Token]) -> int:
    """How many arguments stand between these commas."""
    depth, commas = 0, 0
    for token in arguments:
        depth += (token.text == "(") - (token.text == ")")
        commas += token.text == "," and not depth
    return commas + 1


_LEAVES_NO_CPLUSPLUS = re.compile('macro ".*" (?:requires|passed)|missing terminating')
_NO_CPLUSPLUS = re.compile("not understood|something is missing|this `[{}]`|.* (?:is|are) missing")


def _without_what_follows(
    preprocessing: Iterable[Diagnostic], reading: Iterable[Diagnostic], begun: Sequence[Source]
) -> list[Diagnostic]:
    """What is wrong with a token is said once. On a line that the preprocessor could not do, and
    behind an invocation that is never closed, the C++ reader's troubles only follow from that. So
    does what is no C++ either behind what is none, up to where the next invocation has `begun`."""
    told: list[Diagnostic] = []
    following: Counter[int] = Counter()
    causes: list[tuple[Source, int]] = []  # where, and which one it is of `told`
    seen: set[Source] = set()
    lines: set[tuple[str, int]] = set()
    open_from: dict[str, int] = {}
    for diagnostic in preprocessing:
        where = diagnostic.where
        if diagnostic.severity == "error":
            lines.add((where.file, where.line))
            if diagnostic.message.startswith("unterminated argument list"):
                open_from.setdefault(where.file, where.line)
        if where not in seen:
            if _LEAVES_NO_CPLUSPLUS.match(diagnostic.message):
                causes.append((where, len(told)))
            seen.add(where)
            told.append(diagnostic)
    for diagnostic in reading:
        where = diagnostic.where
        behind = where.line >= open_from.get(where.file, where.line + 1)
        if where in seen or (where.file, where.line) in lines or behind:
            continue
        seen.add(where)
        if _NO_CPLUSPLUS.match(diagnostic.message) and diagnostic.severity == "error":
            above = (c for c in causes if c[0].file == where.file and c[0] <= where)
            cause = max(above, default=None)
            if cause and bisect_right(begun, cause[0]) == bisect_right(begun, where):
                following[cause[1]] += 1
                continue
            causes.append((where, len(told)))
        told.append(diagnostic)
    return [_and_more(d, following[i]) for i, d in enumerate(told)]


def _and_more(diagnostic: Diagnostic, following: int) -> Diagnostic:
    if not following:
        return diagnostic
    more = f"{following} more error{'s follow' if following > 1 else ' follows'} from it"
    return replace(diagnostic, hint=f"{diagnostic.hint}; {more}" if diagnostic.hint else more)


def open_file(
    path: str | Path, options: Options | None = None, program: Program | None = None
) -> Workbench:
    """Preprocess a file, run its static initialisation into `program` (a new one by default).

    Raises InputError if the file cannot be read as source.
    """
    options = (options or Options()).settled(path)
    trace = preprocess(path, options, skip_included_text=True)
    declared = [*missing_declarations(trace, options), *missing_classes(trace, options)]
    return Workbench(Path(path), trace, program or Program(), options, declared)


def reopen(bench: Workbench, options: Options | None = None) -> Workbench:
    """The file as it is now, into the same registry: what it registered before is taken back.
    `options` are the ones that it was opened with, if no others are given.

    Raises InputError if the file can't be read any more; then the registry stays as it is.
    """
    options = (options or bench.options).settled(bench.path)
    trace = preprocess(bench.path, options, skip_included_text=True)
    declared = [*missing_declarations(trace, options), *missing_classes(trace, options)]
    bench.take_back()
    return Workbench(bench.path, trace, bench.program, options, declared)


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


def load(
    paths: Iterable[str | Path],
    options: Options | Callable[[str | Path], Sequence[Options]] | None = None,
) -> Program:
    """The program that these files make together. `options` may depend on the file, which is then
    compiled with each of them; by default, as often as `compile_commands.json` beside it has it.

    Raises InputError at the first file that cannot be read, or that has an error.
    """
    program = Program()
    open_files(paths, program, options)
    return program


def open_files(
    paths: Iterable[str | Path],
    program: Program,
    options: Options | Callable[[str | Path], Sequence[Options]] | None = None,
) -> list[Workbench]:
    """The same into a program that is there already: each file on its bench."""
    benches: list[Workbench] = []
    for path in paths:
        each = (
            options(path) if callable(options) else [c.options for c in compilations(path, options)]
        )
        for one in each:
            bench = open_file(path, one, program)
            for diagnostic in bench.diagnostics:
                if diagnostic.severity == "error":
                    raise InputError(diagnostic.message, diagnostic.where, diagnostic.hint)
            benches.append(bench)
    return benches


__all__ = [
    "Entry",
    "Shown",
    "Workbench",
    "load",
    "open_file",
    "open_files",
    "reopen",
    "replacements",
]
