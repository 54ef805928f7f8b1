"""What is wrong with a text, of what the preprocessor or a registration has to say; and the cures.

What a compiler would say of the C++ is clangd's to tell. So of what the C++ reader finds, only that is
told which stands in something that registers.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from visualizer.editor.standing import standing
from visualizer.editor.texts import EditedText
from visualizer.editor.why_here import word_at
from visualizer.expansion import Diagnostic, Expansion
from visualizer.expansion.diagnostics import Cure
from visualizer.expansion.tokens import Source
from visualizer.workbench.bench import Workbench
from visualizer.workbench.registration_macros import registering
from visualizer.workshop.attempt import Attempt


@dataclass(frozen=True, slots=True)
class Problem:
    """A diagnostic, where it stands in the text, and the places that it speaks of besides, each with
    its file's absolute path."""

    found: Diagnostic
    begin: int
    end: int
    beside: Sequence[tuple[str, Source]]

    @property
    def code(self) -> str:
        return self.found.code.value if self.found.code is not None else ""

    @property
    def cures(self) -> Sequence[Cure]:
        return self.found.cures


def problems(tried: Attempt, text: EditedText) -> Iterator[Problem]:
    """Those of a file, at places of its own text: what is wrong in a header, at the `#include`."""
    bench = tried.bench
    if bench is None:
        yield from (_problem(found, found.where, text) for found in tried.diagnostics)
        return
    by_preprocessor = {found.where for found in bench.trace.diagnostics}
    names = registering(bench.trace.definitions)
    for found in bench.diagnostics:
        if found.where not in by_preprocessor and not _of_registration(bench, found, text, names):
            continue
        where = _in_file(bench, found)
        if where is not None:
            yield _problem(found, where, text)


def _of_registration(
    bench: Workbench, found: Diagnostic, text: EditedText, names: set[str]
) -> bool:
    """Whether it stands in what registers, or right behind it, or is about such a macro."""
    if found.cures or found.about in names or any(name in names for name, _ in found.through):
        return True
    if found.where.file != bench.trace.file:
        return False
    for back in (0, 1):  # the braces that are missing are missing behind it
        at = standing(bench, text, max(text.offset_of(found.where) - back, 0))
        if at is not None and _registers(at.expansion, names):
            return True
    return any(
        entry.statement and entry.statement_at.line == found.where.line for entry in bench.entries
    )


def _registers(expansion: Expansion, names: set[str]) -> bool:
    return not names.isdisjoint(expansion.macros())


def _in_file(bench: Workbench, found: Diagnostic) -> Source | None:
    """Where it is to be seen in the bench's own file."""
    for place in (found.where, *found.places()):
        if place.file == bench.trace.file:
            return place
    if found.severity != "error":
        return None  # what a header's author may have meant
    there = os.path.abspath(found.where.file)
    for included in bench.trace.includes:
        if os.path.abspath(included.file) == there:
            return included.through[-1]
    return None


def _problem(found: Diagnostic, where: Source, text: EditedText) -> Problem:
    begin = text.offset_of(where)
    end = text.offset_of(found.end) if found.end is not None and where == found.where else begin
    if end <= begin:
        word, start = word_at(text, begin)
        end = start + len(word) if word and start == begin else begin + 1
    beside = [(n.text, n.where) for n in found.all_notes()]
    if where != found.where:
        beside.insert(0, (found.message, found.where))
    here = [(said, at._replace(file=os.path.abspath(at.file))) for said, at in beside]
    return Problem(found, begin, min(end, len(text.text)), here)
