"""A pane of rows that draws only those that are visible: Textual's line API, in the shape that all
panes of the stepper share.

A subclass says how many rows there are (`hold`) and draws any one of them (`draw`). Only rows that
differ from what stands on the screen are sent there again. A pane takes the focus for scrolling with
the page keys; the arrow keys it leaves to the screen, where they step.
"""

from __future__ import annotations

from typing import ClassVar

from rich.style import Style
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from visualizer.tui.ink import HUE_LOOKS, Look, Parts, strip_of

_PAGES = "Scroll the pane that has the focus"


class Pane(ScrollView, can_focus=True, inherit_bindings=False):
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *HUE_LOOKS,
        "pane--quiet",
        "pane--strong",
        "pane--accent",
        "pane--good",
        "pane--bad",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "page_up", "page up", tooltip=_PAGES, show=False),
        Binding("pagedown", "page_down", "page down", tooltip=_PAGES, show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._looks: dict[Look, Style] = {}
        self._count = 0
        self._titles = "", ""
        self._painted: dict[int, Parts] = {}  # what stands on the screen, by its row there

    def draw(self, row: int) -> Parts:
        raise NotImplementedError

    def hold(self, count: int) -> None:
        """There are `count` rows from now on, and any of them may have changed."""
        self._count = count
        size = Size(self.room, max(count, self.rows_visible))
        if size != self.virtual_size:
            # Assigning it would lay out the whole screen anew, at every step. Only what lies inside
            # of this pane has changed its size.
            self.set_reactive(Pane.virtual_size, size)
            self._scroll_update(size)

    def repaint(self) -> None:
        """Draw the rows that have changed."""
        width = self.size.width
        for y in range(self.size.height):
            if self._painted.get(y) != self._parts(y):
                self.refresh(Region(0, y, width, 1))

    def entitle(self, title: str, subtitle: str = "") -> None:
        """Set what stands in the frame. Plain text: brackets in it are no markup."""
        if (title, subtitle) != self._titles:
            self._titles = title, subtitle
            self.border_title, self.border_subtitle = Content(title), Content(subtitle)

    @property
    def room(self) -> int:
        """How many cells wide a row is."""
        return self.scrollable_content_region.width

    @property
    def top(self) -> int:
        return self.scroll_offset.y

    @property
    def rows_visible(self) -> int:
        return self.scrollable_content_region.height

    def reveal(self, first: int, last: int) -> None:
        """Scroll so that these rows are seen, or if they are too many, their beginning. Nothing
        moves if they already are; otherwise they come to stand in the upper middle."""
        height = self.rows_visible
        if height <= 0:
            return
        fits = last - first < height
        if not (self.top <= first and (last if fits else first) < self.top + height):
            above = (height - (last - first + 1)) // 3 if fits else 1
            self.scroll_to(y=max(first - above, 0), animate=False, force=True)

    def look(self, names: Look) -> Style:
        """The style of some component classes worn together."""
        style = self._looks.get(names)
        if style is None:
            style = self._looks[names] = self.get_visual_style(*names).rich_style
        return style

    def notify_style_update(self) -> None:
        self._looks.clear()
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        self._painted[y] = self._parts(y)
        return strip_of(self._painted[y], self.look, self.size.width)

    def _parts(self, y: int) -> Parts:
        row = self.top + y
        return self.draw(row) if row < self._count else []
