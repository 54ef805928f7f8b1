"""A trace to read: one line a step, bars for depth, as a reader would tell it.

    5 │ │ PD_EXPAND is met. Its argument x is expanded by itself first: the prescan.
    6 │ │ │ _PD_REGISTER_2TA_KERNEL is replaced: its 16 arguments (6 as __VA_ARGS__) fill 24 places.

The numbers are those of the moments, so that the same step can be found on the screen; where macros
are hidden, a line tells several. A hint stands under the step that it is about. What the steps put into
the registry is told at the end, with the step that completed it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from visualizer.expansion import Expansion, Trace
from visualizer.expansion.breakpoints import Breakpoint, following
from visualizer.expansion.hiding import Hidden, Policy, hide, narration
from visualizer.expansion.hints import hints
from visualizer.expansion.moments import Moment, Timeline
from visualizer.expansion.passes import told
from visualizer.expansion.search import find
from visualizer.expansion.tokens import spell
from visualizer.expansion.wrong_arguments import note_below
from visualizer.export.cut import WHOLE, Cut
from visualizer.scene.tour import Made

_BAR = "│ "
_MAX_BARS = 20  # deeper than that, bars only push the text off the screen


@dataclass(frozen=True, slots=True)
class Telling:
    """How to look at a trace: with details (definitions, arguments, operations), without hidden
    macros, up to a breakpoint, only where tokens of a spelling come and go, or cut."""

    detailed: bool = False
    hidden: Policy | None = None
    until: Breakpoint | None = None
    find: str | None = None
    cut: Cut = WHOLE


def note_on(trace: Trace, expansion: Expansion) -> str:
    """That an invocation above takes this one for an argument, which it does not with a directive."""
    return "" if expansion.directive else note_below(trace.diagnostics, expansion.where)


def walkthrough(
    trace: Trace, expansion: Expansion, telling: Telling, made: Sequence[Made] = ()
) -> Iterator[str]:
    """The lines that tell one expansion; none if the tokens that are looked for are not in it. `made`
    are the entries of the registry that it makes."""
    whole = Timeline(expansion)
    view = _view(whole, telling)
    timeline = view.timeline
    notes = _notes(timeline, telling.find)
    if telling.find is not None and not any(notes):
        return
    file, line, column = expansion.where
    yield ", ".join(filter(None, [f"{file}:{line}:{column}: {expansion.macro}", told(trace)]))
    yield f"  {spell(expansion.before)}"
    if note := note_on(trace, expansion):
        yield f"  note: {note}"
    yield from (f"  {note}" for note in notes[0])
    hinted: dict[int, list[str]] = {}
    for hint in hints(trace, whole):
        hinted.setdefault(hint.moment, []).append(f"hint: {hint.text}")
    stop = following(timeline, -1, telling.until) if telling.until is not None else None
    last = len(timeline) if stop is None else stop + 1
    width = max((len(_number(span)) for span in view.spans[:last]), default=0)
    for k, moment in enumerate(timeline.moments[:last]):
        start, end = view.spans[k]
        if telling.find is not None and not notes[k + 1]:
            continue
        if not telling.cut.keeps(timeline.moments, moment, (start, end)):
            continue
        depth = min(moment.level, _MAX_BARS)
        bars = _BAR * depth + (f"({moment.level}) " if moment.level > depth else "")
        yield f"{_number((start, end)):>{width}} {bars}{narration(moment)}"
        details = list(_details(moment)) if telling.detailed and start == end else []
        details += hinted.get(start, []) if start == end else []
        for detail in [*details, *notes[k + 1]]:
            yield f"{'':>{width}} {bars}  {detail}"
    after = timeline.state(last) if stop is not None else expansion.after
    yield f"  => {spell(after) or '(nothing)'}"
    if telling.find is None:
        done = view.spans[last - 1][1] + 1 if last else 0
        yield from (f"  {_registers(one)}" for one in made if one.complete <= done)


def _registers(made: Made) -> str:
    step = f"step {made.complete}" if made.complete else "the source"
    return f"{step} registers {made.name} {made.key} -> {made.function or 'its block'}"


def stops_in(expansion: Expansion, telling: Telling) -> bool:
    """Whether the breakpoint is reached in this expansion."""
    if telling.until is None:
        return False
    return following(_view(Timeline(expansion), telling).timeline, -1, telling.until) is not None


def _view(whole: Timeline, telling: Telling) -> Hidden:
    if telling.hidden is None:
        return Hidden(whole, tuple((k, k) for k in range(len(whole))))
    return hide(whole, telling.hidden)


def _number(span: tuple[int, int]) -> str:
    start, end = span
    return str(start + 1) if start == end else f"{start + 1}–{end + 1}"


def _notes(timeline: Timeline, glob: str | None) -> list[list[str]]:
    """What to note of the tokens that are looked for, in the source and at each moment."""
    notes: list[list[str]] = [[] for _ in range(len(timeline) + 1)]
    if glob is None:
        return notes
    for found in find(timeline, glob):
        notes[found.born].append(f"+ {found.token.text}")
        if found.gone is not None:
            notes[found.gone + 1].append(f"- {found.token.text} ({found.fate})")
    return notes


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
            made = spell(operation.result) if operation.pastes() else "no valid token"
            yield f"{left} ## {right} => {made}"
        elif operation.kind == "stringize":
            yield f"#{operation.parameter} => {spell(operation.result)}"
    yield f"=> {spell(step.insert) or '(nothing)'}"
