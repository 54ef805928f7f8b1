"""All the words that there are to choose from, and a field that leaves those with some letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from visualizer.tui.dialogs.choice_list import ChoiceList

_FRAME = 6  # rows and columns that are not words


class ChoiceScreen(ModalScreen[str | None]):
    """Dismissed with the chosen word, or None."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close"),
        Binding("up", "move(-1)", "above", show=False),
        Binding("down", "move(1)", "below", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
    ]

    def __init__(self, title: str, options: Sequence[str], value: str) -> None:
        super().__init__()
        self._title, self._options, self._value = title, tuple(options), value

    def compose(self) -> ComposeResult:
        with Vertical(id="choice") as frame:
            frame.border_title = self._title
            frame.border_subtitle = "Enter takes it, Esc closes"
            frame.styles.width = max(max(map(len, self._options), default=0) + _FRAME, 34)
            frame.styles.height = len(self._options) + _FRAME
            yield Input(placeholder="letters of it", compact=True)
            yield ChoiceList()

    def on_mount(self) -> None:
        self.query_one(ChoiceList).offer(self._options, self._value)

    @on(Input.Changed)
    def _filter(self, event: Input.Changed) -> None:
        letters = event.value.lower().split()
        left = [o for o in self._options if all(some in o.lower() for some in letters)]
        self.query_one(ChoiceList).offer(left, self.query_one(ChoiceList).value)

    @on(Input.Submitted)
    @on(ChoiceList.Taken)
    def _take(self) -> None:
        self.dismiss(self.query_one(ChoiceList).value)

    def action_move(self, by: int) -> None:
        self.query_one(ChoiceList).action_move(by)

    def action_page(self, by: int) -> None:
        words = self.query_one(ChoiceList)
        words.action_move(by * max(words.rows_visible - 1, 1))

    def action_close(self) -> None:
        self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)
