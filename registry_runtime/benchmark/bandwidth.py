"""The roof: how fast this machine copies memory that is in no cache.

An element-wise kernel computes in less time than its elements take to arrive, so no such kernel on
large tensors beats a plain copy. A share above 1 means that the tensors came from the cache, which is
faster than memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from registry_runtime.benchmark.device_clock import stopwatch

_BYTES = 1 << 27  # a few times what the last cache holds on most machines
_DEVICE_BYTES = 1 << 30
_REPEATS = 7


def copy_bandwidth(threads: int) -> float:
    """Bytes a second, those read and those written, of a copy by this many threads on the CPU.

    The best of a few: what the machine can do, not what it was kept from doing.
    """
    source = np.ones(_BYTES, np.uint8)
    target = np.zeros_like(source)  # written once, so that no page is new
    pieces = list(
        zip(np.array_split(target, threads), np.array_split(source, threads), strict=True)
    )
    with ThreadPoolExecutor(threads) as pool:
        return _best(lambda: list(pool.map(lambda piece: np.copyto(*piece), pieces)))


def device_copy_bandwidth(cupy: Any) -> float:
    """The same of the GPU's own memory, by its own clock. `cupy` is the module."""
    source = cupy.ones(_DEVICE_BYTES, cupy.uint8)
    target = cupy.zeros_like(source)
    timed = stopwatch(cupy)
    return (
        2 * _DEVICE_BYTES / min(timed(lambda: cupy.copyto(target, source)) for _ in range(_REPEATS))
    )


def _best(copy: Callable[[], object]) -> float:
    copy()
    shortest = float("inf")
    for _ in range(_REPEATS):
        started = time.perf_counter()
        copy()
        shortest = min(shortest, time.perf_counter() - started)
    return 2 * _BYTES / shortest
