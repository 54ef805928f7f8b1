"""Several ranks in one process, and what they tell one another.

A kernel that is written for many devices says what one of them does; where it needs the others it
calls NCCL, which all of them must do alike. Here each rank is a thread and an exchange is a table on
which everybody lays a copy and from which everybody takes all. One thread runs at a time, and lets go
where it has to wait: so what is added is added in one order, and kernels that share a device, or
pretend to one, don't meet.

Ring 0 is all ranks; if they are on several nodes, ring 1 is those of one's own node and ring 2 those
that have one's own number on the other nodes.

Source: `python/paddle/incubate/optimizer/distributed_fused_lamb.py`, which makes these rings.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from registry_runtime.phi.kernel_template import KernelError

Result = TypeVar("Result")


@dataclass
class _World:
    """`turn` is held by the rank that runs."""

    nranks: int
    per_node: int
    turn: threading.Condition = field(default_factory=threading.Condition)
    rings: dict[tuple[int, ...], _Ring] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    failures: list[BaseException] = field(default_factory=list)


@dataclass
class _Ring:
    given: dict[int, Any] = field(default_factory=dict)
    taken: list[Any] = field(default_factory=list)
    rounds: int = 0


_HERE: ContextVar[tuple[_World, int]] = ContextVar("_HERE")


@dataclass(frozen=True)
class Communicator:
    """One rank's end of a ring. Raises KernelError where another rank doesn't take part."""

    world: _World
    members: tuple[int, ...]
    rank: int  # in this ring

    def exchange(self, value: Any) -> list[Any]:
        """Everybody's, by rank."""
        turn, me = self.world.turn, self.members[self.rank]
        ring = self.world.rings.setdefault(self.members, _Ring())
        ring.given[me] = value.copy()
        if len(ring.given) == len(self.members):
            ring.taken = [ring.given[member] for member in self.members]
            ring.given, ring.rounds = {}, ring.rounds + 1
            turn.notify_all()
            return ring.taken
        awaited = ring.rounds + 1
        turn.wait_for(lambda: ring.rounds == awaited or self.world.gone & {*self.members})
        if ring.rounds < awaited:
            gone = min(self.world.gone & {*self.members})
            raise KernelError(f"rank {me} waits for rank {gone}, which has left")
        return ring.taken

    def all_reduce(self, x: Any) -> Any:
        """The sum, which everybody gets. Half precision adds in half precision, as NCCL does."""
        first, *others = self.exchange(x)
        total = first.copy()
        for other in others:
            total += other
        return total

    def reduce_scatter(self, x: Any) -> Any:
        """A part of the sum for each, in the order of the ranks."""
        count = x.size // len(self.members)
        return self.all_reduce(x)[self.rank * count : (self.rank + 1) * count]

    def all_gather(self, part: Any, whole: Any) -> None:
        """Everybody's part, one behind the other, into `whole`."""
        for rank, other in enumerate(self.exchange(part)):
            whole[rank * part.size : (rank + 1) * part.size] = other


def communicator(ring_ids: list[int], which: int) -> Communicator:
    """This rank's end of the ring that a kernel has in this place of `ring_ids`. Raises KernelError."""
    if which >= len(ring_ids):
        raise KernelError(f"ring_ids is {ring_ids}; so many ranks need {which + 1} rings")
    try:
        world, me = _HERE.get()
    except LookupError:
        raise KernelError(
            f"ring {ring_ids[which]} has no ranks: a call with nranks > 1 is one of several, made at "
            "the same time, by registry_runtime.kernels.distributed_fused_lamb.ranks.together"
        ) from None
    node = me // world.per_node * world.per_node
    rings = [
        tuple(range(world.nranks)),
        tuple(range(node, node + world.per_node)),
        tuple(range(me % world.per_node, world.nranks, world.per_node)),
    ]
    if not 0 <= ring_ids[which] < len(rings):
        raise KernelError(f"there is no ring {ring_ids[which]}; there are 0, 1 and 2")
    members = rings[ring_ids[which]]
    return Communicator(world, members, members.index(me))


def together(
    nranks: int, work: Callable[[int], Result], per_node: int | None = None
) -> list[Result]:
    """`work(rank)` of every rank, each in its thread. Raises what the first rank to fail raised."""
    world = _World(nranks, per_node or nranks)
    results: dict[int, Result] = {}

    def run(rank: int) -> None:
        _HERE.set((world, rank))
        with world.turn, np.errstate(all="ignore"):
            try:
                results[rank] = work(rank)
            except BaseException as error:
                world.failures.append(error)
            world.gone.add(rank)
            world.turn.notify_all()

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(nranks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if world.failures:
        raise world.failures[0]
    return [results[rank] for rank in range(nranks)]
