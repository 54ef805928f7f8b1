"""How fast and how large: `python tests/benchmarks/expansion.py` prints a table of ratios.

Both sides of a ratio are measured in turns in one process, since absolute times on a shared machine
say nothing; the aims are those of the design.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pcpp

from visualizer.expansion import Options, preprocess
from visualizer.expansion.trace import Step
from visualizer.workbench.samples import samples_folder

HEADER = samples_folder() / "phi" / "kernel_registry.h"
FIFTEEN = (
    "bool, uint8_t, int8_t, int16_t, int, int64_t, float, double, phi::float16, phi::bfloat16, "
    "uint16_t, uint32_t, uint64_t, phi::complex64, phi::complex128"
)
REGISTRATION = f"PD_REGISTER_KERNEL(op, CPU, ALL_LAYOUT, phi::OpKernel, {FIFTEEN}) {{}}\n"
# The pattern of deferred recursion: each level rescans what the one below left, four times.
LEVELS = 5
EVAL = "".join(
    f"#define EVAL{n}(...) " + "".join(f"EVAL{n - 1}(" for _ in range(4)) + "__VA_ARGS__" + "))))\n"
    for n in range(1, LEVELS + 1)
)
REPEAT = (
    "#define EVAL0(...) __VA_ARGS__\n" + EVAL + "#define EMPTY()\n#define DEFER(id) id EMPTY()\n"
    "#define OBSTRUCT(...) __VA_ARGS__ DEFER(EMPTY)()\n"
    "#define LOOP(x) x OBSTRUCT(LOOP_)()(x)\n#define LOOP_() LOOP\n"
)


def traced_against_pcpp(folder: Path) -> tuple[float, float]:
    """Seconds for tracing the 15-dtype registration, and for pcpp's plain expansion of it."""
    from visualizer.expansion.include_path import BESIDE, FoundFile
    from visualizer.expansion.lexer import tokenize
    from visualizer.expansion.preprocessor import Preprocessor

    theirs = _Pcpp()
    theirs.parse("\n" + HEADER.read_text(), str(HEADER))
    theirs.write(io.StringIO())
    ours = Preprocessor(Options().settled("header.cc"))
    list(ours.read(FoundFile(str(HEADER), BESIDE, False), "header", HEADER.read_text()))

    def trace() -> None:
        tokens = [t for line in tokenize(REGISTRATION, "x") for t in line]
        ours.expander.expand_invocation(iter(tokens), last=True)

    def plain() -> None:
        theirs.expand_macros(theirs.tokenize(REGISTRATION))

    return best_in_turns(trace, plain)


class _Pcpp(pcpp.Preprocessor):  # type: ignore[misc]
    def on_include_not_found(self, *_: object) -> None:
        raise pcpp.OutputDirective(pcpp.Action.IgnoreAndRemove)


def best_in_turns(
    ours: Callable[[], object], theirs: Callable[[], object], turns: int = 7
) -> tuple[float, float]:
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(turns):
        for function, spent in zip((ours, theirs), times, strict=True):
            started = time.perf_counter()
            function()
            spent.append(time.perf_counter() - started)
    return min(times[0]), min(times[1])


def megabytes_of_100_000_steps(folder: Path) -> tuple[float, int]:
    doubling = "".join(f"#define D{n} D{n - 1} D{n - 1}\n" for n in range(1, 17))
    file = folder / "steps.c"
    file.write_text(f"#define D0 x\n{doubling}D15 D14 D13\n")
    tracemalloc.start()
    trace = preprocess(file)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6, sum(len(e.steps) for e in trace.expansions)


def seconds_of_recursion(folder: Path, depth: int) -> tuple[float, int]:
    file = folder / "eval.c"
    file.write_text(REPEAT + f"EVAL{depth}(LOOP(a b c d))\n")
    started = time.perf_counter()
    trace = preprocess(file)
    return time.perf_counter() - started, sum(spliced(e.steps) for e in trace.expansions)


def spliced(steps: list[Step]) -> int:
    """Tokens put in by these steps, and by those of their arguments' prescans."""
    prescans = (a.prescan.steps for s in steps for a in s.arguments if a.prescan)
    return sum(len(s.insert) for s in steps) + sum(map(spliced, prescans))


def start_up_seconds() -> float:
    command = [
        sys.executable,
        "-c",
        "import sys; from visualizer.cli import main; sys.exit(main())",
    ]
    times = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run([*command, "steps", str(HEADER)], capture_output=True, check=True)
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="unfold-bench-"))
    ours, theirs = traced_against_pcpp(folder)
    print(f"tracing 15 dtypes ÷ pcpp's plain expansion   {ours / theirs:5.2f}   aim ≤ 1.0")
    megabytes, steps = megabytes_of_100_000_steps(folder)
    print(f"memory of a trace of {steps:,} steps   {megabytes:5.0f} MB  aim ≤ 300 MB for 100,000")
    for depth in range(3, LEVELS + 1):
        seconds, tokens = seconds_of_recursion(folder, depth)
        each = seconds / tokens * 1e6
        print(
            f"EVAL of 4^{depth} levels: {seconds:5.2f} s   {each:5.2f} µs for each of {tokens:,} tokens"
        )
    print(f"start-up, `unfold steps` on a header          {start_up_seconds():5.2f} s  aim ≤ 0.5 s")


if __name__ == "__main__":
    main()
