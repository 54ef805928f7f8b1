"""The steps of two traces side by side, the last row the end of both.

Between the columns stands `=` where a step did the same on both sides, `≠` where it did something
else, `−` where only the left side has it, `+` where only the right one does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from visualizer.expansion.moments import Moment
from visualizer.expansion.tokens import spell
from visualizer.layout.shown import shown_chars
from visualizer.layout.words import Parts, Styles, clipped, length
from visualizer.messages import _
from visualizer.tui.ink.pane import Pane
from visualizer.workshop.comparison import Pair, Side

_STEP = Binding.Group("step", compact=True)
_OVER = Binding.Group("over", compact=True)
_DIFFERENCE = Binding.Group("difference")
_STEPS = "One step back, one step on"
_OVERS = "Back over and over a whole invocation"
_ENDS = "The first step; the end of both"
_DIFFERENCES = "Previous and next difference"


class StepsCompared(Pane):
    COMPONENT_CLASSES: ClassVar[set[str]] = {"compared--here"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", "one step back", tooltip=_STEPS, group=_STEP),
        Binding("right", "move(1)", "one step on", tooltip=_STEPS, group=_STEP),
        Binding("up", "over(-1)", "back over an invocation", tooltip=_OVERS, group=_OVER),
        Binding("down", "over(1)", "over an invocation", tooltip=_OVERS, group=_OVER),
        Binding("home", "go(0)", "to the first step", tooltip=_ENDS, show=False),
        Binding("end", "go(-1)", "to the end", tooltip=_ENDS, show=False),
        Binding(
            "p", "difference(-1)", "previous difference", tooltip=_DIFFERENCES, group=_DIFFERENCE
        ),
        Binding("n", "difference(1)", "next difference", tooltip=_DIFFERENCES, group=_DIFFERENCE),
    ]

    here: reactive[int] = reactive(0)

    class Moved(Message):
        """The reader looks at another row."""

        def __init__(self, row: int) -> None:
            super().__init__()
            self.row = row

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._sides: tuple[Side, Side] | None = None
        self._pairs: Sequence[Pair] = ()
        self._different: list[int] = []
        self._compared = False
        self.entitle(_("Steps"), _("comparing …"))

    def show(self, left: Side, right: Side, pairs: Sequence[Pair]) -> None:
        """The steps of both, aligned; the first difference is looked at."""
        self._sides = left, right
        self._pairs, self._compared = pairs, True
        self._different = [i for i, pair in enumerate(pairs) if not pair.same]
        self.entitle(
            _("Steps"),
            _("{different:,} of {all:,} differ").format(
                different=len(self._different), all=len(pairs)
            ),
        )
        self.set_reactive(StepsCompared.here, self._different[0] if self._different else self.end)
        self.watch_here()

    @property
    def end(self) -> int:
        """The row behind the steps."""
        return len(self._pairs)

    def watch_here(self) -> None:
        self._arrange()
        if self._compared:
            self.post_message(self.Moved(self.here))

    def on_resize(self) -> None:
        self._arrange()

    def _arrange(self) -> None:
        if self.room:
            self.hold(self.end + 1)
            self.reveal(self.here, self.here)
            self.repaint()

    def draw(self, row: int) -> Parts:
        ground: Styles = ("compared--here",) if row == self.here else ()
        half = (self.room - 3) // 2
        if self._sides is None or row == self.end:
            parts = _cell(_("the end: what the compiler reads"), half, ground)
            return [*parts, (" │ ", ground), *_cell("", half, ground)]
        pair = self._pairs[row]
        sign, styles = _sign(pair)
        left, right = self._sides
        return [
            *_cell(_told(left, pair.left), half, (*ground, *styles)),
            (f" {sign} ", (*ground, *styles)),
            *_cell(_told(right, pair.right), half, (*ground, *styles)),
        ]

    def action_move(self, by: int) -> None:
        self.here = min(max(self.here + by, 0), self.end)

    def action_over(self, by: int) -> None:
        """The next row that is no deeper inside of an invocation than this one."""
        level, row = self._level(self.here), self.here + by
        while 0 < row < self.end and self._level(row) > level:
            row += by
        self.here = min(max(row, 0), self.end)

    def _level(self, row: int) -> int:
        if self._sides is None or row == self.end:
            return 0
        pair = self._pairs[row]
        side, index = (0, pair.left) if pair.left is not None else (1, pair.right)
        assert index is not None
        return self._sides[side].timeline.moments[index].level

    def action_go(self, row: int) -> None:
        self.here = row if row >= 0 else self.end

    def action_difference(self, by: int) -> None:
        there = [row for row in self._different if (row - self.here) * by > 0]
        if there:
            self.here = min(there, key=lambda row: abs(row - self.here))
        else:
            self.app.bell()

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is not None and self.top + offset.y <= self.end:
            self.here = self.top + offset.y


def _sign(pair: Pair) -> tuple[str, Styles]:
    if pair.same:
        return "=", ("pane--quiet",)
    if pair.right is None:
        return "−", ("pane--bad",)
    if pair.left is None:
        return "+", ("pane--good",)
    return "≠", ("pane--accent",)


def _told(side: Side, index: int | None) -> str:
    if index is None:
        return ""
    moment: Moment = side.timeline.moments[index]
    digits = len(str(len(side.timeline)))
    inside = "· " * min(moment.level, 6)
    if moment.meeting:
        first = _("{macro}, its arguments first").format(macro=moment.step.macro)
        return f"{index + 1:>{digits}} {inside}{first}"
    made = shown_chars(spell(moment.insert[:60])) or _("nothing")
    return f"{index + 1:>{digits}} {inside}{moment.step.macro} → {made}"


def _cell(text: str, width: int, styles: Styles) -> Parts:
    parts = clipped([(f" {text}", styles)], width, "…")
    return [*parts, (" " * (width - length(parts)), styles)]
