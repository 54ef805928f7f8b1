"""Pieces on the disk: all of them or none, and over nothing that is there already.

One kind of file isn't the operator's alone: phi/infermeta/unary.h holds the InferMetas of many. To
such a file, if it is there, only what it lacks is added.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from visualizer.migration.joining import CannotJoin, is_shared, joined
from visualizer.migration.migration import Migration, Piece
from visualizer.personal import safe_file


class WouldOverwrite(Exception):
    """A piece's file is there already, and stays. `path` is the first one; is_original: the
    migration was read from it, so that no permission to overwrite will do."""

    def __init__(self, path: Path, is_original: bool) -> None:
        said = "is one of Fluid's files that were read" if is_original else "is there already"
        super().__init__(f"{path} {said}")
        self.path = path
        self.is_original = is_original


class WouldLose(Exception):
    """A shared file is there, and what is new can't be added to it. The message says why."""


def write(migration: Migration, folder: Path, overwrite: bool = False) -> list[Path]:
    """Write the pieces below `folder`; returns their paths. What several operators share is added
    to.

    Raises WouldOverwrite unless told to overwrite, and for a file that the migration was read from
    in any case; WouldLose for a shared file that can't be added to; and OSError if one can't be
    written. Then every file is as it was before.
    """
    paths = [folder / piece.path for piece in migration.pieces]
    originals = {old.path.resolve() for old in migration.old}
    for path, piece in zip(paths, migration.pieces, strict=True):
        is_original = path.resolve() in originals
        if is_original or (path.exists() and not overwrite and not is_shared(piece)):
            raise WouldOverwrite(path, is_original)
    texts = [_text_for(p, piece) for p, piece in zip(paths, migration.pieces, strict=True)]
    before = {path: _bytes_of(path) for path in paths}
    made: list[Path] = []
    try:
        for path, text in zip(paths, texts, strict=True):
            safe_file.write(path, text, mode=0o644)
            made.append(path)
    except BaseException:
        for path in made:
            _put_back(path, before[path])
        raise
    return paths


def _text_for(path: Path, piece: Piece) -> str:
    """What is to stand in the file."""
    there = _bytes_of(path) if is_shared(piece) else None
    if there is None:
        return piece.text
    try:
        return joined(there.decode(), piece.text)
    except UnicodeDecodeError as error:
        raise WouldLose(f"{path} isn't UTF-8, so that nothing can be added to it") from error
    except CannotJoin as error:
        raise WouldLose(f"{path} {error}") from error


def _bytes_of(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _put_back(path: Path, data: bytes | None) -> None:
    with contextlib.suppress(OSError):
        if data is None:
            path.unlink()
        else:
            path.write_bytes(data)
