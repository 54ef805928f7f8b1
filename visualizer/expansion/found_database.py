"""The build's database for a file, where nobody named one.

clangd looks for `compile_commands.json` in the folders above a file, and in `build` there. So do we,
also in the other folders that builds are put into, up to the root of the project: the folder under
version control. A database that was merely found speaks for a file only if it names it, or, for a
header, a file that includes it; all others are read as if there were none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.expansion.diagnostics import InputError
from visualizer.expansion.readable import may_read, read_regular

if TYPE_CHECKING:
    from visualizer.expansion.compile_commands import FileFlags
from visualizer.expansion.source_files import is_header

_NAME = "compile_commands.json"
_BUILDS = re.compile(r"build.*|out|cmake-build-.*")
_VERSIONED = (".git", ".hg", ".svn")
_MOST = 64  # files of a database that are looked into for the include of a header
_FIRST = 100_000  # bytes of each


def build_flags(
    path: str | Path, named: str | None = None, cc: str = "auto"
) -> tuple[FileFlags, ...]:
    """The flags of each time that `path` is compiled, by the database that was `named`, or else by the
    nearest one that speaks for it, if there is any. `cc` is the compiler that the user names.

    Raises InputError where the named one can't be read.
    """
    if named is not None:
        from visualizer.expansion import compile_commands

        return compile_commands.compilations(named, path, cc)
    for database in _above(Path(os.path.abspath(path)).parent):
        try:
            flags = _own(database, path, cc)
        except InputError:  # nobody asked for it: what is wrong with it is not this user's trouble
            continue
        if flags:
            return flags
    return ()


def _own(database: Path, path: str | Path, cc: str) -> tuple[FileFlags, ...]:
    from visualizer.expansion import compile_commands  # most files have no database

    flags = compile_commands.own(database, path, cc)
    if not flags and is_header(str(path)):
        including = _file_that_includes(path, compile_commands.files(database))
        if including is not None:
            return compile_commands.lent(database, path, including, cc)
    return flags


def _above(folder: Path) -> Iterator[Path]:
    """The folders of databases, the nearest first."""
    for here in (folder, *folder.parents):
        try:
            names = os.listdir(here)
        except OSError:
            continue
        for inner in (".", *sorted(filter(_BUILDS.fullmatch, names))):
            if (here / inner / _NAME).is_file() and may_read(here / inner / _NAME):
                yield here / inner
        if not may_read(here) or any(name in names for name in _VERSIONED):
            return


def _file_that_includes(header: str | Path, files: list[str]) -> str | None:
    """The first of the files that has an include directive for a file of that name."""
    name = re.escape(os.fsencode(os.path.basename(header)))
    asks = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<](?:[^">\n]*/)?%b[">]' % name, re.M)
    near = os.path.dirname(os.path.abspath(header))
    by_place = sorted(files, key=lambda file: -len(os.path.commonpath((near, file))))
    for file in by_place[:_MOST]:
        try:
            if may_read(file) and asks.search(read_regular(file, _FIRST, cut=True)):
                return file
        except OSError:
            continue
    return None
