"""When a CPU kernel runs on all cores, and when one is better.

Waking the other cores takes longer than a short loop. And they may not be there: another thread has
them, other processes keep them busy, or this process is a fork and has lost its threads.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from registry_runtime.phi.data_type import DataType

_CORES = threading.Lock()
_alone_until = 0.0
_slow_before = False

# A forked child has none of its parent's threads, and waits forever for them or dies: it finds the
# cores taken, for good.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _CORES.acquire(blocking=False))

# Measured where one core and two take equally long (bytes of output): half a million for `exp`, a
# million for `add` with OpenMP. TBB and Numba's own work queue wake their threads later.
_ONE_CORE_BYTES = {"omp": 1 << 19, "tbb": 1 << 22, "workqueue": 1 << 23}


def on_all_cores(threaded: Callable[..., None], nbytes: int, *flat: Any) -> bool:
    """Runs a loop that writes `nbytes` on every core; or doesn't, and one core should.

    One thread at a time may; the others work alone meanwhile. They lose nothing, for the cores are
    busy; and Numba's work queue would end the process if two threads called it at once. If other
    processes keep the cores busy, then all wait for the thread that the scheduler left out, much
    longer than one core would have taken: when that happens twice in a row, the next tenth of a
    second is spent on one core. (Once means little: another library's threads go on spinning for a
    millisecond after their last work.)
    """
    global _alone_until, _slow_before
    started = time.monotonic()
    if started < _alone_until or not _CORES.acquire(blocking=False):
        return False
    try:
        threaded(*flat)
    finally:
        _CORES.release()
    ended = time.monotonic()
    # One core writes 2 GB/s where the pages are new, several times that where they aren't.
    slow = ended - started > 1e-3 + nbytes / 2e9
    if slow and _slow_before:
        _alone_until = ended + 0.1
    _slow_before = slow
    return True


def start_threads(threaded: Callable[..., None], *empty: Any) -> None:
    """Wakes Numba's threads on nothing, so that the first launch doesn't pay for their start."""
    if _CORES.acquire(blocking=False):
        try:
            threaded(*empty)
        finally:
            _CORES.release()


def elements_for_one_core(dtype: DataType) -> int:
    """Up to how many elements one core is at least as fast as all. Ask after `start_threads`."""
    from registry_runtime.kernels.own_numba import numba

    if numba.get_num_threads() == 1:
        return sys.maxsize
    try:
        layer = numba.threading_layer()
    except ValueError:  # not started: another thread holds the cores, or this is a forked child
        layer = "workqueue"
    return _ONE_CORE_BYTES.get(layer, 1 << 19) // dtype.numpy.itemsize
