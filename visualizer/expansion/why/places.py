"""The names that stand on a line, and what each stands in: code, a literal, a comment.

A name in a string is no token, so the lexer alone doesn't find it. The line is searched for names, and
each is looked up among the tokens: it is one, or lies inside of one, or lies between two, and then it
is in a comment, for nothing else but blanks stands there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from visualizer.expansion.language import Language
from visualizer.expansion.lexer import tokenize
from visualizer.expansion.tokens import (
    CHARACTER,
    IDENTIFIER,
    STRING,
    Source,
    Token,
    spelled_at,
)

_NAME = re.compile(r"(?<![\w$])(?:[A-Za-z_$]|[^\x00-\x7f])(?:[\w$]|[^\x00-\x7f])*")
_SPLICE = re.compile(r"\\[ \t\f\v]*\n")

Inside: TypeAlias = Literal["code", "string", "raw string", "character", "comment"]


@dataclass(frozen=True, slots=True, eq=False)
class NamePlace:
    """A name where it stands. In code or a literal it has its logical `line`, and the index `at` of its
    token in it; what follows in the next line is `behind`."""

    name: str
    where: Source
    inside: Inside
    line: tuple[Token, ...] = ()
    at: int = 0
    behind: Token | None = None

    def following(self) -> Token | None:
        """The token that a function-like macro looks at: a directive's line has an end."""
        if self.at + 1 < len(self.line):
            return self.line[self.at + 1]
        return None if self.directive() is not None else self.behind

    def directive(self) -> str | None:
        """The name of the directive that it stands in."""
        if self.line and self.line[0].text in ("#", "%:"):
            return self.line[1].text if len(self.line) > 1 else ""
        return None


def names_on(text: str, file: str, line: int, language: Language) -> list[NamePlace]:
    """The names on a line of the file, in order. `text` is all of it: a comment or a raw string may
    have begun long before."""
    lines = [list(_suffixes_apart(tokens)) for tokens in tokenize(text, file, language)]
    flat = [(row, at) for row, tokens in enumerate(lines) for at in range(len(tokens))]
    starts = [spelled_at(lines[row][at])[1:] for row, at in flat]
    written = text.split("\n")[line - 1]
    return list(_named(text, lines, flat, starts, Source(file, line, 1), written))


def _named(
    text: str,
    lines: list[list[Token]],
    flat: list[tuple[int, int]],
    starts: list[tuple[int, int]],
    first: Source,
    written: str,
) -> Iterator[NamePlace]:
    begins = [0, *(m.end() for m in re.finditer("\n", text))]
    seen = 0
    for m in _NAME.finditer(written):
        if m.start() < seen:
            continue
        where = first._replace(column=m.start() + 1)
        index = bisect_right(starts, where[1:]) - 1
        if index < 0:
            yield NamePlace(m[0], where, "comment")
            continue
        row, at = flat[index]
        token = lines[row][at]
        if starts[index] == where[1:] and token.kind == IDENTIFIER:
            seen = m.start() + len(token.text)
            behind = lines[row + 1][0] if row + 1 < len(lines) else None
            yield NamePlace(token.text, where, "code", tuple(lines[row]), at, behind)
        elif begins[first.line - 1] + m.start() < _end(text, begins, token):
            inside = _kind(token)
            if inside is not None and starts[index] != where[1:]:  # there stands a prefix: L"x"
                yield NamePlace(m[0], where, inside, tuple(lines[row]), at)
        else:
            yield NamePlace(m[0], where, "comment")


def _kind(token: Token) -> Inside | None:
    """What a name inside of this token stands in; None where it is no name at all."""
    if token.kind == STRING:
        return "raw string" if re.match(r"(?:u8|[uUL])?R\"", token.text) else "string"
    return "character" if token.kind == CHARACTER else None


def _suffixes_apart(line: list[Token]) -> Iterator[Token]:
    """A name that touches a string is the string's suffix, or, where it is a macro, none."""
    for token in line:
        text, quote, suffix = token.text.rpartition('"')
        if token.kind != STRING or not suffix:
            yield token
            continue
        file, at, column = spelled_at(token)
        yield Token(STRING, text + quote, token.space, token.origin)
        yield Token(IDENTIFIER, suffix, False, Source(file, at, column + len(text) + 1))


def _end(text: str, begins: list[int], token: Token) -> int:
    """The offset behind a token, whose spelling has lost the line splices that the file has."""
    _, line, column = spelled_at(token)
    at = begins[line - 1] + column - 1
    for letter in token.text:
        while text[at : at + 1] != letter and (splice := _SPLICE.match(text, at)) is not None:
            at = splice.end()
        at += 1
    return at
