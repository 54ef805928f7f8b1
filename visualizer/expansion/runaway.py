"""Expansions that nobody will see the end of, known before they are tried.

Sixty definitions, each with the one before it twice in its replacement list, ask for 2^60 steps. What
stands in a list outside of parentheses is rescanned each time, so the steps that are sure to come, and
the tokens that are left, can be added up once a macro instead of once an invocation. That is no more
than what is sure: what arguments and `##` bring is not counted, and a name that leads back to itself is
painted somewhere. A library that does much in few lines does it in arguments, and is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from visualizer.expansion.definitions import HASH, PASTE, VA_OPT, Definition
from visualizer.expansion.tokens import IDENTIFIER, Token

_MOST = 1 << 60  # of what is counted: more is as good as that
_PLAIN = ""  # the name, among those of macros, of each token that stays


class Sure(NamedTuple):
    """What is sure to come of something."""

    steps: int
    tokens: int


def sure(tokens: Iterable[Token], macros: Mapping[str, Definition]) -> Sure:
    """What is sure to come of these tokens."""
    known = {_PLAIN: Sure(0, 1)}
    each = [_of_macro(t.text, macros, known) for t in tokens if t.text in macros]
    return Sure(sum(one.steps for one in each), sum(one.tokens for one in each))


def _of_macro(name: str, macros: Mapping[str, Definition], known: dict[str, Sure]) -> Sure:
    """What comes of one macro, which is put into `known`."""
    waiting = [name]
    while waiting:
        here = waiting[-1]
        known.setdefault(here, Sure(0, 0))  # to who leads back here
        names = list(_rescanned(macros[here], macros))
        unseen = {n for n in names if n not in known}
        if unseen:
            waiting += unseen
            continue
        below = [known[n] for n in names if n != here]
        steps, tokens = (sum(counts) for counts in zip(Sure(1, 0), *below, strict=True))
        known[here] = Sure(min(steps, _MOST), min(tokens, _MOST))
        waiting.pop()
    return known[name]


def _rescanned(definition: Definition, macros: Mapping[str, Definition]) -> Iterator[str]:
    """The macros that are replaced whenever this one has been, one for each time, and what stays."""
    tokens, depth = definition.replacement, 0
    parameters = definition.parameter_set
    for i, token in enumerate(tokens):
        behind = tokens[i + 1].text if i + 1 < len(tokens) else ""
        before = tokens[i - 1].text if i else ""
        if token.text in "()":
            depth = max(0, depth + (1 if token.text == "(" else -1))
            continue
        if depth or token.text in parameters or token.text == VA_OPT:
            continue
        if behind in PASTE or before in PASTE or before in HASH:
            continue
        named = macros.get(token.text) if token.kind == IDENTIFIER else None
        if named is None or (named.parameters is not None and behind != "("):
            yield _PLAIN
        else:
            yield token.text
