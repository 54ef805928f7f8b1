"""Two traces of one invocation, step beside step: where they agree, and where they part.

Steps that did exactly the same are matched first, as lines are by `diff`. Between those, a step stands
beside the next one on the other side that replaced the same macro; what is left has no partner. The
invocations of two files are matched in the same way, so that one finds its counterpart though lines
were added above it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property
from typing import TypeVar

from visualizer.expansion import Diagnostic
from visualizer.expansion.language import DIALECTS
from visualizer.expansion.moments import Moment, Timeline
from visualizer.expansion.tokens import Source, Token, spell
from visualizer.expansion.trace import Expansion
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.compilations import compilations

_T = TypeVar("_T")
_MOST = 4_000_000  # comparisons: what differs over longer stretches is paired by its place

Key = Callable[[_T], Hashable]


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two: an invocation of a file, and how the file was read, in a few words."""

    label: str
    bench: Workbench
    expansion: int

    @property
    def invocation(self) -> Expansion:
        return self.bench.expansions[self.expansion]

    @cached_property
    def timeline(self) -> Timeline:
        return self.bench.timeline(self.expansion)


@dataclass(frozen=True, slots=True)
class Pair:
    """Places on the left and on the right that belong together; None where there is no partner."""

    left: int | None
    right: int | None
    same: bool


def align(left: Sequence[_T], right: Sequence[_T], exact: Key[_T], alike: Key[_T]) -> list[Pair]:
    """All places of both sequences, in order."""
    pairs: list[Pair] = []
    exactly = [exact(item) for item in left], [exact(item) for item in right]
    for same, lefts, rights in _blocks(*exactly):
        if same:
            pairs += [Pair(i, j, True) for i, j in zip(lefts, rights, strict=True)]
            continue
        roughly = [alike(left[i]) for i in lefts], [alike(right[j]) for j in rights]
        for matched, some, others in _blocks(*roughly):
            some, others = _shift(some, lefts.start), _shift(others, rights.start)
            if matched:
                pairs += [Pair(i, j, False) for i, j in zip(some, others, strict=True)]
            else:
                pairs += [Pair(i, None, False) for i in some]
                pairs += [Pair(None, j, False) for j in others]
    return pairs


def align_steps(left: Timeline, right: Timeline) -> list[Pair]:
    """The moments of two timelines: the same if they did the same, alike if to the same macro."""
    return align(left.moments, right.moments, _what_happened, _to_whom)


def differing(left: Sequence[Token], right: Sequence[Token]) -> tuple[set[int], set[int]]:
    """The places of tokens that the other side hasn't."""
    texts = [t.text for t in left], [t.text for t in right]
    some: set[int] = set()
    others: set[int] = set()
    for same, lefts, rights in _blocks(*texts):
        if not same:
            some.update(lefts)
            others.update(rights)
    return some, others


def errors_apart(left: Workbench, right: Workbench) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """What is wrong with one text and not with the other. A line that was moved makes no difference."""
    every = [[d for d in of.diagnostics if d.severity == "error"] for of in (left, right)]
    said = [Counter(map(_wherever, errors)) for errors in every]
    more = said[0] - said[1], said[1] - said[0]
    apart: tuple[list[Diagnostic], list[Diagnostic]] = ([], [])
    for errors, left_over, found in zip(every, more, apart, strict=True):
        for error in reversed(errors):
            if left_over[_wherever(error)]:
                left_over[_wherever(error)] -= 1
                found.insert(0, error)
    return apart


def _wherever(error: Diagnostic) -> Diagnostic:
    """The same, as if it stood nowhere; without its hint, which may name the place of a definition."""
    return replace(error, where=Source("", 0, 0), hint="", end=None, through=(), notes=())


def counterpart(of: Side, other: Workbench) -> int | None:
    """The same invocation in another reading of the file, or None."""
    pairs = align(of.bench.expansions, other.expansions, _as_written, _macro)
    return next((pair.right for pair in pairs if pair.left == of.expansion), None)


