"""Where compiled CPU kernels are kept between runs.

Numba's own choice is a `__pycache__` beside the source, which a read-only install doesn't have.
So the code goes to the user's cache folder: `$NUMBA_CACHE_DIR` if that is set, otherwise
`~/.cache/unfold/kernels` (`~/Library/Caches`, `%LOCALAPPDATA%`). A folder that can't be written to
costs time, never a failure. Numba checks the processor, its own version and our file's contents.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def folder() -> Path | None:
    """The user's folder for compiled kernels, existing or not; None where the user has no home."""
    try:
        if sys.platform == "win32":
            root = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        elif sys.platform == "darwin":
            root = Path.home() / "Library" / "Caches"
        else:
            root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        return None
    return root / "unfold" / "kernels"


def compiled(decorator: Callable[..., Any], function: Callable[..., Any]) -> Any:
    """`decorator(cache=True)(function)`, or without a cache where there is no place for one.

    Call it under a lock: for the time of the call it sets Numba's global cache folder.
    """
    import numba

    config: Any = numba.config
    chosen = config.CACHE_DIR
    try:
        if not chosen and (ours := folder()) is not None:
            config.CACHE_DIR = str(ours)
        return decorator(cache=True)(function)
    except numba.core.errors.NumbaError:
        raise
    except Exception:
        # No folder can be written to, the disk is full, a file in it is damaged: compile anew.
        return decorator(cache=False)(function)
    finally:
        config.CACHE_DIR = chosen
