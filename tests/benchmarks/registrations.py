"""Hundreds of registrations in one file: how long expansion takes and what its trace holds, static
initialisation after it, and how soon the workshop shows what a key has changed.

Run it as `python tests/benchmarks/registrations.py [KERNELS]`. None of the kernel functions is declared
anywhere, as in a file of a user whose headers are not there: each kernel must still be registered.
"""

from __future__ import annotations

import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from registry_runtime.kernels import find
from registry_runtime.phi.runtime import Runtime
from visualizer.expansion import Options, memory, preprocess
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.expanded_text import ExpandedText
from visualizer.workbench.samples import samples_folder
from visualizer.workshop.ahead import ahead
from visualizer.workshop.attempt import attempt

ROUNDS = 5
TYPES = ("float", "double", "int", "int64_t", "bool", "phi::dtype::float16")
OPTIONS = Options(include_folders=(str(samples_folder() / "phi"),), cc="none")


def made_up(kernels: int) -> dict[str, Sequence[str]]:
    """Names, each with three to six types."""
    return {f"made_up_{i}": TYPES[: 3 + i % 4] for i in range(kernels)}


def source_of(kernels: Mapping[str, Sequence[str]]) -> str:
    """A file that registers these kernels on the CPU; every fifth has braces that do something."""
    text = '#include "kernel_registry.h"\n#include "their_kernels.h"\n'
    for i, (name, types) in enumerate(kernels.items()):
        function = "phi::" + "".join(word.title() for word in name.split("_")) + "Kernel"
        body = " kernel->InputAt(0).SetBackend(phi::Backend::ALL_BACKEND); " if i % 5 == 0 else ""
        head = f"PD_REGISTER_KERNEL({name}, CPU, ALL_LAYOUT, {function}"
        text += f"{head}, {', '.join(types)}) {{{body}}}\n"
    return text


def opened(path: Path, kernels: Mapping[str, Sequence[str]]) -> Workbench:
    """A bench on that source."""
    path.write_text(source_of(kernels))
    return open_file(path, OPTIONS)


def seconds_to_register(text: str) -> float:
    """One static initialisation of expanded text, into a new registry."""
    runtime = Runtime(find)
    started = time.process_time()
    runtime.run(text)
    return time.process_time() - started


def seconds_to_trace_ahead(path: Path, source: str) -> float:
    """One key in a line in the middle, until that line is traced: of the processor."""
    before = attempt(path, OPTIONS, {})
    where = source.index("float", len(source) // 2)
    typed = f"{source[:where]}double, {source[where:]}"
    started = time.process_time()
    assert ahead(before, {path: typed}, source.count("\n", 0, where) + 1) is not None
    return time.process_time() - started


def main(kernels: int) -> None:
    """Print the best times of the processor, and the medians."""
    gc.set_threshold(200_000, 50, 50)  # as the command `unfold` does
    made = made_up(kernels)
    entries = sum(map(len, made.values()))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "made_up.cc")
        path.write_text(source_of(made))
        expansion, initialisation, whole = [], [], []
        before = memory.held()
        trace = preprocess(path, OPTIONS, skip_included_text=True)
        held = memory.held() - before
        del trace
        for _ in range(ROUNDS):
            started = time.process_time()
            trace = preprocess(path, OPTIONS, skip_included_text=True)
            text = ExpandedText(trace).text
            expansion.append(time.process_time() - started)
            initialisation.append(seconds_to_register(text))
            started = time.process_time()
            open_file(path, OPTIONS)
            whole.append(time.process_time() - started)
        keys = [seconds_to_trace_ahead(path, source_of(made)) for _ in range(2)]
    print(f"{kernels:,} registrations, {entries:,} kernels, {len(text):,} characters expanded")
    print(f"  {'the trace':34} {held / 1e6:.0f} MB, {held / kernels / 1e3:.0f} KB each")
    for what, times in (
        ("expansion", expansion),
        ("static initialisation", initialisation),
        ("both, and the links between them", whole),
        ("a key, until its line is traced", keys),
    ):
        best, median = min(times), statistics.median(times)
        print(f"  {what:34} best {best * 1e3:7.1f} ms   median {median * 1e3:7.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
