"""When a picture may be taken, or a screen be asked: when nothing is under way any more.

Time says nothing about that on a busy machine. Whatever may still change the screen is asked: workers,
messages, what waits for the next refresh, animations, and the short timers of what happens a moment
after a key. Timers that tick for ever are left out, and so are those of messages that go by.

Textual's pilot goes by time: after each key and each pause it sleeps until the process has been idle
for 20 ms, which was half of what these tests took. `idle` stands in its place.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import get_native_id
from time import process_time
from typing import Any

from textual import events
from textual._context import active_app
from textual.app import App
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import DirectoryTree, Input, TextArea
from textual.worker import Worker

from tests.waiting import PATIENCE
from visualizer.tui.terminal import TerminalApp

A_MOMENT = 1.0  # seconds: a timer for longer is for the reader's eyes
_DRAWING = "layout", "scroll", "repaint", "recompose"
MOST = 5.0  # seconds of the processor's time
ROUND, AT_WORK = 0.02, 0.001  # seconds of sleep, and of work in it, by which Textual judges
TURN = 0.004  # seconds: for what a thread or a timer is to do


async def settled(pilot: Pilot[Any]) -> None:
    """Wait until nothing is under way, twice in a row: what ended last may have begun something."""
    clock = asyncio.get_running_loop().time
    end = clock() + PATIENCE
    quiet = 0
    while quiet < 2:
        await pilot.pause()
        _hold_cursors_still(pilot.app.screen)
        under_way = list(_under_way(pilot.app))
        quiet = 0 if under_way else quiet + 1
        if clock() > end:
            raise AssertionError(f"still under way: {under_way}")


async def idle(_: float = 0.0) -> None:
    """Until nothing is under way. Where something stays so without any work, as long as Textual waits:
    a worker may wait for what a test does next. Where it works on and on, for `MOST`."""
    app, loop, began = active_app.get(), asyncio.get_running_loop(), process_time()
    while process_time() - began < MOST:
        turn = loop.time() + ROUND
        while loop.time() < turn:
            if await _drawn(app) and not any(_under_way(app)):
                return
            await asyncio.sleep(TURN)
        if await _works_less_than(AT_WORK):
            return


async def _works_less_than(seconds: float) -> bool:
    """Whether the process does less in a round in which it is left alone. The looking above is work
    too, on a slow machine as much as Textual's limit: with it the judgement would never come."""
    waited = _in_line()
    worked = process_time()
    await asyncio.sleep(ROUND)
    worked = process_time() - worked
    return worked + _in_line() - waited < seconds


def _in_line() -> float:
    """Seconds that the threads beside this one have waited for the processor while others had it, which
    Linux tells: on a busy machine who is at work may come to nothing for a while."""
    waited, mine = 0, str(get_native_id())
    for thread in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError):  # it has ended
            waited += int(thread.read_text().split()[1]) if thread.parent.name != mine else 0
    return waited / 1e9


async def _drawn(app: App[Any]) -> bool:
    """Let happen all that can happen now. What is to be drawn needn't wait for the next frame."""
    for _ in range(100):
        await asyncio.sleep(0)
        if asyncio.get_running_loop()._ready:  # type: ignore[attr-defined]
            continue
        screen = app.screen
        if (
            not any(getattr(screen, f"_{what}_required") for what in _DRAWING)
            and not screen._dirty_widgets
        ):
            return True
        screen._on_timer_update()
    return False


async def burst(pilot: Pilot[Any], *keys: str) -> None:
    """Type keys before the app has looked at the first of them."""
    for key in keys:
        letter = len(key) == 1
        name = _character_to_key(key) if letter else key
        pilot.app.post_message(events.Key(name, key if letter else None))
    await settled(pilot)


def pressing(*keys: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """What to do before a picture: press keys, and let each have its effect."""

    async def press(pilot: Pilot[Any]) -> None:
        await settled(pilot)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)

    return press


def _under_way(app: App[Any]) -> Iterator[object]:
    screen = app.screen
    yield from (worker for worker in app.workers if not _is_idle(worker))
    if isinstance(app, TerminalApp) and app.typed.under_way:
        yield app.typed
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
