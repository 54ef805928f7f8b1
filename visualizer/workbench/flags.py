"""What is said to the preprocessor about a file, in cc's own flags and a few of ours.

Whether they were parsed from a command line, typed into the app, written in a lesson or kept among the
recent files (`flag_words`): here they are the same `Flags`, and the `Options` of a file are made of
them and of nothing else.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic, Options


@dataclass(frozen=True, slots=True)
class Flags:
    """`-I`, `-isystem`, `-D` and `-U` in their order, `-include`, `--std`, `-x`, `--cc`, `--dialect`;
    `-p`, whose folder has a `compile_commands.json`; and which wheels' headers are wanted."""

    include_folders: tuple[str, ...] = ()
    system_folders: tuple[str, ...] = ()
    macros: tuple[tuple[str, str], ...] = ()
    forced_includes: tuple[str, ...] = ()
    std: str = ""
    language: str = ""
    cc: str = "auto"
    dialect: str = "standard"
    database: str | None = None
    paddle: bool = False
    torch: bool = False

    def words(self) -> tuple[str, ...]:
        """The same as words of a command line."""
        return tuple(self._words())

    def text(self) -> str:
        """The same as one would type it."""
        return shlex.join(self._words())

    def _words(self) -> Iterator[str]:
        if self.database is not None:
            yield from ("-p", self.database)
        for flag, operands in (
            ("-I", self.include_folders),
            ("-isystem", self.system_folders),
            ("-include", self.forced_includes),
        ):
            for operand in operands:
                yield from (flag, operand)
        for letter, operand in self.macros:
            yield from (f"-{letter}", operand)
        for flag, operand, default in (
            ("--std", self.std, ""),
            ("-x", self.language, ""),
            ("--cc", self.cc, "auto"),
            ("--dialect", self.dialect, "standard"),
        ):
            if operand != default:
                yield from (flag, operand)
        yield from ["--paddle"] * self.paddle + ["--torch"] * self.torch

    def absolute(self) -> Flags:
        """The same wherever one stands: with no path in it that is relative."""
        return replace(
            self,
            include_folders=tuple(map(_absolute, self.include_folders)),
            system_folders=tuple(map(_absolute, self.system_folders)),
            forced_includes=tuple(map(_absolute, self.forced_includes)),
            database=None if self.database is None else _absolute(self.database),
        )

    def options(self) -> Options:
        """What they make without a database. Raises InputError if a wheel is wanted that is not
        installed, and if `-x` and `--std` contradict each other."""
        from visualizer.expansion import Options

        system_folders = list(self.system_folders)
        if self.paddle or self.torch:
            from visualizer.workbench import wheels

            for wanted, wheel in ((self.paddle, wheels.PADDLE), (self.torch, wheels.TORCH)):
                system_folders += wheels.include_folders(wheel) if wanted else ()
        return Options(
            include_folders=self.include_folders,
            system_folders=tuple(system_folders),
            macros=self.macros,
            forced_includes=self.forced_includes,
            std=self._standard(),
            cc=self.cc,
            dialect=self.dialect,
        )

    def options_for(
        self, path: str | Path, given: Options | None = None
    ) -> tuple[Options, Diagnostic | None]:
        """The options for one file, with what `-p` adds to those `given`, and what to say of it.
        Raises InputError if there is no such database, or a damaged one."""
        given = given or self.options()
        if self.database is None:
            return given, None
        from visualizer.expansion import compile_commands

        found = compile_commands.flags_for(self.database, path)
        return compile_commands.with_flags(found.options, given), found.note(path)

    def _standard(self) -> str:
        """What `--std` and `-x` ask for; empty if neither is there."""
        from visualizer.expansion import InputError
        from visualizer.expansion.predefined import DEFAULT_C, DEFAULT_CXX, is_cxx
        from visualizer.expansion.tokens import Source

        if self.std and self.language and is_cxx(self.std) != (self.language == "c++"):
            said = f"-x {self.language} and --std {self.std} contradict each other"
            raise InputError(said, Source("unfold", 1, 1), "take one out")
        return self.std or {"c": DEFAULT_C, "c++": DEFAULT_CXX}.get(self.language, "")


def _absolute(path: str) -> str:
    return str(Path(path).expanduser().absolute())
