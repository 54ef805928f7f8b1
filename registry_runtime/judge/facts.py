"""What a registry holds, as plain facts; and where two registries differ.

An entry has a name and a key, and under words what is known of it: `input 0` is `CPU, NCHW, int32`. Two
registries are compared entry by entry and word by word. A registry that knows more than the other
could know leaves that out beforehand, and says so (`Holding.left_out`): what wasn't compared isn't
called equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Facts = Mapping[tuple[str, str], Mapping[str, str] | None]
"""Of each entry, by its name and its key, what is known of it; None: that it is there."""


@dataclass(frozen=True, slots=True)
class Holding:
    """What a registry holds, and sentences about what of it can't be compared."""

    facts: Facts
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing on which the two don't agree. `what` is empty for an entry that only one of them has;
    None stands where a side has nothing."""

    name: str
    key: str
    what: str
    ours: str | None
    theirs: str | None


REGISTERED = "registered"


def differences(ours: Facts, theirs: Facts) -> tuple[Difference, ...]:
    """In the order of our entries; those that only they have come last."""
    return tuple(_differences(ours, theirs))


def _differences(ours: Facts, theirs: Facts) -> Iterator[Difference]:
    for entry in dict.fromkeys((*ours, *theirs)):
        if entry not in ours or entry not in theirs:
            sides = [REGISTERED if entry in side else None for side in (ours, theirs)]
            yield Difference(*entry, "", *sides)
            continue
        mine, its = ours[entry], theirs[entry]
        if mine is None or its is None:
            continue
        for what in dict.fromkeys((*mine, *its)):
            if mine.get(what) != its.get(what):
                yield Difference(*entry, what, mine.get(what), its.get(what))


def count(facts: Facts) -> int:
    """How many facts there are; that an entry is there is one."""
    return sum(1 + len(known or ()) for known in facts.values())
