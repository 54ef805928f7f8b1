"""What is found out later about a piece that is written: a comment above its line, and a mark.

A compiler, a run, or a file that nobody could read has something to say of a piece when all marks have
their places; so those behind it move.
"""

from __future__ import annotations

from dataclasses import replace

from registry_runtime.cxx import Span
from visualizer.migration.migration import FileSpan, Mark, Migration, line_begin
from visualizer.migration.rewriting.edits import COMMENT
from visualizer.migration.table import RULES


def noted(
    migration: Migration, number: int, line: int, reason: str, old: FileSpan | None = None
) -> Migration:
    """The migration with this comment above a line of a piece, and a mark for it: at `old`, or where
    the nearest mark before that line has its idiom."""
    piece = migration.pieces[number]
    at, note = line_begin(piece.text, line), f"{COMMENT}{reason}\n"
    if note in piece.text:
        return migration  # one header, and several files that include it
    text = piece.text[:at] + note + piece.text[at:]
    pieces = [*migration.pieces]
    pieces[number] = replace(piece, text=text)
    marks = [_behind(mark, number, at, len(note)) for mark in migration.marks]
    nearest = [m for m in marks if m.new and m.new.file == number and m.new.span.start <= at]
    if old is None:
        old = max(nearest, key=_start).old if nearest else FileSpan(0, Span(0, 0))
    new = FileSpan(number, Span(at, at + len(note)))
    marks.append(Mark(RULES["kernel"], old, new, "", "", "left to you", reason))
    marks.sort(key=lambda m: (m.old.file, m.old.span.start, m.old.span.end))
    return replace(migration, pieces=tuple(pieces), marks=tuple(marks))


def _start(mark: Mark) -> int:
    return mark.new.span.start if mark.new is not None else -1


def _behind(mark: Mark, number: int, at: int, length: int) -> Mark:
    new = mark.new
    if new is None or new.file != number or new.span.start < at:
        return mark
    span = Span(new.span.start + length, new.span.end + length)
    return replace(mark, new=FileSpan(number, span))
