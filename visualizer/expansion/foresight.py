"""What an expansion is sure to do yet, known from what it has done.

`A30` stands for `A29 A29`, that for `A28 A28`, and so on: nobody waits for a billion steps, and `sure`
adds them up from the definitions alone. Where the names are pasted together no definition says what
they are. But while the first `C(A, 29)` of a replacement list is under way, the second stands behind it
in the same context, and the same tokens read in the same context take the same steps: the names that
are in use are the same, and so is the table of macros. So each context on the stack says how often what
has begun in it is still to come, from the inside to the outside, and what it has taken so far is the
least that it takes.

They need not even be the same tokens. `F(x 0) F(x 1)` takes the same steps twice: nobody looks at a
number, an operator, or a name that is no macro's, but `##`, which makes other names of them. So what
`##` was given is noted, by where it is spelled.

Nothing is taken for sure that isn't. Behind `(` an argument begins, which may be dropped; another
macro's name may stand for anything. What has no end yet could still reach for what stands behind it,
but only through a `(` whose `)` is missing there, so that all definitions must be even. And
`__COUNTER__` is never the same twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from visualizer.expansion.contexts import Context, Line
from visualizer.expansion.definitions import HASH, PASTE, Definition
from visualizer.expansion.macro_table import as_written
from visualizer.expansion.tokens import (
    IDENTIFIER,
    NUMBER,
    PUNCTUATOR,
    Passed,
    Pasted,
    Source,
    Token,
    spelled_at,
)

_PARENTHESES = re.compile(r"[()]")
_MISLEADING = frozenset("\"'/")  # in strings and comments a parenthesis is none
_LOOKED_AT = frozenset((*"(),", *HASH, *PASTE))


def to_come(
    lines: Sequence[Line],
    steps: int,
    is_macro: Callable[[Token], bool],
    pasted: Collection[Source],
) -> int:
    """The steps that are sure to come behind so many, in these lines, each of which stands in an
    argument of the one before it. What stood at these places was `pasted`."""
    found = 0
    for line in reversed(lines):
        for context in reversed(line.contexts):
            if context.begun is not None:
                taken = steps - context.steps + found
                found += _times(context, context.begun, is_macro, pasted) * taken
    return found


def note_pasted(operands: Sequence[Token], places: set[Source]) -> None:
    """Where these are spelled, which `##` takes. What it made itself was noted when it was made."""
    for token in operands:
        made = token.origin.made if isinstance(token.origin, Passed) else token
        if not isinstance(made.origin, Pasted):
            places.add(spelled_at(made))


def _times(
    context: Context, begun: int, is_macro: Callable[[Token], bool], pasted: Collection[Source]
) -> int:
    """How often what was read since then is still to be read in the context: tokens that take the same
    steps."""
    tokens, end = context.tokens, context.next
    read = tokens[begun:end]

    def is_inert(token: Token) -> bool:
        plain = token.kind in (IDENTIFIER, NUMBER) or (
            token.kind == PUNCTUATOR and token.text not in _LOOKED_AT
        )
        return plain and not is_macro(token)

    def is_like(one: Token, other: Token) -> bool:
        if _seen(one) == _seen(other):
            return True
        return is_inert(one) and is_inert(other) and spelled_at(one) not in pasted

    times, at, behind = 0, end, end
    while at < len(tokens):
        token, there = tokens[at], tokens[at : at + len(read)]
        if (
            _seen(token) == _seen(read[0])
            and len(there) == len(read)
            and all(map(is_like, read, there))
        ):
            times += 1
            at = behind = at + len(read)
        elif (is_macro(token) and not token.painted) or (token.text == "(" and at == behind):
            break
        else:
            at += 1
    return times


def _seen(token: Token) -> tuple[str, str, bool]:
    return token.kind, token.text, token.painted


def are_even(definitions: Iterable[Definition]) -> bool:
    """Whether each parenthesis of a replacement list has its partner in it."""
    return all(map(_is_even, definitions))


def _is_even(definition: Definition) -> bool:
    text = as_written(definition)
    if "(" not in text and ")" not in text:
        return True
    found = _PARENTHESES.findall(text)
    if not _MISLEADING.isdisjoint(text):
        found = [token.text for token in definition.replacement if token.text in ("(", ")")]
    depth = 0
    for parenthesis in found:
        depth += 1 if parenthesis == "(" else -1
        if depth < 0:
            return False
    return depth == 0
