"""Each key acts where the keys before it have led, however fast they come.

Textual hands a key to what has the focus, and goes on to the next one while the first is still on its
way up, from queue to queue, to where it is bound. Over a slow line keys come in bursts: then letters
are typed before the arrow that stood between them, and what is meant for a screen that opens reaches
the one that it opens over. Here a key goes on its way when the one before has come to its end, and what
it has set going stands: a screen is made, the focus has moved. What a worker makes for the next keys to
act on, it makes in the group `COMING`; a screen with `KEEPS_KEYS` has no use for any but its own.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from textual import events
from textual.app import App, ScreenStackError
from textual.message_pump import MessagePump
from textual.widget import Widget

COMING = "coming"
_A_MOMENT = 0.25  # seconds that a key waits for what comes; then it is one for what stands there
_LONGEST = 2.0  # that it waits for the one before: what hangs shall not take all keys with it
_TURN = 0.005

Typed = events.Key | events.Paste


class InOrder:
    """The keys of an app that wait for their turn. `act` lets one act."""

    def __init__(self, app: App[Any], act: Callable[[events.Event], Awaitable[None]]) -> None:
        self._app, self._act = app, act
        self._waiting: deque[Typed] = deque()
        self._task: asyncio.Task[None] | None = None

    @property
    def under_way(self) -> bool:
        return self._task is not None

    async def take(self, typed: Typed) -> None:
        if self._ends_the_wait(typed):
            self._waiting.clear()
            await self._act(typed)
            return
        self._waiting.append(typed)
        if self._task is None:
            self._task = asyncio.create_task(self._go_on())

    def _ends_the_wait(self, typed: Typed) -> bool:
        """Whether it is a key of the screen that others wait behind."""
        screen = self._app.screen
        keeps = getattr(screen, "KEEPS_KEYS", False)
        return keeps and isinstance(typed, events.Key) and typed.key in screen.active_bindings

    async def _go_on(self) -> None:
        with suppress(ScreenStackError):  # the app has ended
            while self._waiting:
                await self._arrival()
                if self._waiting and self._app.call_later(self._act, self._waiting.popleft()):
                    with suppress(TimeoutError):
                        async with asyncio.timeout(_LONGEST):
                            await self._effect(self._place)
        self._task = None

    @property
    def _place(self) -> Widget:
        """Where a key goes first."""
        return self._app.focused or self._app.screen

    async def _arrival(self) -> None:
        """Until what the next key is for is there."""
        end = monotonic() + _A_MOMENT
        while self._app.is_running and (
            not self._app.screen.is_mounted
            or getattr(self._app.screen, "KEEPS_KEYS", False)
            or (self._is_coming() and monotonic() < end)
        ):
            await asyncio.sleep(_TURN)

    def _is_coming(self) -> bool:
        here = self._app.screen
        return any(
            worker.group == COMING and worker.node is here and not worker.is_finished
            for worker in self._app.workers
        )

    async def _effect(self, place: Widget) -> None:
        """Until a key has gone all its way up, and the focus is where it has put it."""
        await _at_rest(self._app)
        while True:
            for node in place.ancestors_with_self:
                await _at_rest(node)
            if self._app.screen._callbacks:  # what was put off until it is drawn
                drawn = asyncio.Event()
                self._app.screen.call_after_refresh(drawn.set)
                await drawn.wait()
            if self._place is place:
                return
            place = self._place


async def _at_rest(node: MessagePump) -> None:
    """Until it has done what waits for it, and what it told itself to do meanwhile."""
    for _ in range(2):
        done = asyncio.Event()
        if node.call_later(done.set):
            await done.wait()
