"""Parentheses in a run of tokens: which one closes which, and what stands outside of them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from visualizer.expansion.tokens import Token


def closing(tokens: Sequence[Token], opening: int) -> int | None:
    """The index of the `)` for the `(` at `opening`; None if there is no `(`, or nothing closes it."""
    depth = 0
    for i in range(opening, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[i].text, 0)
        if depth == 0:
            return i if i > opening else None
    return None


def outside(tokens: Sequence[Token]) -> Iterator[tuple[int, Token]]:
    """The tokens, with their indices, that no parentheses are around; a `)` counts as outside."""
    depth = 0
    for i, token in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0:
            yield i, token


def left_open(tokens: Sequence[Token]) -> list[Token]:
    """Each `(` that nothing closes."""
    waiting: list[Token] = []
    for token in tokens:
        if token.text == "(":
            waiting.append(token)
        elif token.text == ")" and waiting:
            waiting.pop()
    return waiting
