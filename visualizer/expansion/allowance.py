"""What one invocation may take, and the looks at what it has taken.

Steps are counted, memory is looked at from time to time, and of an invocation that has come some way it
is asked, once, whether it is sure never to end (`runaway`). What goes past a limit is stopped by an
exception that says so; what was traced until then is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from visualizer.expansion import memory, under_way
from visualizer.expansion.definitions import Definition
from visualizer.expansion.runaway import sure
from visualizer.expansion.tokens import Token

RECORDED, UNRECORDED = 200, 90  # bytes that a token takes in the end, put in once more
_MANY = 10_000  # tokens that are worth a look before they are put in
_BETWEEN = 20_000  # tokens put in, and steps, between two looks at the memory that is held
_SOME, _MUCH = 5_000, 500_000  # steps, and tokens put in, before it is asked where they lead
_MORE_STEPS = 4  # times as many, where none is recorded
_OF_ALL = 5  # times as many again, of all invocations of a file
_LONG = 50_000  # tokens put in, and steps, which nobody wants to wait for when they ask for a step


class LimitReached(Exception):
    """Expansion grew past a limit. What was traced until then is kept. What `took_long` to get there
    is not tried again only to see how it came about."""

    hint = ""
    took_long = False


class FileLimitReached(LimitReached):
    """It took all that reading the file may take: nothing behind is read."""


class MemoryReached(FileLimitReached):
    """All the memory."""

    def __init__(self) -> None:
        said, self.hint = memory.said()
        super().__init__(f"expansion {said}")


def expect_memory(tokens: int, records: bool) -> None:
    """Raises MemoryReached if so many tokens can't be put in, and CalledOff."""
    if tokens > _MANY:
        look(tokens * (RECORDED if records else UNRECORDED))


def look(more: int = 0) -> None:
    """Raises MemoryReached if so many bytes more can't be held, and CalledOff."""
    if memory.is_spent(more):
        raise MemoryReached


class Allowance:
    """Of the invocation that is under way."""

    def __init__(
        self, step_limit: int, macros: Mapping[str, Definition], to_come: Callable[[], int]
    ) -> None:
        self._step_limit = step_limit
        self._macros = macros
        self._to_come = to_come  # the steps that are sure to come, by what was done
        self._under_way = under_way.current()
        self.steps = 0
        self.put_in = 0
        self._all_steps = 0  # those before this invocation
        self._unweighed = 0
        self._begun: Sequence[Token] = ()  # what is expanded, until it is known not to run away
        self._next_look = _SOME  # at what is to come, in steps

    def begin(self, tokens: Sequence[Token]) -> None:
        self._all_steps += self.steps
        self.steps, self.put_in, self._begun, self._next_look = 0, 0, tokens, _SOME

    def take(self, put_in: int, unpaid: Sequence[Token] = ()) -> None:
        """A step that puts in so many tokens. Tokens that are `unpaid` take memory only in the end.
        Raises LimitReached, and CalledOff where nobody waits any more."""
        self.steps += 1
        self.put_in += 1 + put_in
        self._unweighed += 1 + put_in
        if self._unweighed < _BETWEEN:
            return
        self._unweighed = 0
        look(len(unpaid) * UNRECORDED)
        most = _OF_ALL * _MORE_STEPS * self._step_limit
        if self._all_steps + self.steps > most:
            raise FileLimitReached(f"expansion stopped after {most:,} steps of all invocations")
        if (self.steps > _SOME or self.put_in > _MUCH) and self._begun:
            coming = sure(self._begun, self._macros)
            self._begun = ()
            self._expect(coming.steps)
            look(coming.tokens * UNRECORDED)
        if self.steps > self._next_look:
            self._next_look = 2 * self.steps
            self._expect(self.steps + self._to_come())

    def _expect(self, steps: int) -> None:
        """Raises LimitReached if it takes so many, and they are too many."""
        most = _MORE_STEPS * self._step_limit
        if steps > most:
            raise LimitReached(f"expansion stopped, since it takes more than {most:,} steps")

    def at_once(self, steps: int, put_in: int) -> None:
        """So many steps of an invocation like others, which stayed below its limits. Raises
        MemoryReached, and CalledOff."""
        self.begin(())
        self.take(put_in)
        self._under_way.step(steps)

    def recorded(self) -> None:
        """The step is in the trace. Raises LimitReached if no other is allowed, and CalledOff."""
        self._under_way.step()
        if self.steps >= self._step_limit:
            raise LimitReached(f"expansion stopped after {self._step_limit:,} steps")

    def unrecorded(self) -> None:
        """The step is in no trace. Raises LimitReached."""
        most = _MORE_STEPS * self._step_limit
        if self.steps >= most:
            limit = LimitReached(f"expansion stopped after {most:,} steps")
            limit.took_long = True
            raise limit

    def is_spent_postponed(self) -> bool:
        """Behind a step: whether they are too many to be recorded later. Raises CalledOff."""
        self._under_way.step()
        return self.put_in > _LONG or self.steps >= self._step_limit
