"""Which branches of the file's `#if`s are taken and why, and the tree of what it includes, each header
with its own `#if`s, as rows to choose from: each is a place in a file, or a text to step into.

The trace that is stepped through doesn't hold this: the file is preprocessed once more for it, by a
thread, with every subexpression's value written down.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from visualizer.messages import _
from visualizer.tui.dialogs.choice import Candidate, ChoiceScreen

if TYPE_CHECKING:
    from visualizer.expansion import Trace
    from visualizer.expansion.trace import Branch, IncludedFile
    from visualizer.workbench.bench import Workbench

Place: TypeAlias = "tuple[Path, int] | IncludedFile"  # a file, and a line of it; a text


def places(bench: Workbench) -> list[Candidate[Place]]:
    """Raises InputError."""
    from visualizer.expansion import preprocess

    options = bench.options
    trace = preprocess(bench.path, options, skip_included_text=True, explain_directives=True)
    return [*_branches(trace.branches), *_includes(trace)]


def which_place(found: Sequence[Candidate[Place]]) -> ChoiceScreen[Place]:
    """Ends with the place that was chosen."""

    def left(typed: str) -> list[Candidate[Place]]:
        letters = typed.lower().split()
        return [row for row in found if all(some in _searched(row) for some in letters)]

    return ChoiceScreen(_("Conditionals and includes"), left, none=_("This file has none."))


def _searched(row: Candidate[Place]) -> str:
    return f"{row.words} {row.note}".lower()


def _branches(of: Sequence[Branch], bars: str = "", note: str = "") -> Iterator[Candidate[Place]]:
    from visualizer.export.directives import branches

    told = [*branches(of)]
    width = max((len(str(where.line)) for where, _, _ in told), default=0)
    for where, said, reasons in told:
        place: Place = (Path(where.file), where.line)
        yield Candidate(f"{bars}{where.line:{width}}  {said}", place, note)
        for reason, settled in reasons:
            there = place if settled.file.startswith("<") else (Path(settled.file), settled.line)
            # Behind a bar: a list takes blanks away.
            yield Candidate(f"{bars}{'│':{width}} {reason}", there, note)


def _includes(trace: Trace) -> Iterator[Candidate[Place]]:
    for entered in trace.entered:
        bars, name = "│ " * (entered.depth - len(trace.through) - 1), os.path.basename(entered.file)
        told = f"{entered.seconds * 1e3:.2f} ms  {_folder(entered.file, trace)}".rstrip()
        yield Candidate(f"{bars}#include {name}", entered, told)
        yield from _branches(entered.branches, f"{bars}│ ", name)


def _folder(file: str, trace: Trace) -> str:
    """Where a file lies: as seen from the one that is open, if that is near."""
    there, here = os.path.dirname(file), os.path.dirname(trace.file)
    near = os.path.relpath(there or ".", here or ".")
    return "" if near == "." else there if near.startswith(os.path.join("..", "..")) else near
