"""argparse, as `unfold` speaks: one line for a wrong word, examples under the help of each command."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from itertools import groupby
from typing import TypeAlias

from registry_runtime.near import nearest
from visualizer.commands.version import print_version
from visualizer.messages import N_, _


class Parser(argparse.ArgumentParser):
    """argparse, but a wrong word is answered in one line that says where to look, and help is in the
    reader's language: which that is is asked only when help is wanted."""

    summary = ""

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """A word too many is the subcommand's to answer, whose help names those that there are."""
        found, left = super().parse_known_args(args, namespace)
        if left:
            may_be_file = not left[0].startswith("-") and "--file" in self._option_string_actions
            hint = "; a file is named with --file" if may_be_file else ""
            self.error(f"unrecognized arguments: {' '.join(left)}{hint}")
        return found, left

    @property
    def description(self) -> str | None:
        """What stands over the help; that of a subcommand is made of its summary."""
        if self.summary:
            said = _(self.summary)
            return _("{made}.").format(made=said[0].upper() + said[1:])
        return _(self._described) if self._described else None

    @description.setter
    def description(self, text: str | None) -> None:
        self._described = text

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"unfold: error: {message}{_meant(message)}\nTry '{self.prog} --help'.\n")


def _meant(message: str) -> str:
    """Behind argparse's message of a word that is no choice: the choice that it is most like."""
    wrong = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)
    if wrong is None:
        return ""
    near = nearest(wrong[1], re.findall(r"[^', ]+", wrong[2]))
    return f"; did you mean {near}?" if near else ""


class _Help(argparse.HelpFormatter):
    """Sentences are filled to the terminal's width. An example stays a line, to be copied; what is
    said of it goes below where there is no room beside it."""

    def start_section(self, heading: str | None) -> None:
        super().start_section(_(heading) if heading else heading)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return _(action.help) if action.help else action.help

    def _split_lines(self, text: str, width: int) -> list[str]:
        from visualizer.layout.row_breaks import filled, is_wide  # help alone has rows

        return filled(text, width) if is_wide(text) else super()._split_lines(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        from visualizer.layout.row_breaks import filled

        told: list[str] = []
        for indented, lines in groupby(_(text).splitlines(), lambda line: line[:2] in ("", "  ")):
            if indented:
                told += _examples(list(lines), width)
            else:
                told += filled(" ".join(lines), width)
        return "".join(f"{indent}{row}\n" for row in told)


def _examples(lines: list[str], width: int) -> Iterator[str]:
    from visualizer.layout.line_layout import cells_of
    from visualizer.layout.row_breaks import filled

    if max(map(cells_of, lines)) <= width:
        yield from lines
        return
    below = " " * 6
    for line in lines:
        command, _, said = line[2:].partition("  ")  # said alone, where the line begins with blanks
        if command or not said:
            yield f"  {command}".rstrip()
        yield from filled(said.strip(), width, below, below)


_ARGPARSE = N_("positional arguments"), N_("options"), N_("show this help message and exit")
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


def parser_of(description: str, examples: str) -> Parser:
    """The parser above all subcommands."""
    top = Parser(
        prog="unfold",
        description=description,
        epilog=examples,
        formatter_class=_Help,
    )
    top.add_argument("--lang", metavar="zh", help="the language (default: settings, system)")
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and stop")
    return top


def add(commands: Commands, name: str, summary: str, examples: str) -> Parser:
    """A subcommand; `summary` stands in the list of all of them, and over its own help."""
    added = commands.add_parser(name, help=summary, epilog=examples, formatter_class=_Help)
    added.summary = summary
    return added


class _Version(argparse.Action):
    """argparse's own wants the version at once."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        print_version()
        parser.exit()
