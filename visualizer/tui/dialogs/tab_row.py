"""A row of tabs, chosen with the number keys of the screen or with a click."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from visualizer.messages import _


class TabRow(Widget):
    """`tabs` are the titles, `current` the index of the open one."""

    tabs: reactive[tuple[str, ...]] = reactive[tuple[str, ...]](())
    current: reactive[int] = reactive(0)

    class Wanted(Message):
        def __init__(self, row: TabRow, index: int) -> None:
            super().__init__()
            self.row, self.index = row, index

        @property
        def control(self) -> TabRow:
            return self.row

    def render(self) -> Content:
        return Content("").join(
            Content.assemble(
                (f" {i + 1}", "$accent"), " ", (_(title), "bold underline" if here else "$quiet")
            )
            for i, title in enumerate(self.tabs)
            for here in [i == self.current]
        )

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        column = offset.x if offset is not None else -1
        for i, title in enumerate(self.tabs):
            width = cell_len(_(title)) + 3
            if 0 <= column < width:
                self.post_message(self.Wanted(self, i))
            column -= width
