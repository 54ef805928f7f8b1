"""Counting by sliding: a row of numbers stands behind a list, and each thing in the list pushes it one
place on. A macro that has nothing but one of its parameters in its list picks out the number that has
come to that place.

    a   b   c   d   …
    x   y   3   2   1, 0
                ▲ d: 2

The row is found by what it is, whatever the macros are called: arguments that count down to 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from visualizer.expansion.moments import Timeline
from visualizer.expansion.tokens import Token, spell
from visualizer.expansion.trace import Step
from visualizer.layout.words import HUE_STYLES, Parts, clipped, prose
from visualizer.messages import _, ngettext
from visualizer.scene.pictures.cells import (
    ACCENT,
    QUIET,
    STRONG,
    bound_to,
    cell,
    column_width,
    parted,
    short,
)

if TYPE_CHECKING:
    from visualizer.scene.scene import Scene

_FEWEST = 3  # parameters in a row


@dataclass(frozen=True, slots=True)
class Ruler:
    """What `moment` picks from. `values` are the things in the list and then the numbers, of which
    the first is number `pushed`; the one at `picks` is what is left."""

    moment: int
    parameters: tuple[str, ...]
    values: tuple[list[Token], ...]
    pushed: int
    picks: int


def rulers(timeline: Timeline) -> list[Ruler]:
    """Those of an expansion, in the order in which something is picked from them."""
    found = []
    for at, moment in enumerate(timeline.moments):
        if not moment.meeting and (ruler := _ruler(at, moment.step)) is not None:
            found.append(ruler)
    return found


def _ruler(at: int, step: Step) -> Ruler | None:
    definition = step.definition
    if definition is None or not definition.parameters or definition.variadic is None:
        return None
    parameters, kept = definition.parameters, definition.replacement
    is_picked = len(kept) == 1 and kept[0].text in parameters
    if len(parameters) < _FEWEST or not is_picked or len(step.arguments) <= len(parameters):
        return None
    fixed = [bound_to(argument) for argument in step.arguments[: len(parameters)]]
    values = (*fixed, *parted(bound_to(step.arguments[-1])))
    pushed = len(values)
    while pushed and spell(values[pushed - 1]) == str(len(values) - pushed):
        pushed -= 1
    if pushed == len(values):
        return None
    return Ruler(at, parameters, values, pushed, parameters.index(kept[0].text))


def counting(scene: Scene, width: int) -> list[Parts]:
    """Where the numbers stand: at home, pushed along, or picked from."""
    timeline, state = scene.view.whole, scene.whole_state
    known = rulers(timeline)
    if not known:
        return []
    begun = [each for each in known if state >= timeline.born(each.values[-1][0]) > 0]
    ruler, is_pushed = (begun or known)[-1 if begun else 0], bool(begun) and not scene.asked
    numbers = ruler.values[ruler.pushed :]
    shown = ruler.values if is_pushed else numbers
    places = len(ruler.parameters)
    texts = [*ruler.parameters, *(short(value) for value in shown[:places])]
    cells = column_width(texts, places, width - 2)
    cut = max(places - (width - 2) // cells, 0)  # columns that find no room, at the left
    things = ruler.pushed if is_pushed else 0
    heads: Parts = []
    row: Parts = []
    for place in range(cut, places):
        picked = place == ruler.picks
        heads += cell(ruler.parameters[place], cells, ACCENT if picked else QUIET)
        styles = (HUE_STYLES[place % len(HUE_STYLES)],) if place < things else ()
        styles = (*styles, *STRONG) if picked else styles
        row += cell(short(shown[place]) if place < len(shown) else "", cells, styles)
    over = ", ".join(short(value) for value in shown[places:])
    rows = [[*heads, ("…", QUIET)], [*row, (over, QUIET)]]
    arrow = " " * (cells * (ruler.picks - cut))
    if is_pushed:
        picked_now = short(ruler.values[ruler.picks])
        told = _("▲ {parameter} gets {value}")
        if state > ruler.moment:
            told = _("▲ {parameter} is what is left: {value}")
        said = told.format(parameter=ruler.parameters[ruler.picks], value=picked_now)
        before = min(len(arrow), max(width - len(said), 0))
        rows.append([(" " * before, ()), (said, ACCENT)])
        rows += [[], *prose(_pushes(ruler.pushed), width)]
    else:
        rows += [[(arrow, ()), ("▲", ACCENT)], []]
        rows += prose(_("So the numbers stand while there is nothing before them."), width)
    return [clipped(each, width, "…") for each in rows]


def _pushes(count: int) -> str:
    return ngettext(
        "{count} thing stands before the numbers, and has pushed them one place on.",
        "{count} things stand before the numbers, and each has pushed them one place on.",
        count,
    ).format(count=count)
