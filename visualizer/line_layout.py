"""Laying out a line of tokens in rows: where to break, and how far to indent.

A registration unfolds into one line of code, thousands of characters long. It is shown as a reader
would have written it: every declaration starts a row of its own; what stands between the braces of a
body, or between the parentheses of a macro that was handed whole declarations, is indented; and what
is too long goes on below, further in.

Two things matter more than beauty. The layout is *local*: the rows of a declaration depend only on
its own tokens and on how deep it stands, so that a step moves nothing but what it changes. And it is
*fast*: a line may have ten thousand tokens, and a key is answered within a frame. A step changes one
declaration, and the rows of all others are remembered by their text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from rich.cells import cell_len

from visualizer.expansion.lexer import would_fuse
from visualizer.expansion.tokens import Token

INDENT = 2
HANGING = 4  # how much further in a row goes on below
_DEEPEST = 12  # levels that are indented; deeper ones stay in line with these
_SHORT_BODY = 40  # a body with one statement and no more characters than this stays in its row

_OPENING = {"(": ")", "{": "}"}
_STRUCTURE = frozenset("(){};")
_DEEPER = {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1, ">>": -2}


class Row(NamedTuple):
    """Tokens `first` to `last` (exclusive). `skip` cells of the first stand in the rows above: it is
    wider than a row, and was cut."""

    first: int
    last: int
    indent: int
    skip: int = 0


class Break(NamedTuple):
    """Token `at` starts a row."""

    at: int
    indent: int


@lru_cache(maxsize=4096)
def _printable(text: str) -> str:
    """A text without the characters that would move the cursor. A raw string may have them."""
    return "".join(c if c.isprintable() else "⏎" if c == "\n" else "·" for c in text)


def shown_chars(text: str) -> str:
    return text if text.isprintable() else _printable(text)


def shown_text(token: Token) -> str:
    return shown_chars(token.text)


def gap(left: Token, right: Token) -> int:
    """How many blanks stand between two tokens in a row: one where the source has white space, and
    where the two would be read as another token without. None after an opening parenthesis: there it
    only tells that the source goes on in the next line."""
    if right.space:
        return left.text != "("
    return _touching(left.text[-1:], right.text[:1]) and would_fuse(left, right)


@lru_cache(maxsize=4096)
def _touching(end: str, start: str) -> bool:
    """Whether tokens that end and start so could fuse at all. Most can't, and asking is expensive."""
    if end in "(){};," or start in "(){};,":
        return False
    return (end.isalnum() or end in "_$") == (start.isalnum() or start in "_$") or end in ".'\""


def lay_out(
    tokens: Sequence[Token], width: int, breaks: Sequence[Break] | None = None
) -> list[Row]:
    """The rows of a line that is `width` cells wide; by default it breaks as C++ declarations do."""
    if not tokens:
        return []
    texts = [shown_text(t) for t in tokens]
    gaps = [0, *(gap(a, b) for a, b in pairwise(tokens))]
    starts = declarations(tokens) if breaks is None else list(breaks)
    if not starts or starts[0].at:
        starts.insert(0, Break(0, 0))
    rows: list[Row] = []
    for i, (start, indent) in enumerate(starts):
        stop = starts[i + 1].at if i + 1 < len(starts) else len(tokens)
        for first, last, inner, skip in wrap(
            tuple(texts[start:stop]), tuple(gaps[start:stop]), max(width, 8), indent
        ):
            rows.append(Row(start + first, start + last, inner, skip))
    return rows


def row_of(rows: Sequence[Row], index: int) -> int:
    """The row in which the token at `index` begins."""
    row = bisect_right(rows, index, key=lambda r: r.first) - 1
    while row > 0 and rows[row].skip and rows[row].first == index:
        row -= 1
    return max(row, 0)


