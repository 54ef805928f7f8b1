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
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, partial
from itertools import pairwise
from pathlib import Path

from registry_runtime.cxx import Span
from registry_runtime.program import Program, Registration
from visualizer.expansion import Diagnostic, InputError, Options, Token, Trace, preprocess
from visualizer.expansion.ask_compiler import system_folders
from visualizer.expansion.diagnostics import Code, at_token
from visualizer.expansion.hiding import policy_of
from visualizer.expansion.moments import Timeline
from visualizer.expansion.predefined import is_cxx
from visualizer.expansion.source_files import read_source
from visualizer.expansion.tokens import IDENTIFIER, Source, standing_at
from visualizer.expansion.views import Look, View, view
from visualizer.workbench.build import program_with
from visualizer.workbench.compilations import compilations
from visualizer.workbench.entries import Entry, Shown
from visualizer.workbench.expanded_text import ExpandedText
from visualizer.workbench.header_classes import missing_classes
from visualizer.workbench.header_declarations import Headers, Missing
from visualizer.workbench.stand_ins import (
    StandIn,
    Stood,
    Written,
    is_sample,
    stand_in,
    stood_in,
    written,
)
from visualizer.workbench.told_once import told_once


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
        self.expanded = ExpandedText(trace, declared)
        self._declared = declared
        self._stand_ins: dict[str, StandIn] = {}
        self._initialisation = initialisation = program.run(self._as_cxx(), _missing_headers(trace))
        self.entries = tuple(self._entry(r) for r in initialisation.registrations)
        # What registers nothing is read for the bodies that another file may need. What the reader
        # stumbles over there matters to nobody.
        read = initialisation.diagnostics if self.registers or self._may_register() else ()
        self.diagnostics = told_once(self.expanded, read)
        self._timelines: dict[int, Timeline] = {}
        self._views: dict[tuple[int, Look], View] = {}
        self._births: dict[Entry, tuple[int, int]] = {}

    def _as_cxx(self) -> str:
        """The text for the C++ reader: none of C's, in which `new` and `class` may be names."""
        return self.expanded.text if is_cxx(self.options.std) or self.registers else ""

    def _may_register(self) -> bool:
        """Whether a macro that is invoked, or isn't one here, is called as those that register."""
        invoked = (e.steps[0].name.text for e in self.trace.expansions if e.steps)
        tokens = self.expanded.tokens
        left = (t.text for t, n in pairwise(tokens) if t.kind == IDENTIFIER and n.text == "(")
        return any(_REGISTERS.search(name) for name in {*invoked, *left})

    def missing(self) -> Missing:
        """What something was to be made of, and nothing here declares: also what a body that is run
        only later takes the type of."""
        text = self.expanded.text
        later = {
            "".join(name.split())
            for name, last in _TYPED.findall(text)
            if not re.search(rf"\b{last} ?\(", text)
        }
        return Missing(self._initialisation.unknown | later, self._initialisation.unknown_types)

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
        program = program_with(self.options.macros)
        return Workbench(self.path, self.trace, program, self.options, self._declared)

    def at_source(self, message: str, span: Span) -> Diagnostic:
        """What went wrong in a body of this file when a call ran it, at the token that a user wrote."""
        return at_token("error", message, self.expanded.place_of(span)[1])

    def written_at(self, span: Span) -> Source:
        """Where a user wrote what stands in this span of the expanded text."""
        return standing_at(self.expanded.place_of(span)[1])

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
        of = stood_in(registration)
        return Entry(
            registration,
            tokens,
            self.expanded.expansion_of(at),
            standing_at(first),
            self._statement(registration),
            partial(self._stand_in, of) if of is not None else lambda: None,
        )

    def _stand_in(self, of: Stood) -> StandIn:
        """Whose body runs, found out once for all instances of a template."""
        if of.name not in self._stand_ins:
            own = not self.options.unsaved and is_sample(self.path)
            in_samples = partial(_bodies, macros=self.options.macros)
            self._stand_ins[of.name] = stand_in(of, self.expanded, None if own else in_samples)
        return self._stand_ins[of.name]

    def bodies(self) -> dict[str, Written]:
        """What the file has for each function or class that Python stands in for, by name."""
        stood = (stood_in(entry.registration) for entry in self.entries)
        named = {of.name: of for of in stood if of is not None}
        return {name: written(of, self.expanded) for name, of in named.items()}

    def _statement(self, registration: Registration) -> tuple[Token, ...]:
        """PHI's braces register nothing: the object does. A block of PyTorch's does, line by line."""
        call, declared = registration.call, registration.span
        if call is None or declared.start <= call.start < declared.end:
            return ()
        return self.expanded.covering(call)


# `decltype(&phi::TraceInferMeta)`, as Fluid's functors for shapes have it
_TYPED = re.compile(r"\bdecltype ?\( ?& ?(?::: ?)?((?:\w+ ?:: ?)*(\w+)) ?\)")

# What the names of registration macros have in common, misspelt ones too.
_REGISTERS = re.compile(
    r"^[A-Z0-9_]*(?:REGI|PD_DECLARE|LIBRARY|LIBARY|OPERATOR|KERNEL|DISPATCH|USE_OP)[A-Z0-9_]*$"
)


def open_file(
    path: str | Path, options: Options | None = None, program: Program | None = None
) -> Workbench:
    """Preprocess a file, run its static initialisation into `program` (a new one by default).

    Raises InputError if the file cannot be read as source.
    """
    options = (options or Options()).settled(path)
    trace = preprocess(path, options, skip_included_text=True)
    return _read(Path(path), trace, program or program_with(options.macros), options)


def _missing_headers(trace: Trace) -> tuple[str, ...]:
    """What was included and isn't found: the messages begin with it."""
    missing = (d.message for d in trace.diagnostics if d.code is Code.HEADER_MISSING)
    return tuple(dict.fromkeys(message.partition(":")[0] for message in missing))


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
    return _read(bench.path, trace, bench.program, options)


# So often one declaration may lead to the next: a function, its parameter's alias, that one's alias.
_MOST_ROUNDS = 8


def _read(path: Path, trace: Trace, program: Program, options: Options) -> Workbench:
    """The file on the bench, with what its declarations need from the headers that it includes: what
    the reader misses is looked up there, and the text is read again with it."""
    classes, headers = missing_classes(trace, options), Headers(trace, options)
    bench = Workbench(path, trace, program, options, classes)
    for _ in range(_MOST_ROUNDS):
        if not headers.look_up(bench.missing()):
            break
        bench.take_back()
        bench = Workbench(path, trace, program, options, [*headers.declarations(), *classes])
    return bench


def load(
    paths: Iterable[str | Path],
    options: Options | Callable[[str | Path], Sequence[Options]] | None = None,
) -> Program:
    """The program that these files make together. `options` may depend on the file, which is then
    compiled with each of them; by default, as often as `compile_commands.json` beside it has it.

    Raises InputError at the first file that cannot be read, or that has an error.
    """
    program = program_with(options.macros if isinstance(options, Options) else ())
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
    "Workbench",
    "load",
    "open_file",
    "open_files",
    "reopen",
]
