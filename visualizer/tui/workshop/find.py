"""Finding letters in the text that is edited: the cursor goes along with what is typed."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input

from visualizer.tui.workshop.editor import Editor


class FindScreen(ModalScreen[None]):
    """Stands in a corner, so that the text stays in sight."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close"),
        Binding("enter,down", "go(1)", "next", priority=True),
        Binding("up", "go(-1)", "previous", priority=True),
    ]

    def __init__(self, editor: Editor) -> None:
        super().__init__()
        self._editor = editor

    def compose(self) -> ComposeResult:
        with Vertical(id="find") as frame:
            frame.border_title = "Find"
            frame.border_subtitle = "Enter ↓ next, ↑ previous, Esc closes"
            yield Input(placeholder="letters, of any case", compact=True)

    @on(Input.Changed)
    def _typed(self) -> None:
        self.action_go(0)

    def action_go(self, by: int) -> None:
        letters = self.query_one(Input).value
        number, count = self._editor.find(letters, by)
        told = f"Find: {number} of {count:,}" if count else "Find: there is none"
        self.query_one("#find").border_title = Content(told if letters else "Find")

    def action_close(self) -> None:
        self.dismiss()
