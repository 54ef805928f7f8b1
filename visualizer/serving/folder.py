"""The served folder, and a visitor's copy of it.

Copied are ordinary files and folders. Hidden ones stay behind, for that is where keys and histories
lie, and so do links that lead out of the folder; a link to something inside leads to the copy of that.
A folder is only served if a copy of it is a small matter.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from visualizer.expansion.readable import is_below

MANY_FILES = 10_000
LARGE_FOLDER = 64 * 2**20  # bytes
LARGE_FILE = 8 * 2**20  # no source file has as many


class FolderError(ValueError):
    """The folder can't be served. The message says why, and what to do."""


@dataclass
class Contents:
    """What of a folder is served: how many files of how many bytes, and what was left out and why."""

    files: int = 0
    bytes: int = 0
    links_out: int = 0
    large: int = 0
    unreadable: int = 0

    def left_out(self) -> str:
        """What a visitor will miss, as words; empty if it is nothing."""
        counted = (
            (self.links_out, "link", "leading outside"),
            (self.large, "file", f"larger than {LARGE_FILE >> 20} MiB"),
            (self.unreadable, "file", "that can't be read"),
        )
        return ", ".join(f"{n} {what}{'s' * (n > 1)} {why}" for n, what, why in counted if n)


def look_through(folder: Path) -> Contents:
    """What would be copied. Raises FolderError if that can't be, or is too much."""
    if not folder.is_dir():
        raise FolderError(f"{folder} is {'no folder' if folder.exists() else 'not there'}")
    contents = Contents()
    for _ in _entries(folder, contents):
        pass
    return contents


def copy(folder: Path, into: Path) -> None:
    """Copy what is served of a folder to `into`, which is made. Raises FolderError as
    `look_through` does."""
    into.mkdir(parents=True)
    root = os.path.realpath(folder)
    for entry in _entries(folder, Contents()):
        target = into / os.path.relpath(entry.path, folder)
        if entry.is_symlink():
            inside = into / os.path.relpath(os.path.realpath(entry.path), root)
            target.symlink_to(os.path.relpath(inside, target.parent))
        elif entry.is_dir():
            target.mkdir()
        else:  # the text alone: what is copied is nobody's program
            shutil.copyfile(entry.path, target, follow_symlinks=False)


def _entries(folder: Path, contents: Contents) -> Iterator[os.DirEntry[str]]:
    """Each folder, file and link to be copied, a folder before what is in it; counted on the way."""
    root = (os.path.realpath(folder),)
    waiting = [str(folder)]
    seen = 0
    while waiting:
        try:
            with os.scandir(waiting.pop()) as scanned:
                found = sorted(scanned, key=lambda entry: entry.name)
        except PermissionError:
            contents.unreadable += 1
            continue
        for entry in found:
            if entry.name.startswith("."):
                continue
            seen += 1
            if seen > MANY_FILES or contents.bytes > LARGE_FOLDER:
                raise FolderError(
                    f"{folder} holds more than {MANY_FILES:,} files or {LARGE_FOLDER >> 20} MiB, "
                    "and each visitor gets a copy; name a smaller folder"
                )
            if entry.is_symlink():
                if not is_below(entry.path, root):
                    contents.links_out += 1
                    continue
            elif entry.is_dir():
                waiting.append(entry.path)
            elif not _is_served(entry, contents):
                continue
            yield entry


def _is_served(entry: os.DirEntry[str], contents: Contents) -> bool:
    status = entry.stat(follow_symlinks=False)
    if not stat.S_ISREG(status.st_mode):
        return False  # a pipe, a socket, a device
    if status.st_size > LARGE_FILE:
        contents.large += 1
        return False
    if not os.access(entry.path, os.R_OK):
        contents.unreadable += 1
        return False
    contents.files += 1
    contents.bytes += status.st_size
    return True
