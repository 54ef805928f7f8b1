"""Which files may be read: any, unless `UNFOLD_ROOTS` names the folders outside of which none may.

Somebody who steps through a file of their own on their own machine may include what they like. A
visitor of `unfold serve` is on somebody else's: there, `#include "/etc/passwd"`, `#embed` and the path
typed into a prompt must find nothing. So `unfold serve` starts each visitor's process with a list of
folders in its environment, and whoever opens a file that its user named asks `may_read` first. Links
are followed before the comparison, so that none leads out.

A file outside is treated as one that is not there: whether it exists is nobody's business either.

What is read is a regular file of a bounded size, whoever named it: a device has no end, and a FIFO
waits for somebody to write.
"""

from __future__ import annotations

import errno
import os
import stat
from functools import lru_cache
from pathlib import Path

VARIABLE = "UNFOLD_ROOTS"  # folders, absolute, separated as in PATH; if empty, nothing may be read


def may_read(path: str | Path) -> bool:
    """Whether a file or folder lies in one of the folders that may be read."""
    given = os.environ.get(VARIABLE)
    return given is None or is_below(path, _roots(given))


def read_regular(path: str | Path, most: int, cut: bool = False) -> bytes:
    """The bytes of a regular file of at most `most` bytes, or its first ones, if it may be `cut`.
    Raises OSError for what can't be read, is something else, or is larger; ValueError for a name that
    no file can have."""
    # Not to wait for a writer to come, were it a FIFO.
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
        about = os.fstat(file.fileno())
        if stat.S_ISDIR(about.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(about.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        if not cut and about.st_size > most:
            raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MB")
        # To ask for more than there is takes the memory for it. One of /proc has more than it says.
        first = file.read(min(most, about.st_size + 1))
        return first if len(first) <= about.st_size else first + file.read(most - len(first))


def is_confined() -> bool:
    """Whether there are files that may not be read."""
    return VARIABLE in os.environ


def is_below(path: str | Path, roots: tuple[str, ...]) -> bool:
    """Whether a path, with its links followed, is one of these folders or in one. The folders are
    given as `os.path.realpath` spells them."""
    try:
        real = os.path.realpath(path)
    except (OSError, ValueError):  # a name with a null in it
        return False
    return any(real == root or real.startswith(root.rstrip(os.sep) + os.sep) for root in roots)


@lru_cache(maxsize=4)
def _roots(given: str) -> tuple[str, ...]:
    return tuple(os.path.realpath(folder) for folder in given.split(os.pathsep) if folder)
