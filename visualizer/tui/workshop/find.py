"""Finding letters in the text that is edited: the cursor goes along with what is typed."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from visualizer.messages import _
from visualizer.tui.dialogs.dialog import Dialog
from visualizer.tui.workshop.editor import Editor


class FindScreen(Dialog[None]):
    """Stands in a corner, so that the text stays in sight."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down", "go(1)", "next", priority=True),
        Binding("up", "go(-1)", "previous", priority=True),
    ]

    def __init__(self, editor: Editor) -> None:
        super().__init__(_("Find"), _("Enter ↓ next, ↑ previous, Esc closes"))
        self._editor = editor

    def inside(self) -> ComposeResult:
        yield Input(placeholder=_("letters, of any case"), compact=True)

    @on(Input.Changed)
    def _typed(self) -> None:
        self.action_go(0)

    def action_go(self, by: int) -> None:
        letters = self.query_one(Input).value
        number, count = self._editor.find(letters, by)
        told = (
            _("Find: {number} of {count:,}").format(number=number, count=count)
            if count
            else _("Find: there is none")
        )
        self.entitle(told if letters else _("Find"))
