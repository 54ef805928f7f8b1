"""What the directives of a file did: branches taken, and why; files entered, and for how long."""

from __future__ import annotations

from collections.abc import Iterator

from visualizer.expansion import Trace

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


def includes(trace: Trace) -> Iterator[str]:
    """The files that were entered, as a tree, each with its time and that of all below it."""
    if not trace.entered:
        yield f"{trace.file}: includes nothing"
    for entered in trace.entered:
        bars = "│ " * (entered.depth - 1)
        yield f"{entered.seconds * 1e3:9.2f} ms  {bars}{entered.file}"
