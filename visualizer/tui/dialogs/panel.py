"""A dialog that only tells: it closes at any of the usual keys."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from visualizer.tui.dialogs.dialog import Dialog


class Panel(Dialog[None]):
    """Subclasses give the text, and may change it later."""

    FRAME = VerticalScroll
    AUTO_FOCUS = "#dialog"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q", "close", "Close")]

    def content(self) -> Content:
        raise NotImplementedError

    def inside(self) -> ComposeResult:
        yield Static(self.content(), id="panel-text")

    def show(self) -> None:
        """Draw the text again, because what it says has changed."""
        self.query_one("#panel-text", Static).update(self.content())


def table(rows: list[tuple[str | Content, ...]], gap: int = 2) -> Content:
    """Rows of cells, each column as wide as its widest cell; `""` in the first makes an empty row."""
    cells = [[c if isinstance(c, Content) else Content(c) for c in row] for row in rows]
    count = max(len(row) for row in cells)
    widths = [max((r[i].cell_length for r in cells if i < len(r)), default=0) for i in range(count)]
    lines = []
    for row in cells:
        line = Content("")
        for i, cell in enumerate(row):
            last = i == len(row) - 1
            line += cell if last else cell.pad_right(widths[i] - cell.cell_length + gap)
        lines.append(line)
    return Content("\n").join(lines)
