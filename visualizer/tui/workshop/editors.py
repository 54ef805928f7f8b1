"""One editor for each file that was opened, and the one that is looked at. So each file has its own
cursor, and its own keys to undo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.containers import Vertical

from visualizer.expansion.source_files import display_path
from visualizer.tui.workshop.editor import Editor
from visualizer.workshop.session import Edited

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic


class Editors(Vertical):
    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._editors: dict[Path, Editor] = {}
        self._here: Editor | None = None

    @property
    def here(self) -> Editor:
        """The editor that is looked at. There is one from the first `open` on."""
        assert self._here is not None
        return self._here

    async def open(self, file: Edited) -> Editor:
        """Look at a file, in the editor that it has or in a new one."""
        if file.path not in self._editors:
            fixed, coloured = bool(file.disk.why_fixed), file.path.suffix != ".py"
            editor = Editor(file.text, read_only=fixed, coloured=coloured)
            self._editors[file.path] = editor
            await self.mount(editor)
        for path, editor in self._editors.items():
            editor.display = path == file.path
        self._here = self._editors[file.path]
        self._here.focus()
        return self._here

    def of(self, path: Path) -> Editor | None:
        return self._editors.get(path)

    def texts(self) -> Iterator[tuple[Path, str]]:
        """What the user has made of each file."""
        for path, editor in self._editors.items():
            if not editor.read_only:
                yield path, editor.text

    def moved(self, old: Path, new: Path) -> None:
        """A file has another name from now on."""
        self._editors[new] = self._editors.pop(old)

    def mark(self, diagnostics: Sequence[Diagnostic]) -> None:
        """Mark in each file what is wrong with it."""
        for path, editor in self._editors.items():
            name = display_path(path)
            editor.mark([d for d in diagnostics if d.where.file == name])
