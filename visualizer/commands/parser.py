"""argparse, as `unfold` speaks: one line for a wrong word, examples under the help of each command."""

from __future__ import annotations

import argparse
import difflib
import re
from typing import TypeAlias


class Parser(argparse.ArgumentParser):
    """argparse, but a wrong word is answered in one line that says where to look."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"unfold: error: {message}{_meant(message)}\nTry '{self.prog} --help'.\n")


def _meant(message: str) -> str:
    """Behind argparse's message of a word that is no choice: the choice that it is most like."""
    wrong = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)
    if wrong is None:
        return ""
    close = difflib.get_close_matches(wrong[1], re.findall(r"[^', ]+", wrong[2]), 1)
    return f"; did you mean {close[0]}?" if close else ""


Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


def parser_of(description: str, examples: str) -> Parser:
    """The parser above all subcommands."""
    top = Parser(
        prog="unfold",
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and stop")
    return top


def add(commands: Commands, name: str, summary: str, examples: str) -> Parser:
    """A subcommand; `summary` stands in the list of all of them, and over its own help."""
    return commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


class _Version(argparse.Action):
    """argparse's own wants the version at once; finding it takes longer than most commands."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        from importlib.metadata import version

        print(f"unfold {version('unfold')}")
        parser.exit()
