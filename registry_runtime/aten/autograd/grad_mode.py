"""`c10::GradMode`: whether this thread notes how its results came about.

It is another thing than the keys that a thread leaves out. `at::NoGradGuard` changes no dispatch: the
Autograd kernels are called all the same, and find that they have nothing to note
(`c10/core/GradMode.h` of PyTorch 2.13).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _GradMode(threading.local):
    enabled: bool = True


_mode = _GradMode()


def is_enabled() -> bool:
    """Whether results are noted: yes, unless somebody says no."""
    return _mode.enabled


@contextmanager
def AutoGradMode(enabled: bool) -> Iterator[None]:
    """In the block it is so; behind it as before."""
    before, _mode.enabled = _mode.enabled, enabled
    try:
        yield
    finally:
        _mode.enabled = before
