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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

from visualizer.expansion.ask_compiler import is_here, takes_c_for_cxx
from visualizer.expansion.compiler_words import (
    compiler_of,
    flags_among,
    of_another_language,
    passed_over,
)
from visualizer.expansion.diagnostics import Diagnostic, InputError
from visualizer.expansion.nearest_file import NearestFile
from visualizer.expansion.options import Options
from visualizer.expansion.predefined import ASSEMBLER, is_cxx
from visualizer.expansion.readable import is_confined, may_read, read_regular
from visualizer.expansion.source_files import display_path, is_assembler, is_c, is_header
from visualizer.expansion.tokens import Source
from visualizer.expansion.wording import counted, elided, listed

NAME = "compile_commands.json"
_MOST_NAMED = 6  # flags that are passed over
_LONGEST_WORD = 1 << 20  # bytes; Linux has 128 KiB
_LARGEST = 256 << 20  # bytes; Chromium's is about half of that
_UNSAYABLE = "this entry has a word that no command line can have"


@dataclass(frozen=True, slots=True)
class CommandObject:
    """One compilation: the file, absolute; the folder that relative paths start from; the words."""

    file: str
    directory: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileFlags:
    """cc's flags for one file. `borrowed_from` is the file whose entry it was, if not its own.
    `stranger` is the compiler of the entry, where that isn't one that is asked here. `passed_over`
    are flags that reach no compiler here, though they may matter. `refused` is one that clang compiles
    nothing with: a standard of the other language, which gcc warns of and ignores."""

    options: Options
    database: str
    borrowed_from: str | None = None
    stranger: str = ""
    passed_over: tuple[str, ...] = ()
    refused: str = ""

    def note(self, path: str | Path) -> Diagnostic | None:
        """What the user should know about these flags: that they were meant for another file, or for
        another compiler than the one that says what they define. Raises InputError where the compiler
        refuses one."""
        where = Source(display_path(path), 1, 1)
        over = self._over()
        if self.refused:
            spoken = "C++" if is_cxx(self.options.std) else "C"
            said = f"clang refuses {self.refused}: this file is read as {spoken}"
            hint = "take it out of the entry" + "; or name with --cc what reads it" * (
                not is_confined()
            )
            raise InputError(said, Source(self.database, 1, 1), hint)
        stands_in = f"another compiler than {self.stranger} says what is predefined"
        if self.borrowed_from is not None:
            hint = f"using the flags of {display_path(Path(self.borrowed_from))}"
            hint += f"; {stands_in}" * bool(self.stranger) + f"; {over}" * bool(over)
            return Diagnostic("warning", f"no entry in {self.database}", where, hint)
        if self.stranger:
            hint = stands_in + ": name one that is there with --cc" * (not is_confined())
            hint += f"; {over}" * bool(over)
            return Diagnostic("warning", f"compiled by {self.stranger}", where, hint)
        if over:
            return Diagnostic(
                "warning",
                over,
                Source(self.database, 1, 1),
                "they are not known here, or mean nothing here",
            )
        return None

    def _over(self) -> str:
        if not self.passed_over:
            return ""
        flags = counted(len(self.passed_over), "flag")
        names = listed(map(elided, self.passed_over), most=_MOST_NAMED)
        return f"{flags} passed over: {names}"


def flags_for(folder: str | Path, path: str | Path) -> FileFlags:
    """The flags for `path` in the database of `folder` (or in that file, if it is one).

    Raises InputError, with its place, where there is no database or it is damaged.
    """
    return compilations(folder, path)[0]


def compilations(folder: str | Path, path: str | Path, cc: str = "auto") -> tuple[FileFlags, ...]:
    """The flags of each time that `path` is compiled, in the order of the database of `folder`: one
    at least. `cc` is the compiler that was named in place of the entry's, as in `Options`. Raises
    InputError as `flags_for` does."""
    found = own(folder, path, cc)
    return found or lent(folder, path, _in(folder).nearest.find(os.path.abspath(path)), cc)


