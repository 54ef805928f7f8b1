"""What the directives of a file did: branches taken, and why; files entered, and for how long."""

from __future__ import annotations

from collections.abc import Iterator

from visualizer.expansion import Trace

_SHORTEST = 16  # characters of a path
_MARKS = {True: "taken", False: "not taken"}


def conditionals(trace: Trace) -> Iterator[str]:
    """A line for each conditional directive, and under it the value of each subexpression."""
    if not trace.branches:
        yield f"{trace.file}: no conditionals"
    for branch in trace.branches:
        file, line, _ = branch.where
        name = branch.directive.partition(" ")[0]
        bars = "│ " * branch.depth
        if name == "#endif":
            said = ""
        elif branch.counts or branch.asked:
            said = f"  {_MARKS[branch.counts]}"
        else:
            said = "  skipped"
        yield f"{file}:{line}: {bars}{branch.directive}{said}"
        for text, value in branch.parts:
            shown = "not evaluated" if value is None else str(value)
            yield f"{' ' * len(f'{file}:{line}: ')}{bars}    {text} = {shown}"


def includes(trace: Trace, width: int | None = None) -> Iterator[str]:
    """The files that were entered, as a tree, each with its time and that of all below it. Of a path
    that is too long for the width, the end is told."""
    if not trace.entered:
        yield f"{trace.file}: includes nothing"
    for entered in trace.entered:
        bars = "│ " * (entered.depth - 1)
        head = f"{entered.seconds * 1e3:9.2f} ms  {bars}"
        room = max((width or len(head) + len(entered.file)) - len(head), _SHORTEST)
        cut = len(entered.file) > room
        yield head + (f"…{entered.file[1 - room :]}" if cut else entered.file)
