"""What a migration is: the old files, the pieces that they become, and the marks that tie the two.

A mark is one idiom of Fluid's at its place, the row of the table that it falls under, and what
stands for it in a piece. Where no row says what to do, or where doing it takes judgement, the mark
says so with a reason, and the same reason stands in the piece as a comment.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from registry_runtime.cxx import Span
from visualizer.migration.table import Rule

Status = Literal["done", "needs a person"]


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
    def left(self) -> tuple[Mark, ...]:
        """What needs a person."""
        return tuple(mark for mark in self.marks if mark.status != "done")
