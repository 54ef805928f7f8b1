"""A Python kernel that lies beside the opened file, in the run pane: run in a process of its own, with
limits, on what is filled in. The registry of the app never learns of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from registry_runtime.kernels.brought import KernelFileError
from visualizer.frameworks.runnable import Cancelled, CodeTab, Doing, Done, refusal
from visualizer.layout.rows import reported
from visualizer.messages import _
from visualizer.workbench.new_kernel import kernel_file
from visualizer.workbench.own_python import Kernels, ToTry, try_kernel

if TYPE_CHECKING:
    from registry_runtime.lab.phi.experiment import Experiment
    from visualizer.workbench.bench import Workbench

KEY = "p"
_TAB = "Python"


def beside(bench: Workbench | None, name: str) -> Path | None:
    """The kernel of that name that lies beside the bench's file."""
    if bench is None:
        return None
    path = kernel_file(bench.path, name)
    return path if path.is_file() else None


def doing(bench: Workbench, path: Path, one: Experiment, texts: Mapping[str, str]) -> Doing:
    """What the key does with that file, and the texts that were typed."""
    wanted = ToTry(one.kernel_name, str(one.key), texts, one.data, one.size)
    return Doing(
        _("Running {file} in a process of its own").format(file=path.name),
        _("runs the Python of {file}, in a process of its own").format(file=path.name),
        partial(_run, bench, path, wanted),
        python=path,
    )


def _run(bench: Workbench, path: Path, wanted: ToTry, cancelled: Cancelled, text: bytes) -> Done:
    try:
        tried = try_kernel(bench, Kernels(path, text), wanted, cancelled)
    except KernelFileError as error:
        return refusal(_TAB, f"{path.name}:{error.line}:{error.column}: {error.said}")
    said = _("NumPy agrees") if tried.agrees else _("NumPy DISAGREES")
    codes = {
        f"{title} ({_TAB})": CodeTab(language, code, told)
        for title, language, code, told in tried.codes
        if code
    }
    return Done({_TAB: partial(reported, tried.lines), **codes}, _TAB, said)
