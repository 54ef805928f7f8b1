"""`-p DIR`: a file's own flags, from the database that its build left behind.

CMake (with `CMAKE_EXPORT_COMPILE_COMMANDS`), Ninja, Bazel and Bear write `compile_commands.json`: a
list with the compiler's command line for each source file that was compiled. An entry says in which
`directory` the compiler ran, which all relative paths in it start from, and gives the command either
as `arguments`, a list of words, or as `command`, one string that is quoted as for a shell.

A header, or a file that is new, has no entry. Then the entry of the file that is most like it is
taken (`nearest_file.py`), and the user is told. A file that is compiled several times, as PyTorch
compiles its loops for several processors, has several entries: `flags_for` takes the first, as
clangd has it, and `compilations` all.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from visualizer.expansion.compiler_words import flags_among
from visualizer.expansion.diagnostics import Diagnostic, InputError
from visualizer.expansion.nearest_file import NearestFile, is_c, is_header
from visualizer.expansion.options import Options
from visualizer.expansion.readable import may_read
from visualizer.expansion.source_files import display_path
from visualizer.expansion.tokens import Source

NAME = "compile_commands.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """One compilation: the file, absolute; the folder that relative paths start from; the words."""

    file: str
    directory: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileFlags:
    """cc's flags for one file. `borrowed_from` is the file whose entry it was, if not its own."""

    options: Options
    database: str
    borrowed_from: str | None = None

    def note(self, path: str | Path) -> Diagnostic | None:
        """What the user should know about these flags: that they were meant for another file."""
        if self.borrowed_from is None:
            return None
        hint = f"using the flags of {display_path(Path(self.borrowed_from))}"
        where = Source(display_path(path), 1, 1)
        return Diagnostic("warning", f"no entry in {self.database}", where, hint)


def flags_for(folder: str | Path, path: str | Path) -> FileFlags:
    """The flags for `path` in the database of `folder` (or in that file, if it is one).

    Raises InputError, with its place, where there is no database or it is damaged.
    """
    return compilations(folder, path)[0]


def compilations(folder: str | Path, path: str | Path) -> tuple[FileFlags, ...]:
    """The flags of each time that `path` is compiled, in the order of the database of `folder`: one
    at least. Raises InputError as `flags_for` does."""
    database = Path(folder) if Path(folder).is_file() else Path(folder, NAME)
    entries, nearest = _read(os.path.abspath(database), _version(database))
    file = os.path.abspath(path)
    own = entries.get(file) or entries.get(os.path.realpath(file))
    shown = display_path(database)
    return tuple(
        FileFlags(
            flags_among(entry.words, entry.directory, _is_c(file, entry.file)),
            shown,
            borrowed_from=None if own else entry.file,
        )
        for entry in own or entries[nearest.find(file)][:1]
    )


def files(folder: str | Path) -> list[str]:
    """The files, absolute, that the database of `folder` has entries for, in their order. Raises
    InputError as `flags_for` does."""
    database = Path(folder) if Path(folder).is_file() else Path(folder, NAME)
    return [*_read(os.path.abspath(database), _version(database))[0]]


def with_flags(file: Options, command_line: Options) -> Options:
    """A file's flags with those of Unfold's own command line behind them, where the last word on a
    macro is the one that counts, and so is that on the standard."""
    return replace(
        command_line,
        include_folders=(*file.include_folders, *command_line.include_folders),
        system_folders=(*file.system_folders, *command_line.system_folders),
        macros=(*file.macros, *command_line.macros),
        forced_includes=(*file.forced_includes, *command_line.forced_includes),
        std=command_line.std or file.std,
    )


def _is_c(file: str, entry_file: str) -> bool:
    """Whether cc, without `-x` or `-std`, takes the file for C. A header is what includes it."""
    return is_c(entry_file if is_header(file) else file)


# ---------------------------------------------------------------------- reading


def _version(database: Path) -> int:
    """Tells one state of the file from the next."""
    try:
        return database.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=8)
def _read(database: str, version: int) -> tuple[dict[str, list[Entry]], NearestFile]:
    """Entries by file, in their order."""
    shown = display_path(Path(database))
    start = Source(shown, 1, 1)
    try:
        if not may_read(database):
            raise FileNotFoundError
        text = Path(database).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        hint = "build with cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or run bear -- make"
        raise InputError("no such file", start, hint) from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8, as JSON must be", start, "write it again") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", start) from None
    entries: dict[str, list[Entry]] = {}
    for at, value in _values(text, shown):
        entry = _entry(value, os.path.dirname(database), _place(shown, text, at))
        entries.setdefault(entry.file, []).append(entry)
    if not entries:
        raise InputError("has no entries", start, "build the project once, then try again")
    return entries, NearestFile(entries)


def _values(text: str, shown: str) -> Iterator[tuple[int, Any]]:
    """The elements of the JSON array, each with its offset in the text, so that what is wrong with
    one can be said at its place."""
    decoder = json.JSONDecoder()
    at = _skip(text, 0)
    if text[at : at + 1] != "[":
        raise _damaged(shown, text, at, "is not a list of entries: expected '['")
    at = _skip(text, at + 1)
    while text[at : at + 1] != "]":
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise _damaged(shown, text, error.pos, f"is not valid JSON: {error.msg}") from None
        yield at, value
        at = _skip(text, end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != "]":
            raise _damaged(shown, text, at, "is not valid JSON: expected ',' or ']'")


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] in tuple(" \t\r\n"):
        at += 1
    return at


def _entry(value: object, base: str, where: Source) -> Entry:
    def wrong(what: str) -> InputError:
        return InputError(what, where, "each entry has file, directory and command or arguments")

    if not isinstance(value, dict):
        raise wrong("this entry is not an object")
    file, directory = value.get("file"), value.get("directory", base)
    if not isinstance(file, str) or not isinstance(directory, str):
        raise wrong("this entry names no file" if "file" not in value else "not a path")
    words, command = value.get("arguments"), value.get("command")
    if isinstance(words, list) and all(isinstance(word, str) for word in words):
        split = tuple(words)
    elif isinstance(command, str):
        try:
            split = tuple(shlex.split(command))
        except ValueError as error:
            raise wrong(f"the command of this entry is badly quoted: {error}") from None
    else:
        raise wrong("this entry has no command")
    directory = os.path.normpath(os.path.join(base, directory))
    return Entry(os.path.normpath(os.path.join(directory, file)), directory, split)


def _place(shown: str, text: str, at: int) -> Source:
    return Source(shown, text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1)


def _damaged(shown: str, text: str, at: int, message: str) -> InputError:
    return InputError(message, _place(shown, text, at), "let the build write it again")
