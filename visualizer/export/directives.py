"""What the directives of a file did: branches taken, and why; files entered, and for how long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from visualizer.expansion import Trace
from visualizer.expansion.tokens import Source
from visualizer.expansion.trace import Branch
from visualizer.expansion.why.wording import definition

_MARKS = {True: "taken", False: "not taken"}


def branches(of: Iterable[Branch]) -> Iterator[tuple[Source, str, list[tuple[str, Source]]]]:
    """Each conditional directive of a file: where it stands, what became of it, and why: what each
    subexpression of it came to, or how the macro is defined that it asks for. A reason has its place.
    """
    for branch in of:
        bars = "│ " * branch.depth
        if branch.directive.partition(" ")[0] == "#endif":
            said = ""
        elif branch.counts or branch.asked:
            said = f"  {_MARKS[branch.counts]}"
        else:
            said = "  skipped"
        reasons = [
            (f"{bars}    {text} = {'not evaluated' if value is None else value}", branch.where)
            for text, value in branch.parts
        ]
        if branch.definition is not None:
            reasons = [(f"{bars}    {definition(branch.definition)}", branch.definition.where)]
        yield branch.where, f"{bars}{branch.directive}{said}", reasons


def conditionals(trace: Trace) -> Iterator[str]:
    """A line for each conditional directive, and under it the reasons: of the file, then of each that
    it includes."""
    if not trace.branches:
        yield f"{trace.file}: no conditionals"
    for of in (trace.branches, *(entered.branches for entered in trace.entered)):
        for (file, line, _), said, reasons in branches(of):
            head = f"{file}:{line}: "
            yield f"{head}{said}"
            yield from (f"{' ' * len(head)}{reason}" for reason, _ in reasons)


def includes(trace: Trace) -> Iterator[str]:
    """The files that were entered, as a tree, each with its time and that of all below it."""
    if not trace.entered:
        yield f"{trace.file}: includes nothing"
    for entered in trace.entered:
        bars = "│ " * (entered.depth - len(trace.through) - 1)
        yield f"{entered.seconds * 1e3:9.2f} ms  {bars}{entered.file}"
