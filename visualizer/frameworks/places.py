"""Where an entry of the registry was made, as compilers print places."""

from __future__ import annotations

from visualizer.workbench.entries import Entry


def place(entry: Entry) -> str:
    """`FILE:LINE` of the macro that made it."""
    return f"{entry.where.file}:{entry.where.line}"
