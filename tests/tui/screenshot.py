"""`make screenshot` draws the README's pictures from the app itself: the stepper half-way through a
registration, a lesson, the workshop with a mistake, and a kernel that was run."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

from textual.pilot import Pilot

from visualizer.tui.app import UnfoldApp
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.samples import samples_folder

PICTURES = Path(__file__).parents[2] / "visualizer" / "tui" / "pictures"
SIZE = (150, 44)


async def draw(name: str, app: UnfoldApp, *keys: str) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        for key in keys:
            await pilot.press(key)
            await settle(pilot)
        picture = PICTURES / f"{name}.svg"
        picture.write_text(app.export_screenshot(title="Unfold"), encoding="utf-8")
        print(f"{picture}: {picture.stat().st_size / 1000:.0f} KB")


async def settle(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause(0.3)


def half_way(bench: Workbench) -> tuple[int, int]:
    expansion = bench.first_registration() or 0
    third = [entry for entry in bench.entries if entry.expansion == expansion][2]
    return expansion, bench.born(third)[1]


async def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    bench = open_file(samples_folder() / "phi" / "bitwise_kernel.cc")
    await draw("stepper", UnfoldApp(bench, *half_way(bench)))
    await draw("lesson", UnfoldApp(lesson="phi/1"), "down", "enter")
    await draw("run", UnfoldApp(bench, *half_way(bench)), "r", "r")
    mistake = Path(os.environ["UNFOLD_CONFIG_DIR"]) / "bitwise_kernel.cc"
    text = bench.path.read_text(encoding="utf-8").replace("int64_t) {}", "int64) {}", 1)
    mistake.write_text(text, encoding="utf-8")
    from dataclasses import replace

    options = replace(bench.options, include_folders=(str(bench.path.parent),))
    await draw("workshop", UnfoldApp(open_file(mistake, options), *half_way(bench)), "w")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["UNFOLD_CONFIG_DIR"] = folder
        asyncio.run(main())
