"""The process that `own_python` starts: it brings a kernel's file, and runs one registration with it.

    python -P -m visualizer.workbench.own_python_main      an `Errand`, pickled, on standard input

One JSON object is all that it writes to standard output: `agrees`, `lines` and `codes`; or `error`,
with `line` and `column` where it is of the kernel's file. What the file prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from registry_runtime.kernels.brought import KernelFileError, bring, error_at
from registry_runtime.lab.elements import elements, labelled
from registry_runtime.lab.phi import experiment as laboratory
from registry_runtime.lab.phi.experiment import Experiment
from registry_runtime.phi.kernel_template import KernelError
from visualizer.workbench.own_python import Errand
from visualizer.workbench.python_apart import watch_this

if TYPE_CHECKING:
    from registry_runtime.benchmark.experiment import Timed
    from registry_runtime.lab.phi.outcome import Outcome

_MEASURING = 0.5  # seconds
_ELEMENTS = 6  # that are shown of an array


def main(asked: Errand) -> dict[str, Any]:
    watch_this(asked.seconds)
    path = asked.kernels.path
    try:
        bring(path, asked.kernels.text)
        return _tried(asked)
    except KernelFileError as error:
        return _refused(error)
    except KernelError as error:
        return {"error": str(error), "line": 0}
    except Exception as error:  # what a file gave back, and something of ours stumbled over
        if (told := error_at(path, error)) is not None:
            return _refused(told)
        return {"error": f"{type(error).__name__}: {error}", "line": 0}


def _refused(error: KernelFileError) -> dict[str, Any]:
    return {"error": error.said, "line": error.line, "column": error.column}


def _tried(asked: Errand) -> dict[str, Any]:
    from registry_runtime.benchmark.experiment import time_it
    from visualizer.workbench.bench import open_file

    runtime, wanted = open_file(asked.path, asked.options).program.phi, asked.wanted
    held = runtime.custom_kernels.kernels.get(wanted.name, {})
    held = {**held, **runtime.factory.kernels.get(wanted.name, {})}
    found = next((key for key in held if str(key) == wanted.key), None)
    if found is None:
        raise KernelError(f"no kernel named '{wanted.name}' is registered for {wanted.key}")
    data: Any = wanted.data
    one = Experiment(wanted.name, found, held[found], wanted.texts, data, wanted.size)
    outcome = laboratory.run(one)
    lines = list(_report(asked.kernels.path, one, outcome, time_it(one, _MEASURING)))
    codes = [asdict(code) for code in laboratory.codes(one)]
    return {"agrees": outcome.agrees, "lines": lines, "codes": codes}


def _report(path: Path, one: Experiment, there: Outcome, timed: Timed) -> Iterator[str]:
    """Values first, then the figures; the label of each line stands in its first twelve columns."""
    first = next(iter(there.results.values()))
    yield from labelled(elements(one.kernel_name, there.tensors, first))
    for name, result in there.results.items():
        yield f"{name:<12}{_shown(result)}"
        yield f"{'reference':<12}{_shown(there.references[name])}"
    yield f"{'NumPy':<12}{'agrees' if there.agrees else 'DISAGREES'}"
    for difference in there.differences:
        yield f"{'':<12}{difference}"
    yield f"{'time':<12}{_time(timed.ours.median)}"
    yield f"{'NumPy':<12}{_time(timed.numpy.median)}, {_beside(timed)} ({timed.by})"
    yield f"{'throughput':<12}{timed.gigabytes_per_second:,.2f} GB/s"
    given = ", ".join(f"{name} {text}" for name, text in one.spelled.items())
    yield f"{'arguments':<12}{given}"
    build = one.instance.build()
    cached = ", from the cache on disk" if build.from_cache else ""
    yield f"{'built':<12}{build.compile_seconds * 1e3:,.0f} ms{cached}"
    yield f"{'kernel':<12}{there.function}, {one.key}"
    yield f"{'source':<12}{path.name}"


def _shown(array: np.ndarray[Any, Any]) -> str:
    more = ", …" if array.size > _ELEMENTS else ""
    first = ", ".join(
        f"{value:.5g}" if isinstance(value, np.floating) else str(value)
        for value in array.flat[:_ELEMENTS]
    )
    return f"{array.dtype}{list(array.shape)}: {first}{more}"


def _beside(timed: Timed) -> str:
    if not timed.told:
        return "no difference that this run can tell"
    if timed.ratio >= 1:
        return f"the kernel is {timed.ratio:.2f} × as fast"
    return f"NumPy is {1 / timed.ratio:.2f} × as fast"


def _time(seconds: float) -> str:
    return f"{seconds * 1e6:,.1f} µs" if seconds >= 1e-7 else f"{seconds * 1e9:,.0f} ns"


if __name__ == "__main__":
    answers = os.dup(1)
    os.dup2(2, 1)  # whatever a kernel's file prints
    answer = json.dumps(main(pickle.loads(sys.stdin.buffer.read())))
    with os.fdopen(answers, "w", encoding="utf-8") as file:
        file.write(answer)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # whatever threads a kernel's file has left
