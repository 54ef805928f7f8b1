"""How others have solved an exercise, one after the other, over one's own solution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from visualizer.messages import _
from visualizer.tui.dialogs.panel import Panel


class SolutionsScreen(Panel):
    """`solutions` have a name and a text each."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f7,right", "turn(1)", "another", tooltip="The next solution"),
        Binding("left", "turn(-1)", "the one before", tooltip="The solution before"),
    ]

    def __init__(self, solutions: Sequence[tuple[str, str]]) -> None:
        super().__init__(_("Another solution"))
        self._solutions, self._here = solutions, 0

    def content(self) -> Content:
        if not self._solutions:
            return Content(_("Yours is the one that comes with the lesson."))
        name, text = self._solutions[self._here]
        count = len(self._solutions)
        head = Content.styled(
            _("{name}, {here} of {count}").format(name=name, here=self._here + 1, count=count),
            "bold $accent",
        )
        more = Content.styled(_("  F7 shows another") if count > 1 else "", "$quiet")
        return Content("\n\n").join([head + more, Content(text.rstrip().expandtabs(4))])

    def action_turn(self, by: int) -> None:
        self._here = (self._here + by) % max(len(self._solutions), 1)
        self.show()
