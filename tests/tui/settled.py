"""When a picture may be taken, or a screen be asked: when nothing is under way any more.

Time says nothing about that on a busy machine. Whatever may still change the screen is asked: workers,
messages, what waits for the next refresh, animations, and the short timers of what happens a moment
after a key. Timers that tick for ever are left out, and so are those of messages that go by.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from textual.pilot import Pilot
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import DirectoryTree, Input, TextArea
from textual.worker import Worker

A_MOMENT = 1.0  # seconds: a timer for longer is for the reader's eyes
LONGEST = 60.0  # seconds


async def settled(pilot: Pilot[Any]) -> None:
    """Wait until nothing is under way, twice in a row: what ended last may have begun something."""
    clock = asyncio.get_running_loop().time
    end = clock() + LONGEST
    quiet = 0
    while quiet < 2:
        await pilot.pause()
        _hold_cursors_still(pilot.app.screen)
        under_way = list(_under_way(pilot))
        quiet = 0 if under_way else quiet + 1
        if clock() > end:
            raise AssertionError(f"still under way: {under_way}")


def pressing(*keys: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """What to do before a picture: press keys, and let each have its effect."""

    async def press(pilot: Pilot[Any]) -> None:
        await settled(pilot)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)

    return press


def _under_way(pilot: Pilot[Any]) -> Iterator[object]:
    app, screen = pilot.app, pilot.app.screen
    yield from (worker for worker in app.workers if not _is_idle(worker))
    yield from (*app.animator._animations, *app.animator._scheduled)
    yield from (*screen._callbacks, *screen._dirty_widgets)
    for node in (app, *screen.walk_children(with_self=True)):
        if node.message_queue_size or node._next_callbacks:
            yield node
        yield from (timer for timer in node._timers if _soon(timer))


def _is_idle(worker: Worker[Any]) -> bool:
    """Whether it has ended, or waits: for something to do, as that of a tree of folders always does, or
    on a screen that another one covers, for the reader's answer there."""
    node = worker.node
    if isinstance(node, DirectoryTree):
        return worker.is_finished or not node._load_queue._unfinished_tasks
    return worker.is_finished or (isinstance(node, Screen) and node is not node.app.screen)


def _soon(timer: Timer) -> bool:
    runs = timer._task is not None and not timer._task.done() and timer._active.is_set()
    return runs and timer._repeat is not None and timer._interval <= A_MOMENT


def _hold_cursors_still(screen: Screen[Any]) -> None:
    for field in (*screen.query(Input), *screen.query(TextArea)):
        field.cursor_blink = False
