"""What the standard forbids and compilers let pass with a warning, each rule once.

C23 §6.10 says "shall" in many places. Where both gcc and clang stop, so do we: that is a SourceError,
raised where the rule is (`definitions.py` for `#define`). Where they warn and go on, what follows is
still defined and expanded as they do it, and one of the functions here finds what to say. Each gives
pairs of a message, in gcc's words, and the token to point at.
"""

from __future__ import annotations

from collections.abc import Iterator

from visualizer.expansion.definitions import VA_ARGS, VA_OPT, Definition
from visualizer.expansion.tokens import STRING, Token

Warnings = Iterator[tuple[str, Token]]

_OPERANDS = {
    "else": 0,
    "endif": 0,
    "ifdef": 1,
    "ifndef": 1,
    "elifdef": 1,
    "elifndef": 1,
    "undef": 1,
}


def in_definition(definition: Definition, line: list[Token]) -> Warnings:
    """Of a `#define` that was read: `line` are its tokens from the name on."""
    name = line[0]
    if name.text in (VA_ARGS, VA_OPT):
        yield _only_in_variadic(name)
    if definition.parameters is None and len(line) > 1 and not line[1].space:
        yield f"white space is required after the macro name '{name.text}'", name
    if definition.parameters is not None and name.text not in (VA_ARGS, VA_OPT):
        head = line[: len(line) - len(definition.replacement)]
        yield from (_only_in_variadic(t) for t in head if t.text in (VA_ARGS, VA_OPT))
    for token in definition.replacement:
        if (token.text == VA_ARGS and definition.variadic != VA_ARGS) or (
            token.text == VA_OPT and definition.variadic is None
        ):
            yield _only_in_variadic(token)


def in_text(line: list[Token]) -> Warnings:
    """Of a line of text (C23 §6.10.5.1 paragraph 5)."""
    yield from (_only_in_variadic(t) for t in line if t.text in (VA_ARGS, VA_OPT))


def behind(directive: Token, operands: list[Token]) -> Warnings:
    """Of what stands behind a directive that takes one name, or nothing."""
    wanted = _OPERANDS.get(directive.text)
    if wanted is not None and len(operands) > wanted:
        yield extra_tokens(directive, operands[wanted])


def behind_header(directive: Token, operands: list[Token]) -> Warnings:
    """Of what stands behind the header of an `#include` that names it without a macro."""
    end = len(operands)
    if operands and operands[0].kind == STRING:
        end = 1
    elif operands and operands[0].text == "<":
        end = next((i + 1 for i, t in enumerate(operands) if t.text == ">"), end)
    if end < len(operands):
        yield extra_tokens(directive, operands[end])


def extra_tokens(directive: Token, first: Token) -> tuple[str, Token]:
    return f"extra tokens at end of #{directive.text} directive", first


def _only_in_variadic(token: Token) -> tuple[str, Token]:
    return f"{token.text} can only appear in the expansion of a variadic macro", token
