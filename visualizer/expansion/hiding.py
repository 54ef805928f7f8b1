"""Macros that a reader does not want to see: their moments drawn together into one.

A *policy* says yes or no to a macro, by its name and by where it is defined. It is applied to a
finished trace, so the same trace can be looked at with any policy. Racket's macro stepper draws the
line as we do: what a hidden macro's own text brings in is hidden with it, but what the reader wrote as
its argument stays in sight. Hide `EXPAND` in `EXPAND(F(x))`, and F is still stepped through.

Hidden moments that follow each other become one moment with one splice: the smallest that leads from
the line before them to the line after them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from visualizer.expansion.moments import Moment, Timeline
from visualizer.expansion.sentences import meeting, sentence
from visualizer.expansion.tokens import Copied, Passed, Pasted, Source, Token
from visualizer.expansion.trace import Argument, Step
from visualizer.expansion.wording import listed, quoted
from visualizer.messages import ngettext

SYSTEM_HEADERS = "<>"
OTHERS = "<others>"

# Whether to hide a macro of this name, defined here; what is built in is defined nowhere.
Policy = Callable[[str, Source | None], bool]


@dataclass(slots=True, eq=False)
class Merged(Moment):
    """Several moments as one. `step` is the first of them that changed the line; or, of a `whole_call`,
    which is all that comes of one invocation, that invocation's own."""

    steps: tuple[Step, ...]
    whole_call: bool = False


@dataclass(frozen=True, slots=True)
class Hidden:
    """What is left to see: a timeline, and for each of its moments the first and the last of those
    that it stands for in the whole one."""

    timeline: Timeline
    spans: tuple[tuple[int, int], ...]


def by_name(glob: str) -> Policy:
    return lambda name, _: fnmatchcase(name, glob)


def by_file(glob: str) -> Policy:
    """Macros defined in a file with such a path; a pattern without a folder fits any folder."""
    anywhere = glob if "/" in glob else f"*/{glob}"
    return lambda _, where: where is not None and fnmatchcase(f"/{where.file}", anywhere)


def by_system_header(folders: Sequence[str]) -> Policy:
    """Macros defined in these folders, which a compiler calls those of the system."""
    return lambda _, where: (
        where is not None and any(Path(where.file).is_relative_to(folder) for folder in folders)
    )


def by_others(file: Path) -> Policy:
    """Macros of files that lie outside of the project that a file belongs to: the nearest folder around
    it under version control or with a build's `compile_commands.json`; if there is none, its own."""
    file = file.absolute()
    project = next((f for f in file.parents if _is_project(f)), file.parent)

    @cache
    def is_others(name: str) -> bool:
        return not Path(name).absolute().is_relative_to(project)

    return lambda _, where: where is not None and is_others(where.file)


def _is_project(folder: Path) -> bool:
    return any((folder / sign).exists() for sign in (".git", "compile_commands.json"))


def policy_of(
    globs: Iterable[str], system_folders: Callable[[], Sequence[str]], opened: Path
) -> Policy | None:
    """What a user's words hide: a file, if there is a dot or a slash in it; a macro's name; `<>`,
    whatever stands in a system header; or `<others>`, whatever doesn't belong with the `opened` file.
    None if there are no words."""
    policies = [
        by_others(opened)
        if glob == OTHERS
        else by_system_header(system_folders())
        if glob == SYSTEM_HEADERS
        else by_file(glob)
        if "/" in glob or "." in glob
        else by_name(glob)
        for glob in globs
    ]
    return any_of(policies) if policies else None


def any_of(policies: Iterable[Policy]) -> Policy:
    every = tuple(policies)
    return lambda name, where: any(policy(name, where) for policy in every)


