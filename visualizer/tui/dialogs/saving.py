"""The question where to save: a new name for a file, or the folder that several are to stand below."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from visualizer.expansion.readable import may_read
from visualizer.expansion.wording import counted
from visualizer.messages import _
from visualizer.tui.dialogs.dialog import Dialog
from visualizer.tui.dialogs.path_input import PathInput, place


class SaveScreen(Dialog[Path | None]):
    """Ends with a path, or None. `refuse` says what is wrong with a path that was typed, or nothing;
    `complaint` what was wrong with the one before."""

    AUTO_FOCUS = "PathInput"

    def __init__(
        self,
        title: str,
        why: str,
        suggestion: Path,
        refuse: Callable[[str, Path], str],
        complaint: str = "",
    ) -> None:
        super().__init__(title, _("Enter saves, Tab completes, Esc goes back"))
        self._why, self._suggestion, self._refuse = why, suggestion, refuse
        self._complaint = complaint

    def inside(self) -> ComposeResult:
        yield Static(Content(self._why), classes="told")
        yield PathInput()
        yield Static(id="save-complaint")

    def on_mount(self) -> None:
        self.query_one(PathInput).propose(self._suggestion)
        self._complain(self._complaint)

    @on(Input.Submitted)
    def _named(self, event: Input.Submitted) -> None:
        typed = event.value.strip()
        try:
            path = place(typed)
        except ValueError as error:
            self._complain(str(error))
            return
        if not may_read(path):  # what is there is nobody's business
            self._complain(_("{path} is outside of the served folder.").format(path=path))
            return
        complaint = self._refuse(typed, path)
        if complaint:
            self._complain(complaint)
        else:
            self.dismiss(path)

    def _complain(self, text: str) -> None:
        self.query_one("#save-complaint", Static).update(Content.styled(text, "$error"))


def save_as(title: str, why: str, suggestion: Path) -> SaveScreen:
    """Ends with a path at which no other file stands."""

    def refuse(typed: str, path: Path) -> str:
        if not typed or os.path.isdir(path):
            return _("Type a file's name.")
        if os.path.exists(path):
            return _("There is a file {path} already: give another name.").format(path=path)
        return (
            ""
            if os.path.isdir(path.parent)
            else _("There is no folder {parent}.").format(parent=path.parent)
        )

    return SaveScreen(title, why, suggestion, refuse)


def save_below(paths: Sequence[str], suggestion: Path, complaint: str = "") -> SaveScreen:
    """Ends with a folder, which need not be there yet. `paths` are relative to it."""

    def refuse(typed: str, path: Path) -> str:
        if not typed:
            return _("Type a folder's name; . is the one you are in.")
        is_file = os.path.exists(path) and not os.path.isdir(path)
        return _("{path} is a file: give a folder.").format(path=path) if is_file else ""

    first = paths[0] if paths else ""
    why = _("Below which folder? {first} and the others keep their folders.").format(first=first)
    title = _("Save {files}").format(files=counted(len(paths), "file"))
    return SaveScreen(title, why, suggestion, refuse, complaint)
