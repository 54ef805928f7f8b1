"""Going to a step, or to a line, by its number."""

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
    """Dismissed with a number from `first` to `last`, or None. `here` is where the reader is."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Close")]

    def __init__(self, here: int, last: int, what: str = "step", first: int = 0) -> None:
        super().__init__()
        self._here, self._range, self._what = here, f"{first} to {last:,}", what
        self._valid = Integer(first, last)

    def compose(self) -> ComposeResult:
        with Vertical(id="jump") as frame:
            frame.border_title = f"Go to a {self._what}"
            frame.border_subtitle = "Enter goes there, Esc closes"
            yield Input(
                placeholder=f"{self._range}; you are at {self._here:,}",
                type="integer",
                validators=[self._valid],
            )
            yield Static("", id="jump-wrong")

    @on(Input.Submitted)
    def _go(self, event: Input.Submitted) -> None:
        if event.validation_result is not None and event.validation_result.is_valid:
            self.dismiss(int(event.value))
        elif event.value:
            self.query_one("#jump-wrong", Static).update(
                f"There are {self._what}s from {self._range}."
            )
        else:
            self.dismiss(None)

    def action_close(self) -> None:
        self.dismiss(None)
