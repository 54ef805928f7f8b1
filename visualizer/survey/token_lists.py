"""Finding one's way in lists of tokens: commas that separate, and brackets that belong together."""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.expansion import Token

_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_WITH_TEMPLATES = {**_BRACKETS, "<": 1, ">": -1, ">>": -2}


def split_at_commas(tokens: Sequence[Token], templates: bool = False) -> list[list[Token]]:
    """The parts between commas that stand in no brackets; `templates` makes `<` and `>` brackets."""
    brackets = _WITH_TEMPLATES if templates else _BRACKETS
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += brackets.get(token.text, 0)
        if token.text == "," and depth <= 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def closing_apart(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with each `>>` as two `>`, as C++ reads it at the end of `A<B<int>>`."""
    apart: list[Token] = []
    for token in tokens:
        if token.text == ">>":
            apart += [Token(token.kind, ">", space, token.origin) for space in (token.space, False)]
        else:
            apart.append(token)
    return apart


def closing_of(tokens: Sequence[Token], opening: int) -> int:
    """The index of the bracket that closes the one at `opening`; the end where none does."""
    depth = 0
    for i in range(opening, len(tokens)):
        depth += _BRACKETS.get(tokens[i].text, 0)
        if depth == 0:
            return i
    return len(tokens)
