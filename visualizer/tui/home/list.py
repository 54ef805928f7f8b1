"""The list on the home screen: sections of rows, one of which is under the cursor.

A filter leaves the rows that hold all of its words; sections without rows go. Headings and hints are
passed over by the cursor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from visualizer.layout.words import Parts, Styles, clipped, length
from visualizer.messages import _
from visualizer.tui.home.choices import GO_ON, HomeRow
from visualizer.tui.ink.pane import Pane

_MOVES = "Choose a row"
_ENDS = "The first row, the last one"
_PAGES = "A page up or down"


class HomeList(Pane):
    MOUSE: ClassVar = ("list", "a click opens a row")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "home--section",
        "home--title",
        "home--about",
        "home--cursor",
        "home--cursor-title",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "row above", tooltip=_MOVES, show=False),
        Binding("down", "move(1)", "row below", tooltip=_MOVES, show=False),
        Binding("home", "move(-100000)", "first row", tooltip=_ENDS, show=False),
        Binding("end", "move(100000)", "last row", tooltip=_ENDS, show=False),
        Binding("pageup", "page(-1)", "page up", tooltip=_PAGES, show=False),
        Binding("pagedown", "page(1)", "page down", tooltip=_PAGES, show=False),
        Binding("enter", "open", "open", tooltip="Open the chosen row"),
    ]

    cursor: reactive[HomeRow | None] = reactive["HomeRow | None"](None)

    class Opened(Message):
        def __init__(self, choice: HomeRow) -> None:
            super().__init__()
            self.choice = choice

    class Moved(Message):
        """The cursor is on another row, or on none."""

        def __init__(self, choice: HomeRow | None) -> None:
            super().__init__()
            self.choice = choice

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._all: Sequence[HomeRow] = ()
        self._words: Sequence[str] = ()
        self._rows: list[HomeRow | str] = []
        self._title_room = 0

    def offer(self, choices: Sequence[HomeRow]) -> None:
        """Show other choices. The cursor stays on its row if that is still there."""
        self._all = choices
        self._arrange()

    def filter(self, text: str) -> None:
        self._words = [word.strip("/") for word in text.lower().split()]
        self._arrange()

    @property
    def shown(self) -> list[HomeRow]:
        """The rows that can be chosen."""
        return [row for row in self._rows if not isinstance(row, str) and not row.hint]

    def _arrange(self) -> None:
        self._rows = []
        section = None
        for choice in self._all:
            if not choice.matches(self._words) or (choice.hint and self._words):
                continue
            if choice.section != section:
                section = choice.section
                self._rows += ["", section] if self._rows else [section]
            self._rows.append(choice)
        titles = (cell_len(c.title) for c in self.shown if c.about)
        self._title_room = min(max(titles, default=0), self.room // 2)
        shown = self.shown
        if self.cursor not in shown:
            self.cursor = self._same_place(shown)
        self._show()

    def _same_place(self, shown: list[HomeRow]) -> HomeRow | None:
        """The row that the cursor stood on before something else in it changed (its age, say)."""
        was = self.cursor
        glanced = was is not None and was.lesson and not was.note  # no more was known of it by then
        if glanced and shown and shown[0].section == _(GO_ON):
            return shown[0]
        if was is not None:
            for choice in shown:
                if choice.section == was.section and choice.opens == was.opens:
                    if choice.done and not was.note:  # at the first glance that wasn't known
                        break
                    return choice
        wanted = (c for c in shown if not c.done and (c.opening or c.lesson))
        return next(wanted, shown[0] if shown else None)

    def watch_cursor(self) -> None:
        self._show()
        self.post_message(self.Moved(self.cursor))

    def on_resize(self) -> None:
        self._arrange()

    def on_focus(self) -> None:
        self.refresh()

    def _show(self) -> None:
        if not self.is_mounted:
            return
        self.hold(max(len(self._rows), 1))
        if self.cursor is not None and self.cursor in self._rows:
            row = self._rows.index(self.cursor)
            first = row == self._rows.index(self.shown[0])
            self._follow(0 if first else row, row)
        self.repaint()

    def _follow(self, first: int, last: int) -> None:
        """Scroll no more than it takes, as one does through a list."""
        if first < self.top:
            self.scroll_to(y=first, animate=False, force=True)
        elif last >= self.top + self.rows_visible > 0:
            self.scroll_to(y=last - self.rows_visible + 1, animate=False, force=True)

    def draw(self, row: int) -> Parts:
        if not self._rows:
            return [(_("  nothing here fits the filter"), ("pane--quiet",))]
        item = self._rows[row]
        if isinstance(item, str):
            return [(f" {item}", ("home--section",))]
        if item.hint:
            return clipped([(f"   {item.title}", ("pane--quiet",))], self.room, "…")
        return self._choice(item)

    def _choice(self, choice: HomeRow) -> Parts:
        here = choice == self.cursor
        ground: Styles = ("home--cursor",) if here else ()
        title = "home--cursor-title" if here else "home--title"
        quiet = "pane--bad" if choice.gone else "home--about"
        note = f"  {choice.note} " if choice.note else " "
        room = max(self.room - cell_len(note), 0)
        left: Parts = [
            (" ▸ " if here else "   ", (*ground, "pane--accent")),
            (choice.title, (*ground, "pane--quiet" if choice.gone else title)),
        ]
        if choice.about:
            gap = max(self._title_room - cell_len(choice.title), 0) + 2
            left += [(" " * gap, ground), (choice.about, (*ground, "home--about"))]
        left = clipped(left, room, "…")
        fill = room - length(left)
        return [*left, (" " * fill, ground), (note, (*ground, quiet))]

    def action_move(self, by: int) -> None:
        shown = self.shown
        if shown:
            here = shown.index(self.cursor) if self.cursor in shown else 0
            self.cursor = shown[min(max(here + by, 0), len(shown) - 1)]

    def action_page(self, by: int) -> None:
        self.action_move(by * max(self.rows_visible - 2, 1))

    def action_open(self) -> None:
        if self.cursor is not None:
            self.post_message(self.Opened(self.cursor))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        row = self.top + offset.y if offset is not None else -1
        if 0 <= row < len(self._rows):
            item = self._rows[row]
            if not isinstance(item, str) and not item.hint:
                self.cursor = item
                self.action_open()
