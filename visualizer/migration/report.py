"""A migration in words: what was done where, what is left, and the pieces one after the other."""

from __future__ import annotations

import json
from collections.abc import Iterator

from visualizer.expansion import Diagnostic
from visualizer.expansion.source_files import display_path
from visualizer.expansion.tokens import Source
from visualizer.migration.migration import Mark, Migration
from visualizer.migration.table import GUIDE_ROWS

_WIDTH = 44


def as_text(migration: Migration) -> Iterator[str]:
    """A line a mark, then the pieces' names and a sum."""
    for mark in migration.marks:
        file, line, column = _where(migration, mark)
        where = f"{file}:{line}:{column}"
        if mark.status == "done":
            idiom = _short(mark.idiom) or "(new)"
            becomes = _short(mark.becomes) or "(taken out)"
            rule = f"[{mark.rule.section} {mark.rule.key}]"
            yield f"{where}: {idiom} -> {becomes}  {rule}"
        else:
            yield f"{where}: {_short(mark.idiom)} needs a person: {mark.reason}"
    yield ""
    for piece in migration.pieces:
        yield f"{piece.path}: {piece.text.count(chr(10))} lines"
    for path in migration.superseded:
        yield f"{display_path(path)}: nothing is left of it, delete it when the rest is in place"
    done = len(migration.marks) - len(migration.left)
    yield f"{done} done, {len(migration.left)} left for a person"


def as_json(migration: Migration) -> str:
    """All of it, for other programs. Lines and columns count from 1."""
    marks = [
        {
            "rule": mark.rule.key,
            "section": mark.rule.section,
            "in_a_table": mark.rule in GUIDE_ROWS,
            "file": str(where[0]),
            "line": where[1],
            "column": where[2],
            "idiom": mark.idiom,
            "becomes": mark.becomes,
            "piece": None if mark.new is None else migration.pieces[mark.new.file].path,
            "status": mark.status,
            "reason": mark.reason,
        }
        for mark in migration.marks
        for where in [_where(migration, mark)]
    ]
    pieces = [{"path": piece.path, "text": piece.text} for piece in migration.pieces]
    superseded = [display_path(path) for path in migration.superseded]
    return json.dumps({"pieces": pieces, "marks": marks, "superseded": superseded}, indent=1)


def pieces(migration: Migration) -> Iterator[str]:
    """Each piece under its path."""
    for piece in migration.pieces:
        yield f"==> {piece.path} <==\n{piece.text}"


def warnings(migration: Migration) -> list[Diagnostic]:
    """What needs a person, at its place in the old file."""
    return [
        Diagnostic(
            "warning",
            f"left as it is: {mark.reason}",
            Source(*_where(migration, mark)),
            f"look for TODO(migrate) in {migration.pieces[mark.new.file].path}"
            if mark.new is not None
            else "",
        )
        for mark in migration.left
    ]


def _where(migration: Migration, mark: Mark) -> Source:
    old = migration.old[mark.old.file]
    return Source(display_path(old.path), *old.line_and_column(mark.old.span.start))


def _short(text: str) -> str:
    """One line of a stretch of code, at most as long as a reader takes in."""
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"
