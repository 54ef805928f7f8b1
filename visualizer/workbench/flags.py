"""What is said to the preprocessor about a file, in cc's own flags and a few of ours.

Whether they were parsed from a command line, typed into the app, written in a lesson or kept among the
recent files (`flag_words`): here they are the same `Flags`, and the `Options` of a file are made of
them and of nothing else.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.expansion.memory import MOST
from visualizer.expansion.tokens import Source

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic, Options

HERE = Path()


@dataclass(frozen=True, slots=True)
class Flags:
    """`-I`, `-isystem`, `-D` and `-U` in their order, `-include`, `-iquote`, `-idirafter`, `-imacros`,
    what the compiler itself understands, `--std`, `-x`, `--cc`, `--dialect`, `--memory`; `-p`, whose
    folder has a `compile_commands.json`; which wheels' headers are wanted: None, or whose, the
    environment's where that is empty; and `--from` with `--pass`, which say whose included text the
    file is."""

    include_folders: tuple[str, ...] = ()
    system_folders: tuple[str, ...] = ()
    macros: tuple[tuple[str, str], ...] = ()
    forced_includes: tuple[str, ...] = ()
    quote_folders: tuple[str, ...] = ()
    after_folders: tuple[str, ...] = ()
    macro_files: tuple[str, ...] = ()
    compiler_flags: tuple[str, ...] = ()
    std: str = ""
    language: str = ""
    cc: str = "auto"
    dialect: str = "standard"
    database: str | None = None
    paddle: str | None = None
    torch: str | None = None
    main: str = ""
    nth: int = 0
    memory: int = MOST

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
            ("-iquote", self.quote_folders),
            ("-idirafter", self.after_folders),
            ("-imacros", self.macro_files),
            ("-include", self.forced_includes),
        ):
            for operand in operands:
                yield from (flag, operand)
        yield from self.compiler_flags
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
        for flag, whose in (("--paddle", self.paddle), ("--torch", self.torch)):
            if whose is not None:
                yield f"{flag}={whose}" if whose else flag
        yield from ("--from", self.main) if self.main else ()
        yield from ("--pass", str(self.nth)) if self.nth else ()
        yield from ("--memory", str(self.memory >> 20)) if self.memory != MOST else ()

    def absolute(self, folder: Path = HERE) -> Flags:
        """The same wherever one stands: relative paths begin in `folder`, by default the current."""

        def absolute(path: str) -> str:
            return str((folder / os.path.expanduser(path)).absolute())

        return replace(
            self,
            include_folders=tuple(map(absolute, self.include_folders)),
            system_folders=tuple(map(absolute, self.system_folders)),
            forced_includes=tuple(map(absolute, self.forced_includes)),
            quote_folders=tuple(map(absolute, self.quote_folders)),
            after_folders=tuple(map(absolute, self.after_folders)),
            macro_files=tuple(map(absolute, self.macro_files)),
            database=None if self.database is None else absolute(self.database),
            paddle=absolute(self.paddle) if self.paddle else self.paddle,
            torch=absolute(self.torch) if self.torch else self.torch,
            main=self.main and absolute(self.main),
        )

    def options(self) -> Options:
        """What they make without a database. Raises InputError if a wheel is wanted that is not
        installed, if `-x` and `--std` contradict each other, and for a `--pass` of no text."""
        from visualizer.expansion import InputError, Options

        if self.nth and not self.main:
            said = "--pass is for a text that another file includes"
            raise InputError(said, Source("unfold", 1, 1), "name that file with --from")
        system_folders, cxx = list(self.system_folders), ""
        if self.paddle is not None or self.torch is not None:
            from visualizer.workbench import wheels

            for whose, wheel in ((self.paddle, wheels.PADDLE), (self.torch, wheels.TORCH)):
                if whose is not None:
                    folders = wheels.include_folders(wheel, whose)
                    system_folders += folders
                    cxx = max(cxx, wheels.standard(folders))
        return Options(
            include_folders=self.include_folders,
            system_folders=tuple(system_folders),
            macros=self.macros,
            forced_includes=self.forced_includes,
            quote_folders=self.quote_folders,
            after_folders=self.after_folders,
            macro_files=self.macro_files,
            compiler_flags=self.compiler_flags,
            std=self._standard(),
            cxx=cxx,
            cc=self.cc,
            dialect=self.dialect,
            main=self.main,
            nth=self.nth,
            memory=self.memory,
        )

    def options_for(
        self, path: str | Path, given: Options | None = None
    ) -> tuple[Options, Diagnostic | None]:
        """The options for one file, with what its build's database adds to those `given`, that of
        `-p` or else the one that is found; and what to say of it. Raises InputError if there is no
        such database, or a damaged one."""
        from visualizer.expansion.found_database import build_flags

        path = self.main or path
        given = given or self.options()
        flags = build_flags(path, self.database, given.cc)
        if not flags:
            return given, None
        from visualizer.expansion.compile_commands import with_flags

        return with_flags(flags[0].options, given), flags[0].note(path)

    def _standard(self) -> str:
        """What `--std` and `-x` ask for; empty if neither is there."""
        from visualizer.expansion import InputError
        from visualizer.expansion.predefined import ASSEMBLER, is_cxx, settled

        if not self.language:
            return self.std
        if self.language == "assembler-with-cpp":
            return ASSEMBLER
        std = settled(self.std, cxx=self.language == "c++")
        if is_cxx(std) != (self.language == "c++"):
            said = f"-x {self.language} and --std {self.std} contradict each other"
            raise InputError(said, Source("unfold", 1, 1), "take one out")
        return std
