"""Tokens as text that a compiler reads back as the same tokens, laid out as `cc -E` does.

Printing each token's spelling is not enough: `+` and `+` from two macros must not become `++`. So a
blank goes between two tokens that would fuse. What an invocation became stands on the line where the
invocation began, and line markers (`# 12 "./file.h"`) say where a line came from, and name the file as
it was given: `__FILE__` is that name too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from visualizer.expansion.language import Language
from visualizer.expansion.lexer import would_fuse
from visualizer.expansion.pragmas import PUSH_OR_POP
from visualizer.expansion.tokens import IDENTIFIER, PRAGMA, Name, Source, Token, standing_at

_BLANK_LINES = 8  # gcc prints so many empty lines rather than a marker


def preprocessed(
    tokens: Iterable[Token],
    markers: bool,
    spelled: Mapping[str, str] | None = None,
    ascii_names: bool = False,
    spoken: Language | None = None,
) -> Iterator[str]:
    """Pieces of the text: with `markers` as `cc -E` prints it, without as `cc -E -P`. Files are named
    as they are `spelled`; those that aren't there, as their tokens have it. With `ascii_names`, names
    are printed with universal character names, as gcc prints them. Which tokens fuse, the language
    that is `spoken` says."""
    file, line = "", 0
    named = spelled if spelled is not None else {}  # perhaps filled as the tokens are made
    language = spoken or Language()
    previous: Token | None = None
    for token in tokens:
        if token.kind == PRAGMA and PUSH_OR_POP.match(token.text):
            continue  # done with: gcc and clang print none
        where = standing_at(token)
        if where.file != file or where.line != line:
            name = named.get(where.file, where.file)
            yield from _move(file, line, where, name if markers else None)
            file, line = where.file, where.line
            previous = None
            if token.kind != PRAGMA and token.space:
                yield " " * (where.column - 1)
        elif previous is not None and PRAGMA in (previous.kind, token.kind):
            yield "\n"
        elif previous is not None and (token.space or would_fuse(previous, token, language)):
            yield " "
        yield token.text if token.kind != IDENTIFIER else _name(token.text, ascii_names)
        line += token.text.count("\n")
        previous = token
    if file:
        yield "\n"


def _name(text: str, ascii_names: bool) -> str:
    text = text.characters if isinstance(text, Name) else text
    if not ascii_names or text.isascii():
        return text
    return "".join(c if c.isascii() else f"\\U{ord(c):08x}" for c in text)


def _move(file: str, line: int, to: Source, name: str | None) -> Iterator[str]:
    """To another place: under a marker with the file's name, or without one, on a new line."""
    if name is None:
        yield "\n" if file else ""
    elif to.file == file and line < to.line <= line + _BLANK_LINES:
        yield "\n" * (to.line - line)
    else:
        yield "\n" if file else ""
        escaped = name.replace("\\", r"\\").replace('"', r"\"")
        yield f'# {to.line} "{escaped}"\n'
