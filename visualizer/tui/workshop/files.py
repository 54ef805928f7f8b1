"""The files that make up what is traced: the source, and the headers with its macros."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from visualizer.expansion.source_files import display_path

_SHOWN = 500


class FilesScreen(ModalScreen["Path | None"]):
    """Ends with the chosen file, or None. Typing narrows the list down."""

    AUTO_FOCUS = "#files-filter"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close", tooltip="Back, and edit what is open"),
        Binding("down", "move(1)", "below", show=False),
        Binding("up", "move(-1)", "above", show=False),
    ]

    def __init__(self, files: Sequence[Path], unsaved: Sequence[Path]) -> None:
        super().__init__()
        self._files = files
        self._unsaved = unsaved
        self._shown: list[Path] = []

    def compose(self) -> ComposeResult:
        with Vertical(id="files") as frame:
            frame.border_title = "Edit which file?"
            frame.border_subtitle = "type to narrow it down, Enter opens"
            yield Input(placeholder="a part of the name", id="files-filter")
            yield OptionList(id="files-list")

    def on_mount(self) -> None:
        self._list("")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._list(event.value)

    def _list(self, part: str) -> None:
        self._shown = [f for f in self._files if part.lower() in display_path(f).lower()][:_SHOWN]
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(Option(self._row(file)) for file in self._shown)
        if self._shown:
            options.highlighted = 0

    def _row(self, file: Path) -> Content:
        mark = "● " if file in self._unsaved else "  "
        kind = "the source" if file == self._files[0] else ""
        folder = display_path(file.parent)
        return Content.assemble(mark, (file.name, "bold"), f"  {kind} ", (folder, "$quiet"))

    def action_move(self, by: int) -> None:
        options = self.query_one(OptionList)
        if by > 0:
            options.action_cursor_down()
        else:
            options.action_cursor_up()

    @on(Input.Submitted)
    def _submitted(self) -> None:
        highlighted = self.query_one(OptionList).highlighted
        self.dismiss(self._shown[highlighted] if highlighted is not None else None)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._shown[event.option_index])

    def action_close(self) -> None:
        self.dismiss(None)
