"""Standard output and standard error without what drives a terminal.

A string in somebody's source may hold escape sequences: to a terminal they are orders, to set the
clipboard for one. So whatever a command prints goes through here, and a character that can't be seen
becomes a dot, as it does in the app. What we order ourselves, a bar that moves, is written to `raw`.
Only where what is printed is the file itself, and nobody's terminal gets it, does it stay as it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from visualizer.expansion.source_files import as_bytes, legible
from visualizer.layout.shown import shown_chars

_LAID_OUT = str.maketrans("", "", "\n\t")  # what lines and columns are made of


class _Legible:
    def __init__(self, stream: TextIO) -> None:
        self.raw = stream

    def write(self, text: str) -> int:
        if text.isprintable() or text.translate(_LAID_OUT).isprintable():
            return self.raw.write(text)
        self.raw.write("".join(c if c in "\n\t" else shown_chars(c) for c in text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


@contextmanager
def legible_streams() -> Iterator[None]:
    """For as long, `sys.stdout` and `sys.stderr` are legible."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, _Legible(raw(stream))) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def raw(stream: TextIO) -> TextIO:
    """The stream for orders of our own."""
    return stream.raw if isinstance(stream, _Legible) else stream


def exact_output() -> Callable[[str], object]:
    """What writes a file's own text to standard output: byte for byte, but on a terminal."""
    if sys.stdout.isatty():
        return lambda text: sys.stdout.write(legible(text))
    sys.stdout.flush()
    buffer = raw(sys.stdout).buffer
    return lambda text: buffer.write(as_bytes(text))
