"""Tokens as text that may stand in a file: in rows as the screen has them, and where each token is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from visualizer.expansion.tokens import PRAGMA, Token
from visualizer.layout.line_layout import gap, lay_out

WIDTH = 100  # columns


class LaidOut(NamedTuple):
    """A text, and the offset in it at which each of the tokens begins."""

    text: str
    starts: Sequence[int]


def laid_out(tokens: Sequence[Token], width: int = WIDTH) -> LaidOut:
    """In rows. What the screen cuts to its width stands here as it is."""
    parts, starts, length = list[str](), list[int](), 0

    def put(text: str) -> None:
        nonlocal length
        parts.append(text)
        length += len(text)

    for row in lay_out(tokens, width):
        if not row.skip and starts:
            put("\n" + " " * row.indent)
        for at in range(row.first + bool(row.skip), row.last):
            if at > row.first:
                put(_between(tokens[at - 1], tokens[at]))
            starts.append(length)
            put(tokens[at].text)
    return LaidOut("".join(parts), starts)


def in_one_row(tokens: Sequence[Token]) -> str:
    """The same text in a row, but for directives, which need one of their own."""
    parts = [token.text for token in tokens]
    for at in range(len(tokens) - 1, 0, -1):
        parts[at] = _between(tokens[at - 1], tokens[at]) + parts[at]
    return "".join(parts)


def _between(left: Token, right: Token) -> str:
    return "\n" if PRAGMA in (left.kind, right.kind) else " " * gap(left, right)
