"""A story in rows: the steps down to where the reader stands, and what there is at that step.

What is still to come in a chapter shows its name and no more, and of the chapters behind it one sees
how many steps they have: a line that is stepped shows no token before its time either. What a step
changed in the table is bold, so that one sees at a glance what it did.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from visualizer.expansion.wording import counted
from visualizer.frameworks.story import Grid, Story
from visualizer.layout.rows import QUIET, TITLE
from visualizer.layout.words import Parts, Styles, clipped, length, prose

_NUMBER = 7  # columns in which the cursor and a step's number stand
HERE: Styles = ("story--here",)
CHANGED: Styles = ("story--changed",)


class StoryRow(NamedTuple):
    """A row, and the number of the step that it belongs to; None for a chapter's title."""

    parts: Parts
    step: int | None


def listing(story: Story, at: int, width: int, whole: bool = False) -> Iterator[StoryRow]:
    """Chapters with their steps, numbered through; `at` is the last one that is told, unless the
    `whole` is."""
    number = 0
    for chapter in story.chapters:
        if number:
            yield StoryRow([], None)
        if number > at and not whole:
            steps = counted(len(chapter.steps), "step")
            yield StoryRow([(f"{chapter.title}: {steps}", QUIET)], None)
            number += len(chapter.steps)
            continue
        yield StoryRow([(chapter.title, QUIET if number > at else TITLE)], None)
        for step in chapter.steps:
            text = step.text if whole or number <= at else step.name or "…"
            for parts in _step(text, step.depth, number, at, width):
                yield StoryRow(parts, number)
            number += 1


def _step(text: str, depth: int, number: int, at: int, width: int) -> Iterator[Parts]:
    indent = _NUMBER + 2 * depth
    here = number == at
    styles: Styles = HERE if here else QUIET if number > at else ()
    mark = f"{'▸' if here else ' '}{number + 1:4}. "
    for row in prose(text, max(width - indent, 8), styles):
        yield [(mark.ljust(indent), styles if here else QUIET), *row]
        mark = ""


def grid(story: Story, at: int, width: int) -> list[Parts]:
    """The table of the step `at`, or the last one before it; what has changed in it is marked."""
    grids = [step.grid for step in story.steps[: at + 1]]
    there = [one for one in grids if one is not None]
    if not there:
        return []
    before = there[-2] if len(there) > 1 and grids[-1] is not None else there[-1]
    return list(_table(there[-1], before, width))


def _table(now: Grid, before: Grid, width: int) -> Iterator[Parts]:
    cells = [now.columns, *now.rows]
    room = [max(_cells(row[i]) for row in cells) + 2 for i in range(len(now.columns))]
    room = [r if any(row[i] for row in now.rows) else 0 for i, r in enumerate(room)]
    heads = [(w.ljust(r)[:r], QUIET) for w, r in zip(now.columns, room, strict=True)]
    yield clipped(_without_end(heads), width, "…")
    was = dict(zip((row[0] for row in before.rows), before.rows, strict=True))
    for row in now.rows:
        old = was.get(row[0], row)
        parts: Parts = []
        for i, (cell, columns) in enumerate(zip(row, room, strict=True)):
            styles = QUIET if i == 0 else CHANGED if cell != old[i] else ()
            parts += [(cell, styles), (" " * max(columns - _cells(cell), 0), ())]
        yield clipped(_without_end(parts), width, "…")


def _without_end(parts: Parts) -> Parts:
    """Without the blanks behind the last word: nothing is cut where only those don't fit."""
    last = max((i for i, (text, _) in enumerate(parts) if text.strip()), default=-1)
    return [*parts[:last], *((text.rstrip(), styles) for text, styles in parts[last : last + 1])]


def _cells(text: str) -> int:
    return length([(text, ())])
