"""Unsaved work, kept on disk while it is being typed.

Each text that is edited and not saved has a *draft*: a file in the user's state folder with the text,
the path that it is for, and a digest of both. A draft belongs to the instance that writes it, which
holds a lock for as long as it lives. So after a crash the draft is there and the lock is free, and
that is how the next instance tells work that was left behind from work that goes on in another
window. Claiming a draft takes its lock: two instances are never offered the same one.

A draft that can't be understood is set aside, under another name, for its owner to look at.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import IO
from uuid import uuid4

from visualizer.personal import folders, safe_file

_VERSION = 1


class Damaged(ValueError):
    """A draft that can't be read, and where it is now."""

    def __init__(self, aside: Path) -> None:
        super().__init__(f"a recovery file was damaged and is set aside: {aside}")
        self.aside = aside


@dataclass(frozen=True, slots=True)
class Kept:
    """What a draft holds: the text, and the time at which it was kept, in seconds since the epoch."""

    text: str
    time: float


class Draft:
    """One instance's unsaved text of one file. There is nothing on disk until `keep`."""

    def __init__(self, path: Path, name: str | None = None) -> None:
        self.path = path
        self._file = _folder() / (name or f"{_name_of(path)}-{uuid4().hex[:12]}.json")
        self._lock: IO[bytes] | None = None

    def keep(self, text: str) -> None:
        """Put the text on disk. Raises OSError if that can't be done."""
        if self._lock is None and not self.claim():
            raise BlockingIOError(f"{self._file} belongs to another instance")
        path = os.path.abspath(self.path)
        content = {"version": _VERSION, "path": path, "time": time.time(), "text": text}
        safe_file.write(self._file, json.dumps({**content, "digest": _digest(path, text)}))

    def kept(self) -> Kept:
        """What is on disk. Raises Damaged, after setting the file aside, if it can't be understood."""
        try:
            content = safe_file.parsed(safe_file.read(self._file))
            path, text, when = content["path"], content["text"], float(content["time"])
            text.encode(), time.localtime(when)  # the editor takes letters only, the screen a date
            if content["version"] != _VERSION or content["digest"] != _digest(path, text):
                raise ValueError("not as it was written")
        except (ValueError, KeyError, TypeError, RecursionError, OverflowError, AttributeError):
            raise Damaged(safe_file.set_aside(self._file)) from None
        return Kept(text, when)

    def claim(self) -> bool:
        """Take the lock, if no living instance holds it."""
        if self._lock is None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            lock = open(self._lock_file, "a+b")  # noqa: SIM115  # open for as long as we live
            if not safe_file.lock(lock.fileno()):
                lock.close()
                return False
            self._lock = lock
        return True

    def discard(self) -> None:
        """The text is saved, or not wanted: nothing is left on disk."""
        if self._lock is not None:
            self._file.unlink(missing_ok=True)
            self._lock_file.unlink(missing_ok=True)
            self.release()

    def release(self) -> None:
        """Leave the draft behind, for the next one who opens the file."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    @property
    def _lock_file(self) -> Path:
        return self._file.with_name(f".{self._file.name}.lock")


def left_behind(path: Path) -> Iterator[Draft]:
    """The drafts of a file that no living instance holds, newest first, each claimed for the caller."""
    with contextlib.suppress(OSError):
        for file in sorted(_files(path), key=lambda f: f.stat().st_mtime, reverse=True):
            draft = Draft(path, file.name)
            if draft.claim():
                yield draft


def are_left_behind(path: Path) -> bool:
    """Whether unsaved work on a file waits for somebody. None is claimed."""
    found = False
    for draft in left_behind(path):
        found = True
        draft.release()
    return found


def move(old: Path, new: Path) -> None:
    """A file gets another name: unsaved work on it that nobody holds goes along."""
    for draft in left_behind(old):
        moved = Draft(new)
        with contextlib.suppress(Damaged):
            moved.keep(draft.kept().text)
            draft.discard()
        moved.release()
        draft.release()


def _files(path: Path) -> list[Path]:
    return list(_folder().glob(f"{_name_of(path)}-*.json"))


def _folder() -> Path:
    return folders.state_folder() / "drafts"


def _name_of(path: Path) -> str:
    real = os.path.realpath(path).encode("utf-8", "surrogateescape")
    return blake2b(real, digest_size=12).hexdigest()


def _digest(path: str, text: str) -> str:
    return blake2b(f"{path}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