def own(folder: str | Path, path: str | Path, cc: str = "auto") -> tuple[FileFlags, ...]:
    """The same, of a file that has entries itself; none of another."""
    database, file = _in(folder), os.path.abspath(path)
    commands = database.commands(file) or database.commands(os.path.realpath(file))
    return tuple(_flags_of(each, file, database.shown, borrowed=False, cc=cc) for each in commands)


def lent(folder: str | Path, path: str | Path, by: str, cc: str) -> tuple[FileFlags, ...]:
    """The flags of the first time that `by` is compiled, for `path`, which it includes. Raises
    InputError as `flags_for` does."""
    database, file = _in(folder), os.path.abspath(path)
    commands = database.commands(by, most=1)
    return tuple(_flags_of(each, file, database.shown, borrowed=True, cc=cc) for each in commands)


def _flags_of(
    command: CommandObject, file: str, database: str, borrowed: bool, cc: str
) -> FileFlags:
    named = "" if cc in ("auto", "none") else cc
    compiler = named or compiler_of(command.words)
    c = _is_c(file, command.file) and not takes_c_for_cxx(compiler)
    options = flags_among(command.words, command.directory, c)
    if is_assembler(command.file):
        options = replace(options, std=ASSEMBLER)
    if not borrowed:
        options = replace(options, spelled=(*options.spelled, *_spelled(command)))
    over = passed_over(command.words, command.directory)
    known = is_here(compiler)
    foreign = of_another_language(command.words, command.directory, options.std)
    refused = ""
    if foreign and not borrowed and not named:
        if "clang" not in os.path.basename(compiler):
            over += tuple(dict.fromkeys(flag for flag, _ in foreign))
        elif foreign[-1][1]:  # clang looks at no other
            refused = foreign[-1][0]
    return FileFlags(
        replace(options, cc=compiler if known else "auto", database=database),
        database,
        command.file if borrowed else None,
        "" if known or named else compiler,
        over,
        refused,
    )


def files(folder: str | Path) -> list[str]:
    """The files, absolute, that the database of `folder` has entries for, in their order. Raises
    InputError as `flags_for` does."""
    return [*_in(folder).entries]


def with_flags(file: Options, command_line: Options) -> Options:
    """A file's flags with those of Unfold's own command line behind them, where the last word on a
    macro is the one that counts, and so is that on the standard."""
    return replace(
        command_line,
        include_folders=(*file.include_folders, *command_line.include_folders),
        system_folders=(*file.system_folders, *command_line.system_folders),
        macros=(*file.macros, *command_line.macros),
        forced_includes=(*file.forced_includes, *command_line.forced_includes),
        quote_folders=(*file.quote_folders, *command_line.quote_folders),
        after_folders=(*file.after_folders, *command_line.after_folders),
        macro_files=(*file.macro_files, *command_line.macro_files),
        compiler_flags=(*file.compiler_flags, *command_line.compiler_flags),
        std=command_line.std or file.std,
        cc=file.cc if command_line.cc == "auto" else command_line.cc,
        database=file.database,
        spelled=file.spelled,
    )


def _spelled(command: CommandObject) -> Iterator[tuple[str, str]]:
    """The file with the word that names it."""
    for word in command.words[1:]:
        if os.path.normpath(os.path.join(command.directory, word)) == command.file:
            yield command.file, word


def _is_c(file: str, entry_file: str) -> bool:
    """Whether cc, without `-x` or `-std`, takes the file for C. A header is what includes it."""
    return is_c(entry_file if is_header(file) else file)


# ---------------------------------------------------------------------- reading


