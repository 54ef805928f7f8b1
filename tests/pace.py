"""How long things may take: a limit that means the same on a slow machine, and on one that others use.

What is timed is the processor's time of one thread, the quickest of some tries. Both are compared with
the same bit of Python, timed in the same way at the same moment.
"""

from __future__ import annotations

import time
from collections.abc import Callable

_ITS_TIME = 0.010  # seconds that `_work` takes where the limits were found


def slowness() -> float:
    """How many times as long as there this machine takes, at the moment."""
    return quickest(_work) / _ITS_TIME


def quickest(do: Callable[[], object], tries: int = 5) -> float:
    """Seconds of this thread's processor time."""
    return min(_timed(do) for _ in range(tries))


def _timed(do: Callable[[], object]) -> float:
    began = time.thread_time()
    do()
    return time.thread_time() - began


def _work() -> object:
    return sorted(str(number * 7919 % 20011) for number in range(20_000))
