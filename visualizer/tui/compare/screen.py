"""Two traces of one invocation beside each other: before and after an edit, in two dialects, or for
two of the processors that a file is compiled for.

Above are the steps of both, aligned; below is what each side's line looks like after the chosen one.
It opens at the first difference, and the last row compares the two ends. Where there are more than
two readings of the file, each side can be any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from visualizer.expansion.tokens import Token
from visualizer.expansion.wording import counted
from visualizer.messages import _, ngettext
from visualizer.tui.compare.state import StateCompared, around
from visualizer.tui.compare.steps import StepsCompared
from visualizer.tui.ink.footer import Footer
from visualizer.workbench.background import in_background
from visualizer.workshop.comparison import Pair, Side, align_steps, differing, errors_apart

_OTHERS = "Another reading of the file on that side"


class CompareScreen(Screen[None]):
    AUTO_FOCUS = "StepsCompared"
    HORIZONTAL_BREAKPOINTS = [(0, "-too-narrow"), (60, "-narrow"), (120, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-too-low"), (16, "-flat"), (36, "-tall")]  # noqa: RUF012
    MOUSE: ClassVar[tuple[tuple[str, str], ...]] = (("steps", "a click looks at that step"),)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l", "turn(0)", "left", tooltip=_OTHERS),
        Binding("r", "turn(1)", "right", tooltip=_OTHERS),
        Binding("escape,d", "leave", "back", tooltip="Back to where you came from"),
    ]

    def __init__(self, left: Side, right: Side, *others: Side) -> None:
        """`others` are readings that may take the place of one of the two."""
        super().__init__()
        self._readings = (left, right, *others)
        self._left, self._right = left, right
        self._pairs: Sequence[Pair] = ()

    def compose(self) -> ComposeResult:
        yield Static(id="compare-heading")
        yield StepsCompared(id="compare-steps")
        with Horizontal(id="compare-states"):
            yield StateCompared("−", id="compare-left")
            yield StateCompared("+", id="compare-right")
        yield Footer()
        yield Static(_("A comparison needs at least 60 columns and 16 rows."), id="too-small")

    def on_mount(self) -> None:
        self.run_worker(self._compare())

    async def _compare(self) -> None:
        left, right = self._left, self._right
        self._pairs = await in_background(lambda: align_steps(left.timeline, right.timeline))
        self.query_one("#compare-heading", Static).update(self._heading())
        self.query_one(StepsCompared).show(left, right, self._pairs)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "turn" or len(self._readings) > 2

    async def action_turn(self, side: int) -> None:
        """The next reading on that side, but for the one that stands on the other."""
        here, other = (self._left, self._right)[:: 1 - 2 * side]
        free = [reading for reading in self._readings if reading is not other]
        chosen = free[(free.index(here) + 1) % len(free)]
        self._left, self._right = (chosen, other)[:: 1 - 2 * side]
        await self._compare()

    def action_leave(self) -> None:
        self.dismiss()

    def _heading(self) -> Content:
        left, right = self._left, self._right
        ends = [side.invocation.after for side in (left, right)]
        some, others = differing(*ends)
        wrong = errors_apart(left.bench, right.bench)
        if some or others:
            tally = [("−", len(some)), ("+", len(others))]
            counts = [f"{sign}{counted(count, 'token')}" for sign, count in tally if count]
            verdict = _("{counts} at the end").format(counts=" ".join(counts))
        elif not all(pair.same for pair in self._pairs):
            verdict = _("other steps, the same end")
        elif any(wrong):
            verdict = _("the same steps")
        else:
            verdict = _("no difference")
        for side, errors in zip((left, right), wrong, strict=True):
            if errors:
                first = errors[0]
                verdict += ngettext(
                    "; {count} error only in {label}",
                    "; {count} errors only in {label}",
                    len(errors),
                ).format(count=len(errors), label=side.label)
                verdict += _(", line {line}: {message}").format(
                    line=first.where.line, message=first.message
                )
        where = _("{macro}, line {line}").format(
            macro=right.invocation.macro, line=right.invocation.where.line
        )
        titles = f"{left.label} │ {right.label}"
        return Content.assemble((f" {where}", "bold"), f"  {titles}  ", (verdict, "$accent"))

    @on(StepsCompared.Moved)
    def _moved(self, message: StepsCompared.Moved) -> None:
        states = self._states(message.row)
        only = differing(states[0][0], states[1][0])
        sides = ("left", self._left), ("right", self._right)
        for (id, side), state, places in zip(sides, states, only, strict=True):
            tokens, made, where = state
            pane = self.query_one(f"#compare-{id}", StateCompared)
            pane.show(side.label, tokens, places, made, where)

    def _states(self, row: int) -> list[tuple[list[Token], range, str]]:
        """Of each side, the line after the step, what the step made, and its number. A side without
        the step shows its line as it was before."""
        found = []
        for side, index in zip((self._left, self._right), self._indices(row), strict=True):
            if index is None:
                index = self._step_before(row, side is self._left)
                made = range(0)
                where = _("step {index}: has no such step").format(index=index + 1)
            elif index == len(side.timeline):
                index, made = index - 1, range(0)
                where = _("the end")
            else:
                moment = side.timeline.moments[index]
                made = range(moment.at, moment.at + len(moment.insert))
                where = _("step {index} of {count}").format(
                    index=index + 1, count=len(side.timeline)
                )
            tokens, made = around(side.timeline.state(index + 1), made)
            found.append((list(tokens), made, where))
        return found

    def _indices(self, row: int) -> tuple[int | None, int | None]:
        if row == len(self._pairs):
            return len(self._left.timeline), len(self._right.timeline)
        pair: Pair = self._pairs[row]
        return pair.left, pair.right

    def _step_before(self, row: int, left: bool) -> int:
        """The last step above the row on the side that has none in it; -1 where there is none."""
        for pair in reversed(self._pairs[:row]):
            index = pair.left if left else pair.right
            if index is not None:
                return index
        return -1
