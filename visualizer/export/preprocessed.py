"""Tokens as text that a compiler reads back as the same tokens, laid out as `cc -E` does.

Printing each token's spelling is not enough: `+` and `+` from two macros must not become `++`. So a
blank goes between two tokens that would fuse. What an invocation became stands on the line where the
invocation began, and line markers (`# 12 "file.h"`) say where a line came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from visualizer.expansion.lexer import would_fuse
from visualizer.expansion.tokens import PRAGMA, Source, Token, standing_at

_BLANK_LINES = 8  # gcc prints so many empty lines rather than a marker


def preprocessed(tokens: Iterable[Token], markers: bool) -> Iterator[str]:
    """Pieces of the text: with `markers` as `cc -E` prints it, without as `cc -E -P`."""
    file, line = "", 0
    previous: Token | None = None
    for token in tokens:
        where = standing_at(token)
        if where.file != file or where.line != line:
            yield from _move(file, line, where, markers)
            file, line = where.file, where.line
            previous = None
            if token.kind != PRAGMA and token.space:
                yield " " * (where.column - 1)
        elif previous is not None and PRAGMA in (previous.kind, token.kind):
            yield "\n"
        elif previous is not None and (token.space or would_fuse(previous, token)):
            yield " "
        yield token.text
        line += token.text.count("\n")
        previous = token
    if file:
        yield "\n"


def _move(file: str, line: int, to: Source, markers: bool) -> Iterator[str]:
    if not markers:
        yield "\n" if file else ""
    elif to.file == file and line < to.line <= line + _BLANK_LINES:
        yield "\n" * (to.line - line)
    else:
        yield "\n" if file else ""
        yield f'# {to.line} "{to.file}"\n'
