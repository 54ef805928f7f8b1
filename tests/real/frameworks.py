"""Where the real headers are: an environment variable's folder, or an installed wheel's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from visualizer.expansion import InputError
from visualizer.workbench import wheels


def folders(wheel: wheels.Wheel, variable: str) -> tuple[str, ...]:
    """The wheel's include folders; skips the test that asks where there are none."""
    named = os.environ.get(variable)
    if named:
        # PADDLE_INCLUDE is `…/paddle/include`, the first of the wheel's folders.
        first = wheel.folders[0]
        return tuple(
            os.path.normpath(Path(named, os.path.relpath(f, first))) for f in wheel.folders
        )
    try:
        return wheels.include_folders(wheel)
    except InputError as error:
        pytest.skip(error.diagnostic.message)


def paddle() -> tuple[str, ...]:
    return folders(wheels.PADDLE, "PADDLE_INCLUDE")


def torch() -> tuple[str, ...]:
    return folders(wheels.TORCH, "TORCH_INCLUDE")