@dataclass(frozen=True)
class _Database:
    """The text of a database, its name as shown, and where the entries of each file stand in it. The
    words of an entry are read when they are asked for: a large build has hundreds of thousands."""

    path: str
    shown: str
    text: str
    entries: dict[str, list[int]]

    def commands(self, file: str, most: int | None = None) -> list[CommandObject]:
        return [self._command(at) for at in self.entries.get(file, ())[:most]]

    def _command(self, at: int) -> CommandObject:
        value, _ = json.JSONDecoder().raw_decode(self.text, at)
        where = partial(_place, self.shown, self.text, at)
        return CommandObject(
            *_paths(value, os.path.dirname(self.path), where), _words(value, where)
        )

    @cached_property
    def nearest(self) -> NearestFile:
        return NearestFile(self.entries)


def _in(folder: str | Path) -> _Database:
    """The database of a folder, or that file."""
    database = Path(folder) if may_read(folder) and Path(folder).is_file() else Path(folder, NAME)
    return _read(os.path.abspath(database), display_path(database), _version(database))


def _version(database: Path) -> int:
    """Tells one state of the file from the next."""
    try:
        return database.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=8)
def _read(database: str, shown: str, version: int) -> _Database:
    start = Source(shown, 1, 1)
    try:
        if not may_read(database):
            raise FileNotFoundError
        text = read_regular(database, _LARGEST).decode("utf-8-sig")
    except FileNotFoundError:
        hint = "build with cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or run bear -- make"
        raise InputError("no such file", start, hint) from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8, as JSON must be", start, "write it again") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", start) from None
    entries: dict[str, list[int]] = {}
    for at, value in _values(text, shown):
        file, _ = _paths(value, os.path.dirname(database), partial(_place, shown, text, at))
        entries.setdefault(file, []).append(at)
    if not entries:
        raise InputError("has no entries", start, "build the project once, then try again")
    return _Database(database, shown, text, entries)


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
        except RecursionError:
            raise _damaged(shown, text, at, "has an entry that is nested without end") from None
        except ValueError:  # int's, for thousands of digits
            raise _damaged(shown, text, at, "has an entry with a number too long") from None
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


def _paths(value: object, base: str, where: Callable[[], Source]) -> tuple[str, str]:
    """The file and the folder of an entry that can have words."""
    if not isinstance(value, dict):
        raise _wrong("this entry is not an object", where)
    file, directory = value.get("file"), value.get("directory", base)
    if not isinstance(file, str) or not isinstance(directory, str):
        raise _wrong("this entry names no file" if "file" not in value else "not a path", where)
    words = value.get("arguments")
    if not (isinstance(words, list) or isinstance(value.get("command"), str)):
        raise _wrong("this entry has no command", where)
    if not (_can_be_said(file) and _can_be_said(directory)):
        raise _wrong(_UNSAYABLE, where)
    directory = os.path.normpath(os.path.join(base, directory))
    return os.path.normpath(os.path.join(directory, file)), directory


def _words(value: dict[str, Any], where: Callable[[], Source]) -> tuple[str, ...]:
    words, command = value.get("arguments"), value.get("command")
    if isinstance(words, list) and all(isinstance(word, str) for word in words):
        split = tuple(words)
    elif isinstance(command, str):
        try:
            split = tuple(shlex.split(command))
        except ValueError as error:
            said = f"the command of this entry is badly quoted: {error}"
            raise _wrong(said, where) from None
    else:
        raise _wrong("this entry has no command", where)
    if not all(map(_can_be_said, split)):
        raise _wrong(_UNSAYABLE, where)
    return split


def _wrong(what: str, where: Callable[[], Source]) -> InputError:
    return InputError(what, where(), "each entry has file, directory and command or arguments")


def _can_be_said(word: str) -> bool:
    """Whether a program could have been given this word: no null, no half of a character, no book."""
    try:
        return "\0" not in word and len(os.fsencode(word)) <= _LONGEST_WORD
    except UnicodeEncodeError:
        return False


def _place(shown: str, text: str, at: int) -> Source:
    return Source(shown, text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1)


def _damaged(shown: str, text: str, at: int, message: str) -> InputError:
    return InputError(message, _place(shown, text, at), "let the build write it again")
