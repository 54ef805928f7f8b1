"""How long it takes from a key to the picture that answers it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from textual.app import App

from tests.pace import slowness
from tests.waiting import PATIENCE

MOST = 3 * 0.016  # seconds of the loop's processor time: a person should wait for a frame at most
LATE = 0.95  # of the keys are answered sooner
ATTEMPTS = 3


async def is_at_once(begin: Callable[[], App[Any]], key: str, times: int) -> bool:
    """Whether a key, pressed so often, has its picture in time. Of some runs each key's quickest
    counts: others on the machine delay another one each time, and what a key itself takes it takes
    always."""
    quickest = [PATIENCE] * times
    for _ in range(ATTEMPTS):
        quickest = [*map(min, quickest, await _answers(begin(), key, times))]
        waits = sorted(quickest)
        median, late = waits[times // 2], waits[int(times * LATE)]
        print(f"key to picture: median {median * 1e3:.1f} ms, 95th percentile {late * 1e3:.1f} ms")
        if late < MOST * slowness():
            return True
    return False


async def _answers(app: App[Any], key: str, times: int) -> list[float]:
    painted = 0.0

    def display(*arguments: Any) -> None:
        nonlocal painted
        original(*arguments)
        painted = time.thread_time()

    original, app._display = app._display, display  # type: ignore[method-assign]
    waits = []
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        for _ in range(times):
            pressed = time.thread_time()
            app.simulate_key(key)
            async with asyncio.timeout(PATIENCE):
                while painted < pressed:
                    await asyncio.sleep(0.001)
            waits.append(painted - pressed)
    return waits
