"""Rows of styled text: what the panes are drawn with.

A *part* is text with the names of the styles that it wears, later ones on top. The names are
component classes, so that every colour stands in `unfold.tcss` and follows the theme. A *word* is a
part that may be moved to the next row as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from visualizer.expansion.tokens import Token
from visualizer.layout.line_layout import (
    GOES_ON,
    HANGING,
    Row,
    Words,
    cells_of,
    gap,
    shown_text,
    wrap,
)
from visualizer.layout.row_breaks import is_wide, rows_of

Styles = tuple[str, ...]
Part = tuple[str, Styles]
Parts = list[Part]

HUES = 8
HUE_STYLES = tuple(f"hue--{n}" for n in range(HUES))


class Word(NamedTuple):
    text: str
    gap: int
    styles: Styles = ()


def hued(hue: int | None) -> Styles:
    return () if hue is None else (HUE_STYLES[hue],)


def words_of(tokens: Sequence[Token], styles: Callable[[Token], Styles]) -> list[Word]:
    """Tokens as words, with blanks where the line view has them."""
    return [
        Word(shown_text(t), gap(tokens[i - 1], t) if i else 0, styles(t))
        for i, t in enumerate(tokens)
    ]


def fill(
    words: Sequence[Word],
    width: int,
    indent: int = 0,
    hanging: int = HANGING,
    most: int | None = None,
) -> list[Parts]:
    """Words in rows, those from the second on `hanging` further in; no more rows than `most`."""
    if not words:
        return []
    rows = []
    room = max(width, 6)
    indent = min(indent, room // 2)
    line = Words([w.text for w in words], [w.gap for w in words], [cells_of(w.text) for w in words])
    below = min(indent + hanging, room // 2)
    filled = wrap(line, room, Row(0, 0, indent), len(words), below)
    for row in islice(filled, most):
        parts: Parts = [(" " * row.indent, ())] if row.indent else []
        for i in range(row.first, row.last):
            if i > row.first and words[i].gap:
                same = words[i].styles == words[i - 1].styles
                parts.append((" ", words[i].styles if same else ()))
            parts.append((words[i].text[row.letters(i)], words[i].styles))
        rows.append([*parts, *goes_on(row)])
    return rows


def goes_on(row: Row) -> Parts:
    """The mark of a row whose last word goes on below."""
    return [] if row.stop is None else [(GOES_ON, ("pane--quiet",))]


def prose(text: str, width: int, styles: Styles = ()) -> list[Parts]:
    """A text for reading in rows."""
    if is_wide(text):
        return [[(row, styles)] for row in rows_of(" ".join(text.split()), max(width, 6))]
    words = [Word(word, int(i > 0), styles) for i, word in enumerate(text.split())]
    return fill(words, width, hanging=0)


def length(parts: Iterable[Part]) -> int:
    return sum(cell_len(text) for text, _ in parts)


def clipped(parts: Parts, width: int, ellipsis: str = "") -> Parts:
    """No more of the parts than fits; if something is cut, it ends in `ellipsis`."""
    if length(parts) <= width:
        return parts
    room = max(width - len(ellipsis), 0)
    kept: Parts = []
    for text, styles in parts:
        cells = cell_len(text)
        if cells > room:
            kept.append((set_cell_size(text, room) + ellipsis, styles))
            break
        kept.append((text, styles))
        room -= cells
    return kept


def from_column(parts: Parts, column: int) -> Parts:
    """What stands from that column on."""
    kept: Parts = []
    for text, styles in parts:
        if column < len(text):
            kept.append((text[column:], styles))
        column = max(column - len(text), 0)
    return kept


def seen_from(parts: Parts, column: int) -> Parts:
    """What is seen of a row that is scrolled sideways to that column. If it is cut, `…` says so."""
    if not column or not length(parts):
        return parts
    return [("…", ("pane--quiet",)), *from_column(parts, column + 1)]


def worn(parts: Parts, columns: range, name: str) -> Parts:
    """The same with one more style on these columns."""
    dressed: Parts = []
    at = 0
    for text, styles in parts:
        low = min(max(columns.start - at, 0), len(text))
        high = min(max(columns.stop - at, low), len(text))
        dressed += [(text[:low], styles), (text[low:high], (*styles, name)), (text[high:], styles)]
        at += len(text)
    return [part for part in dressed if part[0]]
