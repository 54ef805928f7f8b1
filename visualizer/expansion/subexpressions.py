"""The parts of an `#if` expression and their values, for a reader who asks why a branch was taken.

The expression is taken apart as it is written, before macros are replaced: at the operator that binds
loosest, then each side again, down to single operands. A macro is an operand, worth what it stands for.
What `&&`, `||` and `?:` make needless is not evaluated, and has no value. Of `a || b || c` one part is
`a || b`; a large expression, of which they would be the square, has its operands alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from visualizer.expansion.parentheses import closing, outside
from visualizer.expansion.tokens import CHARACTER, NUMBER, Token, spell

# Loosest first, as in C23 §6.5; all group from the left but the conditional operator.
_LEVELS = (
    ("?",),
    ("||", "or"),
    ("&&", "and"),
    ("|", "bitor"),
    ("^", "xor"),
    ("&", "bitand"),
    ("==", "!=", "not_eq"),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_PREFIXES = ("!", "~", "+", "-", "not", "compl")
_OPERATORS = frozenset((*(o for level in _LEVELS for o in level), *_PREFIXES, "(", ":", ","))

ValueOf = Callable[[list[Token]], int | None]
Subexpression = tuple[str, int | None]
_LARGE = 1_000  # tokens: nobody wrote them by hand


def subexpressions(tokens: list[Token], value_of: ValueOf) -> list[Subexpression]:
    """Each part's spelling and value, the whole first; None for what is not evaluated."""
    parts = _operands if len(tokens) > _LARGE else _parts
    return list(parts(tokens, value_of, True))


def _parts(tokens: list[Token], value_of: ValueOf, evaluated: bool) -> Iterator[Subexpression]:
    while len(tokens) > 1 and tokens[0].text == "(" and closing(tokens, 0) == len(tokens) - 1:
        tokens = tokens[1:-1]
    if not tokens or _is_constant(tokens):
        return
    yield spell(tokens), value_of(tokens) if evaluated else None
    at = _loosest(tokens)
    if at is None:
        if tokens[0].text in _PREFIXES:
            yield from _parts(tokens[1:], value_of, evaluated)
        return
    operator, left, right = tokens[at].text, tokens[:at], tokens[at + 1 :]
    yield from _parts(left, value_of, evaluated)
    holds = bool(value_of(left)) if evaluated else False
    if operator == "?":
        colon = next((i for i, t in outside(right) if t.text == ":"), len(right))
        yield from _parts(right[:colon], value_of, evaluated and holds)
        yield from _parts(right[colon + 1 :], value_of, evaluated and not holds)
        return
    needless = (operator in ("&&", "and") and not holds) or (operator in ("||", "or") and holds)
    yield from _parts(right, value_of, evaluated and not needless)


def _operands(tokens: list[Token], value_of: ValueOf, evaluated: bool) -> Iterator[Subexpression]:
    """The whole, and what its loosest operator ties together."""
    yield spell(tokens), value_of(tokens)
    level, places = _binary(tokens)
    if level == ("?",):
        return
    for start, stop in pairwise([-1, *places, len(tokens)]):
        value = value_of(tokens[start + 1 : stop]) if evaluated else None
        yield spell(tokens[start + 1 : stop]), value
        if "&&" in level or "||" in level:
            evaluated &= bool(value) == ("&&" in level)


def _loosest(tokens: list[Token]) -> int | None:
    """Where the operator stands that is applied last; None for an operand or a prefix."""
    level, places = _binary(tokens)
    if not places:
        return None
    return places[0] if level == ("?",) else places[-1]


def _binary(tokens: list[Token]) -> tuple[tuple[str, ...], list[int]]:
    """The operators that bind loosest, and where they stand."""
    binary = [
        (i, t.text)
        for i, t in outside(tokens)
        if i > 0 and (tokens[i - 1].text not in _OPERATORS or tokens[i - 1].text == ")")
    ]
    for level in _LEVELS:
        if found := [i for i, text in binary if text in level]:
            return level, found
    return (), []


def _is_constant(tokens: list[Token]) -> bool:
    return len(tokens) == 1 and tokens[0].kind in (NUMBER, CHARACTER)
