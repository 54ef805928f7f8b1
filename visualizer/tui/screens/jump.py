"""Going to a step by its number."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.validation import Integer
from textual.widgets import Input, Static


class JumpScreen(ModalScreen[int | None]):
    """Dismissed with a number from 0 to `last`."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Close")]

    def __init__(self, state: int, last: int) -> None:
        super().__init__()
        self._state, self._last = state, last

    def compose(self) -> ComposeResult:
        with Vertical(id="jump") as frame:
            frame.border_title = "Go to a step"
            frame.border_subtitle = "Enter goes there, Esc closes"
            yield Input(
                placeholder=f"0 to {self._last:,}; you are at {self._state:,}",
                type="integer",
                validators=[Integer(0, self._last)],
            )
            yield Static("", id="jump-wrong")

    @on(Input.Submitted)
    def _go(self, event: Input.Submitted) -> None:
        if event.validation_result is not None and event.validation_result.is_valid:
            self.dismiss(int(event.value))
        elif event.value:
            self.query_one("#jump-wrong", Static).update(f"Steps go from 0 to {self._last:,}.")
        else:
            self.dismiss(None)

    def action_close(self) -> None:
        self.dismiss(None)
