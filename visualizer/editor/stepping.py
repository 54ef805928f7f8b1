"""A document that steps: an invocation at one of its states, as text, under a URI of its own.

`unfold:/40.1/home/me/kernel.cc` is what stands in line 40, column 1 of that file. The document moves:
*next* and *back* lead to another state of the same invocation, and the URI stays. So does the document
when the file is edited, as far as there still is such a state.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from visualizer.editor.laid_out import WIDTH, laid_out
from visualizer.editor.standing import Standing
from visualizer.expansion import Token
from visualizer.expansion.moments import Moment
from visualizer.expansion.tokens import Source, first_made
from visualizer.expansion.wording import counted, elided
from visualizer.layout.row_breaks import filled
from visualizer.messages import _
from visualizer.scene.scene import Scene
from visualizer.workbench.bench import Workbench

SCHEME = "unfold"
LEVEL, WHOLE, ARGUMENT = "level", "whole", "argument"  # how far an invocation is expanded
MOST_ROWS = 500  # of a list of steps, told at once
_MOST = 64  # documents whose states are kept
_PATH = re.compile(r"/(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(/.*)", re.DOTALL)


class Address(NamedTuple):
    """The invocation that a document is of: its file and place; and the `argument` that is expanded in
    it, where only one is, counted from 1."""

    path: str
    line: int
    column: int
    argument: int = 0

    def uri(self) -> str:
        argument = f".{self.argument}" if self.argument else ""
        return f"{SCHEME}:/{self.line}.{self.column}{argument}{quote(self.path)}"


def address(uri: str) -> Address | None:
    """What a URI says; None of any that isn't a document's."""
    parts = urlsplit(uri)
    m = _PATH.fullmatch(unquote(parts.path)) if parts.scheme == SCHEME else None
    if m is None or "\0" in m[4]:
        return None
    return Address(os.path.abspath(m[4]), int(m[1]), int(m[2]), int(m[3] or 0))


@dataclass(frozen=True, slots=True)
class Still:
    """A document as it is now: its text, where its tokens are, and which of them the last step changed
    or the next one takes. `code` is where the code begins, behind what is said above it."""

    text: str
    tokens: Sequence[Token]
    starts: Sequence[int]
    changed: range
    taken: range
    state: int
    last: int
    code: int


class Walks:
    """The state of each document, of the last that were looked at."""

    def __init__(self) -> None:
        self._states: dict[Address, int] = {}  # whatever of a URI a client writes with %

    def state(self, where: Address) -> int:
        return self._states.get(where, 0)

    def put(self, where: Address, state: int) -> None:
        self._states.pop(where, None)
        self._states[where] = max(state, 0)
        while len(self._states) > _MOST:
            del self._states[next(iter(self._states))]


def index_of(bench: Workbench, where: Address) -> int | None:
    """Which invocation a document is of; a line that has gone has none."""
    each = enumerate(bench.expansions)
    here = [i for i, e in each if e.where[1:] == (where.line, where.column)]
    return here[0] if here else bench.expansion_at(where.line)


def page(bench: Workbench, where: Address, state: int) -> Still | None:
    """The document at a state, or the nearest that there is; None where nothing is invoked."""
    index = index_of(bench, where)
    if index is None:
        return None
    if where.argument:
        return _of_argument(bench, index, where.argument)
    scene = Scene(bench, index, 0).at(state)
    told = [
        _("{macro}, {file}:{line}: {state} of {steps}").format(
            macro=elided(scene.invocation.macro),
            file=os.path.basename(where.path),
            line=scene.invocation.where.line,
            state=scene.state,
            steps=counted(len(scene.timeline), "step"),
        ),
        scene.happened_text()
        if scene.happened is not None
        else _("{name} stands in the source.").format(name=elided(scene.invocation.macro)),
        _("Next: {what}").format(what=scene.upcoming_text())
        if scene.upcoming is not None
        else scene.summary(),
    ]
    tokens = scene.timeline.state(scene.state)
    return _page(told, tokens, scene.produced, scene.consumed, scene.state, len(scene.timeline))


def _of_argument(bench: Workbench, index: int, number: int) -> Still | None:
    """The invocation with one of its arguments expanded, as the prescan does it."""
    expansion = bench.expansions[index].recorded()
    step = expansion.steps[0] if expansion.steps else None
    if step is None or not 1 <= number <= len(step.arguments):
        return None
    one = step.arguments[number - 1]
    made = one.raw if one.prescan is None else one.prescan.after
    before = expansion.before
    tokens = [*before[: one.start], *made, *before[one.start + len(one.raw) :]]
    told = _("{macro}, its argument {parameter} expanded").format(
        macro=elided(expansion.macro), parameter=one.parameter
    )
    changed = range(one.start, one.start + len(made))
    return _page([told], tokens, changed, range(0), 0, 0)


def _page(
    told: Sequence[str],
    tokens: Sequence[Token],
    changed: range,
    taken: range,
    state: int,
    last: int,
) -> Still:
    rows = (row for text in told for line in text.split("\n") for row in filled(line, WIDTH - 3))
    above = "".join(f"// {row}\n" for row in rows) + "\n"
    code = laid_out(tokens)
    starts = [len(above) + start for start in code.starts]
    return Still(f"{above}{code.text}\n", tokens, starts, changed, taken, state, last, len(above))


class StepRow(NamedTuple):
    """A moment in a list of steps: the state behind it, the macro and what happens, how many others
    happen inside of it, and the moment at which the list goes on behind those."""

    state: int
    macro: str
    text: str
    inside: int
    over: int


def rows(bench: Workbench, where: Address, first: int, last: int) -> list[StepRow]:
    """The moments from one up to another that aren't inside of any of these, in order, of the first
    hundreds; [] where nothing is invoked, or one argument alone is expanded."""
    index = index_of(bench, where)
    if index is None or where.argument:
        return []
    scene = Scene(bench, index, 0)
    found, k, end = list[StepRow](), max(first, 0), min(last, len(scene.timeline))
    while k < end and len(found) < MOST_ROWS:
        over = min(scene.timeline.over(k), end)
        macro = elided(scene.timeline.moments[k].step.macro)
        found.append(StepRow(k + 1, macro, scene.at(k + 1).happened_text(), over - k - 1, over))
        k = over
    return found


def state_of(at: Standing, how: str) -> int:
    """The state to begin at, of what is invoked at a place and expanded so far."""
    name = at.token if at.step is not None else None
    if how == LEVEL:
        return first_of(at.bench, at.index, name)
    if how == WHOLE:
        last = len(at.bench.timeline(at.index))
        inner = name is not None and not at.is_name
        whole = whole_of(at.bench, at.index, 0, name) if inner and name else None
        return last if whole is None else whole
    return 0


def first_of(bench: Workbench, index: int, token: Token | None) -> int:
    """The state behind the moment that replaces a name of the source, where it is one of the
    invocation's arguments; else the first."""
    where = token.origin if token is not None else None
    moments = bench.timeline(index).moments
    for k, moment in enumerate(moments):
        if not moment.meeting and first_made(moment.step.name).origin == where:
            return k + 1 if isinstance(where, Source) and k and token is not None else 1
    return 1


def whole_of(bench: Workbench, index: int, state: int, token: Token) -> int | None:
    """Of a token on the line, the state in which what it invokes has come to its end; None where it
    invokes nothing from here on."""
    timeline = bench.timeline(index)
    first = first_made(token)
    for k in range(state, len(timeline)):
        if _name(timeline.moments[k]) is first:
            return timeline.over(k)
    return None


def next_of(bench: Workbench, index: int, state: int, token: Token) -> int | None:
    """Of a token on the line, the state behind the moment at which it is replaced."""
    timeline = bench.timeline(index)
    first = first_made(token)
    for k in range(state, len(timeline)):
        if _name(timeline.moments[k]) is first and not timeline.moments[k].meeting:
            return k + 1
    return None


def token_at(shown: Still, offset: int) -> Token | None:
    """The token of a document at an offset of its text."""
    for token, start in zip(shown.tokens, shown.starts, strict=True):
        if start <= offset < start + len(token.text):
            return token
    return None


def _name(moment: Moment) -> Token:
    return first_made(moment.step.name)
