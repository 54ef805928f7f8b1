"""The files that are being edited: what each held on disk, what it is now, and its draft.

A session is about one source file and the headers that it includes. Every text that differs from the
disk is kept as a draft until it is saved or taken back.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from visualizer.expansion import Options
from visualizer.personal.drafts import Draft
from visualizer.workbench.bench import Workbench
from visualizer.workbench.own_python import kernels_beside
from visualizer.workbench.seen import Seen, unchanged
from visualizer.workshop import text_file
from visualizer.workshop.text_file import TextFile


@dataclass(eq=False)
class Edited:
    """One file on the table. `disk` is what it was when it was last read or written."""

    disk: TextFile
    text: str
    draft: Draft
    _turn: Lock = field(default_factory=Lock)  # a draft is written while the user saves

    @property
    def path(self) -> Path:
        return self.disk.path

    @property
    def unsaved(self) -> bool:
        return self.text != self.disk.text

    def keep(self) -> None:
        """Bring the draft up to date. Raises OSError if it can't be written."""
        with self._turn:
            if self.unsaved:
                self.draft.keep(self.text)
            else:
                self.draft.discard()

    def changed_on_disk(self) -> bool:
        """Whether somebody else has written or removed the file since."""
        return unchanged(self.path, self.disk.seen) is None

    def reread(self) -> None:
        """What is on disk now is what the text is compared with: nothing, if the file is gone."""
        try:
            self.disk = text_file.read(self.path)
        except OSError:
            self.disk = replace(self.disk, text="", seen=Seen())

    def save(self) -> None:
        """Write the text into the file. Raises OSError if it can't be written."""
        with self._turn:
            self.disk = text_file.write(self.disk, self.text)
            self.draft.discard()

    def save_as(self, path: Path) -> None:
        """Write the text into another file, which is the one being edited from then on. Raises
        OSError if it can't be written."""
        with self._turn:
            self.disk = text_file.write(replace(self.disk, path=path), self.text)
            self.draft.discard()
            self.draft = Draft(path)


@dataclass(eq=False)
class Session:
    """Everything that an attempt needs. `options` are those that the file was opened with, `named` is
    how its reader named it, which is what `__FILE__` says."""

    source: Path
    named: Path
    options: Options
    files: dict[Path, Edited] = field(default_factory=dict)

    def edit(self, path: Path) -> Edited:
        """The file, put on the table if it isn't there yet. Raises OSError if it can't be read."""
        if path not in self.files:
            disk = text_file.read(path)
            self.files[path] = Edited(disk, disk.text, Draft(path))
        return self.files[path]

    def unsaved(self) -> dict[Path, str]:
        return {path: file.text for path, file in self.files.items() if file.unsaved}

    def close(self) -> None:
        """Bring all drafts up to date, and leave them to whoever opens the files next."""
        for file in self.files.values():
            with contextlib.suppress(OSError):
                file.keep()
            file.draft.release()

    def moved(self, old: Path, new: Path) -> None:
        """A file was saved under another name. A source goes on finding the headers beside the old
        one; a header's copy stands where it is and is no longer part of the trace."""
        self.files[new] = self.files.pop(old)
        if old == self.source:
            self.source = self.named = new
            folders = (*self.options.include_folders, str(old.parent))
            self.options = replace(self.options, include_folders=folders)


def begin(bench: Workbench) -> Session:
    """The session for a workbench: its texts that aren't saved yet go on being edited. Raises OSError
    if a file can't be read."""
    session = Session(_absolute(bench.path), bench.path, replace(bench.options, unsaved=()))
    session.edit(session.source)
    for name, text in bench.options.unsaved:
        session.edit(Path(name)).text = text
    return session


def choices(bench: Workbench) -> Sequence[Path]:
    """The files that may be edited: those that are read, and the Python kernels beside the source."""
    return [*bench.files(), *kernels_beside(bench)]


def _absolute(path: str | Path) -> Path:
    """As the engine names it: without `..`."""
    return Path(os.path.abspath(path))
