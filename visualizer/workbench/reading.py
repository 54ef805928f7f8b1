"""A file read into a program, and read again until nothing is missing that its headers declare.

The expanded tokens are written out as C++ text; the runtime reads that text and runs its static
initialisation, knowing nothing of macros. It says which names mean nothing to it; what included headers
declare under these names is put in front of the text, and the text is read once more, for one
declaration may be written with the next.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from registry_runtime.cxx import blanked
from registry_runtime.registering import may_register as may_name
from visualizer.expansion import Diagnostic, Options, Token, Trace, memory, under_way
from visualizer.expansion.diagnostics import Code
from visualizer.expansion.predefined import is_cxx
from visualizer.workbench.broken_registrations import broken_registrations
from visualizer.workbench.empty_blocks import empty_blocks
from visualizer.workbench.expanded_text import ExpandedText
from visualizer.workbench.header_declarations import Headers, may_declare
from visualizer.workbench.misspelt_macros import with_misspelt
from visualizer.workbench.namespace_scope import header_texts
from visualizer.workbench.registration_macros import may_register
from visualizer.workbench.told_once import told_once

if TYPE_CHECKING:
    from registry_runtime.diagnostic import Diagnostic as Explained
    from registry_runtime.program import Initialisation, Program, Registration

# So often one declaration may lead to the next: a function, its parameter's alias, that one's alias.
_MOST_ROUNDS = 8


@dataclass(frozen=True, eq=False)
class Reading:
    """A file as it was read into `program`: the text that it became, behind the declarations from
    headers that it needs, and what running that did."""

    path: Path
    trace: Trace
    into: Callable[[], Program]
    options: Options
    declared: Sequence[Token]
    expanded: ExpandedText
    done: Initialisation | None  # nothing, of a text that was not run
    refused: tuple[Diagnostic, ...] = ()  # why it wasn't, if it was to be

    @cached_property
    def program(self) -> Program:
        return self.into()

    @property
    def registrations(self) -> Sequence[Registration]:
        return () if self.done is None else self.done.registrations

    def never_run(self) -> Sequence[Explained]:
        """What a compiler refuses, though nothing ran it."""
        return () if self.done is None else self.done.never_run()

    @cached_property
    def registers(self) -> bool:
        """Whether the text would register anything."""
        return may_name(self.expanded.text) and self.program.registers(self.expanded.text)

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the file. One that registers nothing is read for the bodies that another
        file may need: what the C++ reader stumbles over there matters to nobody, but where a macro's
        name may be misspelt."""
        matters = self.registers or may_register(self.expanded)
        said = () if self.done is None else self.done.diagnostics
        found = with_misspelt(self.expanded, said, matters)
        told = told_once(self.expanded, [*found, *empty_blocks(self.expanded)])
        return (*self.refused, *told)

    def take_back(self) -> None:
        """Take out of the registry what this file put in, and what it replaced comes back. Entries
        of other files stay, also those that have replaced one of this file's since."""
        if self.done is not None:
            self.program.take_back(self.done)

    def apart(self) -> Reading:
        """The same into a program of its own."""
        if self.done is None:
            apart = unread(self.path, self.trace, self.options, expanded=self.expanded)
            return replace(apart, refused=self.refused)
        program = program_with(self.options.macros)
        room = memory.Rest(sys.maxsize)  # it had enough before
        return _run(self.path, self.trace, program, self.options, self.declared, room)


def read(path: Path, trace: Trace, program: Program | None, options: Options) -> Reading:
    """The file with what its declarations need from the headers that it includes, read into the
    program, or into a new one."""
    if not is_cxx(options.std):
        written = ExpandedText(trace)
        if not may_name(written.text):
            return unread(path, trace, options, program, written)
    from visualizer.workbench.header_classes import missing_classes

    into = program or program_with(options.macros)
    rest = memory.Rest(options.memory)
    classes = missing_classes(trace, options)
    headers = Headers(trace, options, into.derivable)
    declared: Sequence[Token] = classes
    rounds = 0
    try:
        while True:
            reading = _run(path, trace, into, options, declared, rest)
            rounds, made = rounds + 1, reading.done
            if rounds > _MOST_ROUNDS or made is None:
                return reading
            if not headers.look_up(made.unknown, made.unknown_types, made.called):
                return reading
            reading.take_back()
            del reading, made  # they take as much as the next will
            declared = [*headers.declarations(), *classes]
    except _MemoryReached:
        # One of its own is left behind, with what had been registered in it by then.
        refused = memory.refused(trace.file, options.memory)
        return replace(unread(path, trace, options, program), refused=(refused,))


class _MemoryReached(Exception):
    """The C++ of a file takes more than reading the file may."""


def unread(
    path: Path,
    trace: Trace,
    options: Options,
    program: Program | None = None,
    expanded: ExpandedText | None = None,
) -> Reading:
    """A file whose C++ is not read: it registers nothing. A program is made when it is asked for."""

    def into() -> Program:
        return program or program_with(options.macros)

    return Reading(path, trace, into, options, (), expanded or ExpandedText(trace), None)


def _run(
    path: Path,
    trace: Trace,
    program: Program,
    options: Options,
    declared: Sequence[Token],
    rest: memory.Rest,
) -> Reading:
    """Raises _MemoryReached."""
    expanded = ExpandedText(trace, declared)
    # None of C's text is for the C++ reader: `new` and `class` may be names there.
    is_read = is_cxx(options.std) or program.registers(expanded.text)
    missing = dict.fromkeys(d.about for d in trace.diagnostics if d.code is Code.HEADER_MISSING)
    elsewhere = partial(_may_declare, trace, options, bool(missing))
    waited_for = under_way.current()

    def is_at(share: float) -> None:
        waited_for.read(share)
        if rest.is_spent():
            raise _MemoryReached

    run = partial(program.run, missing_headers=tuple(missing), elsewhere=elsewhere, is_at=is_at)
    done = run(expanded.text if is_read else "")
    if broken := broken_registrations(expanded, done.diagnostics):
        program.take_back(done)
        without = run(blanked(expanded.text, broken))
        done = replace(without, diagnostics=done.diagnostics, never_run=done.never_run)
    return Reading(path, trace, lambda: program, options, declared, expanded, done)


def _may_declare(trace: Trace, options: Options, is_one_missing: bool, word: str) -> bool:
    """Whether a header that the file includes may declare this word, or one is missing, which may."""
    return is_one_missing or any(
        may_declare(text, word) for _, text in header_texts(trace, options)
    )


# --- The build that files are compiled in ---------------------------------------------------------

# Paddle's registry is compiled with the same `-D` as the files that register in it: a build for CUDA,
# or for HIP, takes `KPS` for `GPU`, and a library's kernel where the GPU's own is asked for
# (`paddle/phi/core/kernel_factory.cc`, `paddle/phi/common/backend.h`).
_FOR_A_GPU = {"PADDLE_WITH_CUDA", "PADDLE_WITH_HIP"}


def program_with(macros: tuple[tuple[str, str], ...]) -> Program:
    """An empty program of a build with these `-D` and `-U`, of which the last of a name counts."""
    from registry_runtime.program import Program

    defined = {text.partition("=")[0].partition("(")[0]: letter == "D" for letter, text in macros}
    return Program(with_cuda=any(defined.get(name) for name in _FOR_A_GPU))
