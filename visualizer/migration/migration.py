"""What a migration is: the old files, the pieces that they become, and the marks that tie the two.

A mark is one idiom of Fluid's at its place, the row of the table that it falls under, and what
stands for it in a piece. Where no row says what to do, or where doing it takes judgement, the mark
says so with a reason, and the same reason stands in the piece as a comment.

What became of an idiom has one of four words. *Proved*: the old body and the new one were compiled and
run, and gave the same. *Written*: a row says what to put, and it was put; nobody ran it. A *guess*: it
was put, and the reason says what it rests on, and where to look. *Left to you*: it wasn't done.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from registry_runtime.cxx import Span
from visualizer.migration.table import Rule

Status = Literal["proved", "written", "guess", "left to you"]
STATUSES: tuple[Status, ...] = get_args(Status)
GUESS = "a guess: "  # how the reason of one begins


def status_of(reason: str) -> Status:
    """The word for what has this reason; "" is none."""
    return "guess" if reason.startswith(GUESS) else "left to you" if reason else "written"


UNSETTLED: tuple[Status, ...] = ("guess", "left to you")


@dataclass(frozen=True, slots=True)
class OldFile:
    """One of the Fluid files that belong to an operator. It is read and never written."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A file of the new form. `path` is relative to where it is to be put, and has its folders.

    role: what it is, in a few words. is_shared: other operators have something in that file, too.
    """

    path: str
    text: str
    role: str
    is_shared: bool


@dataclass(frozen=True, slots=True)
class FileSpan:
    """A stretch of one file: `file` counts in `Migration.old` or in `Migration.pieces`."""

    file: int
    span: Span


@dataclass(frozen=True, slots=True)
class Mark:
    """An idiom and what becomes of it. `new` is None where nothing is left of it in any piece.

    `idiom` is the old text; `becomes` is the new text, empty if it is taken out.
    """

    rule: Rule
    old: FileSpan
    new: FileSpan | None
    idiom: str
    becomes: str
    status: Status
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Migration:
    """An operator's PHI form. `superseded` are old files of which nothing is left to keep."""

    old: tuple[OldFile, ...]
    pieces: tuple[Piece, ...]
    marks: tuple[Mark, ...]
    superseded: tuple[Path, ...]

    @property
    def in_paddle(self) -> bool:
        """Whether its pieces stand as in Paddle's source tree."""
        return any(piece.path.startswith("paddle/") for piece in self.pieces)

    @property
    def left(self) -> tuple[Mark, ...]:
        """What isn't settled: the guesses, and what is left to a person."""
        return tuple(mark for mark in self.marks if mark.status in UNSETTLED)

    def count(self, status: Status) -> int:
        """How many marks have this word."""
        return sum(mark.status == status for mark in self.marks)


def line_begin(text: str, line: int) -> int:
    """Where a line begins, which counts from 1; the text's end if there is no such. Lines are what a
    compiler takes for lines: a form feed ends none."""
    return min(sum(len(each) + 1 for each in text.split("\n")[: line - 1]), len(text))


def line_of(piece: Piece, new: FileSpan) -> int:
    """The line of a piece in which something stands; counts from 1."""
    return piece.text.count("\n", 0, new.span.start) + 1
