"""Columns of short texts: what several pictures are made of."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size

from visualizer.expansion.tokens import Token, spell
from visualizer.expansion.trace import Argument
from visualizer.layout.words import Parts, Styles

QUIET: Styles = ("pane--quiet",)
STRONG: Styles = ("pane--strong",)
ACCENT: Styles = ("pane--accent",)
GOOD: Styles = ("pane--good",)


def bound_to(argument: Argument) -> list[Token]:
    """An argument as it is put in where no # and no ## stands."""
    return argument.raw if argument.prescan is None else argument.prescan.after


def parted(tokens: Sequence[Token]) -> list[list[Token]]:
    """Tokens at the commas that stand in no parentheses."""
    found: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text == "(") - (token.text == ")")
        if token.text == "," and not depth:
            found.append([])
        else:
            found[-1].append(token)
    return found


def short(tokens: Sequence[Token]) -> str:
    """A name without the namespaces before it; any other text as it is."""
    text = spell(tokens)
    last = text.rpartition("::")[2]
    return last if last.isidentifier() else text


def cell(text: str, width: int, styles: Styles = ()) -> Parts:
    """A text in a column, which ends in a blank; where it is cut, `…` says so."""
    room = max(width - 1, 1)
    if cell_len(text) > room:
        text = f"{set_cell_size(text, room - 1)}…" if room > 1 else set_cell_size(text, room)
    return [(text, styles), (" " * (width - cell_len(text)), ())]


def column_width(texts: Sequence[str], columns: int, width: int) -> int:
    """Cells of a column: as wide as the longest of these, if so many columns find room."""
    longest = max(map(cell_len, texts), default=1) + 1
    return max(min(longest, width // max(columns, 1)), 3)
