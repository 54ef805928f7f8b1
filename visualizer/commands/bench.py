"""`unfold bench`: measure, show how far it is, print what came of it, keep it.

What was measured before Ctrl-C is printed and saved all the same.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from registry_runtime.benchmark import threads
from registry_runtime.benchmark.threads import cores
from registry_runtime.phi.kernel_template import KernelError
from visualizer.commands.apart import complain_of, in_its_own_process
from visualizer.commands.bench_files import (
    registered_by,
    registry_of,
    with_bodies,
    written_in_python,
)
from visualizer.commands.kernel_files import add_kernel_files, add_registering_files, beside
from visualizer.commands.legible import raw
from visualizer.commands.numbers import element_count, words
from visualizer.commands.parser import Commands, add
from visualizer.commands.reporting import INTERRUPTED, complain, report, why_not_written
from visualizer.commands.run_operator import is_stub
from visualizer.commands.terminal import columns
from visualizer.expansion import InputError
from visualizer.messages import N_
from visualizer.workbench.flag_words import add_flags, flags_in
from visualizer.workbench.samples import sample_files

if TYPE_CHECKING:
    from registry_runtime.benchmark.operator_case import OperatorCase
    from registry_runtime.benchmark.results import Change, Results
    from registry_runtime.benchmark.run import Progress, Request
    from registry_runtime.benchmark.sweep import Case

_Asked = tuple[list[str], list[str], list[int], str]
Show = Callable[["Progress"], None]
_MOST_SECONDS = 900.0  # for kernels that run in a process of their own
PEERS = ("numpy", "torch", "paddle", "cupy")  # that kernels are measured against


_EXAMPLES = """\
examples:
  unfold bench bitwise_and --plot
  unfold bench --sizes 1,1000,1e6 --against numpy,torch
  unfold bench add --dtypes float32,float64 --save before.json
  unfold bench --compare before.json --format json
  unfold bench aten::add.Tensor --against torch,numpy
  unfold bench softmax --body --sizes 1e6
  unfold bench bitwise_and --file kernel.cc -I cpp_samples/phi --body
  unfold bench bitwise_and --kernels mine.py --against numpy

Each row says how many times faster or slower than Unfold's a call in another library is; in JSON,
"ratio" is its time ÷ ours, and "geomean" the geometric mean of the fastest peers'. ± is what the middle
half of a row's rounds span; where that is more than a quarter, the row is noisy. A kernel's Python is
timed by its name, whichever file registers it; --body times the C++ of the samples, or of the file that
--file names. In `unfold FILE`, r and then b time an entry. Press Ctrl-C to stop early: what is measured
by then is printed and saved.
"""


def configure(commands: Commands) -> None:
    command = add(
        commands,
        "bench",
        "time kernels beside a memory copy, NumPy, PyTorch, Paddle and CuPy",
        _EXAMPLES,
    )
    command.add_argument(
        "kernels",
        metavar="KERNEL",
        nargs="*",
        help="e.g. bitwise_and, aten::add.Tensor (default: those of --compare, or all of PHI's)",
    )
    command.add_argument(
        "--sizes",
        metavar="N,…",
        type=_sizes,
        default=[],
        help="elements (default: those of --compare, or 1,10,100 … 1e7)",
    )
    command.add_argument(
        "--dtypes",
        metavar="NAME,…",
        type=words,
        default=[],
        help="e.g. int32,float32 (default: those of --compare, or float32, or what the kernel has)",
    )
    command.add_argument(
        "--against",
        metavar="NAME,…",
        type=_peers,
        help="of numpy, torch, paddle, cupy (default: those that are installed)",
    )
    command.add_argument(
        "--backend",
        choices=("CPU", "GPU"),
        type=str.upper,
        help="default: that of --compare, or the CPU",
    )
    command.add_argument(
        "--body",
        action="store_true",
        help="also time the C++ bodies of these kernels, compiled by this machine's compiler",
    )
    add_registering_files(
        command,
        help=N_(
            "register from this file instead of the samples, and time what it registers; may be "
            "repeated"
        ),
    )
    command.add_argument("--format", choices=("table", "json"), default="table")
    command.add_argument("--plot", action="store_true", help="also draw throughput over size")
    command.add_argument(
        "--builds", action="store_true", help="also time compiling, without a cache and with one"
    )
    command.add_argument("--save", metavar="FILE", type=Path, help="keep the results, as JSON")
    command.add_argument(
        "--compare",
        metavar="FILE",
        type=Path,
        help="with what --save kept: its rows are measured again",
    )
    command.add_argument(
        "--seconds",
        metavar="S",
        type=_seconds,
        default=0.3,
        help="for each row, about (default: %(default)s)",
    )
    command.add_argument(
        "--threads", metavar="N", type=_threads, help="for everybody (default: all cores)"
    )
    add_kernel_files(command)
    add_flags(command)


def run(arguments: argparse.Namespace) -> int:
    """The exit code; 1 for what can't be measured, 130 where it was interrupted."""
    own = [path for name in arguments.kernels for path in beside(arguments.files, name)]
    if (code := in_its_own_process(arguments, own, _MOST_SECONDS)) is not None:
        return code
    count = threads.cores() if arguments.threads is None else arguments.threads
    threads.announce(count)  # before anything loads NumPy
    from registry_runtime.benchmark import results as documents
    from registry_runtime.benchmark.run import Request
    from registry_runtime.benchmark.sweep import BenchmarkError
    from registry_runtime.kernels.device import NoDevice

    found: Results | None = None
    try:
        earlier = documents.load(arguments.compare) if arguments.compare else None
        registered = partial(registered_by, tuple(arguments.files), flags_in(arguments))
        if arguments.files and not arguments.kernels:
            arguments.kernels = written_in_python(registered()[0])
        asked = _asked(arguments, earlier)
        cases = [case for each in asked for case in _cases(*each, tuple(arguments.files))]
        if arguments.body:
            cases = with_bodies(cases, *registered())
        if trouble := why_not_written(arguments.save):
            raise BenchmarkError(trouble)
        request = Request(
            cases,
            arguments.against,
            arguments.seconds,
            count,
            registry_of(registered) if cases and cases[0].backend == "CPU" else None,
            arguments.builds,
        )
        found, interrupted = _measure(request)
        if found is None:
            return INTERRUPTED
        if arguments.save:
            _save(found, arguments.save)
    except NoDevice as missing:
        return complain(f"{missing}: without --backend, the CPU's is timed")
    except InputError as error:
        return report([error.diagnostic])
    except (BenchmarkError, KernelError) as error:
        return complain_of(error)
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


