"""Tokens as C++ text: as their author laid them out, or as one would lay out what they became.

A token knows its line and column, so source text and a `#define` can be written again as they stood,
without reading a file that may have changed since. What an expansion made stands nowhere; it is laid
out as the stepper lays it out. Either way the text reads back as the same tokens: nothing is cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from textwrap import TextWrapper

from visualizer.expansion.definitions import Definition
from visualizer.expansion.tokens import PRAGMA, Token, spelled_at
from visualizer.layout.line_layout import gap, lay_out
from visualizer.scene.tour import Tour

WIDTH = 100
_INDENT = 2


def laid_out(tokens: Sequence[Token], width: int = WIDTH) -> list[str]:
    """The lines of an expansion: declarations and statements each from a line of their own."""
    lines: list[str] = []
    for is_pragma, run in groupby(tokens, lambda t: t.kind == PRAGMA):
        if is_pragma:
            lines += (token.text for token in run)
        else:
            lines += _rows(list(run), width)
    return lines


def _rows(tokens: list[Token], width: int) -> Iterator[str]:
    line = ""
    for first, last, indent, skip, _ in lay_out(tokens, width):
        if not skip:  # else the first token was cut for a screen, and stands here as a whole
            if line:
                yield line
            line = " " * indent + tokens[first].text
        for i in range(first + 1, last):
            line += " " * gap(tokens[i - 1], tokens[i]) + tokens[i].text
    if line:
        yield line


def as_written(tokens: Sequence[Token]) -> list[str]:
    """Source tokens in their lines, indented as there; comments are gone."""
    rows = [list(row) for _, row in groupby(tokens, lambda t: spelled_at(t).line)]
    margin = spelled_at(tokens[0]).column if tokens else 1
    return [" " * max(spelled_at(row[0]).column - margin, 0) + _in_a_row(row) for row in rows]


def source_lines(tour: Tour) -> list[str]:
    """The invocation as it stands in the source, with what follows of it there."""
    file = tour.expansion.where.file
    return as_written([*tour.expansion.before, *(t for t in tour.written_tail if t.source == file)])


def definition_lines(definition: Definition) -> list[str]:
    """A `#define`, broken and indented as in the source, each line but the last ending in `\\`.

    Where its parameters stood is not remembered, but how many lines they took is: one each, or a few.
    """
    body = [list(row) for _, row in groupby(definition.replacement, lambda t: spelled_at(t).line)]
    head_lines = spelled_at(body[0][0]).line - definition.where.line if body else 0
    lines = _head(definition, head_lines)
    if body and not head_lines:
        lines[-1] += " " + _in_a_row(body.pop(0))
    margin = min((spelled_at(row[0]).column for row in body), default=1)
    lines += (" " * (_INDENT + spelled_at(row[0]).column - margin) + _in_a_row(row) for row in body)
    edge = max(len(line) for line in lines) + 1
    return [*(f"{line:<{edge}}\\" for line in lines[:-1]), lines[-1]]


def _head(definition: Definition, most: int) -> list[str]:
    """`#define F(a, b)` in no more lines than this, or in one."""
    whole = f"#define {definition.head()}"
    if most <= 1 or not definition.all_parameters:
        return [whole]
    start, rest = whole.split("(", 1)
    parameters = [f"{name}," for name in rest.split(", ")]
    parameters[-1] = parameters[-1].removesuffix(",")
    if most >= len(parameters):
        indent = " " * (len(start) + 1)
        return [f"{start}({parameters[0]}", *(indent + name for name in parameters[1:])]
    hanging = " " * (2 * _INDENT)
    wrapper = TextWrapper(WIDTH, hanging, hanging, break_long_words=False, break_on_hyphens=False)
    return [f"{start}(", *wrapper.wrap(" ".join(parameters))]


def _in_a_row(tokens: Iterable[Token]) -> str:
    text, left = "", None
    for token in tokens:
        blank = left is not None and (token.space or gap(left, token))
        text += " " * blank + token.text
        left = token
    return text
