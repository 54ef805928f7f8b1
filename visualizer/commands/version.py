"""`unfold --version`, for which nothing else is imported: to ask what is installed takes longer."""

from __future__ import annotations

from visualizer import __version__


def print_version() -> None:
    print(f"unfold {__version__}")
