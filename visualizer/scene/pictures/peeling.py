"""Peeling: a macro takes the first thing off a list and hands the rest on, to another of its kind or,
put off, to itself. Each round is a row, and each row is one shorter than the row above.

    4   a │ b c d
    3       b │ c d
    2           c │ d

The rounds are found by what they are given: each gets what the one before it has left over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from visualizer.expansion.moments import Timeline
from visualizer.expansion.tokens import Token, spell
from visualizer.expansion.trace import Step
from visualizer.layout.words import HUE_STYLES, Parts, clipped, prose
from visualizer.messages import _, ngettext
from visualizer.scene.pictures.cells import (
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


@dataclass(frozen=True, slots=True)
class Round:
    """What a `macro` takes off the list at `moment`, and what it leaves."""

    moment: int
    macro: str
    head: list[Token]
    rest: tuple[list[Token], ...]

    @property
    def stem(self) -> str:
        return self.macro.rstrip("0123456789")

    def leaves(self, other: Round) -> bool:
        """Whether the other takes up what this one has left over."""
        if self.stem != other.stem or not self.rest:
            return False
        return [*map(spell, self.rest)] == [*map(spell, (other.head, *other.rest))]


def loops(timeline: Timeline) -> list[list[Round]]:
    """The lists that are peeled in an expansion, in rounds; two at least."""
    begun: list[list[Round]] = []
    for at, moment in enumerate(timeline.moments):
        if moment.meeting or (now := _round(at, moment.step)) is None:
            continue
        before = next((loop for loop in reversed(begun) if loop[-1].leaves(now)), None)
        if before is None:
            begun.append([now])
        else:
            before.append(now)
    return [loop for loop in begun if len(loop) > 1]


def _round(at: int, step: Step) -> Round | None:
    definition = step.definition
    if definition is None or not definition.parameters:
        return None
    named = {argument.parameter: bound_to(argument) for argument in step.arguments}
    if definition.parameters[-1] not in named:
        return None
    rest = named.get(definition.variadic or "", [])
    return Round(
        at, step.macro, named[definition.parameters[-1]], tuple(parted(rest)) if rest else ()
    )


def peeling(scene: Scene, width: int) -> list[Parts]:
    """The rounds that are over, and the one that comes next."""
    timeline, state = scene.view.whole, scene.whole_state
    known = loops(timeline)
    if not known:
        return []
    met = [loop for loop in known if _is_met(loop[0], timeline, state)]
    loop = met[-1] if met else known[0]
    over = [each for each in loop if each.moment < state]
    coming = [each for each in loop[len(over) :][:1] if _is_met(each, timeline, state)]
    coming = [] if scene.asked else coming
    if not (over or coming):
        return [*prose(_("Here a list will be peeled, one thing in each round."), width)]
    whole = [loop[0].head, *loop[0].rest]
    names = [each.macro.removeprefix(loop[0].stem) or str(n) for n, each in enumerate(loop, 1)]
    margin = max(map(cell_len, names)) + 3
    cells = column_width([f"{short(each)}│" for each in whole], len(whole), width - margin)
    rows: list[Parts] = []
    for n, each in enumerate((*over, *coming)):
        row: Parts = [
            ("▸ " if each in coming else "  ", STRONG),
            *cell(names[n], margin - 2, QUIET),
        ]
        row.append((" " * (cells * n), ()))
        row += cell(short(each.head), cells - 1, (HUE_STYLES[n % len(HUE_STYLES)], *STRONG))
        row.append(("│", QUIET))
        for thing in each.rest:
            row += cell(short(thing), cells)
        rows.append(clipped(row, width, "…"))
    last = over[-1].rest if over else tuple(whole)
    rows += [[], *prose(_left(len(last)), width)]
    return rows


def _is_met(round_: Round, timeline: Timeline, state: int) -> bool:
    """Whether its macro comes next, or its arguments are being expanded, or it is over."""
    return min(round_.moment, timeline.moments[round_.moment].partner) <= state


def _left(count: int) -> str:
    if not count:
        return _("Nothing is left to be peeled.")
    return ngettext("{count} thing is left.", "{count} things are left.", count).format(count=count)