def _asked(arguments: argparse.Namespace, earlier: Results | None) -> Iterator[_Asked]:
    """Kernels, dtypes, sizes and a backend, as often as it takes: what isn't named is as it was in an
    earlier run, where that had any of it."""
    from registry_runtime.benchmark.sweep import SIZES

    kernels, dtypes, sizes = arguments.kernels, arguments.dtypes, arguments.sizes
    groups: dict[tuple[str, str, str], list[int]] = {}
    for row in earlier.rows if earlier is not None else ():
        backend = arguments.backend or row.backend
        if not kernels or row.kernel in kernels:
            for dtype in dtypes or [row.dtype]:
                groups.setdefault((row.kernel, dtype, backend), []).append(row.size)
    for (kernel, dtype, backend), were in groups.items():
        yield [kernel], [dtype], sizes or list(dict.fromkeys(were)), backend
    had = {kernel for kernel, *_ in groups}
    rest = [kernel for kernel in kernels if kernel not in had]
    if rest or not groups:
        yield rest, dtypes, sizes or list(SIZES), arguments.backend or "CPU"


def _cases(
    names: list[str], dtypes: list[str], sizes: list[int], backend: str, files: tuple[Path, ...]
) -> list[Case | OperatorCase]:
    """PHI's kernels, and the operators of PyTorch's."""
    from registry_runtime.benchmark.sweep import BenchmarkError, plan
    from registry_runtime.program import Program

    framework_of = Program().framework_of
    asked = dtypes, sizes, backend
    operators = [name for name in names if framework_of(name) == "aten"]
    kernels = [name for name in names if framework_of(name) != "aten"]
    cases: list[Case | OperatorCase] = []
    if kernels or not operators:
        cases += plan(kernels, *asked)
    for stub in (name for name in operators if is_stub(name)):
        raise BenchmarkError(f"{stub} is a stub: `unfold run {stub}` times its builds")
    if operators and files:
        raise BenchmarkError(
            f"--file is for PHI's kernels; {operators[0]} is timed with the samples"
        )
    if operators:
        from registry_runtime.benchmark.operator_case import plan_operators
        from visualizer.workbench.linking import load

        cases += plan_operators(load(sample_files("aten")).aten, operators, *asked)
    return cases


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

    print("\n".join(as_table(found, changes, columns())))
    if not plots:
        return
    width = min(shutil.get_terminal_size((80, 24)).columns, 100)
    for kernel, dtype in dict.fromkeys((row.kernel, row.dtype) for row in found.rows):
        rows = [row for row in found.rows if (row.kernel, row.dtype) == (kernel, dtype)]
        print(f"\n{kernel} {dtype}")
        print(plot(rows, found.copy_bandwidth, width, 18).rstrip())


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

    shown = (
        rich.BarColumn(24),
        rich.MofNCompleteColumn(),
        rich.TimeRemainingColumn(),
        rich.TextColumn("{task.description}"),
    )
    # No thread of its own that draws: it would disturb what is measured.
    console = Console(file=raw(sys.stderr))
    bar = rich.Progress(*shown, console=console, transient=True, auto_refresh=False)
    with bar:
        task = bar.add_task("", total=None)

        def show(at: Progress) -> None:
            bar.update(task, description=at.doing, completed=at.done, total=at.total, refresh=True)

        yield show


def _sizes(text: str) -> list[int]:
    sizes = [element_count(word) for word in words(text)]
    if 0 in sizes:
        raise argparse.ArgumentTypeError("0 elements take no time: sizes begin at 1")
    return list(dict.fromkeys(sizes))


def _peers(text: str) -> list[str]:
    peers = words(text.lower())
    for peer in peers:
        if peer not in PEERS:
            raise argparse.ArgumentTypeError(
                f"'{peer}' is nobody to compare with: choose from {', '.join(PEERS)}"
            )
    return peers


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 3600:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds for a row")
    return seconds


def _threads(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= cores():
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number of threads from 1 to {cores()}, the cores of this machine"
        )
    return int(text)
