"""Which files may be read: any, unless `UNFOLD_ROOTS` names the folders outside of which none may.

Somebody who steps through a file of their own on their own machine may include what they like. A
visitor of `unfold serve` is on somebody else's: there, `#include "/etc/passwd"`, `#embed` and the path
typed into a prompt must find nothing. So `unfold serve` starts each visitor's process with a list of
folders in its environment, and whoever opens a file that its user named asks `may_read` first. Links
are followed before the comparison, so that none leads out.

A file outside is treated as one that is not there: whether it exists is nobody's business either.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

VARIABLE = "UNFOLD_ROOTS"  # folders, absolute, separated as in PATH; if empty, nothing may be read


def may_read(path: str | Path) -> bool:
    """Whether a file or folder lies in one of the folders that may be read."""
    given = os.environ.get(VARIABLE)
    return given is None or is_below(path, _roots(given))


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
