"""From a key to the picture: what a step costs while a whole registration is stepped through."""

import asyncio
import time

from visualizer.tui.app import UnfoldApp

FRAME = 0.016  # what a person should wait at most; the bound below leaves room for a busy machine


async def test_a_key_is_answered_at_once(bitwise):
    app = UnfoldApp(bitwise, 3)
    painted = 0.0

    def display(*arguments):
        nonlocal painted
        original(*arguments)
        painted = time.perf_counter()

    original, app._display = app._display, display
    waits = []
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        for _ in bitwise.timeline(3).moments:
            pressed = time.perf_counter()
            app.simulate_key("right")
            while painted < pressed and time.perf_counter() - pressed < 1:
                await asyncio.sleep(0)
            waits.append(painted - pressed)
            await asyncio.sleep(0.002)
    waits.sort()
    median, late = waits[len(waits) // 2], waits[int(len(waits) * 0.95)]
    print(f"key to picture: median {median * 1e3:.1f} ms, 95th percentile {late * 1e3:.1f} ms")
    assert late < FRAME * 3
