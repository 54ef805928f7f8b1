"""Two texts of a file, as the lines in which they differ."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

_LONG = 5_000  # lines of both texts together; comparing longer ones takes too long
_ROWS = 60


def differences(old: str, new: str) -> list[str]:
    """`+` and `−` lines with a line around them, the first of many; or how long the two are."""
    before, after = old.splitlines(), new.splitlines()
    if len(before) + len(after) > _LONG:
        return [f"  {len(before):,} lines on disk, {len(after):,} lines here"]
    rows = list(_rows(before, after))
    more = len(rows) - _ROWS
    return rows if more <= 0 else [*rows[:_ROWS], f"  … and {more:,} lines more"]


def most_changed(old: str, new: str) -> int:
    """The first line, from 1, of the place in `new` that has most of what `old` hasn't."""
    lines = old.splitlines(), new.splitlines()
    if sum(map(len, lines)) > _LONG:
        return 1
    changes = difflib.SequenceMatcher(None, *lines, autojunk=False).get_opcodes()
    sizes = [(end - first, -first) for kind, _, _, first, end in changes if kind != "equal"]
    return 1 - max(sizes, default=(0, 0))[1]


def _rows(before: list[str], after: list[str]) -> Iterator[str]:
    for line in difflib.unified_diff(before, after, n=1, lineterm=""):
        if line.startswith(("---", "+++")):
            continue
        if line.startswith("@@"):
            yield "  ⋯"
        else:
            yield ("−" if line[0] == "-" else line[0]) + " " + line[1:]
