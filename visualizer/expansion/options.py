"""What a compiler's command line says to its preprocessor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from visualizer.expansion.nearest_file import is_c
from visualizer.expansion.predefined import DEFAULT_C, DEFAULT_CXX

STEP_LIMIT = 500_000
COMPILERS = ("auto", "gcc", "clang", "none")  # what `--cc` may be


@dataclass(frozen=True, slots=True)
class Options:
    """cc's own flags: `-I`, `-isystem`, `-D` and `-U` in their order, `-include`, `--std`.

    `cc` names the compiler whose predefined macros and include path to use, as `--cc` does.
    `std` is empty where nobody asked for a standard: then the file's name says whether it is C or C++.
    `macros` are the operands of `-D` and `-U` with the flag's letter: `("D", "X=1")`, `("U", "X")`.
    `unsaved` are texts that stand for what files hold on disk, as libclang's unsaved files do: of
    each the absolute path, and the text as an editor has it.
    `step_limit` is how many steps one invocation may take before it is stopped.
    """

    include_folders: tuple[str, ...] = ()
    system_folders: tuple[str, ...] = ()
    macros: tuple[tuple[str, str], ...] = ()
    forced_includes: tuple[str, ...] = ()
    std: str = ""
    dialect: str = "standard"
    cc: str = "none"
    unsaved: tuple[tuple[str, str], ...] = ()
    step_limit: int = STEP_LIMIT

    def settled(self, path: str | Path) -> Options:
        """The same with a standard. As for cc, `.c` is C; a header is taken for C++."""
        if self.std:
            return self
        return replace(self, std=DEFAULT_C if is_c(str(path)) else DEFAULT_CXX)

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
