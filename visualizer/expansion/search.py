"""Looking for a token through a whole expansion: when it came into being, and what became of it.

A token travels: an argument's token is put where its parameter stood, and from there into the next
macro. It is one and the same token all the way, so we look for what it was first, and count how
often it stands on the line. When it stands there no more, the moment that took the last one away says
what became of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from visualizer.expansion.moments import Moment, Timeline
from visualizer.expansion.tokens import Pasted, Stringized, Token, first_made

Fate = Literal["replaced", "pasted", "stringized", "dropped"]


@dataclass(slots=True, eq=False)
class FoundToken:
    """A token: the first state with it on the line (0 is the source), and the moment that took it
    away for good, None if it is there to the end."""

    token: Token
    born: int
    gone: int | None = None
    fate: Fate | None = None


def find(timeline: Timeline, glob: str) -> list[FoundToken]:
    """All tokens, names of macros among them, whose spelling matches, in the order of their birth."""
    found: dict[int, FoundToken] = {}  # by the identity of the token that it was first
    standing: dict[int, int] = {}

    def appear(tokens: list[Token], state: int) -> None:
        for token in tokens:
            if fnmatchcase(token.text, glob):
                first = first_made(token)
                found.setdefault(id(first), FoundToken(first, state))
                standing[id(first)] = standing.get(id(first), 0) + 1

    line = list(timeline.expansion.before)
    appear(line, 0)
    for k, moment in enumerate(timeline.moments):
        removed = line[moment.at : moment.at + moment.remove]
        line[moment.at : moment.at + moment.remove] = moment.insert
        left = [id(first_made(t)) for t in removed if fnmatchcase(t.text, glob)]
        appear(moment.insert, k + 1)
        for key in left:
            standing[key] -= 1
        for key in dict.fromkeys(left):
            if not standing[key]:
                found[key].gone, found[key].fate = k, _fate(found[key].token, moment)
    for each in found.values():
        if standing[id(each.token)]:
            each.gone = each.fate = None  # it went, and came back out of a prescan
    return list(found.values())


def _fate(token: Token, moment: Moment) -> Fate:
    if first_made(moment.step.name) is token:
        return "replaced"
    used = [o for o in moment.step.operations if o.kind in ("paste", "stringize")]
    for operation in used:
        for result in operation.result:
            if any(first_made(parent) is token for parent in _parents(result)):
                return "pasted" if operation.kind == "paste" else "stringized"
    return "dropped"


def _parents(token: Token) -> Iterator[Token]:
    match token.origin:
        case Pasted():
            yield token.origin.left
            yield token.origin.right
        case Stringized():
            yield from token.origin.tokens
