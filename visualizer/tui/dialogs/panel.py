"""A dialog that only tells: it closes at any of the usual keys."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from visualizer.tui.dialogs.dialog import Dialog

_SHARE, _FRAME = 0.96, 7  # of the screen's width, as in unfold.tcss; border, padding, scrollbar


class Panel(Dialog[None]):
    """Subclasses give the text, and may change it later."""

    FRAME = VerticalScroll
    AUTO_FOCUS = "#dialog"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q", "close", "Close")]

    def content(self) -> Content:
        raise NotImplementedError

    def inside(self) -> ComposeResult:
        yield Static(self.content(), id="panel-text")

    @property
    def width(self) -> int:
        """Of a row of the text, in cells, at most."""
        return int(self.app.size.width * _SHARE) - _FRAME

    def show(self) -> None:
        """Draw the text again, because what it says has changed."""
        self.query_one("#panel-text", Static).update(self.content())


def table(rows: list[tuple[str | Content, ...]], gap: int = 2, width: int | None = None) -> Content:
    """Rows of cells, each column as wide as its widest cell; `""` in the first makes an empty row.
    Given a `width`, what is too long in a last column goes on below it."""
    cells = [[c if isinstance(c, Content) else Content(c) for c in row] for row in rows]
    count = max(len(row) for row in cells)
    widths = [max((r[i].cell_length for r in cells if i < len(r)), default=0) for i in range(count)]
    lines: list[Content] = []
    for *before, last in cells:
        line = Content("")
        for cell, most in zip(before, widths, strict=False):
            line += cell.pad_right(most - cell.cell_length + gap)
        below = line.cell_length
        first, *more = [last]
        if width is not None and before:
            first, *more = last.wrap(max(width - below, 1))
        lines += [line + first, *(part.pad_left(below) for part in more)]
    return Content("\n").join(lines)
