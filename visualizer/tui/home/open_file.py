"""The question which file to open: a path to type, a tree to look around in, and the flags."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import DirectoryTree, Input, Label, Static

from visualizer.expansion.readable import may_read
from visualizer.messages import _
from visualizer.tui.dialogs.dialog import Dialog
from visualizer.tui.dialogs.path_input import PathInput, expanded, folder_of
from visualizer.tui.ink.footer import Footer
from visualizer.tui.ink.keyboard import sign
from visualizer.workbench.opening import Opening, file_and_line

_SHOWN = 300  # letters of a path
_LONGEST = 16_384  # letters of a line of flags


class _Tree(DirectoryTree):
    def filter_paths(self, paths: Iterable[Path]) -> Iterable[Path]:
        return (p for p in paths if may_read(p) and not p.name.startswith("."))


class OpenFileScreen(Dialog[Opening]):
    """Ends with what to open, or None."""

    AUTO_FOCUS = "PathInput"
    MOUSE: ClassVar = ("tree", "a click opens a file or a folder")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open", tooltip="Open the file"),
        Binding("ctrl+n", "new", "new", tooltip="Make a new file of that name, and write it"),
        Binding("escape", "close", "close", tooltip="Back, and open nothing"),
    ]

    def __init__(self, folder: Path | None = None, flags: str = "") -> None:
        super().__init__(_("Open a file"), "")
        self._folder = folder or Path.cwd()
        self._flags = flags

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Footer()

    def inside(self) -> ComposeResult:
        yield Label(_("Path"), classes="open-label")
        yield PathInput("path/to/kernel.cc[:LINE]", id="open-path")
        yield Label(_("Flags"), classes="open-label")
        yield Input(
            self._flags,
            placeholder="-I include -D NAME=1 --std c++17 --paddle -p build",
            max_length=_LONGEST,
            id="open-flags",
        )
        yield Static(id="open-message")
        yield _Tree(self._folder, id="open-tree")

    @on(Input.Submitted)
    def action_open(self) -> None:
        """Open it if it is there and the flags are some; the rest shows when it is read."""
        from visualizer.workbench.flag_words import FlagError, read_flags, split_flags

        typed = self.query_one("#open-path", Input).value.strip()
        if not typed:
            self._complain(_("Type a path, or choose a file in the tree."))
            return
        file, line = file_and_line(expanded(typed))
        path = Path(file)
        if not may_read(path) or not os.path.exists(path):  # Path's own raises for a name too long
            there = path.absolute()
            near = may_read(path) and os.path.isdir(there.parent)
            makes = _(" {key} makes it.").format(key=sign("ctrl+n")) if near else ""
            self._complain(
                _("There is no file {there}.{makes}").format(there=str(there)[:_SHOWN], makes=makes)
            )
            return
        if not path.is_file():
            kind = _("a folder: choose a file in it") if path.is_dir() else _("no regular file")
            self._complain(_("{typed} is {kind}.").format(typed=typed, kind=kind))
            return
        try:
            flags = read_flags(split_flags(self.query_one("#open-flags", Input).value))
            flags.options_for(path)
        except FlagError as error:
            self._complain(_("Flags: {error}").format(error=error))
            return
        except Exception as error:  # a wheel that isn't installed, a damaged compile_commands.json
            self._complain(str(error))
            return
        self.dismiss(Opening(path, line, flags))

    def action_new(self) -> None:
        """Make the file that is named, with nothing in it, and open it: that leads to the workshop."""
        typed = self.query_one("#open-path", Input).value.strip()
        path = Path(expanded(typed))
        if not typed:
            self._complain(_("Type the new file's path."))
        elif not may_read(path):
            self._complain(_("No file may be made there."))
        else:
            try:
                path.open("x").close()
            except FileNotFoundError:
                self._complain(
                    _("There is no folder {parent}.").format(
                        parent=str(path.absolute().parent)[:_SHOWN]
                    )
                )
            except FileExistsError:
                self._complain(_("{typed} is there already: Enter opens it.").format(typed=typed))
            except (OSError, ValueError) as error:  # no such folder, a name that no file can have
                self._complain(
                    _("It can't be made: {error}.").format(
                        error=getattr(error, "strerror", None) or error
                    )
                )
            else:
                self.action_open()

    def _complain(self, text: str) -> None:
        self.query_one("#open-message", Static).update(Content.styled(f"✗ {text}", "$error"))

    @on(Input.Changed, "#open-path")
    def _look_there(self, message: Input.Changed) -> None:
        self.query_one("#open-message", Static).update("")
        tree = self.query_one(DirectoryTree)
        folder = folder_of(message.value, self._folder)
        if message.value and folder.absolute() != Path(tree.path).absolute():
            tree.path = folder

    @on(DirectoryTree.FileSelected)
    def _chosen(self, message: DirectoryTree.FileSelected) -> None:
        with self.prevent(Input.Changed):
            self.query_one("#open-path", Input).value = str(message.path)
        self.action_open()
