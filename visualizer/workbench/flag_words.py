"""Words read as `Flags`: of a command line, of a typed line, of a lesson, of the recent files.

They are read by one parser, the command line's, so that the same words mean the same wherever they
stand and are refused with the same message.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
from collections.abc import Iterable
from typing import NoReturn

from visualizer.expansion.language import DIALECTS
from visualizer.expansion.memory import MOST
from visualizer.expansion.predefined import ANSI, is_standard
from visualizer.workbench.flags import Flags


class FlagError(ValueError):
    """The words are no flags of the preprocessor's. The message says which, and why."""


def split_flags(text: str) -> list[str]:
    """A typed line as words. Raises FlagError where a quote isn't closed."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise FlagError(f"{text}: {str(error).lower()}") from None


def read_flags(words: Iterable[str], of_the_user: bool = True) -> Flags:
    """Raises FlagError for words that are no flags; and where they aren't the user's, but stand in some
    file, for one that may name a python to be started."""
    words = list(words)
    if not of_the_user and (named := next((w for w in words if w.startswith(_NAMING)), "")):
        raise FlagError(f"{named}: only the user says whose headers to take")
    parser = _Strict(prog="unfold", add_help=False, allow_abbrev=False)
    add_flags(parser)
    add_from(parser)
    return flags_in(parser.parse_args(words_apart(words)))


def words_apart(words: Iterable[str]) -> list[str]:
    """As argparse needs them: `-iquoteDIR` and `--torch=PATH` in two words, `-Wp,-DX` without its
    wrapping, and what is in `FILE` for `@FILE`."""
    words, each = list(words), list[str]()
    if any(word.startswith(("@", "-Wp,")) for word in words):
        from visualizer.expansion.compiler_words import all_words

        words = list(all_words(words, os.getcwd()))
    for word in words:
        if (option := word.partition("=")[0]) in _WHOSE and option != word:
            each += [f"{option}-of", os.path.expanduser(word.partition("=")[2])]
            continue
        flag = next((f for f in _JOINED if word.startswith(f) and word != f), None)
        each += [word] if flag is None else [flag, word.removeprefix(flag)]
    return each


_WHOSE = ("--paddle", "--torch")
_NAMING = ("--paddle=", "--torch=", "--paddle-of", "--torch-of", "@")
_JOINED = ("-isystem", "-iquote", "-idirafter", "-imacros", "-include", "-isysroot")


def flags_in(arguments: argparse.Namespace) -> Flags:
    """Those of a subcommand whose parser `add_flags` was called for."""
    return Flags(
        include_folders=tuple(arguments.include_folders),
        system_folders=tuple(arguments.system_folders),
        macros=tuple(arguments.macros),
        forced_includes=tuple(arguments.forced_includes),
        quote_folders=tuple(arguments.quote_folders),
        after_folders=tuple(arguments.after_folders),
        macro_files=tuple(arguments.macro_files),
        compiler_flags=tuple(arguments.compiler_flags),
        std=arguments.std or "",
        language=arguments.language or "",
        cc=arguments.cc,
        dialect=arguments.dialect,
        database=arguments.database,
        paddle=arguments.paddle,
        torch=arguments.torch,
        main=getattr(arguments, "main", ""),
        nth=getattr(arguments, "nth", 0),
        memory=arguments.memory,
    )


def add_flags(command: argparse.ArgumentParser) -> None:
    """`-I`, `-D` and all the others, as a group of the command's help."""
    flags = command.add_argument_group(
        "preprocessor",
        "what a compiler takes: these, -ansi, and what it is asked with itself, because only it knows "
        "what that defines: -O2, -march=native, -fopenmp, -pthread, -undef, -nostdinc, -trigraphs, "
        "--target=NAME, --sysroot=DIR and their like. -W..., -g, -c and -pipe change nothing here.",
    )
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
    for flag, dest, metavar in (
        ("-include", "forced_includes", "FILE"),
        ("-imacros", "macro_files", "FILE"),
        ("-iquote", "quote_folders", "DIR"),
        ("-idirafter", "after_folders", "DIR"),
    ):
        flags.add_argument(flag, dest=dest, metavar=metavar, action="append", default=[])
    _add_compiler_flags(flags)
    flags.add_argument(
        "--cc",
        metavar="NAME",
        type=_compiler,
        default="auto",
        help="whose predefined macros and include path to use: gcc, clang, or as gcc-13 the name of "
        "one on PATH; none for built-in tables (default: gcc, else clang, else none)",
    )
    for option, package in (("--paddle", "paddlepaddle"), ("--torch", "torch")):
        flags.add_argument(
            option,
            action="store_const",
            const="",
            help=f"add the headers of the installed {package}: of the environment's python, or with "
            f"{option}=PATH of that python, folder of packages, or checkout",
        )
        flags.add_argument(f"{option}-of", dest=option[2:], help=argparse.SUPPRESS)
    flags.add_argument(
        "--std",
        "-std",
        metavar="NAME",
        type=_standard,
        help="language standard by gcc's name (default: the compiler's, of C for FILE.c, else of C++)",
    )
    flags.add_argument(
        "-x",
        dest="language",
        choices=("c", "c++", "assembler-with-cpp"),
        help="take the file for one of that language, whatever its name says",
    )
    flags.add_argument(
        "--dialect",
        choices=DIALECTS,
        default=DIALECTS[0],
        help="msvc-traditional: as Microsoft's older preprocessor has it",
    )
    flags.add_argument(
        "--memory",
        metavar="SIZE",
        type=_size,
        default=MOST,
        help="where reading a file stops, in MB, or as 2G (default: 500)",
    )


