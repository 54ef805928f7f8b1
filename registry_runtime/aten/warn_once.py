"""`TORCH_WARN_ONCE` (`c10/util/Exception.h`)."""

from __future__ import annotations

from collections.abc import Callable


class WarnOnce:
    """One warning of a place in a program's life, here in a world's."""

    def __init__(self, warn: Callable[[str], object]) -> None:
        self._warn = warn
        self._warned = False

    def __call__(self, message: str) -> None:
        if not self._warned:
            self._warned = True
            self._warn(message)
