"""Rows that say one thing: text behind a label, a sentence behind a mark; and the looks that they wear.

Whatever is told of an entry, a call or a result is told in such rows, by every framework, so that a
reader who has learned to read one pane can read them all.
"""

from __future__ import annotations

from visualizer.layout.words import Look, Parts, prose

QUIET: Look = ("pane--quiet",)
STRONG: Look = ("pane--strong",)
ACCENT: Look = ("pane--accent",)
CHANGED: Look = ("pane--accent", "pane--strong")
GOOD: Look = ("pane--good",)
BAD: Look = ("pane--bad",)
RIGHT: Look = ("pane--good", "pane--strong")
WRONG: Look = ("pane--bad", "pane--strong")
TITLE: Look = ("code--label",)
LABEL = 13  # columns in which a label stands


def labelled(label: str, text: str, width: int, look: Look = (), room: int = LABEL) -> list[Parts]:
    """Text behind a label that stands in `room` columns of its first row."""
    rows = prose(text, max(width - room, 8), look)
    first = f"{label} ".ljust(room)
    return [[(first if i == 0 else " " * room, QUIET), *row] for i, row in enumerate(rows)]


def marked(mark: str, text: str, width: int, look: Look = (), room: int = 0) -> list[Parts]:
    """A sentence behind a mark, its further rows below its first word."""
    room = max(room, len(mark) + 1)
    rows = prose(text, max(width - room, 8), look)
    return [
        [((mark if i == 0 else "").ljust(room), look or QUIET), *row] for i, row in enumerate(rows)
    ]


def refused(text: str, width: int) -> list[Parts]:
    """An error, whole."""
    rows = [row for line in text.splitlines() for row in prose(line, max(width - 2, 8))]
    return [[("  " if i else "✗ ", WRONG), *row] for i, row in enumerate(rows)]
