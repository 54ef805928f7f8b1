"""Ways to look at a trace: with or without what happens inside of arguments, or in some macros.

The trace is one and stays as it is. A *view* is another timeline that leads from the same line to the
same, with fewer stops: what yields only a part of a declaration, a name pasted or arguments counted,
can be one (*coarse*), so can what lies deeper than some *levels*, and the steps of hidden macros. Each
of its states is a state of the whole timeline, and knows which.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from visualizer.expansion.hiding import Policy, hide, merge
from visualizer.expansion.moments import Moment, Timeline

Span = tuple[int, int]  # the first and the last of the whole timeline's moments that one stands for


@dataclass(frozen=True, slots=True)
class Look:
    """Which moments a reader wants to stop at. `hidden` are globs, as `hiding.policy_of` has them;
    of one level, a whole expansion is one moment."""

    coarse: bool = False
    hidden: tuple[str, ...] = ()
    levels: int | None = None


FINE = Look()


@dataclass(frozen=True, eq=False)
class View:
    """A timeline to be walked through, and its moments' spans in the `whole` one."""

    whole: Timeline
    timeline: Timeline
    spans: tuple[Span, ...]

    @cached_property
    def _ends(self) -> list[int]:
        return [0, *(last + 1 for _, last in self.spans)]

    def in_whole(self, state: int) -> int:
        """The state of the whole timeline that this view's state is."""
        if state == len(self.timeline):
            return len(self.whole)  # behind the last moment, others may have changed nothing
        return self._ends[state]

    def from_whole(self, state: int) -> int:
        """This view's first state in which all has happened that had in that one of the whole."""
        return min(bisect_left(self._ends, state), len(self.timeline))


def view(timeline: Timeline, look: Look, policy: Policy | None = None) -> View:
    """`timeline` as one `looks` at it; `policy` is what `look.hidden` stands for."""
    seen, spans = timeline, tuple((k, k) for k in range(len(timeline)))
    if look.coarse:
        seen, spans = coarse(timeline)
    elif look.levels is not None:
        seen, spans = of_levels(timeline, look.levels)
    if policy is not None:
        less = hide(seen, policy)
        spans = tuple((spans[first][0], spans[last][1]) for first, last in less.spans)
        seen = less.timeline
    return View(timeline, seen, spans)


def coarse(timeline: Timeline) -> tuple[Timeline, tuple[Span, ...]]:
    """An invocation whose expansion makes no whole declaration or statement is one moment, prescans,
    rescans and all; one that does is stepped through."""
    whole = [0]  # how many moments before each have put in a bracket or semicolon of a declaration
    for moment in timeline.moments:
        whole.append(whole[-1] + any(token.text in (";", "{", "}") for token in moment.insert))

    def until(k: int) -> int:
        stop = timeline.over(k)
        return stop if whole[stop] == whole[k] else k + 1

    return _folded(timeline, until)


def makes_declarations(timeline: Timeline) -> bool:
    """Whether there is anything that `coarse` steps through."""
    return any(t.text in (";", "{", "}") for moment in timeline.moments for t in moment.insert)


def of_levels(timeline: Timeline, levels: int) -> tuple[Timeline, tuple[Span, ...]]:
    """An invocation that lies inside of `levels - 1` others is one moment."""
    inside = levels - 1
    moments = timeline.moments
    return _folded(timeline, lambda k: timeline.over(k) if moments[k].level >= inside else k + 1)


def _folded(timeline: Timeline, until: Callable[[int], int]) -> tuple[Timeline, tuple[Span, ...]]:
    """What happens from a moment `until` another is one; a moment alone stays as it is."""
    moments: list[Moment] = []
    spans: list[Span] = []
    k = first = 0
    while k < len(timeline):
        stop = until(k)
        moment = timeline.moments[k]
        if stop > k + 1:
            called = merge(timeline, k, stop, {})
            if called is not None:
                called.step, called.partner, called.whole_call = moment.step, len(moments), True
                moments.append(called)
                spans.append((first, stop - 1))
                first = stop
        elif not moment.meeting:  # that an invocation is met says little without its prescans
            here, level = len(moments), moment.level
            step, at, remove = moment.step, moment.at, moment.remove
            moments.append(Moment(step, at, remove, moment.insert, level, False, here, None))
            spans.append((first, k))
            first = stop
        k = stop
    return Timeline(timeline.expansion, moments), tuple(spans)
