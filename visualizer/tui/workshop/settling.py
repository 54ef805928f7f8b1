"""Something that is done a moment after the last key, and not at each one.

It is asked for at every key. It runs when no key has come for a while, or when the reader has been
typing without a pause for long; never twice at a time. What is asked for while it runs is done again
when it has ended, so in the end it has seen the latest state of things.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any


class Settling:
    """Does `action`. `start` runs a coroutine: a screen's `run_worker`."""

    def __init__(
        self,
        start: Callable[[Coroutine[None, None, None]], Any],
        action: Callable[[], Awaitable[None]],
        pause: float,
        longest: float = 1.0,
    ) -> None:
        self._start = start
        self._action = action
        self._pause = pause
        self._longest = longest
        self._first = self._last = 0.0  # when it was asked for, since it was done
        self._asked = self._running = False
        self._done = asyncio.Event()
        self._done.set()

    @property
    def waiting(self) -> bool:
        """Whether it is asked for and hasn't begun."""
        return self._asked

    def ask(self) -> None:
        self._last = asyncio.get_running_loop().time()
        if not self._asked:
            self._asked, self._first = True, self._last
        self._done.clear()
        if not self._running:
            self._running = True
            self._start(self._follow())

    async def done(self) -> None:
        """Wait until it has been done for all that was asked."""
        await self._done.wait()

    async def _follow(self) -> None:
        try:
            while self._asked:
                await self._pause_between_keys()
                self._asked = False
                await self._action()
            self._done.set()
        finally:
            self._running = False

    async def _pause_between_keys(self) -> None:
        clock = asyncio.get_running_loop().time
        while (end := min(self._last + self._pause, self._first + self._longest)) > clock():
            await asyncio.sleep(end - clock())
