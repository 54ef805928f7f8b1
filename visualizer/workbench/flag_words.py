"""Words read as `Flags`: of a command line, of a typed line, of a lesson, of the recent files.

They are read by one parser, the command line's, so that the same words mean the same wherever they
stand and are refused with the same message.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable
from typing import NoReturn

from visualizer.expansion.language import DIALECTS
from visualizer.expansion.options import COMPILERS
from visualizer.expansion.predefined import DEFAULT_C, DEFAULT_CXX, is_standard
from visualizer.workbench.flags import Flags


class FlagError(ValueError):
    """The words are no flags of the preprocessor's. The message says which, and why."""


def split_flags(text: str) -> list[str]:
    """A typed line as words. Raises FlagError where a quote isn't closed."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise FlagError(f"{text}: {str(error).lower()}") from None


def read_flags(words: Iterable[str]) -> Flags:
    """Raises FlagError for words that are no flags."""
    parser = _Strict(prog="unfold", add_help=False, allow_abbrev=False)
    add_flags(parser)
    return flags_in(parser.parse_args(list(words)))


def flags_in(arguments: argparse.Namespace) -> Flags:
    """Those of a subcommand whose parser `add_flags` was called for."""
    return Flags(
        include_folders=tuple(arguments.include_folders),
        system_folders=tuple(arguments.system_folders),
        macros=tuple(arguments.macros),
        forced_includes=tuple(arguments.forced_includes),
        std=arguments.std or "",
        language=arguments.language or "",
        cc=arguments.cc,
        dialect=arguments.dialect,
        database=arguments.database,
        paddle=arguments.paddle,
        torch=arguments.torch,
    )


def add_flags(command: argparse.ArgumentParser) -> None:
    """`-I`, `-D` and all the others, as a group of the command's help."""
    flags = command.add_argument_group("preprocessor")
    flags.add_argument(
        "-p",
        dest="database",
        metavar="DIR",
        help="each file's flags from DIR/compile_commands.json, before those given here",
    )
    flags.add_argument("-I", dest="include_folders", metavar="DIR", action="append", default=[])
    flags.add_argument(
        "-isystem", dest="system_folders", metavar="DIR", action="append", default=[]
    )
    flags.add_argument("-D", dest="macros", metavar="NAME[=VALUE]", action=_Macro, default=[])
    flags.add_argument("-U", dest="macros", metavar="NAME", action=_Macro, default=[])
    flags.add_argument(
        "-include", dest="forced_includes", metavar="FILE", action="append", default=[]
    )
    flags.add_argument(
        "--cc",
        choices=COMPILERS,
        default="auto",
        help="whose predefined macros and include path to use: an installed compiler's, or built-in "
        "tables (default: gcc, else clang, else none)",
    )
    flags.add_argument(
        "--paddle", action="store_true", help="add the headers of the installed paddlepaddle"
    )
    flags.add_argument(
        "--torch", action="store_true", help="add the headers of the installed torch"
    )
    flags.add_argument(
        "--std",
        "-std",
        metavar="NAME",
        type=_standard,
        help=f"language standard by gcc's name (default: {DEFAULT_C} for FILE.c, else {DEFAULT_CXX})",
    )
    flags.add_argument(
        "-x",
        dest="language",
        choices=("c", "c++"),
        help="take the file for C or C++, whatever its name says",
    )
    flags.add_argument(
        "--dialect",
        choices=DIALECTS,
        default=DIALECTS[0],
        help="msvc-traditional: as Microsoft's older preprocessor has it",
    )


class _Macro(argparse.Action):
    """-D and -U keep their order: the last word on a name wins."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        name = str(values).partition("=")[0]
        if not name.partition("(")[0].replace("$", "_").isidentifier():
            parser.error(f"{option_string} {values}: '{name}' is not a macro name")
        macros = [*getattr(namespace, self.dest), ((option_string or "-D")[1], str(values))]
        setattr(namespace, self.dest, macros)


def _standard(text: str) -> str:
    name = text.lower()
    if not is_standard(name):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a standard that gcc knows, such as c++17"
        )
    return name


class _Strict(argparse.ArgumentParser):
    """Raises what argparse would print before it ends the process."""

    def error(self, message: str) -> NoReturn:
        raise FlagError(message)
