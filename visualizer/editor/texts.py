"""A text that is being edited, and its places as an editor counts them.

The engine counts lines and columns from 1, columns in characters. The protocol counts both from 0,
columns in units of an encoding that the two sides agree on, UTF-16 if nothing else is said: an emoji is
one character and two units. It ends lines at `\\r` too, where the engine goes on. What both have in
common is how many characters stand before a place: its offset.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple
from urllib.parse import unquote, urlsplit

from visualizer.expansion.tokens import Source

Encoding = Literal["utf-8", "utf-16", "utf-32"]
_HALF = re.compile("[\ud800-\udfff]")  # of a character: JSON may have one alone
_SHOWN = "\ufffd"
_LINE_END = re.compile(r"\r\n?|\n")


class Spot(NamedTuple):
    """A place as an editor has it: the line, and the units before it on that line, from 0."""

    line: int
    unit: int


class Span(NamedTuple):
    """From one spot up to another."""

    begin: Spot
    end: Spot


@dataclass(frozen=True, eq=False)
class EditedText:
    """A text with `\\n` for `\\r\\n`, which the file has where `crlf`."""

    text: str
    crlf: bool = False
    encoding: Encoding = "utf-16"

    @cached_property
    def lines(self) -> Sequence[str]:
        """As the engine has them."""
        return self.text.split("\n")

    @cached_property
    def _starts(self) -> Sequence[int]:
        """The offsets at which an editor's lines begin."""
        return [0, *(m.end() for m in _LINE_END.finditer(self.text))]

    @cached_property
    def _engine_starts(self) -> Sequence[int]:
        if "\r" not in self.text:
            return self._starts
        return [0, *(m.end() for m in re.finditer("\n", self.text))]

    def offset(self, spot: Spot) -> int:
        """How many characters stand before a spot; where there is no such, the nearest before it."""
        if spot.line < 0:
            return 0
        if spot.line >= len(self._starts):
            return len(self.text)
        start = self._starts[spot.line]
        stop = self._line_end(spot.line)
        if spot.unit <= 0:
            return start
        line = self.text[start:stop]
        if self.encoding == "utf-32" or line.isascii():
            return min(start + spot.unit, stop)
        units = 0
        for at, letter in enumerate(line, start):
            units += self._units(letter)
            if units > spot.unit:
                return at
        return stop

    def spot(self, offset: int) -> Spot:
        line = bisect_right(self._starts, offset) - 1
        before = self.text[self._starts[line] : offset]
        if self.encoding == "utf-32" or before.isascii():
            return Spot(line, len(before))
        return Spot(line, sum(map(self._units, before)))

    def offset_of(self, where: Source) -> int:
        """The same of a place that the engine names, whatever its file."""
        starts = self._engine_starts
        if where.line > len(starts):
            return len(self.text)
        return min(starts[where.line - 1] + where.column - 1, len(self.text))

    def place(self, offset: int, file: str = "") -> Source:
        """As the engine names it."""
        line = bisect_right(self._engine_starts, offset) - 1
        return Source(file, line + 1, offset - self._engine_starts[line] + 1)

    def span(self, begin: int, end: int) -> Span:
        return Span(self.spot(begin), self.spot(end))

    def edited(self, begin: Spot, end: Spot, new: str) -> EditedText:
        """With something else between two spots."""
        first, last = sorted((self.offset(begin), self.offset(end)))
        text = self.text[:first] + tidy(new) + self.text[last:]
        return EditedText(text, self.crlf, self.encoding)

    def as_in_file(self, text: str) -> str:
        """With the line ends that the file has."""
        return text.replace("\n", "\r\n") if self.crlf else text

    def _line_end(self, line: int) -> int:
        """The offset at which one of the editor's lines ends, before what ends it."""
        if line + 1 >= len(self._starts):
            return len(self.text)
        return self._starts[line + 1] - 1

    def _units(self, letter: str) -> int:
        if self.encoding == "utf-8":
            return len(letter.encode("utf-8", "surrogatepass"))
        return 2 if ord(letter) > 0xFFFF else 1


def read(text: str, encoding: Encoding) -> EditedText:
    """A text that an editor hands over."""
    return EditedText(tidy(text), "\r\n" in text, encoding)


def tidy(text: str) -> str:
    """A text without `\\r\\n`, and without halves of characters, which no file can have."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return text if text.isascii() else _HALF.sub(_SHOWN, text)


def path_of(uri: str) -> str | None:
    """The path of a `file:` URI, without `..`; None of any other."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    path = unquote(parts.path)
    if re.match(r"/[A-Za-z]:", path):  # a drive's letter
        path = path[1:]
    return os.path.abspath(path) if path and "\0" not in path else None
