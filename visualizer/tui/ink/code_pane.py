"""C++ with stretches that something is to be said of, one of which is looked at.

The one that is looked at is lit in all its rows and scrolled to; where it stands too far to the right,
its row alone is drawn from a later column on. Of the others the first row is coloured and has a sign
before it, so that a class that is one long stretch doesn't drown what lies inside of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from registry_runtime.cxx.span import Span
from visualizer.layout.shown import shown_chars
from visualizer.layout.words import Parts, Styles, seen_from, worn
from visualizer.tui.ink.code import LOOKS, coloured
from visualizer.tui.ink.pane import Pane

_SIDEWAYS = "Scroll sideways"
_STEP = 8  # columns at a time


@dataclass(frozen=True, slots=True)
class Stretch:
    """`name` is what a click on it asks for. An `open` one isn't settled."""

    name: int
    span: Span
    open: bool = False


class CodePane(Pane):
    MOUSE: ClassVar = ("code", "a click on what is marked looks at it")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *LOOKS,
        "code--number-of-line",
        "code--stretch",
        "code--open",
        "code--here",
        "code--here-mark",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("shift+left", "sideways(-1)", "left", tooltip=_SIDEWAYS, show=False),
        Binding("shift+right", "sideways(1)", "right", tooltip=_SIDEWAYS, show=False),
    ]

    class Picked(Message):
        """A stretch was clicked."""

        def __init__(self, name: int) -> None:
            super().__init__()
            self.name = name

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._text = ""
        self._lines: list[str] = [""]
        self._starts = [0]  # of each line, in the text
        self._stretches: Sequence[Stretch] = ()
        self._begun: dict[int, list[Stretch]] = {}  # those that begin in a row
        self._here: Stretch | None = None
        self._near: Span | None = None
        self._shift = 0

    @property
    def lit(self) -> str:
        """What is looked at, as it stands in the text."""
        return "" if self._here is None else self._text[self._here.span.start : self._here.span.end]

    def show(
        self,
        text: str,
        stretches: Sequence[Stretch],
        here: Stretch | None = None,
        near: Span | None = None,
    ) -> None:
        """Without a stretch `here`, what is scrolled to is `near`, or the beginning of another
        text."""
        is_new = text != self._text
        if is_new:
            self._text, self._lines, self._shift = text, text.split("\n"), 0
            self._starts = [0, *accumulate(len(line) + 1 for line in self._lines[:-1])]
            self.hold(len(self._lines))
        if is_new or stretches != self._stretches:
            self._stretches, self._begun = stretches, {}
            for stretch in stretches:
                self._begun.setdefault(self._rows(stretch.span).start, []).append(stretch)
        self._here, self._near = here, near
        if is_new and here is None and near is None:
            self.scroll_to(y=0, animate=False, force=True)
        self._follow()
        self.repaint()

    def on_resize(self) -> None:
        self.hold(len(self._lines))
        self._follow()
        self.repaint()

    def _follow(self) -> None:
        span = self._here.span if self._here is not None else self._near
        if span is None:
            return
        rows = self._rows(span)
        self.reveal(rows.start, rows.stop - 1)

    def _rows(self, span: Span) -> range:
        """The rows of what is to be seen: blanks and line breaks at its ends don't count."""
        inside = self._text[span.start : span.end]
        first = span.start + len(inside) - len(inside.lstrip())
        last = max(span.start + len(inside.rstrip()) - 1, first)
        return range(bisect_right(self._starts, first) - 1, bisect_right(self._starts, last))

    def _columns(self, span: Span, row: int) -> range:
        """The cells of a stretch in one of its rows, but for blanks around it."""
        start, line = self._starts[row], self._lines[row]
        low, high = max(span.start - start, 0), min(span.end - start, len(line))
        inside = line[low:high]
        low += len(inside) - len(inside.lstrip())
        high -= len(inside) - len(inside.rstrip())
        return range(_cells(line, low), _cells(line, max(high, low)))

    @property
    def _digits(self) -> int:
        return len(str(len(self._lines)))

    @property
    def _gutter(self) -> int:
        return self._digits + 3

    @property
    def margin_columns(self) -> int:
        return self._gutter

    def draw(self, row: int) -> Parts:
        here = self._here if self._here and row in self._rows(self._here.span) else None
        begun = self._begun.get(row, ())
        sign: tuple[str, Styles] = (" ", ())
        if any(stretch.open for stretch in begun):
            sign = "!", ("code--open",)
        elif begun:
            sign = "▸", ("code--stretch",)
        parts: Parts = [
            ("▌" if here else " ", ("code--here-mark",)),
            sign,
            (f"{row + 1:>{self._digits}} ", ("code--number-of-line",)),
        ]
        text = coloured(shown_chars(self._lines[row].rstrip("\r").expandtabs(4)), "C++")
        if here is not None:
            text = worn(text, self._columns(here.span, row), "code--here")
        for stretch in begun:
            style = "code--open" if stretch.open else "code--stretch"
            text = worn(text, self._columns(stretch.span, row), style)
        skipped = self._skipped(here, row) if here is not None else self._shift
        return [*parts, *seen_from(text, skipped)]

    def _skipped(self, here: Stretch, row: int) -> int:
        """How many columns to leave out, so that the stretch is seen. One of several rows, or one that
        begins in the left half, stays where the rows about it stand."""
        columns, seen = self._columns(here.span, row), self.room - self._gutter
        fits = columns.stop <= self._shift + seen or columns.start < self._shift + seen // 2
        if len(self._rows(here.span)) > 1 or (self._shift < columns.start and fits):
            return self._shift
        return min(max(columns.stop - seen, 0), max(columns.start - 1, 0))

    def action_sideways(self, by: int) -> None:
        seen = range(self.top, min(self.top + self.rows_visible, len(self._lines)))
        widest = max((len(self._lines[row].expandtabs(4)) for row in seen), default=0)
        most = max(widest + self._gutter - self.room, 0)
        self._shift = min(max(self._shift + by * _STEP, 0), most)
        self.repaint()

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        row = self.row_at(offset.y) if offset is not None else None
        if offset is None or row is None:
            return
        column = offset.x - self._gutter + self._shift
        hit = [s for s in self._stretches if self._is_hit(s, row, column)]
        found = sorted(hit, key=lambda s: s.span.end - s.span.start) or self._begun.get(row)
        if found:
            self.post_message(self.Picked(found[0].name))

    def _is_hit(self, stretch: Stretch, row: int, column: int) -> bool:
        return row in self._rows(stretch.span) and column in self._columns(stretch.span, row)


def _cells(line: str, column: int) -> int:
    """Where a character comes to stand when tabs are blanks."""
    return len(line[:column].expandtabs(4))
