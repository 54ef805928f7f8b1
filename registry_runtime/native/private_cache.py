"""Where machine code is kept between runs: a folder that nobody else can write to.

What lies there is run, so that a folder which somebody else could fill is left alone. It is
`~/.cache/unfold/KIND` (`~/Library/Caches`, `%LOCALAPPDATA%`). A folder that can't be written to
costs time, never a failure."""

from __future__ import annotations

import os
import stat
import sys
import warnings
from pathlib import Path


def folder(kind: str) -> Path | None:
    """The user's folder for this kind, existing or not; None where the user has no home."""
    try:
        if sys.platform == "win32":
            root = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        elif sys.platform == "darwin":
            root = Path.home() / "Library" / "Caches"
        else:
            root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        return None
    return root / "unfold" / kind


def trusted(ours: Path | None) -> Path | None:
    """That folder, made if it wasn't there; None where another user could write to it, which is warned
    of, or where it can't be made."""
    if ours is None:
        return None
    try:
        ours.parent.mkdir(parents=True, exist_ok=True)
        ours.mkdir(mode=0o700, exist_ok=True)
        found = ours.lstat()
    except OSError:
        return None
    if sys.platform == "win32":  # where the profile's folders are the user's alone
        return ours
    others_write = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not others_write:
        return ours
    said = f"{ours} can be written to by others, so no compiled kernel is kept or taken from there"
    warnings.warn(f"{said}: remove it, and it is made anew", stacklevel=3)
    return None
