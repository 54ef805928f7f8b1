"""What there is to see at one state of one expansion, worked out without a window.

The screen hands the same `Scene` to all of its widgets, and each draws its part of it. A scene is
never changed; a step makes a new one. So two widgets can't disagree about where the reader is, and
everything that decides *what* is shown can be tested without a terminal.

The reader stands between two moments: one has *happened*, the other comes *next*. The card shows one
of the two macros, by default the next one: it is the rule that is about to change the line. The
parameters of that macro have a hue each, and only of that macro, or a hue would not say anything.
Facing forward, the hues lie on the arguments in the line, facing back on the tokens that the
parameters brought.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from visualizer.expansion.moments import Moment, Timeline
from visualizer.expansion.sentences import meeting, sentence
from visualizer.expansion.tokens import Body, Passed, Pasted, Stringized, Token

if TYPE_CHECKING:
    from visualizer.expansion.definitions import Definition
    from visualizer.expansion.trace import Expansion
    from visualizer.workbench import Shown, Workbench

HUES = 8

Facing = Literal["next", "last"]
Piece = tuple[str, int | None]  # a part of a token's text, and its hue
Bound = tuple[range, int]  # the line's tokens that are one argument, and its parameter's hue


@dataclass(frozen=True, eq=False)
class Scene:
    """State `state` of expansion `expansion`, with the card facing the next moment or the last."""

    bench: Workbench
    expansion: int
    state: int
    facing: Facing = "next"

    @property
    def invocation(self) -> Expansion:
        return self.bench.trace.expansions[self.expansion]

    @cached_property
    def timeline(self) -> Timeline:
        return self.bench.timeline(self.expansion)

    @cached_property
    def tokens(self) -> Sequence[Token]:
        """The line, and behind it the source tokens that complete what it began."""
        return [*self.timeline.state(self.state), *self.bench.tail(self.expansion)]

    @cached_property
    def tail(self) -> range:
        """Where in `tokens` the source tokens behind the invocation stand."""
        return range(len(self.tokens) - len(self.bench.tail(self.expansion)), len(self.tokens))

    @cached_property
    def happened(self) -> Moment | None:
        return self.timeline.moments[self.state - 1] if self.state else None

    @cached_property
    def upcoming(self) -> Moment | None:
        at_end = self.state >= len(self.timeline)
        return None if at_end else self.timeline.moments[self.state]

    @cached_property
    def consumed(self) -> range:
        """The tokens that the next moment takes out, or whose arguments it is going to prescan."""
        moment = self.upcoming
        if moment is None:
            return range(0)
        return range(
            moment.at, moment.at + (moment.step.remove if moment.meeting else moment.remove)
        )

    @cached_property
    def produced(self) -> range:
        """The tokens that the last moment put in."""
        moment = self.happened
        return range(0) if moment is None else range(moment.at, moment.at + len(moment.insert))

    @property
    def vanished(self) -> bool:
        """Whether the last moment took tokens out and put none in."""
        moment = self.happened
        return moment is not None and moment.remove > 0 and not moment.insert

    @property
    def faces_back(self) -> bool:
        """Whether the card shows what has happened; at the beginning, nothing has."""
        return self.facing == "last" and self.state > 0

    @property
    def card(self) -> Moment | None:
        """The moment whose macro the card shows. None if it is what comes next, and nothing does."""
        return self.happened if self.faces_back else self.upcoming

    def turned(self) -> Scene:
        """The same state with the other card."""
        return replace(self, facing="last" if self.facing == "next" else "next")

    @cached_property
    def bound(self) -> list[Bound]:
        """The arguments in the line that the card's parameters are bound to, in order. Facing back
        there are none, for they have gone, except where an invocation was only met."""
        moment = self.card
        if moment is None or (self.faces_back and not moment.meeting):
            return []
        return _arguments_in_line(moment)

    def pieces(self, index: int) -> Sequence[Piece]:
        """A token's text with its hue; in parts where `##` made it of a parameter and other things."""
        token = self.tokens[index]
        moment = self.card
        if moment is None:
            return ((token.text, None),)
        if self.bound:
            return ((token.text, self._hue_at(index)),)
        if self.faces_back and index in self.produced:
            return pieces_of(token, moment.step.name)
        return ((token.text, None),)

    def _hue_at(self, index: int) -> int | None:
        place = bisect_right(self.bound, index, key=lambda b: b[0].start) - 1
        if place < 0 or index not in self.bound[place][0]:
            return None
        return self.bound[place][1]

    def summary(self) -> str:
        """What the whole expansion did, for the end of it."""
        steps, before = len(self.timeline), len(self.invocation.before)
        after = len(self.timeline.state(steps))
        text = f"{counted(steps, 'step')} turned {counted(before, 'token')} into {after:,}."
        made = sum(e.expansion == self.expansion for e in self.bench.entries)
        if made:
            kernels = "1 kernel is" if made == 1 else f"{made} kernels are"
            text += f" {kernels} in the registry because of it; r runs the one that is selected."
        return text

    def happened_text(self) -> str:
        moment = self.happened
        if moment is None:
            return f"{self.invocation.macro} stands in the source. → does the first step."
        return meeting(moment.step) if moment.meeting else sentence(moment.step)

    def upcoming_text(self) -> str:
        moment = self.upcoming
        if moment is None:
            return "Nothing is left to replace: this is what the compiler reads."
        return meeting(moment.step) if moment.meeting else sentence(moment.step)

    def invocations(self) -> list[str]:
        """The macros that the next moment happens inside of, outermost first."""
        return self.timeline.invocations(self.state)

    @cached_property
    def registry(self) -> list[Shown]:
        return self.bench.registry_at(self.expansion, self.state)

    @cached_property
    def births(self) -> list[int]:
        """The states of this expansion in which a registry entry is complete for the first time."""
        mine = [e for e in self.bench.entries if e.expansion == self.expansion]
        return sorted({self.bench.born(entry)[1] for entry in mine})


