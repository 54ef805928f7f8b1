"""How long a key waits for its picture: `python tests/benchmarks/keys.py`.

A registration of 15 data types is stepped through from end to end, then a trace of 100,000 steps in
three places: at its beginning, in its middle, at its end. Keys come as from one that is held, 30 in a
second. Printed are the median and the 95th percentile of what the clock says and of what the processor
did, which tells more where others are at work; a frame of the screen is 16 ms.
"""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from rich.console import ConsoleRenderable
from textual._compositor import CompositorUpdate
from textual.screen import Screen

from visualizer.tui.app import UnfoldApp
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.samples import samples_folder

FIFTEEN = samples_folder() / "phi" / "all_dtypes.cc"
HELD = 0.033  # seconds between the repetitions of a key that is held
TEN = "L{0} L{0} L{0} L{0} L{0} L{0} L{0} L{0} L{0} L{0}"
LONG = "#define L0 {leaf}\n" + "".join(f"#define L{n + 1} {TEN.format(n)}\n" for n in range(5))
REGISTRATION = """\
#include "kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void AllKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
}
PD_REGISTER_KERNEL(all, CPU, ALL_LAYOUT, phi::AllKernel, bool, uint8_t, int8_t, int16_t, int,
                   int64_t, uint16_t, uint32_t, uint64_t, float, double, phi::dtype::float16,
                   phi::dtype::bfloat16, phi::dtype::complex<float>, phi::dtype::complex<double>) {}
"""


async def waits(bench: Workbench, expansion: int, states: range) -> list[tuple[float, float]]:
    """Seconds from each key to its picture, stepping through these states: by the clock, and of the
    processor."""
    app = UnfoldApp(bench, expansion, states[0])
    painted = 0.0

    def display(screen: Screen[object], picture: ConsoleRenderable | None) -> None:
        nonlocal painted
        original(screen, picture)
        if isinstance(picture, CompositorUpdate):
            picture.render_segments(app.console)  # what a terminal would be sent
        painted = time.perf_counter()

    original, app._display = app._display, display  # type: ignore[method-assign]
    found = []
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        gc.freeze()  # as the app does where there is a terminal
        for _ in states:
            pressed, worked = time.perf_counter(), time.process_time()
            app.simulate_key("right")
            while painted < pressed and time.perf_counter() - pressed < 1:
                await asyncio.sleep(0)
            found.append((painted - pressed, time.process_time() - worked))
            await asyncio.sleep(HELD)
    return found


def measure(name: str, bench: Workbench, expansion: int, *states: range) -> None:
    found = [wait for some in states for wait in asyncio.run(waits(bench, expansion, some))]
    print(f"{name:50}", *map(told, ("clock", "processor"), zip(*found, strict=True)), sep="  ")


def told(what: str, seconds: Iterable[float]) -> str:
    ordered = sorted(seconds)
    median, late = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
    return f"{what}: median {median * 1e3:5.1f} ms, 95th percentile {late * 1e3:5.1f} ms"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "all_kernel.cc"
        path.write_text(REGISTRATION)
        from visualizer.expansion import Options

        bench = open_file(path, Options(include_folders=(str(FIFTEEN.parent),)))
        expansion = bench.first_registration() or 0
        measure("15 data types", bench, expansion, range(len(bench.timeline(expansion))))
        for name, leaf in (("100,000 steps", ""), ("100,000 steps, a line that grows", "x")):
            path = Path(folder) / "long.c"
            path.write_text(LONG.format(leaf=leaf) + "L5\n")
            bench = open_file(path)
            last = len(bench.timeline(0))
            places = [range(at, at + 100) for at in (0, last // 2, last - 101)]
            measure(f"{name} ({last:,})", bench, 0, *places)


if __name__ == "__main__":
    main()
