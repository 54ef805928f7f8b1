"""A call, told in steps: which layer did what, and what there was after it.

A story is to a call what a trace is to a line: a list that can be gone through forwards and backwards.
Every framework tells its calls so, in words of its own, and one pane steps through them all. Nothing
here is made up: a framework makes the call, and tells what happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grid:
    """What there is after a step, as a table: a row for each operand, say."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Strided:
    """How a loop reads an operand: of which `shape`, the last index running fastest, and by how many
    elements further on each index finds its next one."""

    name: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StoryStep:
    """A name (the framework's, where it has one), a sentence, and where something can be seen, that.
    `depth` counts the calls that it happens inside of. `strided` are the operands of a loop by then."""

    name: str
    sentence: str
    grid: Grid | None = None
    depth: int = 0
    strided: tuple[Strided, ...] = ()

    @property
    def text(self) -> str:
        return f"{self.name}: {self.sentence}" if self.name else self.sentence


@dataclass(frozen=True, slots=True)
class Chapter:
    """What one layer did."""

    title: str
    steps: tuple[StoryStep, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """The call as it was written, and what became of it. `failed`: an error ended it,
    `refused` if it was thrown."""

    call: str
    chapters: tuple[Chapter, ...]
    failed: bool = False
    refused: Exception | None = None

    def __iter__(self) -> Iterator[tuple[Chapter, StoryStep]]:
        return ((chapter, step) for chapter in self.chapters for step in chapter.steps)

    @property
    def steps(self) -> tuple[StoryStep, ...]:
        return tuple(step for _, step in self)

    def end_of(self, name: str) -> int | None:
        """The number of the first step of that name, or of the last one in the chapter so called."""
        there = [n for n, (chapter, step) in enumerate(self) if chapter.title == name]
        named = [n for n, step in enumerate(self.steps) if step.name == name]
        return named[0] if named else there[-1] if there else None


def as_lines(story: Story) -> Iterator[str]:
    """To print: chapters with numbered steps."""
    number = 0
    for chapter in story.chapters:
        yield chapter.title
        for step in chapter.steps:
            number += 1
            yield f"{number:4}. {'  ' * step.depth}{step.text}"
