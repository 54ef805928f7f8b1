"""`--paddle`, `--torch`: the headers inside a wheel that is installed, or in a framework's source tree.

Both frameworks ship their C++ headers in their wheels, for those who build extensions. The user names
a python, its folder of packages, or a checkout. Where none is named, the environment that is activated
is looked into, the `python3` of PATH is asked for its folders (`pythons`), and then those of the python
that runs Unfold are looked into; nothing of the framework is imported. All that takes longer than all
else that a cached run does, so the answer is kept for as long as no package comes or goes.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from registry_runtime.near import nearest
from visualizer.expansion import Options
from visualizer.expansion.cache_folder import fits, name_of, read_entry, write_entry
from visualizer.expansion.diagnostics import Code, Diagnostic, InputError
from visualizer.expansion.readable import read_regular
from visualizer.expansion.tokens import Source
from visualizer.workbench.pythons import folders_of, on_path

# Where PyTorch's version stands: in a wheel, in a newer one, in a checkout.
_VERSIONS = ("torch/headeronly/version.h", "torch/version.h", "version.txt")
_VERSION = re.compile(r"VERSION_MAJOR (\d+).*?VERSION_MINOR (\d+)|\A(\d+)\.(\d+)", re.S)
_LONGEST = 100_000  # bytes
# Headers that those of Paddle's wheel include and it doesn't bring, with Debian's packages for them.
_PACKAGES = (
    ("Eigen/", "libeigen3-dev", " and -isystem /usr/include/eigen3"),
    ("unsupported/Eigen/", "libeigen3-dev", " and -isystem /usr/include/eigen3"),
    ("glog/", "libgoogle-glog-dev", ""),
    ("gflags/", "libgflags-dev", ""),
    ("cblas.h", "libopenblas-dev", ""),
)


@dataclass(frozen=True, slots=True)
class Wheel:
    """A framework: the names under which it is published, a header that tells that it is whole, its
    include folders as its own extension builders set them, how its headers' names begin, what installs
    it; and of a checkout a header that tells it, and its include folders."""

    option: str
    packages: tuple[str, ...]
    header: str
    folders: tuple[str, ...]
    prefixes: tuple[str, ...]
    install: str
    source: str
    tree: tuple[str, ...]


PADDLE = Wheel(
    "--paddle",
    ("paddlepaddle", "paddlepaddle-gpu"),
    "paddle/include/paddle/phi/core/kernel_registry.h",
    ("paddle/include", "paddle/include/third_party"),
    ("paddle/",),
    "pip install paddlepaddle",
    "paddle/phi/core/kernel_registry.h",
    (
        ".",
        "build",
        "build/third_party/install/gflags/include",
        "build/third_party/install/glog/include",
    ),
)
TORCH = Wheel(
    "--torch",
    ("torch",),
    "torch/include/torch/library.h",
    ("torch/include", "torch/include/torch/csrc/api/include"),
    ("torch/", "ATen/", "c10/"),
    "pip install torch --index-url https://download.pytorch.org/whl/cpu",
    "torch/library.h",
    (
        ".",
        "aten/src",
        "torch/csrc/api/include",
        "build",
        "build/aten/src",
        "build/torch/headeronly",
    ),
)


def include_folders(wheel: Wheel, where: str = "") -> tuple[str, ...]:
    """The wheel's include folders, and where `Python.h` is, for headers that bind to Python. `where` is
    a python, a folder of packages or a checkout; if empty, the environment's.

    Raises InputError, saying how to install the wheel, if there is none.
    """
    if where and (checkout := _checkout(wheel, where)):
        return checkout
    found = _found(wheel, where)
    name = wheel.packages[0]
    if found is None and where:
        what = f"{wheel.option}={where}: no headers of {name} there"
        hint = "name a python, its site-packages folder, or a checkout"
        raise InputError(what, Source("unfold", 1, 1), hint)
    if found is None:
        raise InputError(
            f"{wheel.option}: {name} with its headers is not installed",
            Source("unfold", 1, 1),
            f"{wheel.install}; or name another copy with {wheel.option}=PATH",
        )
    site, *python = found
    return (*(os.path.join(site, folder) for folder in wheel.folders), *python)


def opened_with(wheel: Wheel, options: Options) -> str | None:
    """The folder of packages whose wheel's headers a file was opened with; None for no wheel's."""
    end = os.path.join("", *wheel.folders[0].split("/"))
    for folder in options.system_folders:
        if folder.endswith(os.sep + end):
            return folder.removesuffix(end)
    return None


def python_of(wheel: Wheel, where: str = "") -> str:
    """A python that imports that wheel: the one that `where` names, or the one whose packages it is
    among. Raises InputError if none is found, as for a checkout, which holds nothing to import."""
    if where and os.path.isfile(where):
        return os.path.abspath(where)
    found = None if where and _checkout(wheel, where) else _found(wheel, where)
    for python in _pythons_beside(found[0]) if found else ():
        if os.path.isfile(python) and os.access(python, os.X_OK):
            return python
    name = wheel.packages[0]
    raise InputError(
        f"{wheel.option}: no python is known that imports {name}",
        Source("unfold", 1, 1),
        f"name one with {wheel.option}=PATH",
    )


def _pythons_beside(site: str) -> Iterator[str]:
    """Those whose folder of packages this may be."""
    for prefix in Path(site).absolute().parents[:3]:
        yield from (str(prefix / "bin" / name) for name in ("python3", "python"))
    for python in (sys.executable, on_path()):
        if python and site in folders_of(python):
            yield python


def standard(folders: Iterable[str]) -> str:
    """The standard of C++ that a wheel with these include folders asks for: C++17, and PyTorch since
    2.13 C++20."""
    for folder in folders:
        for name in _VERSIONS:
            try:
                text = read_regular(os.path.join(folder, name), _LONGEST).decode("utf-8", "replace")
            except (OSError, ValueError):
                continue
            m = _VERSION.search(text)
            if m is not None and (int(m[1] or m[3]), int(m[2] or m[4])) >= (2, 13):
                return "gnu++20"
    return "gnu++17"


def advised(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The same; a name that isn't there comes with the one that was meant, where there is one like it,
    the first missing header of a wheel's with the option that adds it, and one of a system's package
    with what installs that."""
    left = [PADDLE, TORCH]
    for found in diagnostics:
        missing = found.code is Code.HEADER_MISSING
        if found.beside and (meant := _meant(found)):
            found, missing = (
                replace(found, hint="; ".join(filter(None, (meant, found.hint)))),
                False,
            )
        for wheel in [w for w in left if missing and found.about.startswith(w.prefixes)]:
            left.remove(wheel)
            advice = f"{wheel.option} adds the headers of the installed {wheel.packages[0]}"
            found = replace(found, hint=f"{advice}; {found.hint}")
        for begins, package, more in _PACKAGES if missing else ():
            if found.about.startswith(begins):
                advice = f"a system's package brings it: apt install {package}{more}"
                found = replace(found, hint=f"{advice}; {found.hint}")
        yield found


