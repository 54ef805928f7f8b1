"""Expansions that nobody will see the end of, known before they are tried.

Sixty definitions, each with the one before it twice in its replacement list, ask for 2^60 steps. What
stands in a list outside of parentheses is rescanned each time, so the steps that are sure to come can
be added up once a macro instead of once an invocation. That is no more than what is sure: what
arguments and `##` bring is not counted, and a name that leads back to itself is painted somewhere. A
library that does much in few lines does it in arguments, and is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from visualizer.expansion.definitions import HASH, PASTE, Definition
from visualizer.expansion.tokens import IDENTIFIER, Token

MOST = 1 << 30  # steps: gcc takes minutes for them


def is_runaway(tokens: Iterable[Token], macros: Mapping[str, Definition]) -> bool:
    """Whether these tokens are sure to take more than MOST steps."""
    known: dict[str, int] = {}
    return sum(_steps(t.text, macros, known) for t in tokens if t.text in macros) > MOST


def _steps(name: str, macros: Mapping[str, Definition], known: dict[str, int]) -> int:
    """Those of one macro, which are put into `known`; of more than MOST, about so many."""
    waiting = [name]
    while waiting:
        here = waiting[-1]
        known.setdefault(here, 0)  # to who leads back here
        names = list(_rescanned(macros[here], macros))
        unseen = {n for n in names if n not in known}
        if unseen:
            waiting += unseen
            continue
        known[here] = min(1 + sum(known[n] for n in names if n != here), MOST + 1)
        waiting.pop()
    return known[name]


def _rescanned(definition: Definition, macros: Mapping[str, Definition]) -> Iterator[str]:
    """The macros that are replaced whenever this one has been, one for each time."""
    tokens, depth = definition.replacement, 0
    parameters = definition.parameter_set
    for i, token in enumerate(tokens):
        behind = tokens[i + 1].text if i + 1 < len(tokens) else ""
        before = tokens[i - 1].text if i else ""
        if token.text in "()":
            depth = max(0, depth + (1 if token.text == "(" else -1))
        if depth or token.kind != IDENTIFIER or token.text in parameters:
            continue
        if behind in PASTE or before in PASTE or before in HASH:
            continue
        named = macros.get(token.text)
        if named is not None and (named.parameters is None or behind == "("):
            yield token.text
