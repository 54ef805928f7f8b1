"""A registration through real headers: `python tests/benchmarks/real_headers.py` prints a table.

Each row is a whole command, from the start of a process to its end, against `g++ -E` of the same file
with the same folders; the commands take turns, so that a busy machine is busy for both. *First time*
means an empty cache: the compiler is asked, every header is read, the entry is written. The headers
are those of `PADDLE_INCLUDE` and `TORCH_INCLUDE`, or of the installed wheels.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.real.frameworks import folders
from visualizer.workbench import wheels

ROUNDS = 9
UNFOLD = [sys.executable, "-c", "import sys; from visualizer.cli import main; sys.exit(main())"]
PADDLE = """\
#include "paddle/phi/core/kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void MineKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
}  // namespace phi
PD_REGISTER_KERNEL(mine, CPU, ALL_LAYOUT, phi::MineKernel, float, double, int, int64_t) {}
"""
TORCH = """\
#include <torch/library.h>
at::Tensor mine(const at::Tensor& self) { return self; }
TORCH_LIBRARY_IMPL(aten, CPU, m) { m.impl("mine", &mine); }
"""
FILES = (
    ("Paddle", PADDLE, wheels.PADDLE, "PADDLE_INCLUDE"),
    ("PyTorch", TORCH, wheels.TORCH, "TORCH_INCLUDE"),
)


def measured(file: Path, include: tuple[str, ...], cache: Path) -> dict[str, list[float]]:
    """Seconds of each command, round by round."""
    flags = [f"-I{folder}" for folder in include]
    unfold = [*UNFOLD, "steps", str(file), *flags]
    # Python's own cache of compiled modules is on, as it is for a user.
    surroundings = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    surroundings |= {"XDG_CACHE_HOME": str(cache), "PYTHONPYCACHEPREFIX": str(cache / "modules")}
    surroundings["PYTHONPATH"] = str(Path(__file__).parents[2])

    def run(command: list[str]) -> float:
        started = time.perf_counter()
        subprocess.run(command, env=surroundings, stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - started

    run(unfold)
    seconds: dict[str, list[float]] = {"g++ -E": [], "first time": [], "cached": []}
    for _ in range(ROUNDS):
        seconds["g++ -E"].append(run(["g++", "-E", "-std=gnu++17", *flags, str(file)]))
        shutil.rmtree(cache / "unfold", ignore_errors=True)
        seconds["first time"].append(run(unfold))
        seconds["cached"].append(run(unfold))
    return seconds


def main() -> None:
    aims = {"g++ -E": "", "first time": "≤ 4", "cached": "≤ 1.0"}
    print("| a registration through | command | best, ms | median, ms | ÷ g++ -E | aim |")
    print("|---|---|---|---|---|---|")
    for name, text, wheel, variable in FILES:
        with tempfile.TemporaryDirectory(prefix="unfold-bench-") as temporary:
            file = Path(temporary, "main.cc")
            file.write_text(text)
            seconds = measured(file, folders(wheel, variable), Path(temporary, "cache"))
        theirs = statistics.median(seconds["g++ -E"])
        for command, times in seconds.items():
            best, median = min(times) * 1000, statistics.median(times)
            ratio = median / theirs
            row = f"| {name} | {command} | {best:.0f} | {median * 1000:.0f} | {ratio:.2f} |"
            print(f"{row} {aims[command] if name == 'Paddle' else ''} |")


if __name__ == "__main__":
    main()