def counted(number: int, noun: str) -> str:
    """`1 token`, `2,000 tokens`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def hue_of(definition: Definition | None, parameter: str) -> int | None:
    """The number of a parameter's hue. With more parameters than hues, they come round again."""
    if definition is None or parameter not in definition.parameter_set:
        return None
    return definition.all_parameters.index(parameter) % HUES


def pieces_of(token: Token, by: Token) -> Sequence[Piece]:
    """A token's text, in parts if `##` made it, each with the hue of the parameter that brought it
    in the invocation `by`."""
    match token.origin:
        case Passed(definition, place, by=name) if name is by:
            return ((token.text, hue_of(definition, definition.replacement[place].text)),)
        case Stringized(definition, place, by=name) if name is by:
            operand = definition.replacement[place + 1].text
            return ((token.text, hue_of(definition, operand)),)
        case Pasted(by=name, left=left, right=right) if name is by:
            return (*pieces_of(left, by), *pieces_of(right, by))
        case Body(definition, place, by=name) if name is by and not token.text:
            return ()  # a placemarker
        case _:
            return ((token.text, None),)


def _arguments_in_line(moment: Moment) -> list[Bound]:
    """Where the arguments of an invocation stand in the line. At the moment of its replacement, they
    have been prescanned where they stood, and those behind have moved."""
    step = moment.step
    found, grown = [], 0
    for argument in sorted(step.arguments, key=lambda a: a.start):
        length = len(argument.raw)
        if not moment.meeting and argument.prescan and argument.prescan.steps:
            length = len(argument.prescan.after)
        start = moment.at + argument.start + grown
        grown += length - len(argument.raw)
        hue = hue_of(step.definition, argument.parameter)
        if hue is not None and length:
            found.append((range(start, start + length), hue))
    return found
