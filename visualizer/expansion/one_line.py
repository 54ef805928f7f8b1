"""Who asks about one line of a text has only its invocations expanded.

The others stand in the output as they are written, but for those that must be expanded since they are
felt there: `effects` finds which. An invocation may also end in the parenthesis that another one waits
for; where the text behind it begins with `(`, that is not known before it is expanded, so it is.

Most that are felt only ask `__COUNTER__`, as each registration does for a name of its own. How often,
those of one shape agree on: names that are no part of any macro's make no difference to it. So of each
shape one is expanded.
"""

from __future__ import annotations

from collections.abc import Iterator

from visualizer.expansion.arguments import read_arguments
from visualizer.expansion.effects import FELT, Effects
from visualizer.expansion.expander import Expander
from visualizer.expansion.text_operators import PRAGMA_OPERATOR
from visualizer.expansion.tokens import (
    CHARACTER,
    IDENTIFIER,
    STRING,
    AfterDirective,
    Computed,
    Passed,
    Pasted,
    Token,
    spelled_at,
)
from visualizer.expansion.trace import Expansion, every

_ANY = (STRING, CHARACTER)  # what is in them is no macro's name
_Shape = tuple[str, ...]  # of an invocation: what it is made of, and only the kind of what is inert


class OneLine:
    """The line, and the names that invocations might have come to which were not expanded."""

    def __init__(self, line: int, expander: Expander, counts: bool = True) -> None:
        """`counts`: whether it matters how often `__COUNTER__` is asked."""
        self.line = line
        self.expander = expander
        self.effects = Effects(expander.macros, expander.builtins, FELT if counts else FELT[1:])
        self.passed_over: set[str] = set()
        self._counts: dict[_Shape, int | None] = {}
        self._shape: _Shape = ()

    def macros_changed(self) -> None:
        self.effects.macros_changed()
        self._counts.clear()
        self._shape = ()

    def passes_over(self, tokens: list[Token], start: int, traced: bool) -> tuple[int, int]:
        """How many tokens an invocation has that stands on another line, or not in the `traced` text,
        and is not felt on this one, 0 if it must be expanded; and how often it asks `__COUNTER__`."""
        self._shape = ()
        name, stop = tokens[start], start + 1
        definition = self.expander.macros.get(name.text)
        called = definition is not None and definition.parameters is not None
        opening = tokens[stop] if called and stop < len(tokens) else None
        read = None
        if opening is not None and opening.text == "(" and not isinstance(opening, AfterDirective):
            behind = map(tokens.__getitem__, range(stop + 1, len(tokens)))  # a slice would be long
            read = read_arguments(lambda: next(behind, None), None)
            stop += 1 + len(read.tokens)
        takes_more = stop < len(tokens) and tokens[stop].text == "("
        first, last = spelled_at(name).line, spelled_at(tokens[stop - 1]).line
        here = traced and first <= self.line <= last
        if takes_more or here or self.expander.language.msvc_traditional:
            return 0, 0
        if read is not None and not read.closed:
            return 0, 0
        inert = self.effects.is_inert
        names = {t.text for t in tokens[start:stop] if t.kind == IDENTIFIER}
        reached = self.effects.words(n for n in names if not inert(n))
        counts = 0
        if reached is None:
            shape = tuple(
                t.kind if t.kind in _ANY or (t.kind == IDENTIFIER and inert(t.text)) else t.text
                for t in tokens[start:stop]
            )
            known = self._counts.get(shape)
            if known is None:
                self._shape = () if shape in self._counts else shape
                return 0, 0
            counts, reached = known, frozenset(names)  # the expanded one told the others
        self.passed_over |= reached
        if read is not None and definition is not None:
            self.expander.arguments_of(definition, read, name)
        return stop - start, counts

    def expanded(self, expansion: Expansion, counts: int) -> None:
        """What `passes_over` would not pass over came to this, and asked `__COUNTER__` so often."""
        if not self._shape:
            return
        alone = len(expansion.before) == len(self._shape)
        each = list(every(expansion.steps)) if alone else []
        differs = any(
            step.macro == PRAGMA_OPERATOR or any(map(self._by_its_number, step.insert))
            for step in each
        )
        self._counts[self._shape] = None if differs or not alone else counts
        self.passed_over.update(step.macro for step in each)
        self._shape = ()

    def _by_its_number(self, token: Token) -> bool:
        """Whether a number was pasted into it, and it may be a macro's name with another one."""
        if token.kind != IDENTIFIER:
            return False
        before = ""
        for piece in _pieces(token):
            if isinstance(piece.origin, Computed):
                return self.effects.counts_on(before)
            before += piece.text
        return False


def _pieces(token: Token) -> Iterator[Token]:
    """What it was pasted of, from the left."""
    match token.origin:
        case Passed(token=earlier):
            yield from _pieces(earlier)
        case Pasted(left=left, right=right):
            yield from _pieces(left)
            yield from _pieces(right)
        case _:
            yield token
