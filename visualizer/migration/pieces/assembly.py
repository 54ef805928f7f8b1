"""The drafts put together: pieces, the marks that tie them to the old files, and a last look."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from visualizer.expansion import InputError
from visualizer.migration.edits import Edit
from visualizer.migration.fluid_text import FluidText, source_at, syntax_error
from visualizer.migration.migration import Mark, Migration, OldFile, Piece, Place
from visualizer.migration.pieces.drafts import Draft, Drafts, Placed
from visualizer.migration.reading.declarations import Fluid


def assemble(drafts: Drafts, fluid: Fluid, superseded: tuple[Path, ...]) -> Migration:
    """Raises InputError where the old text led to something that isn't C++: nobody is to find that
    out by compiling."""
    written = list(drafts.by_path.values())
    pieces = tuple(Piece(d.path, d.text.rstrip("\n") + "\n") for d in written)
    marks: dict[tuple[int, int, int, str], Mark] = {}
    for number, draft in enumerate(written):
        for mark in _marks(draft, number):
            span = mark.old.span  # what went into two pieces is marked in the first
            marks.setdefault((mark.old.file, span.start, span.end, mark.reason), mark)
    order = sorted(marks.values(), key=lambda m: (m.old.file, m.old.span.start, m.old.span.end))
    for number, piece in enumerate(pieces):
        _must_parse(fluid.sources, piece, [m for m in order if m.new and m.new.file == number])
    old = tuple(OldFile(s.path, s.text) for s in fluid.sources)
    return Migration(old, pieces, tuple(order), superseded)


def _marks(draft: Draft, number: int) -> Iterator[Mark]:
    """What the edits of one piece say, but for those of mere layout."""
    text = draft.text
    for placed in draft.placed:
        if placed.edit.rule is not None:
            yield _mark(draft, text, number, placed, placed.edit)


def _mark(draft: Draft, text: str, number: int, placed: Placed, edit: Edit) -> Mark:
    assert edit.rule is not None
    shown = edit.idiom or edit.span
    new = placed.new
    if edit.anchor in draft.anchors and new.start == new.end:
        new = draft.anchors[edit.anchor]
    return Mark(
        edit.rule,
        Place(placed.old.index, shown),
        Place(number, new) if new.start != new.end else None,
        placed.old.cut(shown),
        "" if edit.reason else text[new.start : new.end],
        "needs a person" if edit.reason else "done",
        edit.reason,
    )


def _must_parse(sources: tuple[FluidText, ...], piece: Piece, marks: list[Mark]) -> None:
    error = syntax_error(piece.text)
    if error is None:
        return
    message, span = error
    starts = [(m.new.span.start, m) for m in marks if m.new and m.new.span.start <= span.start]
    nearest = max(starts, key=lambda s: s[0])[1] if starts else None
    old = sources[nearest.old.file if nearest is not None else 0]
    raise InputError(
        f"from about here on, {piece.path} would not be C++: {message}",
        source_at(old.path, old.text, nearest.old.span.start if nearest is not None else 0),
        "write this statement in a simpler way, and migrate again",
    )
