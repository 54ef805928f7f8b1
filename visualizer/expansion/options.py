"""What a compiler's command line says to its preprocessor."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from visualizer.expansion.ask_compiler import takes_c_for_cxx, usual_standard
from visualizer.expansion.memory import MOST
from visualizer.expansion.predefined import ANSI, ASSEMBLER, USUAL_C, USUAL_CXX, settled
from visualizer.expansion.source_files import is_among_c, is_assembler, is_c

STEP_LIMIT = 500_000


@dataclass(frozen=True, slots=True)
class Options:
    """cc's own flags: `-I`, `-isystem`, `-D` and `-U` in their order, `-include`, `--std`; `-iquote`,
    `-idirafter`, `-imacros`.

    `cc` names the compiler whose predefined macros and include path to use, as `--cc` does, and
    `compiler_flags` are those that are its own to understand (`compiler_flags.py`).
    `std` is empty where nobody asked for a standard: then the file's name says whether it is C or C++,
    and the compiler by which standard. `cxx` is the one that C++ then has, if not the compiler's.
    `macros` are the operands of `-D` and `-U` with the flag's letter: `("D", "X=1")`, `("U", "X")`.
    `unsaved` are texts that stand for what files hold on disk, as libclang's unsaved files do: of
    each the absolute path without `..`, and the text as an editor has it.
    `main` is the file that is compiled, where the one that is looked at is included by it, and `nth`
    says in which pass of it; 0: nobody said.
    `database` is the `compile_commands.json` that some of them are from, for who wants to know, and
    `spelled` says how that one spells files and folders: absolute paths, each with its word there.
    `exact` is for who writes the tokens out again, as the compiler does: bytes that aren't UTF-8 stay
    what they are, as lone surrogates, and behind an invocation that is never closed there is no more.
    Else U+FFFD stands for each such byte, and what is behind the macro's name can be looked at.
    `step_limit` is how many steps one invocation may take before it is stopped, and `memory` how many
    bytes it may take to read the file.
    """

    include_folders: tuple[str, ...] = ()
    system_folders: tuple[str, ...] = ()
    macros: tuple[tuple[str, str], ...] = ()
    forced_includes: tuple[str, ...] = ()
    quote_folders: tuple[str, ...] = ()
    after_folders: tuple[str, ...] = ()
    macro_files: tuple[str, ...] = ()
    compiler_flags: tuple[str, ...] = ()
    std: str = ""
    cxx: str = ""
    dialect: str = "standard"
    cc: str = "none"
    unsaved: tuple[tuple[str, str], ...] = ()
    main: str = ""
    nth: int = 0
    database: str = ""
    spelled: tuple[tuple[str, str], ...] = ()
    exact: bool = False
    step_limit: int = STEP_LIMIT
    memory: int = MOST

    def with_text(self, path: str | Path, text: str) -> Options:
        """With this text standing for what that one file holds on disk."""
        return replace(self, unsaved=((os.path.abspath(path), text),))

    def settled(self, path: str | Path) -> Options:
        """The same with a standard. As for cc, `.c` is C, `.S` assembler; a `.h` among files of C is C
        too. Any other header is taken for C++, and by a compiler such as g++ all but assembler."""
        std = self.std
        if not std or std == ANSI:
            named = self.main or str(path)
            if is_assembler(named):
                return replace(self, std=ASSEMBLER)
            c = is_c(named) or is_among_c(named)
            std = settled(std, cxx=not c or takes_c_for_cxx(self.cc))
        if std == USUAL_C or (std == USUAL_CXX and not self.cxx):
            return replace(self, std=usual_standard(self.cc, cxx=std == USUAL_CXX))
        return replace(self, std=self.cxx if std == USUAL_CXX else std)

    def command_line(self) -> str:
        """`-D` and `-U` as the directives that they stand for."""
        lines = []
        for letter, text in self.macros:
            if letter == "U":
                lines.append(f"#undef {text}")
            else:
                name, equals, value = text.partition("=")
                lines.append(f"#define {name} {value if equals else '1'}")
        return "\n".join(lines) + "\n"
