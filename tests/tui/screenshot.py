"""`make screenshot` draws the README's picture from the app itself, half-way through a registration."""

from __future__ import annotations

import asyncio
from pathlib import Path

from visualizer.samples import samples_folder
from visualizer.tui.app import UnfoldApp
from visualizer.workbench import open_file

PICTURE = Path(__file__).parents[2] / "visualizer" / "tui" / "screenshot.svg"


async def draw() -> None:
    bench = open_file(samples_folder() / "phi" / "bitwise_kernel.cc")
    expansion = bench.first_registration() or 0
    third = [entry for entry in bench.entries if entry.expansion == expansion][2]
    app = UnfoldApp(bench, expansion, bench.born(third)[1])
    async with app.run_test(size=(150, 44)) as pilot:
        await pilot.pause(0.5)
        PICTURE.write_text(app.export_screenshot(title="Unfold"), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(draw())
    print(f"{PICTURE}: {PICTURE.stat().st_size / 1000:.0f} KB")
