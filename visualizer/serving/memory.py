"""The memory that all visitors together may hold.

The kernel bounds each of their processes by itself (`visitor_app`), and twenty that are each within
that bound can still take a machine down. So what they hold is added up, a few times a second, and when
it is too much the one that holds most is ended. Its visitor can go on: their files stay.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

EVERY = 0.25  # seconds
_SHARE = 0.75  # of what is free when the server starts
_PAGE = os.sysconf("SC_PAGE_SIZE")


def for_visitors() -> int | None:
    """How many bytes they may hold, unless it is said; None where the system doesn't tell (macOS)."""
    free = []
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        line = next(line for line in lines if line.startswith("MemAvailable:"))
        free.append(int(line.split()[1]) * 1024)
    with contextlib.suppress(OSError, ValueError):  # of this container; without a bound it is "max"
        group = Path("/sys/fs/cgroup")
        most = int((group / "memory.max").read_text())
        free.append(most - int((group / "memory.current").read_text()))
    return int(min(free) * _SHARE) if free else None


def held_by(process: int) -> int:
    """The bytes that a process holds alone; 0 once it has ended."""
    try:
        _, resident, shared, *_ = map(int, Path(f"/proc/{process}/statm").read_text().split())
    except (OSError, ValueError):
        return 0
    return (resident - shared) * _PAGE


def one_too_many(processes: Iterable[int], most: int) -> int | None:
    """The process to be ended, if together they hold more than that."""
    held = {process: held_by(process) for process in processes}
    return max(held, key=held.__getitem__) if sum(held.values()) > most else None
