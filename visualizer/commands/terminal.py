"""What a command shows on a terminal, and only there: its lines broken between words, and on stderr,
while there is nothing to print yet, what it is doing. In a pipe a line stays a line, to be searched."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO

from visualizer.commands.legible import raw
from visualizer.layout.shown import shown_chars

_NARROWEST = 30  # columns for words; a terminal that leaves fewer breaks lines itself
_BEFORE_WORDS = re.compile(r"[ │]*(?:\d[\d,–]*\.? )?[ │]*")


def columns() -> int:
    """How wide the terminal is; 0 for a pipe, which has no width."""
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 0


def _width(terminal: TextIO) -> int:
    """Of this terminal, whatever the other streams go to."""
    try:
        return os.get_terminal_size(terminal.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def tell(lines: Iterable[str]) -> None:
    """Print each line as it comes. What doesn't fit into the terminal goes on below, behind the same
    bars, and under its first word."""
    width = columns()
    for line in lines:
        for row in wrapped(line, width) if width else [line]:
            print(row, flush=width > 0)


def wrapped(line: str, width: int) -> list[str]:
    """A line with a number, bars or an indent before it, in rows of this width."""
    from visualizer.layout.line_layout import cells_of  # a pipe has no rows
    from visualizer.layout.row_breaks import filled

    match = _BEFORE_WORDS.match(line)
    before = match[0] if match is not None else ""
    if cells_of(line) <= width or width - len(before) < _NARROWEST:
        return [line]
    below = "".join("│" if letter == "│" else " " for letter in before)
    return filled(line[len(before) :], width, before, below)


@contextmanager
def working() -> Iterator[Callable[[str], None]]:
    """Gives what is to be called with what is being done now. It stands on stderr for as long, where
    somebody is there to see it."""
    if not sys.stderr.isatty():
        yield lambda doing: None
        return

    from visualizer.layout.words import clipped

    def show(doing: str) -> None:
        room = max(_width(sys.stderr) - 3, 1)  # what goes on in the next row can't be taken away
        told = "".join(text for text, _ in clipped([(shown_chars(doing), ())], room))
        print(f"\r\x1b[K{told} …", end="", file=raw(sys.stderr), flush=True)

    try:
        yield show
    finally:
        print("\r\x1b[K", end="", file=raw(sys.stderr), flush=True)
