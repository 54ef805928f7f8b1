"""Whether code of an opened file may be compiled and run here: a sample's may, any other's at its
user's word, which is kept for these contents, and none of it in an app that is served."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from visualizer.expansion.ask_compiler import system_folders
from visualizer.personal import consent
from visualizer.workbench.bench import Workbench
from visualizer.workbench.stand_ins import is_sample


class Permission:
    """For the file on the bench and its own headers, without those of the system; and for a Python
    file, whose contents are all that is asked about: the same as of a command that finds it.
    `asked_for` is the digest of what was asked about last."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.asked_for, self._path = "", Path()

    @property
    def refused(self) -> str:
        """Why nobody may give it here; empty where its user may."""
        return consent.why_not_here()

    def has_to_be_asked(self) -> bool:
        """Of the files as they are now."""
        if is_sample(self.bench.path):
            return False
        return self._asks(consent.digest(*self._contents()), self.bench.path)

    def has_to_be_asked_of(self, python: Path, text: bytes) -> bool:
        """Of that file, with this text."""
        return self._asks(consent.digest(text), python)

    def _asks(self, what: str, path: Path) -> bool:
        self.asked_for, self._path = what, path
        return not consent.is_given(what)

    def give(self, say: Callable[[str], None]) -> None:
        """For what was asked about last; `say` is told if it can't be kept."""
        consent.give(self.asked_for, self._path, say)

    def _contents(self) -> Iterator[bytes]:
        options = self.bench.options
        unsaved = {os.path.abspath(name): text for name, text in options.unsaved}
        system = [*map(Path, system_folders(options))]
        for file in self.bench.files():
            if any(file.is_relative_to(folder) for folder in system):
                continue
            if (text := unsaved.get(str(file))) is not None:
                yield text.encode(errors="surrogateescape")
            elif file.is_file():
                yield file.read_bytes()
