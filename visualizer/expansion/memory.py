"""The memory that reading a file may take.

A few lines of macros can ask for more tokens than any machine holds, and so can a long line. No count
of steps tells such a text from a large library's, which is meant to be expanded; what it takes does. So
whoever makes many tokens looks from time to time at what this process holds, and stops where a reading
has taken its share of what the user allows (`Options.memory`). The rest of that is for what comes
behind the expansion: the C++ that is read, the screen, the document. What is worth a look at the memory
takes time too, so each look asks as well whether somebody still waits for the reading (`under_way`).
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from visualizer.expansion import under_way
from visualizer.expansion.diagnostics import Code, Diagnostic, InputError
from visualizer.expansion.tokens import Source

MOST = 500 << 20  # bytes, if nobody says otherwise
_SHARE, _WHOLE = 0.8, 0.95  # for the expansion, and for it and the C++ behind it
_MUCH = 100_000  # objects that would be looked at at once
_HINT = "--memory 2G allows it more"
_SYSTEM: str = sys.platform

_before: ContextVar[int | None] = ContextVar("held_before", default=None)
_UNLIMITED = sys.maxsize, MOST
_end: ContextVar[tuple[int, int]] = ContextVar("end", default=_UNLIMITED)


@contextmanager
def together() -> Iterator[None]:
    """All that is read inside may together take what one reading may. Where nobody says so, each does
    by itself: what else the process holds is none of its business."""
    outside = _before.set(held())
    try:
        with reading():
            yield
    finally:
        _before.reset(outside)


@contextmanager
def reading() -> Iterator[None]:
    """Whatever a reading inside is allowed, it is none of what comes behind."""
    outside = _end.set(_end.get())
    try:
        yield
    finally:
        _end.reset(outside)


@contextmanager
def weighed() -> Iterator[None]:
    """What is done inside has no limit: it was done before, within one."""
    with reading():
        _end.set(_UNLIMITED)
        yield


def allow(most: int) -> None:
    """A reading begins that may take so many bytes."""
    before = _before.get()
    _end.set(((held() if before is None else before) + int(most * _SHARE), most))


def is_spent(more: int = 0) -> bool:
    """Whether the reading would have taken its share with so many bytes `more`. Raises CalledOff where
    nobody waits for it any more."""
    under_way.current().step(0)
    return held() + more > _end.get()[0]


class Rest:
    """What an expansion leaves of so many bytes, for the C++ that is read behind it."""

    def __init__(self, most: int) -> None:
        before = _before.get()
        self._end = (held() if before is None else before) + int(most * _WHOLE)
        self._collects_at = self._end
        self._more = int(most * (1 - _WHOLE))

    def is_spent(self) -> bool:
        """Whether it is, also without what nobody needs any more."""
        if (now := held()) > self._collects_at:
            gc.collect()
            now = held()
            self._collects_at = max(self._end, now + self._more)
        return now > self._end


def said(most: int | None = None) -> tuple[str, str]:
    """What is said of that, behind "expansion" or "reading", and the hint."""
    return f"stopped at {(most or _end.get()[1]) >> 20:,} MB of memory", _HINT


def refused(file: str, most: int) -> Diagnostic:
    """What is said of a file for whose C++ so many bytes don't suffice."""
    message, hint = said(most)
    what = f"reading what it expands to as C++ {message}: nothing is registered"
    return Diagnostic("error", what, Source(file, 1, 1), hint, code=Code.LIMIT_REACHED)


def expect_room(where: Source, more: int = 0) -> None:
    """Raises InputError at this place of a file if no memory is left for the tokens behind it, or for
    so many bytes of them, and CalledOff."""
    if is_spent(more):
        message, hint = said()
        raise InputError(f"reading {message}", where, hint)


@contextmanager
def no_garbage() -> Iterator[None]:
    """No garbage is collected inside: tokens and steps are none, but the collector would walk through
    all of them again each time that they have grown by a quarter, and stop all threads, that of the
    keys too, for seconds. So many aren't looked through with the young afterwards either, but are old
    at once: frozen for good they, and all that the process holds beside them, would never be freed."""
    collecting, before = gc.isenabled(), gc.get_count()[0]
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            if gc.get_count()[0] - before > _MUCH:
                gc.freeze()
                gc.unfreeze()  # into the oldest generation, without a look
            gc.enable()


def held() -> int:
    """The bytes of memory that this process has for itself; 0 where the system does not tell. On macOS
    the most that it ever had."""
    try:
        return _told()
    except (OSError, ImportError, AttributeError):
        return 0


def _told() -> int:
    if _SYSTEM == "linux":
        with open("/proc/self/statm", "rb") as file:
            _, resident, shared, *_ = map(int, file.read().split())
        return (resident - shared) * os.sysconf("SC_PAGE_SIZE")
    if _SYSTEM == "win32":
        return _held_on_windows()
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if _SYSTEM == "darwin" else most * 1024


def _held_on_windows() -> int:
    """The process's private bytes (`GetProcessMemoryInfo` of psapi.h)."""
    import ctypes

    class Counters(ctypes.Structure):  # PROCESS_MEMORY_COUNTERS
        _fields_ = (
            ("size", ctypes.c_uint32),
            ("page_faults", ctypes.c_uint32),
            *(
                (name, ctypes.c_size_t)
                for name in (
                    *("peak_working_set", "working_set", "peak_paged_pool", "paged_pool"),
                    *("peak_nonpaged_pool", "nonpaged_pool", "pagefile", "peak_pagefile"),
                )
            ),
        )

    kernel = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined,unused-ignore]
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    about = kernel.K32GetProcessMemoryInfo
    about.argtypes = (ctypes.c_void_p, ctypes.POINTER(Counters), ctypes.c_uint32)
    counters = Counters(size=ctypes.sizeof(Counters))
    known = about(kernel.GetCurrentProcess(), ctypes.byref(counters), counters.size)
    return int(counters.pagefile) if known else 0
