"""A part of an expansion that is too large to read as a whole.

What is cut still leads somewhere: the steps of a range lead from the line before them to the line
behind them, and where those of an argument are left out, one stands for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from visualizer.expansion.moments import Moment, Timeline
from visualizer.expansion.tokens import Token
from visualizer.expansion.trace import Expansion, Step, replay


@dataclass(frozen=True, slots=True)
class Cut:
    """What is kept: moments from `first` to `last`, counted from 1, and none that happens inside more
    than `depth` arguments that are expanded by themselves."""

    first: int = 1
    last: int | None = None
    depth: int | None = None

    def keeps(self, moments: Sequence[Moment], moment: Moment, span: tuple[int, int]) -> bool:
        """Whether a moment is told that stands for those of this span, from 0, of the timeline."""
        start, end = span
        in_range = end + 1 >= self.first and (self.last is None or start < self.last)
        return in_range and (self.depth is None or _inside(moments, moment) <= self.depth)

    def steps(self, expansion: Expansion) -> tuple[list[Token], Sequence[Step], list[Token]]:
        """The line before the first of the expansion's own steps that has a moment in the range, those
        steps, and the line behind them."""
        expansion = expansion.recorded()
        steps = expansion.steps
        if self.first <= 1 and self.last is None:
            return expansion.before, steps, expansion.after
        moments = Timeline(expansion).moments
        ends = [k + 1 for k, m in enumerate(moments) if not m.meeting and m.prescan is None]
        begin = sum(end < self.first for end in ends)
        starts = [0, *ends[:-1]]
        stop = len(steps) if self.last is None else sum(start < self.last for start in starts)
        before = replay(expansion.before, steps[:begin])
        return before, steps[begin:stop], replay(before, steps[begin:stop])


WHOLE = Cut()


def _inside(moments: Sequence[Moment], moment: Moment) -> int:
    depth = 0
    while moment.prescan is not None:
        depth += 1
        moment = moments[moment.prescan[1]]
    return depth
