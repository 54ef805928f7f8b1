"""Timing calls that are to be compared, on a machine that is never quite quiet.

Three things make a benchmark lie. Data that the last call left in the cache makes the next one look
fast: so each contender's calls go round several sets of arguments. A machine that slows down for a
second hurts whoever runs just then: so the contenders take turns, a short batch each, and two of them
are compared round by round. And the first calls pay for what is never paid again: so they don't count.
What is reported is the median of the rounds and their interquartile range, which a few disturbed
rounds don't move.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

Clock = Callable[[], float]
Stopwatch = Callable[[Callable[[], object]], float]
"""Has it done, and says how many seconds that took."""

LEAST_ROUNDS, MOST_ROUNDS = 5, 200
NOISE = 0.25  # of the median: rounds that are spread wider are noisy
_LONGEST_BATCH = 2e-3  # more calls than that in one go only make the rounds fewer


class Cancelled(Exception):
    """Somebody asked for the measurement to stop."""


@dataclass(frozen=True)
class Contender:
    """What is timed: `function(*arguments)`, for each of several `arguments` in turn.

    stopwatch: by what; the clock of `measure` if None.
    most: how many calls it may time at once; as many as are worth it if None.
    """

    name: str
    function: Callable[..., object]
    arguments: Sequence[tuple[Any, ...]]
    stopwatch: Stopwatch | None = None
    most: int | None = None


@dataclass(frozen=True)
class Timing:
    """The seconds that one call took, in each round."""

    rounds: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.rounds)

    @property
    def spread(self) -> float:
        """The interquartile range: the middle half of the rounds lies within it."""
        if len(self.rounds) < 2:
            return 0.0
        low, _, high = statistics.quantiles(self.rounds, n=4, method="inclusive")
        return high - low

    @property
    def noisy(self) -> bool:
        """Whether the rounds differ so much that their median says little."""
        return self.spread > NOISE * self.median

    def times_faster_than(self, other: Timing) -> float:
        """The median over the rounds of `other`'s time ÷ this one's: above 1, this one is faster."""
        return statistics.median(self._ratios(other))

    def told_from(self, other: Timing) -> bool:
        """Whether this run can tell who is faster: most rounds agree on it, and so do the medians; and
        where the rounds are noisy, the medians are further apart than those are spread."""
        ahead = sorted(ratio > 1 for ratio in self._ratios(other))
        agree = ahead[len(ahead) // 4] == ahead[-1 - len(ahead) // 4]
        apart, ratio = other.median - self.median, self.times_faster_than(other)
        noise = max((timing.spread for timing in (self, other) if timing.noisy), default=0.0)
        return agree and apart * (ratio - 1) > 0 and abs(apart) > noise

    def _ratios(self, other: Timing) -> list[float]:
        """Round by round, `other`'s time ÷ this one's."""
        return [b / a for a, b in zip(self.rounds, other.rounds, strict=True)]


def measure(
    contenders: Sequence[Contender],
    seconds: float,
    *,
    clock: Clock = time.perf_counter,
    cancelled: Callable[[], bool] = lambda: False,
) -> dict[str, Timing]:
    """Each contender's timing, by name, from rounds that take about `seconds` in all.

    At least five rounds are run however long they take. Raises `Cancelled` between two batches once
    `cancelled()` is true, and whatever a contender's function raises.
    """
    longest = min(seconds / (len(contenders) * LEAST_ROUNDS * 3), _LONGEST_BATCH)
    collecting = gc.isenabled()
    gc.disable()
    try:
        rings = [cycle(contender.arguments) for contender in contenders]
        counts = [
            _warmed_up(contender, ring, longest, clock, cancelled)
            for contender, ring in zip(contenders, rings, strict=True)
        ]
        rounds: list[list[float]] = [[] for _ in contenders]
        order = list(range(len(contenders)))
        end = clock() + seconds
        while len(rounds[0]) < LEAST_ROUNDS or (clock() < end and len(rounds[0]) < MOST_ROUNDS):
            for i in order:
                if cancelled():
                    raise Cancelled
                seconds_taken = _timed(contenders[i], rings[i], counts[i], clock)
                rounds[i].append(seconds_taken / counts[i])
            order.reverse()  # whoever follows a contender finds the cache as that one left it
    finally:
        if collecting:
            gc.enable()
    return {c.name: Timing(tuple(r)) for c, r in zip(contenders, rounds, strict=True)}


def _warmed_up(
    contender: Contender,
    ring: Iterator[tuple[Any, ...]],
    longest: float,
    clock: Clock,
    cancelled: Callable[[], bool],
) -> int:
    """How many calls take about `longest` seconds: at least one."""
    _timed(contender, ring, len(contender.arguments), clock)
    count = 1
    while count != contender.most and _timed(contender, ring, count, clock) < longest / 2:
        if cancelled():
            raise Cancelled
        count = min(2 * count, contender.most or 2 * count)
    return count


def _timed(
    contender: Contender, ring: Iterator[tuple[Any, ...]], count: int, clock: Clock
) -> float:
    function, batch = contender.function, list(islice(ring, count))

    def work() -> None:
        for arguments in batch:
            function(*arguments)

    return (contender.stopwatch or by(clock))(work)


def by(clock: Clock, wait: Callable[[], object] = lambda: None) -> Stopwatch:
    """On the host's clock. `wait` returns when the work before it is done: on a GPU, a call only
    starts it."""

    def timed(work: Callable[[], object]) -> float:
        wait()
        started = clock()
        work()
        wait()
        return clock() - started

    return timed


def median_seconds(call: Callable[[int], object], most: int, enough: float = 1.0) -> float:
    """Of `most` calls, each told its number, or of fewer once they took `enough` seconds.

    For who wants to know about how long something takes; `measure` is for comparing.
    """
    times: list[float] = []
    while len(times) < most and sum(times) < enough:
        started = time.perf_counter()
        call(len(times))
        times.append(time.perf_counter() - started)
    return statistics.median(times)
