"""Going to a step, or to a line, by its number."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.validation import Integer
from textual.widgets import Input, Static

from visualizer.tui.dialogs.dialog import Dialog


class JumpScreen(Dialog[int]):
    """Dismissed with a number from `first` to `last`, or None. `here` is where the reader is."""

    def __init__(self, here: int, last: int, what: str = "step", first: int = 0) -> None:
        super().__init__(f"Go to a {what}", "Enter goes there, Esc closes")
        self._here, self._range, self._what = here, f"{first} to {last:,}", what
        self._valid = Integer(first, last)

    def inside(self) -> ComposeResult:
        yield Input(
            placeholder=f"{self._range}; you are at {self._here:,}",
            type="integer",
            validators=[self._valid],
        )
        yield Static(classes="told")

    @on(Input.Submitted)
    def _go(self, event: Input.Submitted) -> None:
        if event.validation_result is not None and event.validation_result.is_valid:
            self.dismiss(int(event.value))
        elif event.value:
            self.query_one(".told", Static).update(f"There are {self._what}s from {self._range}.")
        else:
            self.dismiss(None)
