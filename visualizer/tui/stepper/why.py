"""Why the names of a source line are replaced or not, and a macro's history, as rows to choose from:
each leads to the place that it speaks of.

The file is preprocessed once more for it, by a thread, by a preprocessor that watches these names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.messages import _
from visualizer.tui.dialogs.choice import Candidate, ChoiceScreen, fitting
from visualizer.tui.stepper.directives import Place

if TYPE_CHECKING:
    from visualizer.expansion.why.wording import Row
    from visualizer.workbench.bench import Workbench


def of_line(bench: Workbench, line: int) -> list[Candidate[Place]]:
    """Raises InputError."""
    from visualizer.expansion.why import answers, wording

    return _candidates(wording.rows(answers.why(bench.path, line, bench.options).each), bench)


def of_macro(bench: Workbench, name: str) -> list[Candidate[Place]]:
    """Raises InputError."""
    from visualizer.expansion.why import history, wording

    return _candidates(
        wording.history(history.record(bench.path, bench.options, {name}), name), bench
    )


def which_reason(title: str, found: Sequence[Candidate[Place]]) -> ChoiceScreen[Place]:
    """Ends with the place that was chosen."""
    return ChoiceScreen(title, partial(fitting, found), none=_("No name stands on this line."))


def _candidates(rows: Iterable[Row], bench: Workbench) -> list[Candidate[Place]]:
    """What a flag or the compiler did has no place to go to: the file itself is shown then."""
    return [
        Candidate(
            _barred(text), (bench.path, 1) if at.file.startswith("<") else (Path(at.file), at.line)
        )
        for text, at in rows
    ]


def _barred(text: str) -> str:
    """A row with bars for its indent: a list takes blanks away."""
    said = text.lstrip()
    return "│ " * ((len(text) - len(said)) // 2) + said
