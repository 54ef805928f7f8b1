"""Going to a step, or to a line, by its number."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.validation import Integer
from textual.widgets import Input, Static

from visualizer.messages import N_, _
from visualizer.tui.dialogs.dialog import Dialog

_SAID = {
    "step": (N_("Go to a step"), N_("There are steps from {range}.")),
    "line": (N_("Go to a line"), N_("There are lines from {range}.")),
}


class JumpScreen(Dialog[int]):
    """Dismissed with a number from `first` to `last`, or None. `here` is where the reader is."""

    def __init__(self, here: int, last: int, what: str = "step", first: int = 0) -> None:
        super().__init__(_(_SAID[what][0]), _("Enter goes there, Esc closes"))
        self._here, self._what = here, what
        self._range = _("{first} to {last:,}").format(first=first, last=last)
        self._valid = Integer(first, last)

    def inside(self) -> ComposeResult:
        yield Input(
            placeholder=_("{range}; you are at {here:,}").format(
                range=self._range, here=self._here
            ),
            type="integer",
            validators=[self._valid],
        )
        yield Static(classes="told")

    @on(Input.Submitted)
    def _go(self, event: Input.Submitted) -> None:
        if event.validation_result is not None and event.validation_result.is_valid:
            self.dismiss(int(event.value))
        elif event.value:
            told = _(_SAID[self._what][1]).format(range=self._range)
            self.query_one(".told", Static).update(told)
        else:
            self.dismiss(None)