def _meant(found: Diagnostic) -> str:
    """The nearest name: of a header's, its folder and its ending say nothing."""
    folder, slash, name = found.about.rpartition("/")
    stem, ending = os.path.splitext(name)
    meant = nearest(stem, (other.removesuffix(ending) for other in found.beside))
    return f"did you mean {folder}{slash}{meant}{ending}?" if meant else ""


def _checkout(wheel: Wheel, where: str) -> tuple[str, ...]:
    """A source tree's include folders, those that its build fills among them; empty if it is none."""
    if not os.path.isfile(os.path.join(where, wheel.source)):
        return ()
    return tuple(f for f in (os.path.join(where, name) for name in wheel.tree) if os.path.isdir(f))


def _found(wheel: Wheel, where: str) -> list[str] | None:
    """The folder that the wheel is installed in, and that of `Python.h` if there is one."""
    paths = _named(where) if where else _searched()
    folders = list(paths)
    name = f"wheel-{name_of('wheel 3', wheel.option, *folders, *_times(folders))}"
    with contextlib.suppress(ValueError, RecursionError):
        known: list[str] = json.loads(read_entry(name) or b"[]")
        if fits(known, [str]) and known and os.path.isfile(os.path.join(known[0], wheel.header)):
            return known
    found = _by_metadata(wheel, folders)
    if found is None:
        return None
    site, of = found
    include = paths[of]
    python = [include] if os.path.isfile(os.path.join(include, "Python.h")) else []
    write_entry(name, json.dumps([site, *python]).encode())
    return [site, *python]


def _by_metadata(wheel: Wheel, paths: list[str]) -> tuple[str, str] | None:
    """The folder that has the wheel, and by which of the paths it was found."""
    from importlib.metadata import Distribution

    for path in paths:
        if os.path.isfile(os.path.join(path, wheel.header)):
            return path, path
        for package in wheel.packages:
            for distribution in Distribution.discover(name=package, path=[path]):
                if Path(str(distribution.locate_file(wheel.header))).is_file():
                    return str(distribution.locate_file("")), path
    return None


def _searched() -> dict[str, str]:
    """The packages of the environment that is activated, of PATH's python, of the one that runs this;
    with each the folder of its C headers."""
    own = sysconfig.get_path("include")
    paths: dict[str, str] = {}
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if prefix := os.environ.get(variable):
            paths |= dict.fromkeys(_sites(prefix), own)
    if python := on_path():
        include, *folders = folders_of(python) or [""]
        for folder in filter(os.path.isdir, folders):
            paths.setdefault(folder, include)
    for path in sys.path:
        if os.path.isdir(path or "."):
            paths.setdefault(os.path.abspath(path), own)
    return paths


def _named(where: str) -> dict[str, str]:
    """The packages of what the user named."""
    own = sysconfig.get_path("include")
    if os.path.isdir(where):
        folder = os.path.abspath(where)
        if os.path.basename(folder) in ("torch", "paddle"):  # the package itself
            return {os.path.dirname(folder): own}
        return dict.fromkeys((folder, *_sites(folder)), own)
    include, *folders = folders_of(where) or [""]
    return dict.fromkeys(filter(os.path.isdir, folders), include)


def _sites(prefix: str) -> list[str]:
    return [str(site) for site in sorted(Path(prefix).glob("lib/python3*/site-packages"))]


def _times(paths: list[str]) -> list[str]:
    """When each folder last got or lost a package."""
    return [str(os.stat(path).st_mtime_ns) for path in paths]
