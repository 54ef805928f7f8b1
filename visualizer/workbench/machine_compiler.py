"""The machine's C++ compiler, and a file's flags as its words: for whoever has a text compiled.

The compiler is one that `ask_compiler` would ask too: of a known name, on an absolute entry of PATH,
the C++ driver of the one that `--cc` names (`gcc-12`: `g++-12`), or the first of g++ and clang++. Of
a file's own flags only those that may reach a compiler do (`compiler_flags`), and what is known
beside them: folders, macros, forced includes, the standard."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from visualizer.expansion.ask_compiler import called
from visualizer.expansion.compiler_flags import may_reach
from visualizer.expansion.options import Options
from visualizer.expansion.readable import is_confined

_DRIVER = re.compile(r"(?P<before>.*-)?(?P<name>gcc|g\+\+|clang\+\+|clang|c\+\+|cc)(?P<after>-.+)?")
_CXX = {"gcc": "g++", "clang": "clang++", "cc": "c++"}


class NoCompiler(Exception):
    """There is none; the message says what to install."""


def cxx_compiler(cc: str = "auto") -> str:
    """The path of the C++ compiler that goes with `--cc`. Raises NoCompiler."""
    if is_confined():
        raise NoCompiler("in a served app nothing that a visitor brings is compiled")
    names = ("g++", "clang++", "c++") if cc in ("auto", "none") else (_cxx(cc),)
    for name in names:
        if (path := called(name)) is not None:
            return path
    wanted = "no C++ compiler is on PATH" if len(names) > 1 else f"{names[0]} is not on PATH"
    raise NoCompiler(f"{wanted}: install g++ or clang++ (Debian: apt install g++)")


def cuda_compiler() -> str:
    """The path of CUDA's; "" where none is."""
    path = "" if is_confined() else shutil.which("nvcc") or ""
    return path if os.path.isabs(path) else ""


def _cxx(cc: str) -> str:
    match = _DRIVER.fullmatch(cc)
    if match is None:
        return cc
    name = _CXX.get(match["name"], match["name"])
    return f"{match['before'] or ''}{name}{match['after'] or ''}"


def words_for(options: Options, path: Path) -> list[str]:
    """The file's flags for a compiler that runs in another folder and reads the text from its stdin:
    the folder of the file itself comes first for `#include "…"`."""
    settled = options.settled(path)
    words = [f"-std={settled.std}", "-iquote", str(path.absolute().parent)]
    for flag, values in (
        ("-iquote", options.quote_folders),
        ("-I", options.include_folders),
        ("-isystem", options.system_folders),
        ("-idirafter", options.after_folders),
        ("-imacros", options.macro_files),
        ("-include", options.forced_includes),
    ):
        for value in values:
            words += [flag, _absolute(value)]
    words += [f"-{letter}{text}" for letter, text in options.macros]
    return [*words, *filter(may_reach, options.compiler_flags)]


def _absolute(name: str) -> str:
    """A path that is there is made absolute; another name is looked for on the include path."""
    return os.path.abspath(name) if os.path.exists(name) else name
