"""A trace as a film: every step at every depth, one after the other, on one line.

Steps are nested: an argument is prescanned, with steps of its own, before the replacement that needs
it. The reader wants to see one line change. So the nested steps are laid out flat, in *moments*: a
prescan's splices are applied to the argument where it stands, between the invocation's parentheses.
A moment is again one splice, so the state after any number of them is found by replaying, from the
nearest of a few states that are kept.

Tokens are handed on from a prescan to the replacement, and from one replacement to the next. A token
is *born* at the moment that first showed it; what it is passed through later does not change that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

from visualizer.expansion.depth import room_to_nest
from visualizer.expansion.tokens import Token, first_made
from visualizer.expansion.trace import Argument, Expansion, Step

_MIN_INTERVAL = 32  # moments between two kept states


@dataclass(slots=True, eq=False)
class Moment:
    """One splice of the line on the screen, in its coordinates.

    `meeting` marks the moment at which an invocation is found whose arguments must be prescanned
    first: it changes nothing, and `partner` is the index of the replacement that ends it (and the
    other way round; without a prescan a moment is its own partner). `level` is how many invocations
    this one is inside of. `prescan` is the argument being prescanned here, if any, with the moment
    of its invocation.
    """

    step: Step
    at: int
    remove: int
    insert: list[Token]
    level: int
    meeting: bool
    partner: int
    prescan: tuple[Argument, int] | None


class Timeline:
    """The moments of one expansion. State 0 is the source line; state k is the line after k moments.

    States are shared and must not be changed.
    """

    def __init__(self, expansion: Expansion, moments: list[Moment] | None = None) -> None:
        """Of all moments of an expansion; or of others that lead from the same line to the same."""
        self.expansion = expansion = expansion.recorded()
        self.moments: list[Moment] = moments or []
        if moments is None:
            with room_to_nest():
                self._lay_out(expansion.steps, 0, 0, None)
        self._interval = max(_MIN_INTERVAL, isqrt(len(self.moments)))
        self._kept: dict[int, list[Token]] = {0: expansion.before}
        self._births: dict[int, int] | None = None

    def __len__(self) -> int:
        """The number of moments: one less than the number of states."""
        return len(self.moments)

    def state(self, k: int) -> list[Token]:
        """The tokens on the line after `k` moments, 0 ≤ k ≤ len(self)."""
        start = k - k % self._interval
        while start not in self._kept:
            start -= self._interval
        now = self._kept[start]
        for i in range(start, k):
            if i % self._interval == 0:
                self._kept[i] = now
                now = list(now)
            moment = self.moments[i]
            now[moment.at : moment.at + moment.remove] = moment.insert
        return now

    def over(self, k: int) -> int:
        """The state after the next invocation is finished, prescans and rescans and all."""
        if k >= len(self.moments):
            return k
        level = self.moments[k].level
        j = max(k, self.moments[k].partner) + 1
        while j < len(self.moments) and self.moments[j].level > level:
            j += 1
        return j

    def back_over(self, k: int) -> int:
        """The state from which `over` leads here, or to the state closest before this one."""
        if k == 0:
            return 0
        level = self.moments[k].level if k < len(self.moments) else 0
        if k < len(self.moments) and self.moments[k].partner < k:
            level += 1  # what lies behind is the prescan for the replacement that comes next
        j = k - 1
        while j > 0 and self.moments[j].level > level:
            j -= 1
        return min(j, self.moments[j].partner)

    def born(self, token: Token) -> int:
        """The first state in which this token, or the one it was passed on from, was on the line."""
        if self._births is None:
            self._births = {id(token): 0 for token in self.expansion.before}
            for i, moment in enumerate(self.moments):
                for inserted in moment.insert:
                    self._births.setdefault(id(inserted), i + 1)
        return self._births.get(id(first_made(token)), 0)

    def invocations(self, k: int) -> list[str]:
        """The macros that the next moment happens inside of, outermost first."""
        if k >= len(self.moments):
            return []
        names: list[str] = []
        moment: Moment | None = self.moments[k]
        while moment is not None:
            inside = moment.step.inside.names() if moment.step.inside else []
            outer = self.moments[moment.prescan[1]] if moment.prescan else None
            names = ([outer.step.macro] if outer else []) + inside + names
            moment = outer
        return names

    def _lay_out(
        self, steps: Sequence[Step], base: int, level: int, prescan: tuple[Argument, int] | None
    ) -> None:
        for step in steps:
            at = base + step.at
            here = level + (len(step.inside.names()) if step.inside else 0)
            expanded = [a for a in step.arguments if a.prescan and a.prescan.steps]
            first = len(self.moments)
            grown = 0
            if expanded:
                self.moments.append(Moment(step, at, 0, [], here, True, first, prescan))
                for argument in sorted(expanded, key=lambda a: a.start):
                    assert argument.prescan is not None
                    start = at + argument.start + grown
                    self._lay_out(argument.prescan.steps, start, here + 1, (argument, first))
                    grown += len(argument.prescan.after) - len(argument.raw)
                self.moments[first].partner = len(self.moments)
            self.moments.append(
                Moment(step, at, step.remove + grown, step.insert, here, False, first, prescan)
            )
