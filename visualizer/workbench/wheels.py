"""`--paddle`, `--torch`: the headers inside an installed wheel.

Both frameworks ship their C++ headers in their wheels, for those who build extensions. A wheel is
found by the metadata that pip leaves beside it, in the environment that runs Unfold and in the one
that is activated; nothing of the framework is imported. Looking through the metadata takes longer
than all else that a cached run does, so the answer is kept for as long as no package comes or goes.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from visualizer.expansion.cache_folder import name_of, read_entry, write_entry
from visualizer.expansion.diagnostics import InputError
from visualizer.expansion.tokens import Source


@dataclass(frozen=True, slots=True)
class Wheel:
    """A framework: the names under which it is published, a header that tells that it is whole, and
    its include folders as its own extension builders set them."""

    option: str
    packages: tuple[str, ...]
    header: str
    folders: tuple[str, ...]
    install: str


PADDLE = Wheel(
    "--paddle",
    ("paddlepaddle", "paddlepaddle-gpu"),
    "paddle/include/paddle/phi/core/kernel_registry.h",
    ("paddle/include", "paddle/include/third_party"),
    "pip install paddlepaddle",
)
TORCH = Wheel(
    "--torch",
    ("torch",),
    "torch/include/torch/library.h",
    ("torch/include", "torch/include/torch/csrc/api/include"),
    "pip install torch --index-url https://download.pytorch.org/whl/cpu",
)


def include_folders(wheel: Wheel) -> tuple[str, ...]:
    """The wheel's include folders, and where `Python.h` is, for headers that bind to Python.

    Raises InputError, saying how to install the wheel, if there is none.
    """
    found = _found(wheel)
    if found is None:
        name = wheel.packages[0]
        raise InputError(
            f"{wheel.option}: {name} with its headers is not installed",
            Source("unfold", 1, 1),
            f"{wheel.install}; or name another copy's folders with -I",
        )
    site, *python = found
    return (*(os.path.join(site, folder) for folder in wheel.folders), *python)


def _found(wheel: Wheel) -> list[str] | None:
    """The folder that the wheel is installed in, and that of `Python.h` if there is one."""
    paths = _searched()
    name = f"wheel-{name_of('wheel 2', wheel.option, *paths, *_times(paths))}"
    data = read_entry(name)
    if data is not None:
        known: list[str] = json.loads(data)
        if os.path.isfile(os.path.join(known[0], wheel.header)):
            return known
    site = _by_metadata(wheel, paths)
    if site is None:
        return None
    import sysconfig

    folder = sysconfig.get_path("include")
    python = [folder] if os.path.isfile(os.path.join(folder, "Python.h")) else []
    write_entry(name, json.dumps([site, *python]).encode())
    return [site, *python]


def _by_metadata(wheel: Wheel, paths: list[str]) -> str | None:
    from importlib.metadata import Distribution

    for package in wheel.packages:
        for distribution in Distribution.discover(name=package, path=paths):
            if Path(str(distribution.locate_file(wheel.header))).is_file():
                return str(distribution.locate_file(""))
    return None


def _searched() -> list[str]:
    """This interpreter's packages, then those of the environment that is activated."""
    paths = [os.path.abspath(path) for path in sys.path if os.path.isdir(path or ".")]
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if prefix := os.environ.get(variable):
            paths += map(str, sorted(Path(prefix).glob("lib/python3*/site-packages")))
    return list(dict.fromkeys(paths))


def _times(paths: list[str]) -> list[str]:
    """When each folder last got or lost a package."""
    return [str(os.stat(path).st_mtime_ns) for path in paths]
