"""A registration that undoes itself: drop the handle, and what it registered is gone.

In C++ the handles of a library are members of a static object. So they are destroyed when the
program ends or the shared object is unloaded, perhaps later than the dispatcher itself. Hence the
`Guard`: handles and dispatcher share it, it lives as long as the last of them, and says whether
there is still a dispatcher to undo anything in.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Guard:
    """`Dispatcher::Guard`. Whoever changes the dispatcher's registries holds `mutex`."""

    alive: bool = True
    # Re-entrant: dropping a handle may drop another, which in Python can happen anywhere.
    mutex: threading.RLock = field(default_factory=threading.RLock)


class RegistrationHandleRAII:
    """`c10::RegistrationHandleRAII`. `reset()` undoes the registration, once; so does dropping it."""

    __slots__ = ("_on_destruction",)

    def __init__(self, on_destruction: Callable[[], None]) -> None:
        self._on_destruction: Callable[[], None] | None = on_destruction

    def reset(self) -> None:
        """Undo the registration now; a second time does nothing."""
        undo, self._on_destruction = self._on_destruction, None
        if undo is not None:
            undo()

    def __del__(self) -> None:
        if not sys.is_finalizing():
            self.reset()
