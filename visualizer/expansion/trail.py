"""Where a token came from, hop by hop, until characters of a source file.

A token that stands on the line has often come a long way: written as an argument, handed on by one
macro to the next, pasted to another. Each hop is one entry of the trail, the youngest first. A token
made by `##` has two parents, one made by `#` as many as the argument had; their trails stand below it,
one level deeper.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from visualizer.expansion.definitions import Definition
from visualizer.expansion.tokens import (
    Computed,
    Copied,
    Passed,
    Pasted,
    Source,
    Stringized,
    Token,
    spelled_at,
)

_MOST_PARENTS = 8  # of a stringized argument; there may be hundreds


@dataclass(frozen=True, slots=True, eq=False)
class Hop:
    """One stop of a token on its way. `token` is what it was there, `where` the place that explains
    it: of the file's characters, or of the macro's replacement list, `definition.replacement[place]`.
    `parameter` brought it."""

    token: Token
    depth: int
    text: str
    where: Source
    definition: Definition | None = None
    place: int | None = None
    parameter: str | None = None


def trail(token: Token, depth: int = 0) -> Iterator[Hop]:
    """A token's hops, back to the source; a parent's hops stand behind what was made of it."""
    while True:
        match token.origin:
            case Source() as source:
                yield Hop(token, depth, "written in the source", source)
                return
            case Copied(definition, place, by):
                text = f"in {by.text}'s replacement list"
                yield Hop(token, depth, text, _at(definition, place), definition, place)
                token = by
                if not isinstance(token.origin, Source):
                    continue
                yield Hop(token, depth, "the invocation in the source", token.origin)
                return
            case Passed(definition, place, by, earlier):
                name = definition.replacement[place].text
                text = f"the argument {name} of {by.text}"
                yield Hop(token, depth, text, _at(definition, place), definition, place, name)
                token = earlier
            case Pasted(definition, place, by, left, right):
                text = f"pasted by ## in {by.text}"
                yield Hop(token, depth, text, _at(definition, place), definition, place)
                for parent in (left, right):
                    if parent.text:
                        yield from trail(parent, depth + 1)
                return
            case Stringized(definition, place, by, tokens):
                text = f"made a string by # in {by.text}"
                yield Hop(token, depth, text, _at(definition, place), definition, place)
                for parent in tokens[:_MOST_PARENTS]:
                    yield from trail(parent, depth + 1)
                return
            case Computed(by):
                yield Hop(token, depth, f"computed for {by.text}", spelled_at(by))
                token = by
                if isinstance(token.origin, Source):
                    return


def sources(token: Token) -> set[Source]:
    """The characters of source files that a token's trail ends at."""
    return {hop.where for hop in trail(token) if isinstance(hop.token.origin, Source)}


def _at(definition: Definition, place: int) -> Source:
    return spelled_at(definition.replacement[place])
