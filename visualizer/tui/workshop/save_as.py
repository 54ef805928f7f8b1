"""The question for a file's new name."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from visualizer.tui.dialogs.path_input import PathInput


class SaveAsScreen(ModalScreen["Path | None"]):
    """Ends with a path at which no other file stands, or None."""

    AUTO_FOCUS = "PathInput"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close", tooltip="Back, and save nothing"),
    ]

    def __init__(self, why: str, suggestion: Path) -> None:
        super().__init__()
        self._why = why
        self._suggestion = suggestion

    def compose(self) -> ComposeResult:
        with Vertical(id="save-as") as frame:
            frame.border_title = "Save a copy"
            frame.border_subtitle = "Enter saves, Esc goes back"
            yield Static(Content(self._why), id="save-as-why")
            yield PathInput(id="save-as-path")
            yield Static(id="save-as-message")

    def on_mount(self) -> None:
        path = self.query_one(PathInput)
        path.value = str(self._suggestion)
        path.cursor_position = len(path.value)

    def action_close(self) -> None:
        self.dismiss(None)

    @on(Input.Submitted)
    def _named(self, event: Input.Submitted) -> None:
        typed = event.value.strip()
        path = Path(typed).expanduser().absolute()
        if not typed or path.is_dir():
            self._complain("Type a file's name.")
        elif path.exists():
            self._complain(f"There is a file {path} already: give another name.")
        elif not path.parent.is_dir():
            self._complain(f"There is no folder {path.parent}.")
        else:
            self.dismiss(path)

    def _complain(self, text: str) -> None:
        self.query_one("#save-as-message", Static).update(Content.styled(text, "$error"))