def what_to_compare(bench: Workbench, expansion: int) -> Sequence[Side] | None:
    """The readings to choose two from, the first two first: an edited text and its file; the
    compilations of a file that is compiled several times; any file in both dialects. None where no
    other has such an invocation. Raises InputError if the file can't be read any more."""
    if bench.options.unsaved:
        on_disk = open_file(bench.path, replace(bench.options, unsaved=()))
        return before_and_after(on_disk, bench, expansion)
    compiled, dialects = as_compiled(bench, expansion), in_both_dialects(bench, expansion)
    if len(compiled) < 2:
        return dialects
    return [*compiled, *(s for s in dialects or () if s.bench is not bench)]


def as_compiled(bench: Workbench, expansion: int) -> list[Side]:
    """An invocation in each of the compilations of its file that come to it; none for a file that is
    compiled once. First comes how the file was opened, if flags were given for that."""
    # With the compiler that this one was read for, or its own macros would look like a difference.
    each = compilations(bench.main, replace(bench.options, macros=()))
    if len(each) == 1:
        return []
    here = Side("as opened", bench, expansion)
    sides = [here] if bench.options.macros else []
    for one in each:
        if set(one.options.macros) == set(bench.options.macros):
            sides[0] = replace(here, label=one.label)
            continue
        other = open_file(bench.path, one.options)
        found = counterpart(here, other)
        if found is not None:
            sides.append(Side(one.label, other, found))
    return sides


def before_and_after(
    before: Workbench, after: Workbench, expansion: int
) -> tuple[Side, Side] | None:
    """An invocation of a text that is being edited, and the same one in the file on disk; None where
    there is none."""
    now = Side("as edited", after, expansion)
    found = counterpart(now, before)
    return None if found is None else (Side("on disk", before, found), now)


def in_both_dialects(bench: Workbench, expansion: int) -> tuple[Side, Side] | None:
    """The invocation as the standard has it, and as Microsoft's traditional preprocessor does; None
    where the other doesn't know it. Raises InputError if the file can't be read any more."""
    here = Side(bench.options.dialect, bench, expansion)
    dialect = next(name for name in DIALECTS if name != here.label)
    other = open_file(bench.path, replace(bench.options, dialect=dialect))
    found = counterpart(here, other)
    if found is None:
        return None
    sides = {here.label: here, dialect: Side(dialect, other, found)}
    return sides[DIALECTS[0]], sides[DIALECTS[1]]


def _what_happened(moment: Moment) -> Hashable:
    removed = len(moment.step.arguments), moment.remove if not moment.meeting else 0
    return _to_whom(moment), removed, spell(moment.insert)


def _to_whom(moment: Moment) -> Hashable:
    return moment.step.kind, moment.step.macro, moment.meeting, moment.level


def _as_written(expansion: Expansion) -> Hashable:
    return spell(expansion.before)


def _macro(expansion: Expansion) -> Hashable:
    return expansion.macro


def _shift(places: range, by: int) -> range:
    return range(places.start + by, places.stop + by)


def _blocks(
    left: Sequence[Hashable], right: Sequence[Hashable]
) -> Iterator[tuple[bool, range, range]]:
    """Stretches that are the same on both sides, and stretches that aren't, in turns."""
    shortest = min(len(left), len(right))
    head = next((i for i in range(shortest) if left[i] != right[i]), shortest)
    tail = 0
    while tail < shortest - head and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    ends = len(left) - tail, len(right) - tail
    if head:
        yield True, range(head), range(head)
    if (ends[0] - head) * (ends[1] - head) > _MOST:
        yield False, range(head, ends[0]), range(head, ends[1])
    else:
        matcher = SequenceMatcher(None, left[head : ends[0]], right[head : ends[1]], False)
        for tag, a, b, c, d in matcher.get_opcodes():
            yield tag == "equal", _shift(range(a, b), head), _shift(range(c, d), head)
    if tail:
        yield True, range(ends[0], len(left)), range(ends[1], len(right))
