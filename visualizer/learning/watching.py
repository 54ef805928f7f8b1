"""Until where a question is watched: the state of the expansion in which its answer can be seen.

A learner who has said what a macro becomes wants to see it become that. What is asked of the registry
doesn't happen on the line: there is nothing to watch. What is asked of a call that is told beside the
page can be watched in its story.
"""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from visualizer.expansion.views import View
from visualizer.frameworks.answers import Place

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench


def until(question: str, bench: Workbench, place: Place) -> int | None:
    """The state, or None if it isn't ahead."""
    word, *rest = question.split()
    if word not in _SEEN:
        return None
    view = bench.view(place.expansion, place.look)
    state = _SEEN[word](view, place.state, rest)
    return state if state is not None and place.state < state <= len(view.timeline) else None


def until_told(question: str, call: str) -> str | None:
    """Where in the story of the call the answer stands: a step or chapter, if it is asked of it."""
    word, *rest = question.split()
    called = call.split()
    if word == "iterator":
        return rest[0] if rest[2:] == called[1:] else None
    if word in ("slot", "count"):
        return "ConstructKernel" if rest[0] == called[0] else None
    if word == "mapped":
        return SIGNATURE if rest[1:] == called else None
    return _TOLD.get(word) if rest == called else None


SIGNATURE = "The names, put in order"
_TOLD = {
    **dict.fromkeys(("keys", "hops"), "Dispatcher"),
    **dict.fromkeys(("gives", "returns", "op-gives", "op-returns"), "Result"),
    **dict.fromkeys(("says", "op-says"), "Error"),
    "selects": "SelectKernelOrThrowError",
    "transforms": "The inputs",
}


def _step(view: View, here: int, words: list[str]) -> int:
    return here + 1


def _replaced(view: View, here: int, words: list[str]) -> int | None:
    moments = view.timeline.moments
    return max(here, moments[here].partner) + 1 if here < len(moments) else None


def _over(view: View, here: int, words: list[str]) -> int:
    return view.timeline.over(here)


def _end(view: View, here: int, words: list[str]) -> int:
    return len(view.timeline)


def _met(view: View, here: int, words: list[str]) -> int | None:
    """Where the macro comes next: its card shows what its parameters are bound to."""
    ahead = enumerate(view.timeline.moments[here:], here)
    return next((k for k, moment in ahead if moment.step.macro == words[0]), None)


def _made(view: View, here: int, words: list[str]) -> int | None:
    """Where such a token first comes onto the line."""
    for k, moment in enumerate(view.timeline.moments):
        if any(fnmatchcase(token.text, " ".join(words)) for token in moment.insert):
            return k + 1
    return None


_SEEN: dict[str, Callable[[View, int, list[str]], int | None]] = {
    **dict.fromkeys(("next", "argument", "prescan", "inside"), _step),
    "replacement": _replaced,
    "result": _over,
    "bound": _met,
    "made-by": _made,
    **dict.fromkeys(("end", "times", "steps", "registers"), _end),
}
