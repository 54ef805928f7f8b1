"""A pane of rows that draws only those that are visible: Textual's line API, in the shape that all
panes of the stepper share.

A subclass says how many rows there are (`hold`) and draws any one of them (`draw`). A pane takes the
focus for scrolling with the page keys; the arrow keys it leaves to the screen, where they step.
"""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar

from visualizer.layout.words import HUE_STYLES
from visualizer.tui.ink.inked import Inked

_PAGES = "Scroll the pane that has the focus"


class Pane(ScrollView, Inked, can_focus=True, inherit_bindings=False):
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *HUE_STYLES,
        "pane--quiet",
        "pane--strong",
        "pane--accent",
        "pane--good",
        "pane--bad",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "page_up", "scroll a page up", tooltip=_PAGES, show=False),
        Binding("pagedown", "page_down", "scroll a page down", tooltip=_PAGES, show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._count = 0
        self._titles = "", ""

    def hold(self, count: int) -> None:
        """There are `count` rows from now on, and any of them may have changed."""
        self._count = count
        size = Size(self.room, max(count, self.rows_visible))
        if size != self.virtual_size:
            # Assigning it would lay out the whole screen anew, at every step. Only what lies inside
            # of this pane has changed its size.
            self.set_reactive(Pane.virtual_size, size)
            self._show_size(size.height)
            self.scroll_y = self.validate_scroll_y(self.scroll_y)

    def _show_size(self, rows: int) -> None:
        """Let the scrollbar know how many rows there are. Of its cells most stay what they were."""
        bar = self.vertical_scrollbar
        before = _cells(bar)
        bar.set_reactive(ScrollBar.window_virtual_size, rows)
        changed = [y for y, (a, b) in enumerate(zip(before, _cells(bar), strict=True)) if a != b]
        if changed:
            bar.refresh(*(Region(0, y, 1, 1) for y in changed))

    @property
    def count(self) -> int:
        return self._count

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

    def row_at(self, y: int) -> int | None:
        row = self.top + y
        return row if row < self._count else None

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


def _cells(bar: ScrollBar) -> list[Segment]:
    """What a scrollbar looks like but for its colours, from the top down."""
    room = bar.window_size if bar.window_size < bar.window_virtual_size else 0
    height = bar.size.height
    drawn = bar.renderer.render_bar(height, bar.window_virtual_size, room, bar.position)
    return [*drawn.segments][:height]
