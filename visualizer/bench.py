"""`unfold bench`: measure, show how far it is, print what came of it, keep it.

What was measured before Ctrl-C is printed and saved all the same.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from registry_runtime.benchmark import threads
from visualizer.expansion import InputError
from visualizer.samples import sample_files

if TYPE_CHECKING:
    from registry_runtime.benchmark.results import Change, Results
    from registry_runtime.benchmark.run import Progress, Request
    from registry_runtime.phi.runtime import Runtime

Show = Callable[["Progress"], None]
INTERRUPTED = 130


def bench(arguments: argparse.Namespace) -> int:
    """The exit code; 1 for what can't be measured, 130 where it was interrupted."""
    count = threads.cores() if arguments.threads is None else arguments.threads
    threads.announce(count)  # before anything loads NumPy
    from registry_runtime.benchmark import results as documents
    from registry_runtime.benchmark.run import Request
    from registry_runtime.benchmark.sweep import BenchmarkError, plan
    from registry_runtime.kernels import KernelError

    found: Results | None = None
    try:
        cases = plan(arguments.kernels, arguments.dtypes, arguments.sizes, arguments.backend)
        earlier = documents.load(arguments.compare) if arguments.compare else None
        _check_place(arguments.save)
        request = Request(
            cases,
            arguments.against,
            arguments.seconds,
            count,
            _registry() if arguments.backend == "CPU" else None,
            arguments.builds,
        )
        found, interrupted = _measure(request)
        if found is None:
            return INTERRUPTED
        if arguments.save:
            _save(found, arguments.save)
    except (BenchmarkError, KernelError) as error:
        print(f"unfold: error: {error}", file=sys.stderr)
        return 1
    changes = None if earlier is None else documents.compare(found, earlier)
    if earlier is not None and earlier.machine.device != found.machine.device:
        print(
            f"unfold: warning: {arguments.compare} was measured on {earlier.machine.device}",
            file=sys.stderr,
        )
    if arguments.format == "json":
        document = documents.as_json(found)
        if changes is not None:
            document["changes"] = [asdict(change) for change in changes]
        print(json.dumps(document, indent=1))
    else:
        _print(found, changes, arguments.plot)
    return INTERRUPTED if interrupted else 0


def _measure(request: Request) -> tuple[Results | None, bool]:
    """What was measured, and whether somebody interrupted it."""
    from registry_runtime.benchmark.run import run

    results, told = None, False
    try:
        with _progress_bar() as show:
            for progress in run(request):
                results = progress.results
                show(progress)
                if results is not None and not told:
                    told = True
                    for warning in progress.warnings:
                        print(f"unfold: warning: {warning}", file=sys.stderr)
    except KeyboardInterrupt:
        return results, True
    return results, False


def _print(found: Results, changes: list[Change] | None, plots: bool) -> None:
    from visualizer.export.benchmark import as_table, plot

    print("\n".join(as_table(found, changes)))
    if not plots:
        return
    width = min(shutil.get_terminal_size((80, 24)).columns, 100)
    for kernel, dtype in dict.fromkeys((row.kernel, row.dtype) for row in found.rows):
        rows = [row for row in found.rows if (row.kernel, row.dtype) == (kernel, dtype)]
        print(f"\n{kernel} {dtype}")
        print(plot(rows, found.copy_bandwidth, width, 18).rstrip())


def _registry() -> Runtime | None:
    """What the samples register; None, with a warning, where one of them can't be read."""
    from visualizer.workbench import load

    try:
        return load(sample_files())
    except InputError as error:
        print(f"unfold: warning: calls are not split: {error.diagnostic}", file=sys.stderr)
        return None


def _check_place(path: Path | None) -> None:
    """Raises BenchmarkError now, rather than after minutes, where nothing can be saved."""
    from registry_runtime.benchmark.sweep import BenchmarkError

    if path is None:
        return
    folder = path.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK) or path.is_dir():
        reason = "it is a folder" if path.is_dir() else f"{folder} is no folder to write into"
        raise BenchmarkError(f"cannot save to {path}: {reason}")


def _save(found: Results, path: Path) -> None:
    from registry_runtime.benchmark.results import save
    from registry_runtime.benchmark.sweep import BenchmarkError

    try:
        save(found, path)
    except OSError as error:
        raise BenchmarkError(f"cannot save to {path}: {error.strerror}") from None


@contextmanager
def _progress_bar() -> Iterator[Show]:
    """On stderr, if somebody is there to see it; it goes away at the end."""
    if not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.BarColumn(24),
        rich.MofNCompleteColumn(),
        rich.TimeRemainingColumn(),
        rich.TextColumn("{task.description}"),
    )
    # No thread of its own that draws: it would disturb what is measured.
    bar = rich.Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
    with bar:
        task = bar.add_task("", total=None)

        def show(at: Progress) -> None:
            bar.update(task, description=at.doing, completed=at.done, total=at.total, refresh=True)

        yield show
