"""What a judge said of a file, as lines to read and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from visualizer.expansion.wording import counted
from visualizer.layout.tables import table
from visualizer.workbench.verdict import Judgement

_COLUMNS = ("name", "key", "what", "interpreted", "compiled")


def lines(path: Path, verdict: Judgement, width: int) -> Iterator[str]:
    """What was compared; the table of differences, if there are any; what could not be compared."""
    found = len(verdict.differences)
    entries = "1 entry" if verdict.entries == 1 else f"{verdict.entries:,} entries"
    what = f"{entries}, {counted(verdict.facts, 'fact')}"
    same = counted(found, "difference") if found else "as interpreted"
    yield f"{path}: {what} by {verdict.judge}: {same}"
    if found:
        rows = [
            (d.name, d.key, d.what or "entry", d.ours or "nothing", d.theirs or "nothing")
            for d in verdict.differences
        ]
        yield from table(_COLUMNS, rows, width)
    yield from (f"not compared: {told}" for told in verdict.left_out)


def as_json(path: Path, verdict: Judgement) -> dict[str, Any]:
    """The same as an object; null stands where a side has nothing."""
    return {
        "file": str(path),
        "judge": verdict.judge,
        "entries": verdict.entries,
        "facts": verdict.facts,
        "differences": [
            {
                "name": d.name,
                "key": d.key,
                "what": d.what or "entry",
                "interpreted": d.ours,
                "compiled": d.theirs,
            }
            for d in verdict.differences
        ],
        "not_compared": list(verdict.left_out),
    }
