"""A widget that is rows of ink, of which only those that have changed are sent to the screen.

A subclass says what stands in each row (`draw`), and calls `repaint` when something may be different.
Drawing a row is cheap: it makes a few pieces of text with the names of their styles. Sending it is
not, so what is drawn is compared with what stands there.

The text can be selected with the mouse and copied, but for the margin at its left: signs and the
numbers of lines.

Where a screen wears something else, Textual styles all that lies in it anew, and with every widget
each of its component classes. A pane has up to thirty, and what they look like follows from the pane's
kind and name and from the theme: never from what it or its screen wears meanwhile. So the `Sheet` finds
it once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.filter import ANSIToTruecolor
from textual.geometry import Offset, Region
from textual.reactive import reactive
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from visualizer.layout.line_layout import GOES_ON
from visualizer.layout.words import Parts, Styles
from visualizer.tui.ink.strips import strip_of

if TYPE_CHECKING:
    from textual.filter import LineFilter

    from visualizer.scene.scene import Scene


class Inked(Widget):
    ink_follows: object = None  # the rules by which its styles were found

    def __init__(self, *children: Widget, **options: Any) -> None:
        super().__init__(*children, **options)
        self._styled: dict[Styles, Style] = {}
        self._painted: dict[int, Parts] = {}  # what stands on the screen, by its row there
        self._ahead: dict[int, Parts] = {}  # what has been drawn and not yet sent, by its own row
        self._sends = False  # whether rows are asked for to be sent

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

    def say_anew(self) -> None:
        """In another language: its rows are laid out as they are where it has another size."""
        if isinstance(getattr(type(self), "scene", None), reactive):
            self.mutate_reactive(type(self).scene)  # type: ignore[attr-defined]
        self.post_message(events.Resize(self.size, self.virtual_size, self.container_size))
        self.call_after_refresh(self.repaint)

    def style_of(self, names: Styles) -> Style:
        """The style of some component classes worn together."""
        style = self._styled.get(names)
        if style is None:
            style = self._styled[names] = self.get_visual_style(*names).rich_style
        return style

    def notify_style_update(self) -> None:
        self._styled.clear()
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
        strip = strip_of(parts, self.style_of, self.size.width)
        if row is None:
            return strip
        if not self._sends:  # the mouse asks which letter stands where
            return strip.apply_offsets(0, row)
        selection = self.text_selection
        return strip if selection is None else self._marked(strip, selection.get_span(row))

    def render_lines(self, crop: Region) -> list[Strip]:
        self._sends = True
        try:
            return super().render_lines(crop)
        finally:
            self._sends = False

    # Selecting

    @property
    def count(self) -> int:
        """How many rows there are, in sight or not."""
        return self.size.height

    @property
    def margin_columns(self) -> int:
        """Columns at the left that are not copied."""
        return 0

    def _marked(self, strip: Strip, span: tuple[int, int] | None) -> Strip:
        if span is None:
            return strip
        first, last = (cell_len(strip.text[:at]) for at in span)
        last = strip.cell_length if span[1] < 0 else last
        middle = Segment.apply_style(strip.crop(first, last), post_style=Style(reverse=True))
        return Strip.join([strip.crop(0, first), Strip(middle), strip.crop(last)])

    def get_selection(self, selection: Selection) -> tuple[str, str]:
        start = selection.start or Offset(0, 0)
        end = selection.end or Offset(-1, self.count - 1)
        rows = range(max(start.y, 0), min(end.y + 1, self.count))
        text = ["".join(text for text, _ in self.draw(row)) for row in rows]
        if text and end.x >= 0:
            text[-1] = text[-1][: end.x]
        margins = [max(start.x if row == start.y else 0, self.margin_columns) for row in rows]
        cut = [line[margin:].rstrip() for line, margin in zip(text, margins, strict=True)]
        return re.sub(f"{GOES_ON}\n *", "", "\n".join(cut)), "\n"

    def _forward_event(self, event: events.Event) -> None:
        """The mouse has selected text: that was no click."""
        if not (isinstance(event, events.Click) and self.text_selection is not None):
            super()._forward_event(event)


class Drawn(Inked):
    """A few rows of ink, the same number always, without scrolling. A subclass draws row `y` of the
    scene, no wider than `self.size.width`."""

    scene: reactive[Scene | None] = reactive(None, repaint=False)

    def watch_scene(self) -> None:
        self.repaint()


# Each node asks hundreds of rules for their hash. Theirs is the identity too, found by Python.
RuleSet.__hash__ = object.__hash__  # type: ignore[method-assign]


class Sheet(Stylesheet):
    def _process_component_classes(self, node: DOMNode) -> None:
        if isinstance(node, Inked):
            if node.ink_follows is self.rules:
                return
            node.ink_follows = self.rules  # another list for each theme
        super()._process_component_classes(node)
