"""Rows that say one thing: text behind a label, a sentence behind a mark; and their styles.

Whatever is told of an entry, a call or a result is told in such rows, by every framework, so that a
reader who has learned to read one pane can read them all.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size

from visualizer.layout.words import Parts, Styles, prose
from visualizer.messages import _

QUIET: Styles = ("pane--quiet",)
STRONG: Styles = ("pane--strong",)
ACCENT: Styles = ("pane--accent",)
CHANGED: Styles = ("pane--accent", "pane--strong")
GOOD: Styles = ("pane--good",)
BAD: Styles = ("pane--bad",)
RIGHT: Styles = ("pane--good", "pane--strong")
WRONG: Styles = ("pane--bad", "pane--strong")
TITLE: Styles = ("code--label",)
LABEL = 13  # columns in which a label stands
_OF_REPORT = 12  # and in a line of text that is printed too


def labelled(
    label: str, text: str, width: int, styles: Styles = (), room: int = LABEL
) -> list[Parts]:
    """Text behind a label that stands in `room` columns of its first row."""
    rows = prose(text, max(width - room, 8), styles)
    first = set_cell_size(f"{_(label)} ", max(room, cell_len(_(label)) + 1))
    return [[(first if i == 0 else " " * room, QUIET), *row] for i, row in enumerate(rows)]


def reported(lines: Iterable[str], width: int) -> list[Parts]:
    """The lines of a report, whose first columns hold labels."""
    told = ((line[:_OF_REPORT].strip(), line[_OF_REPORT:]) for line in lines)
    return [row for label, text in told for row in labelled(label, text, width)]


def marked(mark: str, text: str, width: int, styles: Styles = (), room: int = 0) -> list[Parts]:
    """A sentence behind a mark, its further rows below its first word."""
    room = max(room, len(mark) + 1)
    rows = prose(text, max(width - room, 8), styles)
    return [
        [((mark if i == 0 else "").ljust(room), styles or QUIET), *row]
        for i, row in enumerate(rows)
    ]


def refused(text: str, width: int) -> list[Parts]:
    """An error, whole."""
    rows = [row for line in text.splitlines() for row in prose(line, max(width - 2, 8))]
    return [[("  " if i else "✗ ", WRONG), *row] for i, row in enumerate(rows)]
