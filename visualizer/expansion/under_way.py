"""Whoever waits for an expansion hears how far it is, and may call it off.

An expansion runs in a thread, which Python can't stop. So who starts one gives it an `UnderWay`; it
writes there as it goes, and looks at each step whether it is still wanted.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass


class CalledOff(BaseException):
    """Nobody waits for it any more. Not an Exception: nothing on the way takes it for trouble."""


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
