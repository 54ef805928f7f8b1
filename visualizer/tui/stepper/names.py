"""The names of a source text as a cursor goes over them, with the arrow keys, from one to the next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_NAME = re.compile(r"(?<![\w$.])[^\W\d][\w$]*")


@dataclass(frozen=True, slots=True)
class NameOnLine:
    """A name on a line, which counts from 0, and the letters of the line that it takes."""

    text: str
    line: int
    start: int

    @property
    def letters(self) -> range:
        return range(self.start, self.start + len(self.text))


def on_line(lines: Sequence[str], line: int) -> list[NameOnLine]:
    return [NameOnLine(m[0], line, m.start()) for m in _NAME.finditer(lines[line])]


def beside(lines: Sequence[str], name: NameOnLine, by: int) -> NameOnLine:
    """The next name, or the one before it; the same where there is none."""
    here = on_line(lines, name.line)
    at = next((i for i, other in enumerate(here) if other.start >= name.start), len(here)) + by
    if 0 <= at < len(here):
        return here[at]
    found = _near(lines, name.line + by, by)
    return name if found is None else found[0 if by > 0 else -1]


def on_another_line(lines: Sequence[str], name: NameOnLine, by: int) -> NameOnLine:
    """The name that stands nearest below, or above."""
    found = _near(lines, name.line + by, by)
    return name if found is None else min(found, key=lambda n: abs(n.start - name.start))


def nearest(lines: Sequence[str], line: int, letter: int = 0) -> NameOnLine | None:
    """The name at this letter or behind it, on this line or below it; or else above."""
    if not lines:
        return None
    line = min(line, len(lines) - 1)
    here = on_line(lines, line)
    if here:
        return next((name for name in here if letter < name.letters.stop), here[-1])
    below = _near(lines, line + 1, 1)
    above = _near(lines, line - 1, -1)
    return below[0] if below else above[-1] if above else None


def _near(lines: Sequence[str], line: int, by: int) -> list[NameOnLine] | None:
    """The names of the first line from here on that has any."""
    while 0 <= line < len(lines):
        if found := on_line(lines, line):
            return found
        line += by
    return None
