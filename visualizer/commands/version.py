"""`unfold --version`, for which nothing else is imported."""

from __future__ import annotations


def print_version() -> None:
    from importlib.metadata import version  # finding it takes longer than most commands

    print(f"unfold {version('unfold')}")
