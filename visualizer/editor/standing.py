"""What stands at a place of a file: the invocation around it, and the token of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from visualizer.editor.texts import EditedText
from visualizer.expansion import Expansion, Step, Token
from visualizer.expansion.tokens import IDENTIFIER, Source, first_made
from visualizer.expansion.trace import Argument
from visualizer.expansion.why.fates import Fate, fate_of
from visualizer.workbench.bench import Workbench


@dataclass(frozen=True, eq=False)
class Standing:
    """An invocation, or a directive in which macros are replaced: which it is of those on the bench,
    where it begins and ends in the text, and the token at the place, if one is."""

    bench: Workbench
    index: int
    begin: int
    end: int
    token: Token | None

    @property
    def expansion(self) -> Expansion:
        return self.bench.expansions[self.index]

    @property
    def is_name(self) -> bool:
        """Whether the place is at the name of what is invoked."""
        return self.token is self.expansion.before[0]

    @cached_property
    def fate(self) -> Fate:
        """What became of the name at the place."""
        where = self.token.origin if self.token is not None else None
        return fate_of(where, [self.expansion]) if isinstance(where, Source) else Fate()

    @cached_property
    def step(self) -> Step | None:
        """The one that replaces the name at the place; that it is painted elsewhere matters less."""
        if self.token is None or self.token.kind != IDENTIFIER:
            return None
        kept = ("painted", "refused")
        each = self.fate.steps
        return next((s for s in each if s.kind not in kept), each[0] if each else None)

    @cached_property
    def argument(self) -> tuple[int, Argument] | None:
        """Of the invocation's own arguments, the one that the place is in, and its number."""
        steps = self.expansion.recorded().steps
        if self.token is None or not steps or steps[0].name is not self.expansion.before[0]:
            return None
        for n, one in enumerate(steps[0].arguments):
            if any(first_made(token) is self.token for token in one.raw):
                return n, one
        return None


def standing(bench: Workbench, text: EditedText, offset: int) -> Standing | None:
    """What is invoked around a place of the bench's own file, whose text this is."""
    place = text.place(offset)
    invocations = len(bench.trace.expansions)
    for each, first in ((bench.trace.expansions, 0), (bench.trace.directives, invocations)):
        index = _last_begun(each, place)
        if index is not None:
            found = _around(bench, first + index, text, offset)
            if found is not None:
                return found
    return None


def extent(expansion: Expansion, text: EditedText) -> tuple[int, int]:
    """Where an invocation begins and ends in the text: what it used up, wherever that stands."""
    file = expansion.where.file
    begin, end = text.offset_of(expansion.where), 0
    for token in expansion.before:
        where = token.origin
        if isinstance(where, Source) and where.file == file:
            end = max(end, _end(token, text.offset_of(where), text.text))
    return begin, max(begin, end)


def _last_begun(each: Sequence[Expansion], place: Source) -> int | None:
    at = bisect_right(each, place[1:], key=lambda e: (e.where.line, e.where.column)) - 1
    return at if at >= 0 else None


def _around(bench: Workbench, index: int, text: EditedText, offset: int) -> Standing | None:
    expansion = bench.expansions[index]
    begin, end = extent(expansion, text)
    if not begin <= offset <= end:
        return None
    found: Token | None = None
    for token in expansion.before:
        where = token.origin
        if not isinstance(where, Source) or where.file != expansion.where.file:
            continue
        start = text.offset_of(where)
        if start <= offset <= start + len(token.text) and (
            found is None or offset < start + len(token.text) or token.kind == IDENTIFIER
        ):
            found = token
            if token.kind == IDENTIFIER and offset < start + len(token.text):
                break
    return Standing(bench, index, begin, end, found)


def _end(token: Token, at: int, text: str) -> int:
    """Behind a token, in which lines may be spliced."""
    for letter in token.text:
        while text[at : at + 1] == "\\" != letter and "\n" in text[at : at + 80]:
            at = text.index("\n", at) + 1
        at += 1
    return at