@lru_cache(maxsize=8192)
def wrap(
    texts: tuple[str, ...],
    gaps: tuple[int, ...],
    width: int,
    indent: int,
    hanging: int = HANGING,
) -> list[Row]:
    """The rows of one declaration. Shared: not to be changed."""
    ends: list[int] = []  # where each token would end, if all stood in one row
    end = 0
    for text, blank in zip(texts, gaps, strict=True):
        end += blank + (len(text) if text.isascii() else cell_len(text))
        ends.append(end)
    rows = []
    hanging = min(indent + hanging, width // 2)
    first, skip = 0, 0
    while first < len(texts):
        room = width - indent + skip
        start = (ends[first - 1] if first else 0) + gaps[first]
        last = bisect_right(ends, start + room, first)
        free = room - (ends[last - 1] + gaps[last] - start) if first < last < len(texts) else 0
        if last == first:  # not even one token has room: it is cut
            rows.append(Row(first, first + 1, indent, skip))
            skip = room
        elif free * 4 > room and ends[last] - ends[last - 1] > width - hanging:
            rows.append(Row(first, last + 1, indent, skip))  # cut below anyway: then cut it here
            first, skip = last, free
        else:
            if last < len(texts):
                last = _best_break(texts, gaps, ends, first, last, room)
            rows.append(Row(first, last, indent, skip))
            first, skip = last, 0
        indent = hanging
    return rows


def _best_break(
    texts: Sequence[str], gaps: Sequence[int], ends: Sequence[int], first: int, last: int, room: int
) -> int:
    """Before which token to break a row that has room for no more than those up to `last`: late, but
    rather between two arguments than inside of one."""
    start = ends[first]
    best, best_cost = last, 1000.0
    depth = 0
    for i in range(first, last):
        depth += _DEEPER.get(texts[i], 0)
        following = texts[i + 1]
        cost = (ends[last - 1] - ends[i]) / room + depth * 0.4
        if (ends[i] - start) * 4 < room:
            cost += 1.0
        if not gaps[i + 1] and texts[i] not in ("(", ","):
            clings = following in ")>,;(" or "::" in (texts[i], following)
            cost += 1.0 if texts[i] == "<" else 2.0 + clings
        if cost <= best_cost:
            best, best_cost = i + 1, cost
    return best


def declarations(tokens: Sequence[Token]) -> list[Break]:
    """Where the declarations and statements of C++ start, by its brackets and semicolons alone."""
    places = [i for i, t in enumerate(tokens) if t.text in _STRUCTURE]
    spread = _spread_groups(tokens, places)
    breaks: list[Break] = []
    level = 0
    inside = [True]  # of each open group, whether it is spread; the whole line always is
    for i in places:
        text = tokens[i].text
        following = tokens[i + 1].text if i + 1 < len(tokens) else ""
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
        if ends_here and i + 1 < len(tokens):
            breaks.append(Break(i + 1, INDENT * min(level, _DEEPEST)))
    return breaks


def _spread_groups(tokens: Sequence[Token], places: Sequence[int]) -> set[int]:
    """The opening brackets of those groups that hold declarations or statements."""
    spread: set[int] = set()
    stack: list[
        list[int]
    ] = []  # of each open group: where it opens, and how many semicolons it has
    for i in places:
        text = tokens[i].text
        if text in _OPENING:
            stack.append([i, 0])
        elif text == ";":
            if stack:
                stack[-1][1] += 1
        elif stack and _OPENING[tokens[stack[-1][0]].text] == text:
            opening, semicolons = stack.pop()
            if _is_spread(tokens, opening, i, semicolons):
                spread.add(opening)
                if text == "}" and stack:
                    stack[-1][1] += 2  # a body inside of it
    return spread.union(opening for opening, semicolons in stack if semicolons)


def _is_spread(tokens: Sequence[Token], opening: int, closing: int, semicolons: int) -> bool:
    if not semicolons:
        return False
    if tokens[opening].text == "(":
        return opening == 0 or tokens[opening - 1].text != "for"
    if semicolons > 1 or closing - opening > _SHORT_BODY:
        return True
    return sum(len(t.text) + 1 for t in tokens[opening + 1 : closing]) > _SHORT_BODY
