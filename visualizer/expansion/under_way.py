"""Whoever waits for an expansion hears how far it is, and may call it off.

An expansion runs in a thread, which Python can't stop. So who starts one gives it an `UnderWay`; it
writes there as it goes, and looks at each step whether it is still wanted. Nor can a call of C's be
stopped, and while one goes through all of a long text no other thread can do anything: so such a text
is gone through in pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import AnyStr


class CalledOff(BaseException):
    """Nobody waits for it any more. Not an Exception: nothing on the way takes it for trouble."""


_PIECE = 1 << 18  # characters that a call of C's goes through in some milliseconds
_EXPANDING = 0.3  # of the time that a file takes; the rest goes into reading it as C++


@dataclass
class UnderWay:
    steps: int = 0  # of all invocations so far
    done: float = 0.0  # of the whole file, which share is done
    file: str = ""
    line: int = 0  # of that file
    wanted: bool = True

    def at(self, file: str, line: int) -> None:
        """Raises CalledOff."""
        self.file, self.line = file, line
        if not self.wanted:
            raise CalledOff

    def expanded(self, share: float) -> None:
        """So much of the file that is traced. Raises CalledOff."""
        self.done = _EXPANDING * share
        self.step(0)

    def read(self, share: float) -> None:
        """So much of what it came to, as C++. Raises CalledOff."""
        self.done = _EXPANDING + (1 - _EXPANDING) * share
        self.step(0)

    def step(self, more: int = 1) -> None:
        """Raises CalledOff."""
        self.steps += more
        if not self.wanted:
            raise CalledOff


given: ContextVar[UnderWay | None] = ContextVar("under_way", default=None)


def current() -> UnderWay:
    """That of whoever waits for this thread; where nobody does, one that nobody looks at."""
    return given.get() or UnderWay()


def in_pieces(text: AnyStr, size: int = _PIECE) -> Iterator[AnyStr]:
    """A text, or bytes: a short one as it is, a long one piece by piece. Raises CalledOff between."""
    if len(text) <= size:
        yield text
        return
    waited_for = current()
    for at in range(0, len(text), size):
        waited_for.step(0)
        yield text[at : at + size]
