"""What a command shows on a terminal, and only there: its lines broken between words, and on stderr,
while there is nothing to print yet, what it is doing. In a pipe a line stays a line, to be searched."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from textwrap import TextWrapper

_NARROWEST = 30  # columns for words; a terminal that leaves fewer breaks lines itself
_BEFORE_WORDS = re.compile(r"[ │]*(?:\d[\d,–]*\.? )?[ │]*")


def tell(lines: Iterable[str]) -> None:
    """Print each line as it comes. What doesn't fit into the terminal goes on below, behind the same
    bars, and under its first word."""
    width = shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 0
    for line in lines:
        for row in wrapped(line, width) if width else [line]:
            print(row, flush=width > 0)


def wrapped(line: str, width: int) -> list[str]:
    """A line with a number, bars or an indent before it, in rows of this width."""
    match = _BEFORE_WORDS.match(line)
    before = match[0] if match is not None else ""
    if len(line) <= width or width - len(before) < _NARROWEST:
        return [line]
    below = "".join("│" if letter == "│" else " " for letter in before)
    rows = TextWrapper(width, before, below, break_long_words=False, break_on_hyphens=False)
    return rows.wrap(line[len(before) :])


@contextmanager
def working() -> Iterator[Callable[[str], None]]:
    """Gives what is to be called with what is being done now. It stands on stderr for as long, where
    somebody is there to see it."""
    if not sys.stderr.isatty():
        yield lambda doing: None
        return

    def show(doing: str) -> None:
        print(f"\r\x1b[K{doing} …", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
