"""The one place that writes what the user made, and the one that finds it damaged.

A file is written beside its place under another name, flushed to the disk, and renamed: whoever reads
it, at whatever moment and after whatever crash, reads the old text or the new one and never half of
either. What a crash leaves there is swept away at a later start. Two instances that read, change and
write the same file take turns by a lock beside it. A file that can't be understood is never
overwritten: it is renamed to `NAME.damaged-1` for its owner to look at.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from visualizer.expansion.readable import read_regular

PATIENCE = 2.0  # seconds for which the other instance is waited for

_LARGEST = 64 << 20  # bytes of a file of ours
_STRAY = re.compile(r"\..+\.[a-z0-9_]{8}")  # the other name, while a file is written
_LOCK = re.compile(r"\.(.+)\.lock")
_LEFT = 3600.0  # seconds after which nobody is still writing


def write(path: Path, text: str, mode: int = 0o600) -> None:
    """Put `text` into a file, in UTF-8, all or nothing. A link keeps pointing to its file, and a
    file keeps its permissions (a new one gets `mode`); folders that are missing are made.

    Raises OSError if it can't be written; then the file is as it was.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():  # a rename would put a file where a device stood
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _flush_folder(path.parent)


def _flush_folder(folder: Path) -> None:
    """The renaming itself reaches the disk; where folders can't be opened (Windows), it does so
    anyway."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read(path: Path) -> bytes:
    """What a file of ours holds. Raises OSError where something else stands there: a FIFO would be
    waited at, and a device has no end."""
    return read_regular(path, _LARGEST)


def parsed(text: str | bytes) -> Any:
    """JSON that `write` could have written. Raises ValueError or RecursionError for any other: half of
    a pair of UTF-16, which is no letter, stands in no file, nor in the name of one."""
    value = json.loads(text)
    json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogateescape")
    return value


def sweep(folder: Path) -> None:
    """Remove what processes left in a folder of ours, or below, that ended while they wrote: files
    under their other name, and locks that nobody holds of files that aren't there."""
    for here, _, names in os.walk(folder):
        for name in names:
            lock_of = _LOCK.fullmatch(name)
            if lock_of is None and _STRAY.fullmatch(name) is None:
                continue
            path = Path(here, name)
            with contextlib.suppress(OSError):  # another instance sweeps too
                if time.time() - path.stat().st_mtime < _LEFT:
                    continue
                if lock_of is None:
                    path.unlink()
                elif not path.with_name(lock_of[1]).exists():
                    with open(path, "rb") as held:
                        if lock(held.fileno()):
                            path.unlink()


def set_aside(path: Path) -> Path:
    """Rename a damaged file to the first free one of `NAME.damaged-1`, `-2` …, and return that.

    Raises OSError if it can't be renamed.
    """
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    path.rename(aside)
    return aside


@contextlib.contextmanager
def taking_turns(path: Path) -> Iterator[None]:
    """Holds a lock for reading, changing and writing `path`. Another instance that holds it is
    waited for a while, and no longer: one that hangs must not take this one with it.

    Raises OSError if the folder can't be made or the lock can't be opened.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_name(f".{path.name}.lock"), "a+b") as beside:
        end = time.monotonic() + PATIENCE
        while not lock(beside.fileno()) and time.monotonic() < end:
            time.sleep(0.01)
        yield  # closing the file unlocks it


def lock(handle: int) -> bool:
    """Try to lock an open file for this process; whoever closes it unlocks it, a crash too."""
    try:
        import fcntl
    except ImportError:  # Windows: by a byte of the file
        return _lock_byte(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _lock_byte(handle: int) -> bool:
    import msvcrt

    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
    except OSError:
        return False
    return True
