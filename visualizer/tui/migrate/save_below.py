"""The question for a folder that several files are to be saved below."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from visualizer.expansion.wording import counted
from visualizer.tui.dialogs.path_input import PathInput


class SaveBelowScreen(ModalScreen["Path | None"]):
    """Ends with a folder, which need not be there yet, or None. `paths` are relative to it."""

    AUTO_FOCUS = "PathInput"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close", tooltip="Back, and save nothing"),
    ]

    def __init__(self, paths: Sequence[str], suggestion: Path, complaint: str = "") -> None:
        super().__init__()
        self._paths, self._suggestion, self._complaint = paths, suggestion, complaint

    def compose(self) -> ComposeResult:
        first = self._paths[0] if self._paths else ""
        with Vertical(id="save-as") as frame:
            frame.border_title = f"Save {counted(len(self._paths), 'file')}"
            frame.border_subtitle = "Enter saves, Tab completes, Esc goes back"
            yield Static(Content(f"Below which folder? {first} and the others keep their folders."))
            yield PathInput(id="save-as-path")
            yield Static(id="save-as-message")

    def on_mount(self) -> None:
        path = self.query_one(PathInput)
        path.select_on_focus = False  # the name is there to be changed, not to be replaced
        path.value = str(self._suggestion)
        path.cursor_position = len(path.value)
        self._complain(self._complaint)

    def action_close(self) -> None:
        self.dismiss(None)

    @on(Input.Submitted)
    def _named(self, event: Input.Submitted) -> None:
        typed = event.value.strip()
        try:
            folder = Path(typed).expanduser().absolute()
        except (OSError, RuntimeError) as error:  # no such user; the current folder is gone
            self._complain(f"{typed} names no place: {error}.")
            return
        if not typed:
            self._complain("Type a folder's name; . is the one you are in.")
        elif os.path.exists(folder) and not os.path.isdir(folder):
            self._complain(f"{folder} is a file: give a folder.")
        else:
            self.dismiss(folder)

    def _complain(self, text: str) -> None:
        self.query_one("#save-as-message", Static).update(Content.styled(text, "$error"))
