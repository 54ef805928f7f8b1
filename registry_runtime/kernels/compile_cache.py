"""Where compiled CPU kernels are kept between runs.

Numba's own choice is a `__pycache__` beside the source, which a read-only install doesn't have.
So the code goes to the user's cache folder: `$NUMBA_CACHE_DIR` if that is set, otherwise
`~/.cache/unfold/kernels` (`~/Library/Caches`, `%LOCALAPPDATA%`). A folder that can't be written to
costs time, never a failure. Numba checks the processor, its own version and our file's contents; but
it unpickles what it finds, so a folder that somebody else can write to is left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from registry_runtime.native import private_cache


def folder() -> Path | None:
    """The user's folder for compiled kernels, existing or not; None where the user has no home."""
    return private_cache.folder("kernels")


def trusted_folder() -> Path | None:
    """`folder()`, made if it wasn't there; None where another user could write to it, which is warned
    of, or where it can't be made."""
    return private_cache.trusted(folder())


def compiled(
    decorator: Callable[..., Any], function: Callable[..., Any], *, keep: bool = True
) -> Any:
    """`decorator(cache=True)(function)`, or without a cache where there is no place for one, or it is
    not to be kept.

    Call it under a lock: for the time of the call it sets Numba's global cache folder.
    """
    from registry_runtime.kernels.own_numba import numba

    config = numba.config
    chosen = config.CACHE_DIR
    trusted = private_cache.trusted(Path(chosen) if chosen else folder())
    if not keep or trusted is None:
        return decorator(cache=False)(function)
    try:
        config.CACHE_DIR = str(trusted)
        return decorator(cache=True)(function)
    except numba.core.errors.NumbaError:
        raise
    except Exception:
        # No folder can be written to, the disk is full, a file in it is damaged: compile anew.
        return decorator(cache=False)(function)
    finally:
        config.CACHE_DIR = chosen
