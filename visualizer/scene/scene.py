"""What there is to see at one state of one expansion, worked out without a window.

The screen hands the same `Scene` to all of its widgets, and each draws its part of it. A scene is
never changed; a step makes a new one. So two widgets can't disagree about where the reader is, and
everything that decides *what* is shown can be tested without a terminal.

The reader stands between two moments: one has *happened*, the other comes *next*. The card shows one
of the two macros, by default the next one: it is the rule that is about to change the line. The
parameters of that macro have a hue each, and only of that macro, or a hue would not say anything.
Facing forward, the hues lie on the arguments in the line, facing back on the tokens that the
parameters brought.

While a lesson's question waits for its answer, a scene keeps to itself what is still to come: the card
has the definition alone, and where the question is which macro comes next, not even that.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from visualizer.expansion.diagnostics import Code, Note
from visualizer.expansion.hiding import Merged, narration
from visualizer.expansion.moments import Moment, Timeline
from visualizer.expansion.sentences import ending, meeting, sentence
from visualizer.expansion.tokens import Token, first_made, written_at
from visualizer.expansion.views import FINE, Look, View
from visualizer.frameworks.presenter import presenter_of
from visualizer.messages import _, ngettext
from visualizer.scene.marks import Bound, Piece, arguments_in_line, consumed, pieces_of, produced

if TYPE_CHECKING:
    from visualizer.expansion.trace import Expansion
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Shown

Facing = Literal["next", "last"]


@dataclass(frozen=True, eq=False)
class Scene:
    """State `state` of expansion `expansion`, as one looks at it, with the card facing the next moment
    or the last. `token` is one that the reader follows, `seen` a line of the source that is to be seen
    even if it is not the invocation's, `asked` the question that waits, in the words of a lesson's
    `truth`, and `picture` one that the card draws, where it finds anything to draw."""

    bench: Workbench
    expansion: int
    state: int
    facing: Facing = "next"
    look: Look = FINE
    token: Token | None = None
    seen: int | None = None
    asked: str = ""
    picture: str = ""

    @property
    def invocation(self) -> Expansion:
        return self.bench.expansions[self.expansion]

    @cached_property
    def view(self) -> View:
        return self.bench.view(self.expansion, self.look)

    @property
    def timeline(self) -> Timeline:
        """The moments that there are to stop at."""
        return self.view.timeline

    @property
    def whole_state(self) -> int:
        """The state of the whole timeline, of which nothing is hidden."""
        return self.view.in_whole(self.state)

    def at(self, state: int) -> Scene:
        """Another state of the same expansion, or the nearest that there is."""
        return replace(self, state=min(max(state, 0), len(self.timeline)))

    def at_whole(self, state: int) -> Scene:
        """The first state in which all has happened that had in that one of the whole timeline."""
        return replace(self, state=self.view.from_whole(state))

    def looked_at(self, look: Look) -> Scene:
        """The same place, looked at in another way."""
        return replace(self, look=look, state=0).at_whole(self.whole_state)

    @cached_property
    def followed(self) -> int | None:
        """Where the followed token stands on the line, if it does."""
        if self.token is None:
            return None
        first = first_made(self.token)
        there = [i for i, t in enumerate(self.tokens) if t is self.token or first_made(t) is first]
        return next((i for i in there if self.tokens[i] is self.token), there[0] if there else None)

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
        return range(0) if self.upcoming is None or self.asks_next else consumed(self.upcoming)

    @cached_property
    def produced(self) -> range:
        """The tokens that the last moment put in."""
        return range(0) if self.happened is None else produced(self.happened)

    @property
    def vanished(self) -> bool:
        """Whether the last moment took tokens out and put none in."""
        moment = self.happened
        return moment is not None and moment.remove > 0 and not moment.insert

    @property
    def asks_next(self) -> bool:
        """Whether it is asked which macro comes next, or inside of which."""
        return self.asked in ("next", "inside")

    @property
    def told(self) -> int:
        """How many moments may be told of: where something is asked, only those that have happened."""
        return self.state if self.asked else len(self.timeline)

    @property
    def faces_back(self) -> bool:
        """Whether the card shows what has happened; at the beginning, nothing has."""
        return self.facing == "last" and self.state > 0

    @property
    def card(self) -> Moment | None:
        """The moment whose macro the card shows. None if it is what comes next, and nothing does, or
        that is what is asked."""
        if self.faces_back:
            return self.happened
        return None if self.asks_next else self.upcoming

    @cached_property
    def taken(self) -> tuple[Note, ...]:
        """Of a card whose macro is refused for the number of its arguments: what was taken for each."""
        step = None if self.card is None else self.card.step
        if step is None or step.kind != "refused" or self.asked:
            return ()
        place = written_at(step.insert[0])
        of_arguments = (d for d in self.bench.diagnostics if d.code is Code.ARGUMENT_COUNT)
        return next((d.notes for d in of_arguments if d.where == place), ())

    def turned(self) -> Scene:
        """The same state with the other card."""
        return replace(self, facing="last" if self.facing == "next" else "next")

    @cached_property
    def bound(self) -> list[Bound]:
        """The arguments in the line that the card's parameters are bound to, in order. Facing back
        there are none, for they have gone, except where an invocation was only met."""
        moment = self.card
        if moment is None or self.asked or (self.faces_back and not moment.meeting):
            return []
        return arguments_in_line(moment)

    @cached_property
    def hued(self) -> range:
        """The stretch of the line in which tokens may have a hue."""
        if self.bound:
            return range(self.bound[0][0].start, self.bound[-1][0].stop)
        return self.produced if self.faces_back else range(0)

    def pieces(self, index: int) -> Sequence[Piece]:
        """A token's text with its hue; in parts where `##` made it of a parameter and other things."""
        token = self.tokens[index]
        moment = self.card
        if moment is None or index not in self.hued:
            return ((token.text, None),)
        if self.bound:
            return ((token.text, self._hue_at(index)),)
        return pieces_of(token, moment.step.name)

    def _hue_at(self, index: int) -> int | None:
        place = bisect_right(self.bound, index, key=lambda b: b[0].start) - 1
        if place < 0 or index not in self.bound[place][0]:
            return None
        return self.bound[place][1]

    def summary(self) -> str:
        """What the whole expansion did, for the end of it."""
        steps, before = len(self.timeline), len(self.invocation.before)
        after = len(self.timeline.state(steps))
        text = _("{steps} turned {tokens} into {after:,}.").format(
            steps=ngettext("{count:,} step", "{count:,} steps", steps).format(count=steps),
            tokens=ngettext("{count:,} token", "{count:,} tokens", before).format(count=before),
            after=after,
        )
        made = [e.registration for e in self.bench.entries if e.expansion == self.expansion]
        if made:
            text += f" {presenter_of(made[0]).became(made)}"
        return text

    def happened_text(self) -> str:
        moment = self.happened
        if moment is None:
            return _("{name} stands in the source. → does the first step.").format(
                name=self.invocation.macro
            )
        return _told(moment)

    def upcoming_text(self) -> str:
        """Nothing where something is asked: what comes next is, or leads to, the answer."""
        if self.asked:
            return ""
        moment = self.upcoming
        if moment is None:
            return ending(self.invocation)
        return _told(moment)

    def invocations(self) -> list[str]:
        """The macros that the next moment happens inside of, outermost first, hidden ones too."""
        return self.view.whole.invocations(self.whole_state)

    @cached_property
    def registry(self) -> list[Shown]:
        return self.bench.registry_at(self.expansion, self.whole_state)

    @cached_property
    def births(self) -> list[int]:
        """The states of this expansion in which a registry entry is complete for the first time."""
        mine = [e for e in self.bench.entries if e.expansion == self.expansion]
        return sorted({self.view.from_whole(self.bench.born(entry)[1]) for entry in mine})


def _told(moment: Moment) -> str:
    if isinstance(moment, Merged):
        return narration(moment)
    return meeting(moment.step) if moment.meeting else sentence(moment.step)
