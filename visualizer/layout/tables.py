"""A table of texts, for a pipe and for a terminal.

In a pipe, whose width is 0, a row is a line, however long: to be searched. So it is on a terminal that
is wide enough. On a narrower one the rows of a name stand below it, further in, and what all of them
have in common stands beside it, once. Numbers stand to the right, and each group below its own head,
without which they say nothing. A line that is still too long goes on below, between two cells, or
between two words of a cell that is longer than a line. Nothing is cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, groupby, islice
from operator import itemgetter
from typing import TypeAlias

from rich.cells import cell_len

from visualizer.layout.row_breaks import filled

Cells: TypeAlias = tuple[str, ...]

_BETWEEN = "  "
_IN = 2  # how much further in a row stands than its name, and what goes on below than its beginning


def table(
    columns: Cells, rows: Sequence[Cells], width: int, numbers: int | None = None
) -> Iterator[str]:
    """Lines under a head. A row's first cell is its name, and stands once above several. From column
    `numbers` on, cells are numbers; all that is before them is a row's name."""
    named = slice(0, numbers or 1)
    grouped = [list(of_one) for _, of_one in groupby(rows, itemgetter(named))]
    once = [
        row if n == 0 else _without(row, named) for group in grouped for n, row in enumerate(group)
    ]
    lines = list(_aligned([columns, *once], numbers))
    if not width or max(map(cell_len, lines)) <= width:
        yield from lines
        return
    if numbers is not None:
        yield from _below_their_heads(columns, grouped, width, numbers)
        return
    yield from _flowing(columns, 0, width)
    for group in grouped:
        yield from _below_its_name(group, width)


def _without(row: Cells, named: slice) -> Cells:
    return (*[""] * len(row[named]), *row[named.stop :])


def _below_their_heads(
    columns: Cells, grouped: Sequence[Sequence[Cells]], width: int, numbers: int
) -> Iterator[str]:
    own = [row[numbers:] for group in grouped for row in group]
    head, *lines = (" " * _IN + line for line in _aligned([columns[numbers:], *own], 0))
    fits = max(map(cell_len, [head, *lines])) <= width
    left = iter(lines)
    for group in grouped:
        yield from _flowing(group[0][:numbers], 0, width)
        if fits:
            yield head
            yield from islice(left, len(group))
            continue
        for row in [columns, *group]:
            yield from _flowing(row[numbers:], _IN, width)


def _below_its_name(rows: Sequence[Cells], width: int) -> Iterator[str]:
    shared = [len(set(column)) == 1 for column in zip(*rows, strict=True)]
    if all(shared):
        for row in rows:
            yield from _flowing(row, 0, width)
        return
    yield from _flowing(_those(rows[0], shared), 0, width)
    own = [_those(row, [not same for same in shared]) for row in rows]
    lines = [" " * _IN + line for line in _aligned(own)]
    if max(map(cell_len, lines)) <= width:
        yield from lines
        return
    for row in own:
        yield from _flowing(row, _IN, width)


def _those(row: Cells, wanted: Sequence[bool]) -> Cells:
    return tuple(compress(row, wanted))


def _aligned(rows: Sequence[Cells], numbers: int | None = None) -> Iterator[str]:
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    words = len(widths) if numbers is None else numbers
    for row in rows:
        blanks = (" " * (wide - cell_len(cell)) for cell, wide in zip(row, widths, strict=True))
        yield _BETWEEN.join(
            cell + blank if n < words else blank + cell
            for n, (cell, blank) in enumerate(zip(row, blanks, strict=True))
        ).rstrip()


def _flowing(cells: Sequence[str], indent: int, width: int) -> Iterator[str]:
    """One cell behind the other, in lines of this width; empty ones are left out."""
    line = ""
    for cell in filter(None, cells):
        if line and cell_len(line) + len(_BETWEEN) + cell_len(cell) <= width:
            line += _BETWEEN + cell
            continue
        if line:
            yield line
        before = " " * (indent + (_IN if line else 0))
        *whole, line = filled(cell, width, before, before + " " * _IN)
        yield from whole
    if line:
        yield line
