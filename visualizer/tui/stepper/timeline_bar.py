"""The timeline of an expansion: where we are in it, and where registry entries are born (★). While a
lesson asks something, it tells of nothing that is ahead.

A click goes to that place, the arrows at its ends step.
"""

from __future__ import annotations

from itertools import groupby
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.message import Message

from visualizer.layout.words import Parts, Styles
from visualizer.messages import _, ngettext
from visualizer.scene.scene import Scene
from visualizer.tui.ink.inked import Drawn

_STYLES: dict[str, Styles] = {
    "━": ("timeline--past",),
    "●": ("timeline--here",),
    "─": ("timeline--future",),
    "★": ("timeline--born",),
}


class TimelineBar(Drawn):
    MOUSE: ClassVar = ("timeline", "a click goes to that place, ◀ and ▶ step")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "timeline--past",
        "timeline--here",
        "timeline--future",
        "timeline--born",
        "timeline--button",
        "timeline--count",
    }

    class Wanted(Message):
        """The reader wants to see another state."""

        def __init__(self, state: int) -> None:
            super().__init__()
            self.state = state

    def draw(self, y: int) -> Parts:
        scene = self.scene
        if y or scene is None:
            return []
        cells = self._cells(scene)
        here = cell_of(scene.state, len(scene.timeline), cells)
        births = [state for state in scene.births if state <= scene.told]
        born = {cell_of(state, len(scene.timeline), cells) for state in births}
        signs = ["━"] * here + ["─"] * (cells - here)
        for cell in born:
            signs[cell] = "★"
        signs[here] = "●"
        return [
            (" ◀ ", ("timeline--button",)),
            *(("".join(run), _STYLES[sign]) for sign, run in groupby(signs)),
            (" ▶ ", ("timeline--button",)),
            (self._count(scene), ("timeline--count",)),
        ]

    @staticmethod
    def _count(scene: Scene) -> str:
        total = str(len(scene.timeline))
        count = scene.tail.start
        tokens = ngettext("{count:,} token", "{count:,} tokens", count).format(count=count)
        tokens = " " * (13 - cell_len(tokens)) + tokens
        shown = _(" shown") if len(scene.timeline) < len(scene.view.whole) else ""
        here = f"{scene.state:>{len(total)}}"
        if scene.asked:  # how many there are may be the question
            return _(" step {here}{shown}  {tokens} ").format(here=here, shown=shown, tokens=tokens)
        return _(" step {here} of {all}{shown}  {tokens} ").format(
            here=here, all=total, shown=shown, tokens=tokens
        )

    def _cells(self, scene: Scene) -> int:
        return max(self.size.width - 6 - cell_len(self._count(scene)), 2)

    def on_click(self, event: events.Click) -> None:
        scene, offset = self.scene, event.get_content_offset(self)
        if scene is None or offset is None:
            return
        cells = self._cells(scene)
        count = len(scene.timeline)
        if offset.x < 3:
            state = max(scene.state - 1, 0)
        elif offset.x < 3 + cells:
            state = state_at(offset.x - 3, count, cells)
        elif offset.x < 6 + cells:
            state = min(scene.state + 1, count)
        else:
            return
        self.post_message(self.Wanted(state))


def cell_of(state: int, count: int, cells: int) -> int:
    """The cell of the bar in which a state stands, of `count + 1` states."""
    return round(state * (cells - 1) / count) if count else 0


def state_at(cell: int, count: int, cells: int) -> int:
    """The state that a click on this cell means."""
    return round(cell * count / (cells - 1))
