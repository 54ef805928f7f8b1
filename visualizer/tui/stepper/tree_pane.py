"""The tree of an expansion: every invocation, below the one that it came up in.

It is the timeline as an outline. What has happened stands in full ink, what is still to come is quiet,
and an arrow marks what comes next. A click, or Enter, goes there; Space draws a branch together. While
a lesson asks something, the tree ends with what has happened.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from visualizer.expansion.hiding import Merged
from visualizer.expansion.moments import Moment, Timeline
from visualizer.expansion.wording import short
from visualizer.layout.words import Parts, Styles, clipped, prose
from visualizer.messages import N_, _
from visualizer.scene.scene import Scene
from visualizer.tui.ink.pane import Pane

_ROWS = "In the tree: up and down a row"
_ASKED = N_("What is still to come is shown once you have answered the lesson's question.")
_RESULT = 48  # characters of what an invocation became


class TreePane(Pane):
    MOUSE: ClassVar = ("tree", "a click goes to that step, or folds what is beneath it")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "tree--here",
        "tree--here-mark",
        "tree--cursor",
        "tree--future",
        "tree--name",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        *Pane.BINDINGS,
        Binding("up", "move(-1)", "up", tooltip=_ROWS, show=False),
        Binding("down", "move(1)", "down", tooltip=_ROWS, show=False),
        Binding("enter", "go", "go there", tooltip="In the tree: go to that step", show=False),
        Binding(
            "space", "fold", "fold", tooltip="In the tree: fold a branch, unfold it", show=False
        ),
    ]

    scene: reactive[Scene | None] = reactive[Scene | None](None, repaint=False)

    class Wanted(Message):
        """The reader wants to stand before this moment."""

        def __init__(self, state: int) -> None:
            super().__init__()
            self.state = state

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.entitle(_("Tree"))
        self._timeline: Timeline | None = None
        self._told = 0  # moments of it that may be shown
        self._folded: set[int] = set()
        self._moments: list[int] = []  # the moment of each row
        self._depths: list[int] = []  # in how many rows each row lies
        self._cursor: int | None = None  # a moment; None: it goes along with what comes next

    def watch_scene(self, scene: Scene | None) -> None:
        if scene is None:
            return
        if scene.timeline is not self._timeline:
            self._timeline, self._told = scene.timeline, scene.told
            self._folded.clear()
            self._unfold()
        elif scene.told != self._told:
            self._told = scene.told
            self._unfold()
        self._cursor = None
        self._follow()

    def on_resize(self) -> None:
        self._hold()
        self._follow()

    def _unfold(self) -> None:
        """Work out the rows anew."""
        timeline, k = self._timeline, 0
        self._moments, self._depths = [], []
        around: list[int] = []  # the levels of the rows that the next one may lie in
        while timeline is not None and k < self._told:
            level = timeline.moments[k].level
            while around and around[-1] >= level:
                around.pop()
            self._moments.append(k)
            self._depths.append(len(around))
            around.append(level)
            k = timeline.over(k) if k in self._folded else k + 1
        self._hold()

    def _hold(self) -> None:
        deepest = max(self._depths, default=0)
        self.entitle(
            _("Tree"), _("12 ▸ lies 12 deep") if len(self._indent_of(deepest)) < deepest else ""
        )
        self.hold(len(self._moments) + len(self._asked()))

    def _asked(self) -> list[Parts]:
        """What stands in place of the moments that may not be shown yet."""
        asks = self.scene is not None and bool(self.scene.asked)
        return prose(_ASKED, self.room, ("pane--quiet",)) if asks and self.room else []

    def _row_of(self, moment: int) -> int:
        """The row of a moment, or of the folded one that it is inside of."""
        return max(bisect_right(self._moments, moment) - 1, 0)

    @property
    def _here(self) -> int:
        return 0 if self.scene is None else self.scene.state

    def _follow(self) -> None:
        row = self._row_of(self._here if self._cursor is None else self._cursor)
        self.reveal(row, row)
        self.repaint()

    def draw(self, row: int) -> Parts:
        timeline = self._timeline
        if timeline is None:
            return []
        if row >= len(self._moments):
            return self._asked()[row - len(self._moments)]
        k = self._moments[row]
        moment = timeline.moments[k]
        after = self._moments[row + 1] if row + 1 < len(self._moments) else self._told
        is_here = k <= self._here < after
        ground: Styles = ("tree--cursor",) if self._is_at_cursor(row) else ()
        if is_here:
            ground = (*ground, "tree--here")
        done = k < self._here
        ink: Styles = ground if done or is_here else (*ground, "tree--future")
        sign = "▸" if k in self._folded else "▾" if _has_branches(timeline, k) else "·"
        parts: Parts = [
            ("▶" if is_here else " ", (*ground, "tree--here-mark")),
            (f"{self._indent(row)}{sign} ", (*ink, "pane--quiet")),
            (moment.step.macro, ink if not done else (*ink, "tree--name")),
            (f" {_became(moment)}", (*ink, "pane--quiet")),
        ]
        return [*clipped(parts, self.room, "…"), (" " * self.room * bool(ground), ground)]

    def _indent(self, row: int) -> str:
        """A blank for each row that it lies in: what is left out takes none. Further in than a third
        of the pane there is no room for the text: there, their number stands in the blanks' place."""
        return self._indent_of(self._depths[row])

    def _indent_of(self, depth: int) -> str:
        most = max(self.room // 3, len(f"{depth} "))
        return " " * depth if depth <= most else f"{depth} ".rjust(most)

    def _is_at_cursor(self, row: int) -> bool:
        return self.has_focus and self._cursor is not None and row == self._row_of(self._cursor)

    def action_move(self, by: int) -> None:
        if not self._moments:
            return
        row = self._row_of(self._here if self._cursor is None else self._cursor) + by
        self._cursor = self._moments[min(max(row, 0), len(self._moments) - 1)]
        self._follow()

    def action_go(self) -> None:
        if self._cursor is not None:
            self.post_message(self.Wanted(self._cursor))

    def action_fold(self) -> None:
        timeline = self._timeline
        if timeline is None or not self._moments:
            return
        k = self._moments[self._row_of(self._here if self._cursor is None else self._cursor)]
        if k in self._folded:
            self._folded.remove(k)
        elif _has_branches(timeline, k):
            self._folded.add(k)
        self._cursor = k
        self._unfold()
        self._follow()

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or not self.top + offset.y < len(self._moments):
            return
        row = self.top + offset.y
        k, sign = self._moments[row], 1 + len(self._indent(row))
        self._cursor = k
        if offset.x in (sign, sign + 1):
            self.action_fold()
        else:
            self.post_message(self.Wanted(k))


def _has_branches(timeline: Timeline, k: int) -> bool:
    return k + 1 < len(timeline) and timeline.moments[k + 1].level > timeline.moments[k].level


def _became(moment: Moment) -> str:
    """What an invocation became, if that says something in a few characters."""
    if moment.meeting:
        return _("is met")
    if moment.step.kind == "painted":
        return _("is painted")
    steps = (
        _(" ({count} steps)").format(count=len(moment.steps)) if isinstance(moment, Merged) else ""
    )
    return f"→ {short(moment.insert, _RESULT) or 'nothing'}{steps}"
