"""A trace to read: one line a step, bars for depth, as a reader would tell it.

    4 │ │ PD_EXPAND is met. Before argument x can go into its replacement list, …
    5 │ │ │ _PD_REGISTER_2TA_KERNEL is replaced: …

The numbers are those of the moments, so that the same step can be found on the screen.
"""

from __future__ import annotations

from collections.abc import Iterator

from visualizer.expansion import Expansion
from visualizer.expansion.moments import Moment, Timeline
from visualizer.expansion.sentences import meeting, sentence
from visualizer.expansion.tokens import spell

_BAR = "│ "
_MAX_BARS = 20  # deeper than that, bars only push the text off the screen


def walkthrough(expansion: Expansion, detailed: bool) -> Iterator[str]:
    """The lines that tell one expansion; `detailed` adds definitions, arguments and operations."""
    file, line, column = expansion.where
    yield f"{file}:{line}:{column}: {expansion.macro}"
    yield f"  {spell(expansion.before)}"
    timeline = Timeline(expansion)
    width = len(str(len(timeline)))
    for number, moment in enumerate(timeline.moments, start=1):
        depth = min(moment.level, _MAX_BARS)
        bars = _BAR * depth if moment.level <= _MAX_BARS else _BAR * depth + f"({moment.level}) "
        text = (meeting if moment.meeting else sentence)(moment.step)
        yield f"{number:>{width}} {bars}{text}"
        if detailed:
            for detail in _details(moment):
                yield f"{'':>{width}} {bars}  {detail}"
    yield f"  => {spell(expansion.after) or '(nothing)'}"


def _details(moment: Moment) -> Iterator[str]:
    step = moment.step
    if moment.meeting or step.definition is None:
        return
    yield f"#define {step.definition.head()} {spell(step.definition.replacement)}"
    for argument in step.arguments:
        line = f"{argument.parameter} = {spell(argument.raw) or '(nothing)'}"
        if argument.prescan and argument.prescan.steps:
            line += f"  => {spell(argument.prescan.after) or '(nothing)'}"
        yield line
    for operation in step.operations:
        if operation.kind == "paste":
            left, right = operation.operands
            yield f"{left} ## {right} => {spell(operation.result)}"
        elif operation.kind == "stringize":
            yield f"#{operation.parameter} => {spell(operation.result)}"
    yield f"=> {spell(step.insert) or '(nothing)'}"