def add_from(command: argparse.ArgumentParser) -> None:
    """`--from` and `--pass`, where a file can be looked at that another includes."""
    command.add_argument(
        "--from",
        dest="main",
        metavar="FILE",
        default="",
        help="the file that is compiled, where the one to look at is included by it",
    )
    command.add_argument(
        "--pass",
        dest="nth",
        metavar="N",
        type=_number,
        default=0,
        help="with --from: of a text that is included several times, which time is meant",
    )


def _size(text: str) -> int:
    m = re.fullmatch(r"([0-9]{1,9})([MG]?)B?", text, re.IGNORECASE)
    if m is None or not int(m[1]):
        raise argparse.ArgumentTypeError(f"'{text}' is no size, such as 500M or 2G")
    return int(m[1]) << (30 if m[2].upper() == "G" else 20)


def _number(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 1 on")
    return int(text)


def _add_compiler_flags(flags: argparse._ArgumentGroup) -> None:
    """Those that the compiler understands, and those that change nothing that is seen here."""
    for forms, values in (
        (("-f", "-m", "--target", "-target", "--sysroot", "-isysroot", "-stdlib"), None),
        (("-O", *_LEVELS, "-pthread", "-undef", "-nostdinc", "-nostdinc++", "-trigraphs"), 0),
        (_TRADITIONAL, 0),
    ):
        flags.add_argument(
            *forms,
            dest="compiler_flags",
            action=_OfTheCompiler,
            nargs=values,
            default=[],
            help=argparse.SUPPRESS,
        )
    flags.add_argument(
        "-ansi", dest="std", action="store_const", const=ANSI, help=argparse.SUPPRESS
    )
    flags.add_argument("-W", dest="_", help=argparse.SUPPRESS)
    flags.add_argument(*_NOTHING, dest="_", action="store_const", const="", help=argparse.SUPPRESS)


_LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-Oz", "-Og", "-Ofast")
_TRADITIONAL = ("-traditional", "-traditional-cpp")
_NOTHING = ("-g", "-g0", "-g1", "-g2", "-g3", "-ggdb", "-w", "-c", "-pipe", "-pedantic")


class _OfTheCompiler(argparse.Action):
    """A flag that may reach a compiler, in its order among its like."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        from visualizer.expansion.compiler_flags import may_reach

        option, value = option_string or "", "" if isinstance(values, list) else str(values)
        if option in _TRADITIONAL:
            why = "it replaces macros in characters, in strings too, and here they are tokens"
            parser.error(f"{option}: {why}; leave it out")
        if option.lstrip("-") in ("target", "stdlib"):
            option = "--target=" if option.endswith("target") else "-stdlib="
        elif option.lstrip("-i") == "sysroot":
            option, value = "--sysroot=", os.path.abspath(value)
        word = option + value
        if not may_reach(word):
            parser.error(f"{word}: no flag that a compiler is asked with here; leave it out")
        setattr(namespace, self.dest, [*getattr(namespace, self.dest), word])


def _compiler(text: str) -> str:
    if text in ("auto", "none"):
        return text
    from visualizer.expansion.compiler_flags import is_compiler

    if not is_compiler(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not the name of a gcc or clang on PATH")
    return text


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
    if name != ANSI and not is_standard(name):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a standard that gcc knows, such as c++17"
        )
    return name


class _Strict(argparse.ArgumentParser):
    """Raises what argparse would print before it ends the process."""

    def error(self, message: str) -> NoReturn:
        raise FlagError(message)
