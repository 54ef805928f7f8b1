"""From a key to the picture: what a step costs while a whole registration is stepped through."""

import asyncio
import time

from visualizer.tui.app import UnfoldApp

FRAME = 0.016  # what a person should wait at most; the bound below leaves room for a busy machine


ATTEMPTS = 3  # on a machine where others are at work, one quiet stretch is enough to tell


async def test_a_key_is_answered_at_once(bitwise):
    for _ in range(ATTEMPTS):
        waits = sorted(await waits_of_a_walk(bitwise))
        median, late = waits[len(waits) // 2], waits[int(len(waits) * 0.95)]
        print(f"key to picture: median {median * 1e3:.1f} ms, 95th percentile {late * 1e3:.1f} ms")
        if late < FRAME * 3:
            break
    assert late < FRAME * 3


async def waits_of_a_walk(bench):
    """Seconds from each key to its picture, from the source line to the expanded one."""
    app = UnfoldApp(bench, 3)
    painted = 0.0

    def display(*arguments):
        nonlocal painted
        original(*arguments)
        painted = time.perf_counter()

    original, app._display = app._display, display
    waits = []
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        for _ in bench.timeline(3).moments:
            pressed = time.perf_counter()
            app.simulate_key("right")
            while painted < pressed and time.perf_counter() - pressed < 1:
                await asyncio.sleep(0)
            waits.append(painted - pressed)
            await asyncio.sleep(0.002)
    return waits
