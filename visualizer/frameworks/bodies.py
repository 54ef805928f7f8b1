"""Rows about whose body runs: the text's own, or Python's in its place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from visualizer.frameworks.presenter import Tell
from visualizer.layout.rows import ACCENT, labelled
from visualizer.layout.words import Parts, prose
from visualizer.workbench.entries import Entry
from visualizer.workbench.stand_ins import told_of


def another_body(entry: Entry, width: int) -> list[Parts]:
    """For the pane that has little room: only where the text's body isn't the one that runs."""
    if entry.stand_in is None or not entry.stand_in.is_another:
        return []
    return prose(entry.stand_in.told, width, ACCENT)


def with_bodies(tell: Tell, entries: Sequence[Entry]) -> Tell:
    """For the run pane: the same, and in whose place Python runs of what may be called there."""
    return partial(_with_bodies, tell, tuple(entries))


def _with_bodies(tell: Tell, entries: Sequence[Entry], width: int) -> list[Parts]:
    told = [row for said in told_of(entries) for row in labelled("body", said, width)]
    return [*tell(width), [], *told] if told else tell(width)
