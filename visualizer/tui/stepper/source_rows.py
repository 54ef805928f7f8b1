"""A source file in the rows of a pane: a row for each line, or, wrapped, as many as a line needs.

A line is wrapped where a word begins, if one does in the second half of the row. What goes on below
stands a little further in than the line itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len

from visualizer.layout.line_layout import HANGING

_WORD = re.compile(r"(?<=\W)(?=\w)|(?<=\s)")


class SourceRow(NamedTuple):
    """Letters `start` to `stop` of a line, `indent` cells further in. `cut`: inside of a word."""

    line: int
    start: int
    stop: int
    indent: int = 0
    cut: bool = False


def unwrapped(lines: Sequence[str]) -> list[SourceRow]:
    return [SourceRow(n, 0, len(line)) for n, line in enumerate(lines)]


def wrapped(lines: Sequence[str], width: int) -> list[SourceRow]:
    """Rows of no more than `width` cells."""
    return [row for n, line in enumerate(lines) for row in _wrapped(n, line, max(width, 8))]


def row_at(rows: Sequence[SourceRow], line: int, letter: int = 0) -> int:
    """The row in which that letter of a line stands."""
    return max(bisect_right(rows, (line, letter), key=lambda row: (row.line, row.start)) - 1, 0)


def _wrapped(number: int, line: str, width: int) -> Iterator[SourceRow]:
    line, start, indent = line.rstrip(), 0, 0
    while cell_len(line[start:]) > width - indent:
        stop = start + _fitting(line[start:], width - indent)
        words = [m.start() for m in _WORD.finditer(line, (start + stop) // 2) if m.start() <= stop]
        if words:
            yield SourceRow(number, start, words[-1], indent)
            start = len(line) - len(line[words[-1] :].lstrip())
        else:
            yield SourceRow(number, start, stop - 1, indent, cut=True)
            start = stop - 1
        indent = min(len(line) - len(line.lstrip()) + HANGING, width // 2)
    yield SourceRow(number, start, len(line), indent)


def _fitting(text: str, width: int) -> int:
    """How many letters of a text fit."""
    if text.isascii():
        return width
    cells = 0
    for n, letter in enumerate(text):
        cells += cell_len(letter)
        if cells > width:
            return n
    return len(text)
