"""cc's own flags, which the subcommands that preprocess share, and the `Options` that they make."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

from visualizer.expansion import Diagnostic, InputError, Options
from visualizer.expansion.language import DIALECTS
from visualizer.expansion.options import COMPILERS
from visualizer.expansion.predefined import DEFAULT_C, DEFAULT_CXX, is_cxx, is_standard
from visualizer.expansion.tokens import Source

_BY_LANGUAGE = {"c": DEFAULT_C, "c++": DEFAULT_CXX}


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
        choices=_BY_LANGUAGE,
        help="take the file for C or C++, whatever its name says",
    )
    flags.add_argument(
        "--dialect",
        choices=DIALECTS,
        default=DIALECTS[0],
        help="msvc-traditional: as Microsoft's older preprocessor has it",
    )


def options(arguments: argparse.Namespace) -> Options:
    """The preprocessor's options among parsed arguments. Raises InputError if `--paddle` or `--torch`
    asks for a wheel that is not installed, and if `-x` and `--std` contradict each other."""
    system_folders = list(arguments.system_folders)
    if arguments.paddle or arguments.torch:
        from visualizer.workbench import wheels

        for wanted, wheel in ((arguments.paddle, wheels.PADDLE), (arguments.torch, wheels.TORCH)):
            system_folders += wheels.include_folders(wheel) if wanted else ()
    return Options(
        include_folders=tuple(arguments.include_folders),
        system_folders=tuple(system_folders),
        macros=tuple(arguments.macros),
        forced_includes=tuple(arguments.forced_includes),
        std=_asked_for(arguments.std, arguments.language),
        cc=arguments.cc,
        dialect=arguments.dialect,
    )


def options_for(
    arguments: argparse.Namespace, path: str | Path, given: Options | None = None
) -> tuple[Options, Diagnostic | None]:
    """The preprocessor's options for one file, with what `-p` adds to those `given`, and what to say
    of it. Raises InputError if there is no such database, or a damaged one."""
    given = given or options(arguments)
    if arguments.database is None:
        return given, None
    from visualizer.expansion import compile_commands

    flags = compile_commands.flags_for(arguments.database, path)
    merged = compile_commands.with_flags(flags.options, given)
    return merged, flags.note(path)


def file_and_line(text: str) -> tuple[Path, int | None]:
    """`FILE[:LINE[:COLUMN]]`, as compilers print it and editors copy it."""
    match = re.fullmatch(r"(.+?):(\d+)(?::\d*)?", text)
    if match is None or os.path.exists(text):  # not Path's, which raises for a name too long
        return Path(text), None
    return Path(match[1]), int(match[2])


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


def _asked_for(std: str | None, language: str | None) -> str:
    """The standard that `--std` and `-x` ask for; empty if neither is there."""
    if std and language and is_cxx(std) != (language == "c++"):
        where = Source("unfold", 1, 1)
        raise InputError(
            f"-x {language} and --std {std} contradict each other", where, "take one out"
        )
    return std or _BY_LANGUAGE.get(language or "", "")


def _standard(text: str) -> str:
    name = text.lower()
    if not is_standard(name):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a standard that gcc knows, such as c++17"
        )
    return name
