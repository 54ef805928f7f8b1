"""A widget that is rows of ink, of which only those that have changed are sent to the screen.

A subclass says what stands in each row (`draw`), and calls `repaint` when something may be different.
Drawing a row is cheap: it makes a few pieces of text with the names of their looks. Sending it is
not, so what is drawn is compared with what stands there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.style import Style
from textual.filter import ANSIToTruecolor
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from visualizer.tui.ink import Look, Parts, strip_of

if TYPE_CHECKING:
    from textual.filter import LineFilter


class Inked(Widget):
    def __init__(self, *children: Widget, **options: Any) -> None:
        super().__init__(*children, **options)
        self._looks: dict[Look, Style] = {}
        self._painted: dict[int, Parts] = {}  # what stands on the screen, by its row there
        self._ahead: dict[int, Parts] = {}  # what has been drawn and not yet sent, by its own row

    def draw(self, row: int) -> Parts:
        raise NotImplementedError

    def row_at(self, y: int) -> int | None:
        """Which row stands so far down, if one does."""
        return y

    def repaint(self) -> None:
        """Draw the rows that have changed."""
        width, height = self.size
        self._ahead.clear()
        changed = []
        for y in range(height):
            row = self.row_at(y)
            parts = self.draw(row) if row is not None else []
            if parts != self._painted.get(y):
                if row is not None:
                    self._ahead[row] = parts
                changed.append(Region(0, y, width, 1))
        if changed:
            self.refresh(*changed)

    def look(self, names: Look) -> Style:
        """The style of some component classes worn together."""
        style = self._looks.get(names)
        if style is None:
            style = self._looks[names] = self.get_visual_style(*names).rich_style
        return style

    def notify_style_update(self) -> None:
        self._looks.clear()
        self._ahead.clear()
        super().notify_style_update()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """All but the one that looks for colours to make true: those of the themes are."""
        return [f for f in super().get_line_filters() if not isinstance(f, ANSIToTruecolor)]

    def render_line(self, y: int) -> Strip:
        row = self.row_at(y)
        if row is None:
            parts: Parts = []
        else:
            parts = self._ahead.pop(row) if row in self._ahead else self.draw(row)
        self._painted[y] = parts
        return strip_of(parts, self.look, self.size.width)
