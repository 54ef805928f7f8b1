"""What a visitor's process is told, by its environment: the one place that says so.

`UNFOLD_ROOTS` lists the folders that it may read sources from (`expansion.readable`; that it is set
tells the app that it is served), `UNFOLD_VISITOR` is the visitor's own folder, the only one that it may
write in, `UNFOLD_COURSE` the copy of the served folder in it, and `UNFOLD_CACHES` the caches that all
visitors share. Settings and progress, home and temporary
files lie in the visitor's folder. Whatever else might be looked for in the working folder, where a
visitor's files are, is told to be elsewhere: programs, Python's modules, Numba's cache.
"""

from __future__ import annotations

import os
import site
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from visualizer.expansion import InputError, readable
from visualizer.expansion.ask_compiler import compiler_for
from visualizer.expansion.cache_folder import cache_folder
from visualizer.learning import course
from visualizer.personal import folders
from visualizer.workbench import wheels
from visualizer.workbench.samples import lessons_folder, samples_folder

if TYPE_CHECKING:
    from visualizer.serving.visitors import Visitor

VISITOR = "UNFOLD_VISITOR"
CACHES = "UNFOLD_CACHES"  # separated as in PATH
_NOT_THEIRS = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


@dataclass(frozen=True)
class Common:
    """What all visitors' processes are told: folders to read from, and variables."""

    roots: tuple[str, ...]
    variables: Mapping[str, str]


def common() -> Common:
    """Asks the installed compilers, and looks for the frameworks' wheels."""
    from registry_runtime.kernels import compile_cache

    ours = cache_folder()
    kernels = os.environ.get("NUMBA_CACHE_DIR") or str(compile_cache.trusted_folder() or "")
    cupy = os.environ.get("CUPY_CACHE_DIR") or os.path.expanduser("~/.cupy/kernel_cache")
    variables = {
        "XDG_CACHE_HOME": os.path.dirname(ours),
        "NUMBA_CACHE_DIR": kernels,
        "CUPY_CACHE_DIR": cupy,
        CACHES: os.pathsep.join(filter(None, (ours, kernels, cupy))),
        "TEXTUAL_DRIVER": "visualizer.serving.driver:BrowserDriver",
        "PATH": os.pathsep.join(_absolute(os.environ.get("PATH", os.defpath), drop=True)),
        "PYTHONPATH": os.pathsep.join(_absolute(os.environ.get("PYTHONPATH", ""))),
        "PYTHONUSERBASE": site.getuserbase(),
        "PYTHONSAFEPATH": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    roots = (str(samples_folder()), str(lessons_folder()), *_headers())
    return Common(tuple(dict.fromkeys(roots)), variables)


def environment(visitor: Visitor, common: Common) -> dict[str, str]:
    """The variables for a visitor's process, to be put over those of the server."""
    return {
        **common.variables,
        readable.VARIABLE: os.pathsep.join((str(visitor.files), *common.roots)),
        VISITOR: str(visitor.folder),
        course.VARIABLE: str(visitor.files),
        folders.CHOSEN: str(visitor.settings),
        "HOME": str(visitor.folder),
        "TMPDIR": str(visitor.temporary),
        **{name: str(visitor.folder / name.lower()) for name in _NOT_THEIRS},
    }


def _headers() -> Iterator[str]:
    for name in ("gcc", "clang"):
        for std in ("gnu++17", "gnu17"):
            try:
                yield from compiler_for(name, std).folders
            except InputError:
                break
    for wheel in (wheels.PADDLE, wheels.TORCH):
        try:
            yield from wheels.include_folders(wheel)
        except InputError:
            continue


def _absolute(paths: str, drop: bool = False) -> Iterable[str]:
    """The entries of a path without those that mean the working folder: relative ones are taken
    from the server's, or dropped."""
    for path in filter(None, paths.split(os.pathsep)):
        if os.path.isabs(path) or not drop:
            yield os.path.abspath(path)
