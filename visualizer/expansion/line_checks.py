"""What is looked at in each line that counts, before its macros are replaced.

The lexer never fails, since a line that `#if` skips may be anything. What it could make no token of is
an error only in a line that counts: a quote without its partner, a character that no name may have.
There too, names that were poisoned are found.
"""

from __future__ import annotations

import re
from collections.abc import Set
from typing import TYPE_CHECKING

from visualizer.expansion.diagnostics import Code, Diagnostic, at_token
from visualizer.expansion.lexer import not_in_names, tokenize
from visualizer.expansion.source_files import legible
from visualizer.expansion.tokens import (
    CHARACTER,
    IDENTIFIER,
    LONGEST,
    NUMBER,
    OTHER,
    STRING,
    UNTERMINATED,
    Source,
    Token,
    spelled_at,
)

if TYPE_CHECKING:
    from visualizer.expansion.language import Language
    from visualizer.expansion.preprocessor import Preprocessor

_UNTERMINATED = {
    '"': ('missing terminating " character', "close the string on this line", Code.OPEN_LITERAL),
    "'": (
        "missing terminating ' character",
        "close the character constant on this line",
        Code.OPEN_LITERAL,
    ),
    "/": ("unterminated comment", "close it with */", None),
}
_QUOTE = {STRING: '"', CHARACTER: "'"}
_RAW = ("R", "LR", "uR", "UR", "u8R")


def checked(p: Preprocessor, line: list[Token], said: list[Diagnostic]) -> list[Token]:
    """Says of quotes that they are not closed, and of names that they are poisoned; frees a macro's
    name that touches a string or character, as in `"%"PRId64`, from being its suffix."""
    if p.inclusion.shows_bytes():
        line = [piece for token in line for piece in _parted_by_bytes(p, token)]
    if p.poisoned:
        said += poisoned(p.poisoned, line)
    assembler = p.language.assembler  # where `don't` stands in a comment
    for i, token in enumerate(line):
        if token.kind in _QUOTE and token.text[-1] != (quote := _QUOTE[token.kind]):
            text, _, suffix = token.text.rpartition(quote)
            is_macro = suffix in p.macros or suffix in p.expander.builtins
            if is_macro and not _is_suffix(suffix, p.is_clang):
                file, at, column = spelled_at(token)
                behind = Source(file, at, column + len(text) + 1)
                line[i : i + 1] = [
                    Token(token.kind, text + quote, token.space, token.origin),
                    Token(IDENTIFIER, suffix, False, behind),
                ]
        elif token.kind == OTHER:
            if why := not_in_names(p.inclusion.exactly(token), p.language.cxx, p.is_clang):
                said.append(at_token("error", why, token))
        elif token.text in _RAW and p.language.raw_strings and _touches_string(line[i + 1 : i + 2]):
            why = "a raw string's delimiter ends with ( on the same line"
            said.append(
                at_token("error", why, token, 'write R"(...)", or a blank before the string')
            )
        elif token.kind == UNTERMINATED and (not assembler or token.text[0] == "/"):
            quote = next(c for c in token.text if c in _UNTERMINATED)  # behind a prefix
            message, hint, code = _UNTERMINATED[quote]
            raw = "R" in token.text.partition(quote)[0]
            said.append(at_token("error", message, token, hint, None if raw else code))
        elif len(token.text) > LONGEST:
            message = f"this token has more than {LONGEST:,} characters"
            said.append(at_token("error", message, token, code=Code.LIMIT_REACHED))
    return line


def _is_suffix(name: str, is_clang: bool) -> bool:
    """Whether it is a suffix though it is a macro: one of a user, as `_km` (C++23 [usrlit.suffix]). For
    clang `__x` is one too."""
    return name.startswith("_") and (is_clang or not name.startswith("__"))


def _parted_by_bytes(p: Preprocessor, token: Token) -> list[Token]:
    """A name or number as its compiler reads it, for which a byte that is no UTF-8 ends it, though what
    is shown for that, U+FFFD, may be part of it."""
    exact = p.inclusion.exactly(token) if token.kind in (IDENTIFIER, NUMBER) else token.text
    if exact == token.text:
        return [token]
    file, line, column = spelled_at(token)
    pieces = [piece for pieces in tokenize(exact, file, p.language) for piece in pieces]
    if all(piece.text.isascii() or piece.kind == OTHER for piece in pieces):
        pieces = _as_shown(token.text, p.language)  # of GBK two bytes are shown as one
    return [
        Token(
            piece.kind,
            legible(piece.text),
            token.space if i == 0 else False,
            Source(file, line, column + spelled_at(piece).column - 1),
        )
        for i, piece in enumerate(pieces)
    ]


def _as_shown(text: str, language: Language) -> list[Token]:
    pieces = []
    for part in re.finditer(r"[\0-\x7f]+|.", text):
        shown = part.group()
        if shown.isascii():
            found = [token for tokens in tokenize(shown, "", language) for token in tokens]
        else:
            found = [Token(OTHER, shown, False, Source("", 1, 1))]
        for one in found:
            at = Source("", 1, part.start() + spelled_at(one).column)
            pieces.append(Token(one.kind, one.text, False, at))
    return pieces


def poisoned(names: Set[str], line: list[Token]) -> list[Diagnostic]:
    """What to say of each of these names that stands in a line."""
    return [
        at_token("error", f'attempt to use poisoned "{token.text}"', token)
        for token in line
        if token.text in names and token.kind == IDENTIFIER
    ]


def _touches_string(following: list[Token]) -> bool:
    """What the lexer leaves of a raw string that doesn't begin as one."""
    return any(t.kind == STRING and t.text[0] == '"' and not t.space for t in following)