def hide(timeline: Timeline, policy: Policy) -> Hidden:
    """The timeline without the hidden macros. Its states are states of the whole one."""
    moments: list[Moment] = []
    spans: list[tuple[int, int]] = []
    shown_as: dict[int, int] = {}  # a moment of the whole timeline → its place among those shown
    k = 0
    while k < len(timeline):
        start = k
        while k < len(timeline) and _is_hidden(timeline.moments[k].step, policy):
            k += 1
        if k > start:
            merged = merge(timeline, start, k, shown_as)
            if merged is not None:
                merged.partner = len(moments)
                moments.append(merged)
                spans.append((start, k - 1))
            continue
        moment = timeline.moments[k]
        shown_as[k] = len(moments)
        partner = shown_as.get(moment.partner, len(moments))
        shown = copy(moment)
        shown.partner = partner
        shown.prescan = _visible_prescan(timeline, moment, shown_as)
        if partner < len(moments):
            moments[partner].partner = len(moments)
        moments.append(shown)
        spans.append((k, k))
        k += 1
    return Hidden(Timeline(timeline.expansion, moments), tuple(spans))


def narration(moment: Moment) -> str:
    """The sentence of a moment, hidden or not."""
    if isinstance(moment, Merged) and moment.whole_call:
        became = quoted(moment.insert) or "nothing"
        return (
            f"{moment.step.macro} is expanded to the end, in {len(moment.steps)} steps: {became}."
        )
    if isinstance(moment, Merged):
        names = listed(dict.fromkeys(step.macro for step in moment.steps))
        many = len(moment.steps)
        return ngettext(
            "{count} step is hidden: {names}.", "{count} steps are hidden: {names}.", many
        ).format(count=many, names=names)
    return (meeting if moment.meeting else sentence)(moment.step)


def fits(step: Step, policy: Policy) -> bool:
    """Whether it is this step's own macro that the policy hides."""
    where = step.definition.where if step.definition is not None else None
    return policy(step.macro, where)


def _is_hidden(step: Step, policy: Policy) -> bool:
    """Whether this macro is hidden, or its name was written by one that is."""
    return fits(step, policy) or _is_written_by_hidden(step.name, policy)


def _is_written_by_hidden(token: Token, policy: Policy) -> bool:
    while True:
        match token.origin:
            case Source():
                return False
            case Passed():
                token = token.origin.token
            case Pasted():
                token = token.origin.left
            case Copied(definition, _, by):
                if policy(definition.name, definition.where):
                    return True
                token = by
            case _:
                token = token.origin.by


def _visible_prescan(
    timeline: Timeline, moment: Moment, shown_as: dict[int, int]
) -> tuple[Argument, int] | None:
    """The prescan that a moment happens in, or the closest one around it whose macro is shown."""
    prescan = moment.prescan
    while prescan is not None and prescan[1] not in shown_as:
        prescan = timeline.moments[prescan[1]].prescan
    return None if prescan is None else (prescan[0], shown_as[prescan[1]])


def merge(timeline: Timeline, start: int, stop: int, shown_as: dict[int, int]) -> Merged | None:
    """Moments `start` to `stop` as one; None if they do not change the line."""
    changing = [m for m in timeline.moments[start:stop] if not m.meeting]
    if not changing:
        return None
    before = timeline.state(start)
    first = changing[0]
    low, high = first.at, first.at + first.remove  # what they change, in the line before
    tokens = list(first.insert)
    for moment in changing[1:]:
        grown = len(tokens) - (high - low)
        reach = moment.at + moment.remove
        if reach - grown > high:
            tokens += before[high : reach - grown]
            high = reach - grown
        if moment.at < low:
            tokens[:0] = before[moment.at : low]
            low = moment.at
        tokens[moment.at - low : reach - low] = moment.insert
    outermost = min(timeline.moments[start:stop], key=lambda m: m.level)
    return Merged(
        first.step,
        low,
        high - low,
        tokens,
        outermost.level,
        False,
        0,
        _visible_prescan(timeline, outermost, shown_as),
        tuple(step for m in timeline.moments[start:stop] for step in _steps_of(m)),
    )


def _steps_of(moment: Moment) -> tuple[Step, ...]:
    return moment.steps if isinstance(moment, Merged) else (moment.step,)
