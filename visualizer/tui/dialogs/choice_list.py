"""Words in a column with a cursor, any number of them: only those in sight are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from visualizer.layout.words import Parts, clipped
from visualizer.tui.ink.pane import Pane

_MOVES = "Choose a row"
_ENDS = "The first row, the last one"
_PAGES = "A page up or down"


class ChoiceList(Pane):
    """`here` is the index of the chosen word. `notes` stand behind the words, where there are any."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"choice--cursor"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "row above", tooltip=_MOVES, show=False),
        Binding("down", "move(1)", "row below", tooltip=_MOVES, show=False),
        Binding("home", "move(-1000000)", "first row", tooltip=_ENDS, show=False),
        Binding("end", "move(1000000)", "last row", tooltip=_ENDS, show=False),
        Binding("pageup", "page(-1)", "page up", tooltip=_PAGES, show=False),
        Binding("pagedown", "page(1)", "page down", tooltip=_PAGES, show=False),
        Binding("enter", "take", "take", tooltip="Take the chosen row", show=False),
    ]

    here: reactive[int] = reactive(0)

    class Moved(Message):
        """The cursor stands on another word."""

    class Taken(Message):
        """Enter, or a click."""

    def __init__(self, title: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.words: Sequence[str] = ()
        self._notes: Sequence[str] = ()
        self._none = ""
        if title:
            self.entitle(title)

    @property
    def value(self) -> str | None:
        return self.words[self.here] if self.words else None

    def offer(
        self, words: Sequence[str], value: str | None, notes: Sequence[str] = (), none: str = ""
    ) -> None:
        """List these words, with the cursor on `value` if it is among them; `none` says that there
        are none."""
        self.words, self._notes, self._none = words, notes, none
        self.set_reactive(ChoiceList.here, words.index(value) if value in words else 0)
        self._show()

    def on_resize(self) -> None:
        self._show()

    def watch_here(self) -> None:
        self._show()
        if self.words:
            self.post_message(self.Moved())

    def _show(self) -> None:
        if self.is_mounted:
            self.hold(max(len(self.words), 1))
            self.reveal(self.here, self.here)
            self.repaint()

    def draw(self, row: int) -> Parts:
        if not self.words:
            return [(f"  {self._none}", ("pane--quiet",))]
        chosen = row == self.here
        look = ("choice--cursor",) if chosen else ()
        note = self._notes[row] if row < len(self._notes) else ""
        text = f"{'▸' if chosen else ' '} {self.words[row]}"
        if cell_len(text) + cell_len(note) >= self.room:
            note = note.rstrip()  # the margin is what is given up first
        blank = max(self.room - cell_len(text) - cell_len(note), 1 if note else 0)
        parts: Parts = [(text, look), (" " * blank, look), (note, (*look, "pane--quiet"))]
        return clipped(parts, self.room, "…")

    def action_move(self, by: int) -> None:
        if self.words:
            self.here = min(max(self.here + by, 0), len(self.words) - 1)

    def action_take(self) -> None:
        if self.words:
            self.post_message(self.Taken())

    def action_page(self, by: int) -> None:
        self.action_move(by * max(self.rows_visible - 1, 1))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        row = self.top + offset.y if offset is not None else -1
        if 0 <= row < len(self.words):
            self.here = row
            self.action_take()
