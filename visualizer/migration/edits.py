"""Changes to a text, kept apart from the text until it is written out.

An edit replaces a stretch by parts, and a part may be a stretch of the old text again: then the
edits inside of that one count there. So `TensorCopy(*x, place, out)` can change the order of its
arguments while each argument changes on its own, and whatever no edit names is copied character by
character.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from registry_runtime.cxx import Span
from visualizer.migration.table import Rule


@dataclass(frozen=True, slots=True)
class Edit:
    """`parts` in place of `span`. An empty span inserts, no parts take out.

    rule: the row of the table that it follows, None for mere layout.
    reason: why a person must look at it; empty if it is done.
    anchor: where to find what took its place, if that stands elsewhere: a name of a parameter.
    """

    span: Span
    parts: tuple[str | Span, ...]
    rule: Rule | None = None
    reason: str = ""
    anchor: str = ""
    idiom: Span | None = None  # what a reader is shown of the old text, if not all of `span`


@dataclass(frozen=True, slots=True)
class Rendered:
    """New text, and where in it each edit came to stand."""

    text: str
    placed: tuple[tuple[Edit, Span], ...]


@dataclass(slots=True)
class Edits:
    """The edits of one stretch of a file. The first one that claims a span keeps it."""

    _at: dict[tuple[int, int], Edit] = field(default_factory=dict)
    _insertions: list[Edit] = field(default_factory=list)

    def add(self, edit: Edit) -> None:
        """Take an edit, unless its span has one already; insertions all count."""
        if edit.span.start == edit.span.end:
            self._insertions.append(edit)
        else:
            self._at.setdefault((edit.span.start, edit.span.end), edit)

    def within(self, span: Span) -> list[Edit]:
        """In the order of the text; of two that begin together, the insertion and the longer
        first."""
        both: Iterable[Edit] = (*self._insertions, *self._at.values())
        inside = [e for e in both if span.start <= e.span.start and e.span.end <= span.end]
        return sorted(
            inside,
            key=lambda e: (e.span.start, e.span.end != e.span.start, -e.span.end),
        )

    def covers(self, span: Span) -> bool:
        """Whether an edit replaces all of `span`."""
        return any(start <= span.start and span.end <= end for start, end in self._at)


def render(text: str, span: Span, edits: Edits) -> Rendered:
    """`span` of `text`, edited."""
    pieces: list[str] = []
    placed: list[tuple[Edit, Span]] = []
    length = 0
    for part, began, ended in _parts(text, span, edits, None):
        if began is not None:
            placed.append((began, Span(length, length)))
        pieces.append(part)
        length += len(part)
        if ended is not None:
            index = next(i for i in range(len(placed) - 1, -1, -1) if placed[i][0] is ended)
            placed[index] = (ended, Span(placed[index][1].start, length))
    return Rendered("".join(pieces), tuple(placed))


def _parts(
    text: str, span: Span, edits: Edits, around: Edit | None
) -> Iterator[tuple[str, Edit | None, Edit | None]]:
    """Text, the edit that begins before it, and the edit that ends behind it."""
    at = span.start
    for edit in edits.within(span):
        if edit is around or edit.span.start < at:
            continue  # inside of one that has been applied, which alone says what is left of it
        if around is not None and edit.span.start == edit.span.end == span.start:
            continue  # stands before the edit around, and has been written
        yield text[at : edit.span.start], None, None
        yield "", edit, None
        for part in edit.parts:
            if isinstance(part, str):
                yield part, None, None
            else:
                yield from _parts(text, part, edits, edit)
        yield "", None, edit
        at = edit.span.end
    yield text[at : span.end], None, None
