"""The same number of threads for everybody.

Most libraries read an environment variable when they are loaded, and have a function for later. Two
of them don't ask: paddle sets `OMP_NUM_THREADS` to 1 for whatever is loaded after it, unless it is
set, and NumPy's element-wise functions always run on one thread.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Who reads which when it is loaded. Numba refuses to see another number later.
_READERS = {
    "OMP_NUM_THREADS": "torch",
    "OPENBLAS_NUM_THREADS": "numpy",
    "MKL_NUM_THREADS": "torch",
    "NUMBA_NUM_THREADS": "numba",
}


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def announce(threads: int) -> None:
    """Tells the libraries that this process has not loaded yet."""
    for variable, reader in _READERS.items():
        if reader not in sys.modules:
            os.environ[variable] = str(threads)
    if "paddle" not in sys.modules:
        # Paddle's OpenMP lets its threads spin for 200 ms after their work, on the cores that whoever
        # is measured next would use.
        os.environ.setdefault("KMP_BLOCKTIME", "1")


@contextmanager
def limited_to(threads: int) -> Iterator[None]:
    """Inside, the libraries that are loaded, ours among them, run on at most this many threads.

    Numba remembers its number for each Python thread, so enter this in the thread that measures.
    """
    restore: list[tuple[Any, int]] = []
    for name in ("numba", "torch"):
        library: Any = sys.modules.get(name)
        if library is not None:
            most = library.config.NUMBA_NUM_THREADS if name == "numba" else threads
            restore.append((library.set_num_threads, library.get_num_threads()))
            library.set_num_threads(min(threads, most))
    if "paddle" in sys.modules:  # it has no function that tells the number before
        sys.modules["paddle"].base.core.set_num_threads(threads)
    try:
        yield
    finally:
        for setter, count in restore:
            setter(count)
