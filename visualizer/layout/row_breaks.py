"""Where a text for reading may go on in the next row.

English is broken at its blanks. Chinese has none: a row may end behind any of its characters, but no
row begins with a mark that closes something (`，` `。` `）`), and none ends with one that opens
something. Who breaks at blanks alone tears a Chinese paragraph wherever an English word stands in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from textwrap import wrap

from rich.cells import cell_len

_WIDE = (
    "\u2e80-\u2fff\u3005-\u3007\u3021-\u30ff\u3100-\u9fff\uac00-\ud7af\uf900-\ufaff\uff10-\uff5a"
)
_OPENS = "（《〈「『【〔［｛“‘"
_CLOSES = "，。、；：？！）》〉」』】〕］｝”’…—·～％"
_BEHIND = f"{_CLOSES},.;:?!)\\]}}%/"  # behind a wide character, ASCII's marks close as well


@cache
def _wide() -> re.Pattern[str]:
    return re.compile(f"[{_WIDE}{_CLOSES[:7]}]")


@cache
def _pieces_of(ascii: bool) -> re.Pattern[str]:
    """What no row ends within. The second takes Python 10 ms to compile: a fortieth of the start."""
    if ascii:
        return re.compile(r"\S+\s*|\s+")
    return re.compile(
        rf"[{_OPENS}]*"
        rf"(?:[{_WIDE}][{_BEHIND}]*|[^\s{_WIDE}{_OPENS}{_CLOSES}]+[{_CLOSES}]*|[{_CLOSES}]+)\s*"
        rf"|[{_OPENS}]+\s*|\s+"
    )


def is_wide(text: str) -> bool:
    """Whether some of it may be broken without a blank."""
    return not text.isascii() and _wide().search(text) is not None


def breaks(text: str, width: int, fold: bool = True) -> list[int]:
    """Before which letters a row of this many cells ends. What is wider than a row by itself is cut,
    or if it is not to `fold`, goes on beyond the row. A row has a cell, whatever else has no room."""
    width = max(width, 1)
    found: list[int] = []
    at = 0  # cells of the row that are taken
    for start, piece in _pieces(text):
        cells = cell_len(piece.rstrip())
        if at and at + cells > width:
            found.append(start)
            at = 0
        while fold and cells > width:
            fits = _fitting(piece, width)
            start, piece = start + fits, piece[fits:]
            found.append(start)
            cells = cell_len(piece.rstrip())
        at += cell_len(piece)
    return found


def rows_of(text: str, width: int, fold: bool = True, most: int | None = None) -> list[str]:
    """A text in rows of this many cells. Of no more than `most`, the last has all that is left."""
    ends = [*[0, *breaks(text, width, fold)][:most], len(text)]
    return [text[a:b].strip() for a, b in pairwise(ends)]


def filled(text: str, width: int, first: str = "", below: str = "") -> list[str]:
    """A text in lines of this width, for a terminal's command: `first` stands before the first, `below`
    before the others. A word that is longer than a line stays whole."""
    if not is_wide(text):
        return wrap(
            text,
            width,
            initial_indent=first,
            subsequent_indent=below,
            break_long_words=False,
            break_on_hyphens=False,
        )
    room = width - max(cell_len(first), cell_len(below))
    rows = rows_of(" ".join(text.split()), max(room, 2), fold=False)
    return [(below if n else first) + row for n, row in enumerate(rows)]


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    for match in _pieces_of(text.isascii()).finditer(text):
        yield match.start(), match[0]


def _fitting(text: str, width: int) -> int:
    """How many letters have room, one at least; what closes something stays with one of them."""
    cells = cell_len(text[0])
    count = 1
    while count < len(text) and (cells := cells + cell_len(text[count])) <= width:
        count += 1
    last = count
    while last > 1 and text[last : last + 1] in _CLOSES:
        last -= 1
    return last if last > 1 else count
