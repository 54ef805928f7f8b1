"""Whether a file still is what it was when it was seen: its metadata tell at once that nobody touched
it, and where somebody did, its contents tell whether anything changed.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from visualizer.expansion.include_path import Stamp, stamp
from visualizer.expansion.readable import read_regular
from visualizer.expansion.source_files import LARGEST


@dataclass(frozen=True, slots=True)
class Seen:
    """`stamp` is None of a file that wasn't there; `digest`, of its bytes, where they weren't read."""

    stamp: Stamp | None = None
    digest: bytes | None = None


def touched(path: Path) -> Seen:
    """By its metadata alone: whatever is done to it counts as a change."""
    return Seen(stamp(str(path)))


def seen(path: Path) -> Seen:
    known = stamp(str(path))
    try:
        return Seen(known, digest(read_regular(path, LARGEST)))
    except (OSError, ValueError):
        return Seen(known)


def digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


def unchanged(path: Path, known: Seen) -> Seen | None:
    """How it is to be known from now on, if it is what it was; None if it isn't."""
    if stamp(str(path)) == known.stamp:
        return known
    now = seen(path)
    return now if now.digest is not None and now.digest == known.digest else None
