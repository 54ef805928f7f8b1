"""A Python kernel beside an opened file, tried: run, compared with its reference, timed beside NumPy.

`try_kernel` starts `own_python_main` in a process with limits, hands it the text that its reader has
said may run, and what is on the bench: the file there is read once more, saved or not. What comes
back is text. The registry here knows nothing of it: a kernel's file gives a body, never an entry.
"""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from registry_runtime.kernels.brought import KernelFileError
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.registered import Registration
from visualizer.workbench.new_kernel import kernel_file
from visualizer.workbench.python_apart import run_python

if TYPE_CHECKING:
    from visualizer.expansion import Options
    from visualizer.workbench.bench import Workbench

_MAIN = "visualizer.workbench.own_python_main"
_SECONDS = 60.0  # of a processor
_SHOWN = 2000  # characters of what a kernel printed


@dataclass(frozen=True, slots=True)
class Kernels:
    """A kernel's file, and the text of it that may run."""

    path: Path
    text: bytes


@dataclass(frozen=True, slots=True)
class ToTry:
    """Which registration is run, on what: `key` as it prints itself; the others as of an Experiment."""

    name: str
    key: str
    texts: Mapping[str, str] = field(default_factory=dict)
    data: str = "random"
    size: int = 1024


@dataclass(frozen=True, slots=True)
class Errand:
    """All that the process is told."""

    path: Path
    options: Options
    kernels: Kernels
    wanted: ToTry
    seconds: float


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of it: whether NumPy agrees, the lines of a report, whose first columns are labels, and
    each text that the kernel became: its title, language, the text, and a word about it."""

    agrees: bool
    lines: tuple[str, ...]
    codes: tuple[tuple[str, str, str, str], ...]


def kernels_beside(bench: Workbench) -> dict[Path, Registration]:
    """The kernels' files that lie beside the bench's, each with the first registration it is for."""
    found: dict[str, Registration] = {}
    for entry in bench.entries:
        if isinstance(registration := entry.registration, Registration):
            found.setdefault(registration.kernel_name, registration)
    file = Path(os.path.abspath(bench.path))
    paths = {kernel_file(file, name): of for name, of in found.items()}
    return {path: of for path, of in paths.items() if path.is_file()}


def try_kernel(
    bench: Workbench,
    kernels: Kernels,
    wanted: ToTry,
    cancelled: Callable[[], bool] | None = None,
    seconds: float = _SECONDS,
) -> Tried:
    """Raises KernelFileError for an error at a line of the kernel's file, and KernelError for what else
    there is: a process that was ended, arguments that can't be read."""
    asked = Errand(bench.path, bench.options, kernels, wanted, seconds)
    ended = run_python(_MAIN, [], [kernels.path], seconds, pickle.dumps(asked), cancelled)
    if ended.fault:
        raise KernelError(ended.fault)
    try:
        left = json.loads(ended.out)
    except ValueError:
        said = ended.said.strip()[-_SHOWN:] or f"exit code {ended.code}"
        raise KernelError(f"{kernels.path.name}: its process ended early: {said}") from None
    if "error" in left:
        if left["line"]:
            raise KernelFileError(kernels.path, left["line"], left["column"], left["error"])
        raise KernelError(left["error"])
    lines = [*left["lines"]]
    if printed := ended.said.strip()[:_SHOWN]:
        rows = enumerate(printed.splitlines())
        lines += ["", *(f"{'' if i else 'printed':<12}{row}" for i, row in rows)]
    codes = tuple((c["title"], c["language"], c["text"], c["told"]) for c in left["codes"])
    return Tried(left["agrees"], tuple(lines), codes)
