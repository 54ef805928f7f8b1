"""Pieces on the disk: all of them or none, and over nothing that is there already."""

from __future__ import annotations

import contextlib
from pathlib import Path

from visualizer import safe_file
from visualizer.migration.migration import Migration


class WouldOverwrite(Exception):
    """A piece's file is there already. `path` is the first one."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is there already")
        self.path = path


def write(migration: Migration, folder: Path, overwrite: bool = False) -> list[Path]:
    """Write the pieces below `folder`; returns their paths.

    Raises WouldOverwrite unless told to overwrite, and for a file that the migration was read from
    in any case; and OSError if one can't be written. Then every file is as it was before.
    """
    paths = [folder / piece.path for piece in migration.pieces]
    originals = {old.path.resolve() for old in migration.old}
    for path in paths:
        if path.resolve() in originals or (path.exists() and not overwrite):
            raise WouldOverwrite(path)
    before = {path: _text_of(path) for path in paths}
    made: list[Path] = []
    try:
        for path, piece in zip(paths, migration.pieces, strict=True):
            safe_file.write(path, piece.text, mode=0o644)
            made.append(path)
    except BaseException:
        for path in made:
            _put_back(path, before[path])
        raise
    return paths


def _text_of(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _put_back(path: Path, data: bytes | None) -> None:
    with contextlib.suppress(OSError):
        if data is None:
            path.unlink()
        else:
            path.write_bytes(data)
