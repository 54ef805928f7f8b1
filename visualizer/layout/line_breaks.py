"""Where the declarations and statements of C++ start in a line, by its brackets and semicolons alone.

The tokens of a line are no parse tree, and at most steps they are not even C++ yet. But whoever reads
them looks for the same few signs: what ends in a semicolon is one thing, what holds semicolons is a
body and goes further in. Only these signs are looked at, so a line of names alone costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

INDENT = 2
_DEEPEST = 12  # levels that are indented; deeper ones stay in line with these
_SHORT_BODY = 40  # a body with one statement and no more characters than this stays in its row

_OPENING = {"(": ")", "{": "}"}
_STRUCTURE = frozenset("(){};")


class Break(NamedTuple):
    """Token `at` starts a row."""

    at: int
    indent: int


def structure(texts: Sequence[str]) -> list[int]:
    """Where in a line the brackets and semicolons stand that tell its declarations."""
    return [i for i, text in enumerate(texts) if text in _STRUCTURE]


def declarations(texts: Sequence[str], places: Sequence[int]) -> list[Break]:
    """Where the declarations of a line start, the first token among them; `places` are those of its
    `structure`."""
    spread = _spread_groups(texts, places)
    breaks = [Break(0, 0)]
    level = 0
    inside = [True]  # of each open group, whether it is spread; the whole line always is
    for i in places:
        text = texts[i]
        following = texts[i + 1] if i + 1 < len(texts) else ""
        ends_here = False
        if text in _OPENING:
            inside.append(i in spread)
            level += inside[-1]
            ends_here = inside[-1]
        elif text == ";":
            ends_here = inside[-1] and following != ";"
        elif len(inside) > 1 and inside.pop():
            level -= 1
            if breaks and breaks[-1].at == i:
                breaks.pop()  # a closing bracket stands further out than what it closes
            breaks.append(Break(i, INDENT * min(level, _DEEPEST)))
        if text == "}":
            ends_here = inside[-1] and following not in ("}", ";", ",", ")")
        if ends_here and i + 1 < len(texts):
            breaks.append(Break(i + 1, INDENT * min(level, _DEEPEST)))
    return breaks


def _spread_groups(texts: Sequence[str], places: Sequence[int]) -> set[int]:
    """The opening brackets of those groups that hold declarations or statements."""
    spread: set[int] = set()
    stack: list[
        list[int]
    ] = []  # of each open group: where it opens, and how many semicolons it has
    for i in places:
        text = texts[i]
        if text in _OPENING:
            stack.append([i, 0])
        elif text == ";":
            if stack:
                stack[-1][1] += 1
        elif stack and _OPENING[texts[stack[-1][0]]] == text:
            opening, semicolons = stack.pop()
            if _is_spread(texts, opening, i, semicolons):
                spread.add(opening)
                if text == "}" and stack:
                    stack[-1][1] += 2  # a body inside of it
    return spread.union(opening for opening, semicolons in stack if semicolons)


def _is_spread(texts: Sequence[str], opening: int, closing: int, semicolons: int) -> bool:
    if not semicolons:
        return False
    if texts[opening] == "(":
        return opening == 0 or texts[opening - 1] != "for"
    if semicolons > 1 or closing - opening > _SHORT_BODY:
        return True
    return sum(len(text) + 1 for text in texts[opening + 1 : closing]) > _SHORT_BODY
