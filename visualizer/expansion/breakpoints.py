"""Where to stop in a finished trace: at a macro, or at a kind of event.

A breakpoint is a function that says yes to a moment. Since the trace is finished, running to the next
one is a search through a list, and running back is no harder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from typing import Literal, get_args

from visualizer.expansion.moments import Moment, Timeline

Breakpoint = Callable[[Moment], bool]

# paste, stringize, va_opt, comma: operations of a replacement. painted, builtin, refused: steps of
# that kind. prescan: a macro is met whose arguments must be expanded first.
Event = Literal["paste", "stringize", "va_opt", "comma", "painted", "builtin", "refused", "prescan"]

_OPERATIONS = ("paste", "stringize", "va_opt", "comma")


def at_macro(glob: str) -> Breakpoint:
    """Stop where a macro with such a name is met, replaced, painted or refused."""
    return lambda moment: fnmatchcase(moment.step.macro, glob)


def at_event(event: Event) -> Breakpoint:
    """Stop where this happens."""
    if event == "prescan":
        return lambda moment: moment.meeting
    if event in _OPERATIONS:
        return lambda moment: (
            not moment.meeting and any(o.kind == event for o in moment.step.operations)
        )
    return lambda moment: moment.step.kind == event


def of_words(words: Iterable[str]) -> Breakpoint:
    """What a user's words stop at: `on:paste` and the other events, or macros of such names."""
    stops = [
        next((at_event(e) for e in get_args(Event) if word == f"on:{e}"), at_macro(word))
        for word in words
    ]
    return lambda moment: any(stop(moment) for stop in stops)


def following(timeline: Timeline, k: int, stop: Breakpoint) -> int | None:
    """The next moment behind the k-th to stop at; from the very beginning, k is -1."""
    return next((i for i in range(k + 1, len(timeline)) if stop(timeline.moments[i])), None)


def preceding(timeline: Timeline, k: int, stop: Breakpoint) -> int | None:
    """The closest moment before the k-th to stop at."""
    return next((i for i in range(k - 1, -1, -1) if stop(timeline.moments[i])), None)
