"""Definitions that are read into tokens when somebody looks at them.

Behind a hundred included headers stand thousands of macros, of which a file uses a few. A
`WrittenDefinition` knows its name, its text and its place; its parameters and its replacement list,
with the position of each token, are read from the text on first use. Until then it costs little more
than its text, and a table of them can be kept on disk as text.

A definition that breaks a rule must be reported where it stands, used or not. So `is_plain` looks at
the text first; what it cannot vouch for is read at once.
"""

from __future__ import annotations

import re
from typing import Any

from visualizer.expansion.definitions import VA_ARGS, VA_OPT, Definition, read_definition
from visualizer.expansion.language import Language
from visualizer.expansion.lexer import tokenize
from visualizer.expansion.tokens import IDENTIFIER, Source, Token, spell

NAME = re.compile(r"[A-Za-z_$][A-Za-z_0-9$]*(?![^\x00-\x7f]|\\)")
_PARAMETERS = re.compile(
    r"\([ \t]*(?:[A-Za-z_]\w*(?:[ \t]*,[ \t]*[A-Za-z_]\w*)*)?"
    r"(?P<rest>[ \t]*(?:,[ \t]*)?\.\.\.)?[ \t]*\)",
    re.ASCII,
)
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_STRINGIZED = re.compile(r"#[ \t]*([A-Za-z_]\w*)?", re.ASCII)


class WrittenDefinition(Definition):
    """A definition as its text behind `#define`, and the place at which that text begins."""

    name: str
    written: tuple[str, str, int, int, Language]  # text, file, line, column

    def __init__(
        self, name: str, text: str, file: str, line: int, column: int, language: Language
    ) -> None:
        put = object.__setattr__  # a Definition is frozen
        put(self, "name", name)
        put(self, "written", (text, file, line, column, language))

    def __getattr__(self, missing: str) -> Any:
        """The first look at a part that is not there yet."""
        if missing not in ("parameters", "variadic", "replacement", "where"):
            raise AttributeError(missing)
        line = read_line(*self.written)
        definition = read_definition(line, line[0], self.written[-1].assembler)
        self.__dict__.update(definition.__dict__)
        return self.__dict__[missing]


def as_written(definition: Definition) -> str:
    """The text of a replacement list, perhaps with the macro's head: what waits to be read goes on
    waiting."""
    return (
        definition.written[0]
        if isinstance(definition, WrittenDefinition)
        else spell(definition.replacement)
    )


def same_text(known: Definition, definition: Definition) -> bool:
    return (
        isinstance(known, WrittenDefinition)
        and isinstance(definition, WrittenDefinition)
        and known.written[0] == definition.written[0]
    )


def read_line(text: str, file: str, line: int, column: int, language: Language) -> list[Token]:
    """The tokens of a directive's text that begins at this place of the file."""
    lines = tokenize(text, file, language)
    tokens = lines[0] if lines else []
    for token in tokens:
        where = token.origin
        assert isinstance(where, Source)
        across = where.column + column - 1 if where.line == 1 else where.column
        token.origin = Source(file, where.line + line - 1, across)
    if tokens and tokens[0].kind == IDENTIFIER and not text[:1].isspace():
        tokens[0].space = True  # `#define` stands before it
    return tokens


def is_plain(name: str, text: str) -> bool:
    """Whether a definition's text surely keeps the rules of C23 §6.10.5, so that it can wait."""
    if name in ("defined", VA_ARGS, VA_OPT):
        return False
    at = len(name)
    parameters: set[str] | None = None
    if text[at : at + 1] == "(":
        m = _PARAMETERS.match(text, at)
        if m is None:
            return False
        listed = _WORD.findall(m.group())
        parameters = set(listed)
        if len(parameters) != len(listed) or VA_ARGS in parameters:
            return False
        if m["rest"]:
            parameters |= {VA_ARGS, VA_OPT}
        at = m.end()
    elif text[at : at + 1] not in ("", " ", "\t", "\n"):
        return False
    if VA_OPT in text or (VA_ARGS in text and (parameters is None or VA_ARGS not in parameters)):
        return False
    if "#" not in text and "%:" not in text:
        return True
    body = text[at:].strip()
    if body.startswith("##") or body.endswith("##") or "%:" in body or "/*" in body or "//" in body:
        return False
    if parameters is None:
        return True
    operands = _STRINGIZED.findall(body.replace("##", ""))
    return all(operand in parameters for operand in operands)
