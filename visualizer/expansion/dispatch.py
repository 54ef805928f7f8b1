"""What each directive does, conditionals aside (C23 §6.10).

A directive is done in one of two ways. What changes nothing for the text before it is done here and
at once. `#define`, `#undef` and `#include` are handed on to pcpp as lines of their own: it expands the
text that it has gathered, with the macros that held there, and then asks our `define`, `undef` or
`include`. Where only the first half of that is wanted, before `#line`, a `FLUSH` is handed on: an
`#undef` of nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from visualizer.expansion import constraints
from visualizer.expansion.builtin_macros import renumber
from visualizer.expansion.definitions import read_definition
from visualizer.expansion.diagnostics import Severity, SourceError, at_token
from visualizer.expansion.pragmas import UNDEF, pragma
from visualizer.expansion.read_file import ReadFile
from visualizer.expansion.tokens import (
    IDENTIFIER,
    NUMBER,
    OTHER,
    PRAGMA,
    PUNCTUATOR,
    STRING,
    Source,
    Token,
    spell,
)

if TYPE_CHECKING:
    from visualizer.expansion.preprocessor import Preprocessor

DIRECTIVES = frozenset(
    ("define", "undef", "include", "include_next", "import", "pragma", "error")
) | {*("warning", "line", "embed", "assert", "unassert", "ident", "sccs")}
_NOWHERE = Source("", 0, 0)
FLUSH = [Token(PUNCTUATOR, "#", True, _NOWHERE), UNDEF, Token(OTHER, "", True, _NOWHERE)]

# C23 §6.10.1, and those that every compiler has besides.
_DIRECTIVES = (
    *("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"),
    *("include", "include_next", "embed", "define", "undef", "line", "error", "warning", "pragma"),
)


def dispatch(
    p: Preprocessor, sharp: Token, name: Token, rest: list[Token], file: ReadFile
) -> Iterator[list[Token]]:
    """Do what a directive says, or pass it on to pcpp, which first expands the text before it."""
    match name.text:
        case "define" | "undef":
            if not rest or rest[0].kind != IDENTIFIER:
                found = f", not '{rest[0].text}'" if rest else ""
                p.error(f"#{name.text} needs a macro name{found}", rest[0] if rest else name)
                return
            if rest[0].text == "defined":
                p.error("'defined' cannot be used as a macro name", rest[0])
                return
            yield [Token(PUNCTUATOR, "#", True, sharp.origin), name, *rest]
        case "include" | "include_next" | "import":
            with p.tracing(sharp, name, rest) as steps:
                header = p.includes.header(name, rest, steps)
            if header is not None and not p.includes.is_imported_again(name, header):
                yield [
                    Token(PUNCTUATOR, "#", True, sharp.origin),
                    Token(IDENTIFIER, "include", False, name.origin),
                    Token(STRING, header, name.text == "include_next", rest[0].origin),
                ]
                imported = p.includes.find(header) if name.text == "import" else None
                if imported is not None:  # the file has been read by now
                    p.inclusion.only_once(imported.path)
        case "pragma":
            yield from pragma(p, sharp, rest, file)
        case "error" | "warning":
            text = f"#{name.text} {spell(rest)}"
            severity: Severity = "error" if name.text == "error" else "warning"
            p.diagnostics.append(at_token(severity, text, name))
        case "line":
            yield FLUSH  # the text before has the numbers of before
            with p.tracing(sharp, name, rest) as steps:
                renumber(p, name, rest, file, steps)
        case "embed":
            from visualizer.expansion.embed import embed

            for piece in embed(p, sharp, name, rest):
                yield piece
                if not p.traces:
                    yield FLUSH  # what may be long is printed in pieces
        case "assert" | "unassert" if not p.is_clang:
            from visualizer.expansion.gnu_directives import assert_or_not

            assert_or_not(p, name, rest)
        case "ident" | "sccs":
            yield [Token(PRAGMA, f"#ident {spell(rest)}", True, sharp.origin)]
        case _ if name.kind == NUMBER and not p.language.assembler:
            yield FLUSH
            renumber(p, name, [name, *rest], file)
        case _ if not p.language.assembler:
            invalid = at_token("error", f"invalid preprocessing directive #{name.text}", name)
            p.diagnostics.append(replace(invalid, about=name.text, beside=_DIRECTIVES))


def define(p: Preprocessor, tokens: list[Token]) -> None:
    """Do what a `#define` says of which these are the tokens from the name on."""
    try:
        definition = read_definition(tokens, p.lastdirective, p.language.assembler)
    except SourceError as error:
        p.diagnostics.append(error.diagnostic())
        return
    p.warn(constraints.in_definition(definition, tokens))
    p.check_builtin("redefining", tokens[0])
    p.tell_cache("define", spell(tokens))
    known = p.macros.get(definition.name)
    if known is not None and not known.same_as(definition):
        p.warn_redefined(known, tokens[0])
    p.give(definition.name, definition)
    if p.files[-1].scanned:
        p.scan.note(definition)


def undef(p: Preprocessor, tokens: list[Token]) -> None:
    """Do what an `#undef` says, or a pragma that came to pcpp as one."""
    if tokens[0].kind == PRAGMA:
        p.push_or_pop(tokens[0])
        return
    if tokens[0].kind == OTHER:  # of FLUSH
        return
    p.tell_cache("undef", tokens[0].text)
    p.warn(constraints.behind(UNDEF, tokens))
    p.check_builtin("undefining", tokens[0])
    p.give(tokens[0].text, None)
