"""One whole benchmark, step by step, for a command or a screen to follow.

First the libraries are loaded and the roof is measured, then come the rows. A step is told by what it
has produced, so that there is always something to show, to save, and to stop after.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from registry_runtime.benchmark import bandwidth, peers
from registry_runtime.benchmark.build_cost import build_costs
from registry_runtime.benchmark.call_cost import call_cost
from registry_runtime.benchmark.machine import this_machine
from registry_runtime.benchmark.results import Results
from registry_runtime.benchmark.sweep import Case, sweep
from registry_runtime.kernels import device
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.runtime import Runtime

if TYPE_CHECKING:
    from registry_runtime.benchmark.operator_case import OperatorCase


@dataclass(frozen=True)
class Request:
    """What to measure. `against` names libraries; None means those that are installed.

    runtime: a filled registry, to split calls through it; None splits none.
    builds: also time compiling, in processes of its own.
    """

    cases: Sequence[Case | OperatorCase]
    against: Sequence[str] | None = None
    seconds: float = 0.3
    thread_count: int = 1
    runtime: Runtime | None = None
    builds: bool = False

    @property
    def backend(self) -> str:
        return self.cases[0].backend if self.cases else "CPU"


@dataclass(frozen=True)
class Progress:
    """How far it has come: `done` of `total` steps; `results` holds what there is so far."""

    doing: str
    done: int
    total: int
    results: Results | None
    warnings: tuple[str, ...] = ()


def run(request: Request, cancelled: Callable[[], bool] = lambda: False) -> Iterator[Progress]:
    """Measures, and after each step yields how far it is; the last has the complete results.

    A library that can't be used is a warning. Raises `timing.Cancelled`, and KernelError or
    BenchmarkError where a kernel can't be built or run.
    """
    split = _to_split(request)
    total = 1 + len(request.cases) + len(split) + request.builds
    yield Progress("loading the libraries", 0, total, None)
    libraries, missing = _opened(request)
    warnings = (*missing, *_unregistered(request))
    if request.backend == "GPU":
        roof = bandwidth.device_copy_bandwidth(device.cupy())
    else:
        roof = bandwidth.copy_bandwidth(request.thread_count)
    results = Results(
        date=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        machine=this_machine(request.backend, request.thread_count, libraries),
        copy_bandwidth=roof,
        rows=(),
        complete=False,
    )
    done = 1
    names = [f"{c.kernel} {c.dtype} × {c.size:,}" for c in request.cases] + ["calls", ""]
    yield Progress(names[0], done, total, results, warnings)
    rows = sweep(
        request.cases,
        libraries,
        bandwidth=roof,
        seconds=request.seconds,
        thread_count=request.thread_count,
        cancelled=cancelled,
    )
    for row in rows:
        done += 1
        results = replace(results, rows=(*results.rows, row))
        yield Progress(names[done - 1], done, total, results, warnings)
    for runtime, case in split:
        done += 1
        try:
            cost = call_cost(
                runtime,
                case,
                seconds=request.seconds,
                thread_count=request.thread_count,
                cancelled=cancelled,
            )
        except KernelError:
            continue  # a kernel without tensors, such as full, is not selected by any
        results = replace(results, calls=(*results.calls, cost))
        yield Progress("calls through the registry", done, total, results, warnings)
    if request.builds:
        ours = [case for case in request.cases if isinstance(case, Case)]
        yield Progress("compiling, cold and from the cache", done, total, results, warnings)
        results = replace(results, builds=tuple(build_costs(ours)))
    yield Progress("", total, total, replace(results, complete=True), warnings)


def _opened(request: Request) -> tuple[list[peers.Library], tuple[str, ...]]:
    asked = request.against
    names = [n for n in peers.ON[request.backend] if peers.installed(n)] if asked is None else asked
    libraries, warnings = [], []
    for name in dict.fromkeys(names):
        try:
            libraries.append(peers.open_library(name, request.backend))
        except peers.LibraryError as error:
            warnings.append(f"{error}; going on without it")
    return libraries, tuple(warnings)


def _to_split(request: Request) -> list[tuple[Runtime, Case]]:
    """The smallest and the largest size of each kernel and dtype that the registry holds."""
    if request.runtime is None:
        return []
    sizes: dict[tuple[str, str], list[Case]] = {}
    for case in request.cases:
        if isinstance(case, Case) and _registered(request.runtime, case):
            sizes.setdefault((case.kernel, str(case.dtype)), []).append(case)
    return [
        (request.runtime, case)
        for cases in sizes.values()
        for case in sorted({min(cases, key=_size), max(cases, key=_size)}, key=_size)
    ]


def _unregistered(request: Request) -> Iterator[str]:
    """Of what is measured, what the registry doesn't hold: the kernel is written for more types."""
    runtime = request.runtime
    ours = [case for case in request.cases if isinstance(case, Case)]
    for kernel, dtype in dict.fromkeys((case.kernel, case.dtype) for case in ours):
        keys = runtime.factory.kernels.get(kernel, {}) if runtime is not None else {}
        if runtime is not None and all(key.dtype != dtype for key in keys):
            yield f"no sample registers {kernel} for {dtype}: what is timed is written in Python only"


def _size(case: Case) -> int:
    return case.size


def _registered(runtime: Runtime, case: Case) -> bool:
    keys = runtime.factory.kernels.get(case.kernel, {})
    return any(
        str(key.backend) == case.backend and key.dtype == case.dtype and kernel.runnable
        for key, kernel in keys.items()
    )
