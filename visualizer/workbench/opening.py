"""What it takes to open a file: its path, a line to begin at, and the preprocessor's flags for it.

The flags are words, as they stand on a command line. So the same opening can be typed into the app,
come from `unfold open`, and be kept among the recent files; they are parsed in one place, by the
parser of the command line.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic, Expansion, InputError, Options
    from visualizer.workbench.bench import Workbench

_WITH_A_PATH = ("-isystem", "-include", "-I", "-p")  # "-isystem" before "-I": none begins another


class FlagError(ValueError):
    """The flags are no flags of the preprocessor's. The message says which, and why."""


@dataclass(frozen=True, slots=True)
class Opening:
    path: Path
    line: int | None = None
    flags: tuple[str, ...] = ()

    def absolute(self) -> Opening:
        """The same wherever one stands: with no path in it that is relative."""
        return Opening(self.path.absolute(), self.line, tuple(_absolute(self.flags)))

    def flags_text(self) -> str:
        """The flags as one would type them."""
        return shlex.join(self.flags)


def split_flags(text: str) -> tuple[str, ...]:
    """A typed line of flags as words. Raises FlagError where a quote isn't closed."""
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise FlagError(f"{text}: {str(error).lower()}") from None


def options_of(opening: Opening) -> tuple[Options, Diagnostic | None]:
    """The preprocessor's options for the file, and what `-p` has to say of it.

    Raises FlagError for words that are no flags, and InputError for flags that can't be followed:
    a wheel that isn't installed, a damaged compile_commands.json.
    """
    from visualizer.workbench.flags import add_flags, options_for

    parser = _Strict(prog="unfold", add_help=False, allow_abbrev=False)
    add_flags(parser)
    return options_for(parser.parse_args(list(opening.flags)), opening.path)


def load(opening: Opening) -> tuple[Workbench, str]:
    """The file on the bench, and a note on how it was read, mostly empty.

    Raises FlagError, and InputError if the file cannot be read as source.
    """
    from visualizer.workbench.bench import open_file

    options, note = options_of(opening)
    bench = open_file(opening.path, options)
    if note is None:
        return bench, ""
    return bench, f"{note.message}. {note.hint}" if note.hint else note.message


def why_not(error: Exception) -> str:
    """One message for a file that could not be opened."""
    from visualizer.expansion import InputError

    if isinstance(error, InputError):
        return str(error.diagnostic)
    if isinstance(error, FlagError):
        return f"Flags: {error}"
    return f"{type(error).__name__}: {error}"


def nothing_at(file: str, line: int | None, expansions: Sequence[Expansion]) -> Diagnostic:
    """The error of a file that is there, asked for a line on which no macro is invoked, or for any."""
    from visualizer.expansion import Diagnostic
    from visualizer.expansion.tokens import Source
    from visualizer.expansion.wording import listed

    if line is None:
        return Diagnostic("error", "no macro is invoked in this file", Source(file, 1, 1))
    hint = "this file invokes no macro"
    lines = sorted({e.where.line for e in expansions})
    if lines:
        nearest = sorted(sorted(lines, key=lambda at: abs(at - line))[:3])
        hint = f"the nearest {listed(map(str, nearest), 'is on line', 'are on lines')}"
    return Diagnostic("error", "no macro is invoked on this line", Source(file, line, 1), hint)


def nothing_on(line: int, bench: Workbench) -> InputError:
    """The same, to be raised."""
    from visualizer.expansion import InputError

    found = nothing_at(bench.trace.file, line, bench.trace.expansions)
    return InputError(found.message, found.where, found.hint)


def flags_in(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The preprocessor's flags among parsed arguments, as words again."""
    words: list[str] = []
    if arguments.database is not None:
        words += ["-p", arguments.database]
    for folder in arguments.include_folders:
        words += ["-I", folder]
    for folder in arguments.system_folders:
        words += ["-isystem", folder]
    for letter, text in arguments.macros:
        words += [f"-{letter}", text]
    for file in arguments.forced_includes:
        words += ["-include", file]
    if arguments.cc != "auto":
        words += ["--cc", arguments.cc]
    words += ["--paddle"] * arguments.paddle + ["--torch"] * arguments.torch
    if arguments.std:
        words += ["--std", arguments.std]
    if arguments.language:
        words += ["-x", arguments.language]
    if arguments.dialect != "standard":
        words += ["--dialect", arguments.dialect]
    return tuple(words)


class _Strict(argparse.ArgumentParser):
    """Raises what argparse would print before it ends the process."""

    def error(self, message: str) -> NoReturn:
        raise FlagError(message)


def _absolute(flags: Iterable[str]) -> Iterator[str]:
    path_next = False
    for word in flags:
        if path_next:
            yield str(Path(word).expanduser().absolute())
            path_next = False
            continue
        flag = next((f for f in _WITH_A_PATH if word.startswith(f)), None)
        if flag is None or word == flag:
            yield word
            path_next = word == flag
        else:
            yield flag + str(Path(word[len(flag) :]).expanduser().absolute())
