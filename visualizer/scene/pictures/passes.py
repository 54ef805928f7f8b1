"""Two passes over one line: first each argument by itself, then the whole of what was put in.

    as written  ADD(ADD(1, 2), 3)
    1st pass    x: ADD(1, 2) ⇒ ((1) + (2))
    put in      ((((1) + (2))) + (3))
    2nd pass    …

The invocation is the innermost around the reader's place that has anything to expand in its arguments,
or the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from visualizer.expansion.moments import Moment, Timeline
from visualizer.layout.words import Parts, Styles, Word, fill, hued, words_of
from visualizer.messages import N_, _
from visualizer.scene.marks import hue_of
from visualizer.scene.pictures.cells import GOOD, QUIET, STRONG

if TYPE_CHECKING:
    from visualizer.expansion.tokens import Token
    from visualizer.scene.scene import Scene

_MOST = 3  # rows of one stage
_STAGES = N_("as written"), N_("1st pass"), N_("put in"), N_("2nd pass")


def passes(scene: Scene, width: int) -> list[Parts]:
    """What is written, and what each pass has made of it by now; a pass that is to come is a `…`."""
    timeline, state = scene.view.whole, scene.whole_state
    met = _invocation(timeline, state)
    if met is None:
        return []
    moment = timeline.moments[met]
    replaced, end = moment.partner, timeline.over(met)
    stages = [*map(_, _STAGES)]
    column = max(map(cell_len, stages)) + 4
    now = 0 if state <= met else 1 if state <= replaced else 2 if state == replaced + 1 else 3
    now = 3 if state >= end else now
    rows: list[Parts] = []

    def stage(number: int, words: list[Word]) -> None:
        mark = "▸ " if number == now and state < end else "✓ " if number <= now else "  "
        label = set_cell_size(f"{mark}{stages[number]}", column)
        for n, row in enumerate(fill(words, width - column, most=_MOST) or [[]]):
            styles = STRONG if number == now else QUIET
            rows.append([(label if n == 0 else " " * column, styles), *row])

    stage(0, words_of(_slice(timeline, met, met), lambda token: ()))
    for argument in moment.step.arguments:
        if argument.prescan is None or not argument.prescan.steps:
            continue
        hue = hued(hue_of(moment.step.definition, argument.parameter))
        words = [Word(f"{argument.parameter}:", 0, QUIET)]
        words += _apart(argument.raw, hue)
        if _is_over(timeline, met, argument.parameter, state):
            words += [Word("⇒", 1, GOOD), *_apart(argument.prescan.after, hue)]
        else:
            words.append(Word("⇒ …", 1, QUIET))
        stage(1, words if now or not scene.asked else [Word("…", 0, QUIET)])
    for number, at in ((2, replaced + 1), (3, min(max(state, replaced + 1), end))):
        if now < number:
            stage(number, [Word("…", 0, QUIET)])
        elif number == 3 and end == replaced + 1:
            stage(number, [Word(_("finds nothing more to replace"), 0, QUIET)])
        else:
            tokens = _slice(timeline, met, at)
            stage(number, words_of(tokens, lambda token: ()) or [Word(_("nothing"), 0, QUIET)])
    return rows


def _invocation(timeline: Timeline, state: int) -> int | None:
    """The moment at which it is met."""
    met = [n for n, moment in enumerate(timeline.moments) if moment.meeting]
    around = [n for n in met if n <= state <= timeline.over(n)]
    ahead = [n for n in met if n > state]
    return around[-1] if around else ahead[0] if ahead else met[-1] if met else None


def _slice(timeline: Timeline, met: int, state: int) -> list[Token]:
    """What the invocation has become by that state of its own."""
    moment = timeline.moments[met]
    before, now = timeline.state(met), timeline.state(state)
    behind = len(before) - (moment.at + moment.step.remove)
    return now[moment.at : max(len(now) - behind, moment.at)]


def _is_over(timeline: Timeline, met: int, parameter: str, state: int) -> bool:
    """Whether the prescan of that argument has come to its end."""
    return state > max(n for n, each in _within(timeline, met) if _parameter(each) == parameter)


def _within(timeline: Timeline, met: int) -> list[tuple[int, Moment]]:
    """The moments of the prescans of that invocation."""
    last = timeline.moments[met].partner
    moments = enumerate(timeline.moments[met + 1 : last], met + 1)
    return [(n, each) for n, each in moments if each.prescan and each.prescan[1] == met]


def _parameter(moment: Moment) -> str:
    assert moment.prescan is not None
    return moment.prescan[0].parameter


def _apart(tokens: list[Token], styles: Styles) -> list[Word]:
    words = words_of(tokens, lambda token: styles)
    return [words[0]._replace(gap=1), *words[1:]] if words else [Word(_("nothing"), 1, QUIET)]
