"""`VectorizedLoop2d`: one step of at most two dimensions, walked as its strides allow.

Where the output and all inputs lie element after element, a row goes through `vectorized_loop`: two
vectors at a time, and the few elements left over one by one. Where one input, `S`, has stride 0, it
is loaded once into a vector of equal elements, and the rest goes the same way. With any other strides
every element is loaded and stored by itself, in `basic_loop`. The tests are `is_contiguous<traits>`
and, for one input after the other, `is_contiguous_scalar<traits, S>`: exact comparisons of the inner
strides with the element's size.

The outer strides only say where the next row begins. Source: `ATen/native/cpu/Loops.h`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from registry_runtime.aten.stub.cpu_capability import CPUCapability
from registry_runtime.aten.tensor.scalar_type import ScalarType

if TYPE_CHECKING:
    from registry_runtime.aten.loops.build import MachineLoop


@dataclass(frozen=True, slots=True)
class LoopStep:
    """One call of `loop2d`: from element `begin` on, `size1` rows of `size0` elements.

    `S` is None for the strided way, 0 for the contiguous one, otherwise the input that is one scalar
    for a whole row. Each row takes `pairs` turns of two vectors; `tail` elements go one by one.
    `strides` are the inner ones, in bytes, the output's first.
    """

    thread: int
    begin: int
    size0: int
    size1: int
    S: int | None
    pairs: int
    tail: int
    strides: tuple[int, ...]

    @property
    def loop(self) -> str:
        return "basic_loop" if self.S is None or not self.pairs else "vectorized_loop"

    def __str__(self) -> str:
        if self.S is None:
            why = f"strides {', '.join(map(str, self.strides))}: basic_loop, element by element"
        else:
            how = f"input {self.S} is one scalar (stride 0)" if self.S else "contiguous"
            turns = "1 turn" if self.pairs == 1 else f"{self.pairs} turns"
            why = f"{how}: vectorized_loop, {turns} of two vectors, then {self.tail} one by one"
        return f"elements from {self.begin}: {self.size1} x {self.size0}, {why}"


@dataclass
class LoopStory:
    """What `for_each` did, filled as it runs. Of more than `MOST` steps the first ones are kept."""

    MOST = 256

    capability: CPUCapability | None = None
    T: ScalarType | None = None
    vector_size: int = 0
    numel: int = 0
    grain_size: int = 0
    ranges: tuple[tuple[int, int], ...] = ()
    steps: list[LoopStep] = field(default_factory=list)
    count: int = 0
    thread: int = 0

    def begin(self, numel: int, grain_size: int, ranges: tuple[tuple[int, int], ...]) -> None:
        self.numel, self.grain_size, self.ranges = numel, grain_size, ranges

    def add(self, step: LoopStep) -> None:
        self.count += 1
        if len(self.steps) < self.MOST:
            self.steps.append(step)

    def __str__(self) -> str:
        threads = (
            f"fewer than {self.grain_size} elements or one thread: serial_for_each"
            if len(self.ranges) == 1
            else f"parallel_for: {len(self.ranges)} ranges, {self.grain_size} a grain"
        )
        lines = [
            f"{self.T}, compiled for {self.capability}, {self.vector_size or 'no'} elements a vector",
            f"{self.numel} elements: {threads}",
            *map(str, self.steps),
        ]
        if self.count > len(self.steps):
            lines.append(f"and {self.count - len(self.steps)} steps more")
        return "\n".join(lines)


def is_contiguous(strides: Sequence[int], arity: int, itemsize: int, S: int = -1) -> bool:
    """`is_contiguous<traits>`, and `is_contiguous_scalar<traits, S>` for S > 0."""
    return all(strides[i] == (0 if i == S else itemsize) for i in range(arity + 1))


def unroll_contiguous_scalar_checks(strides: Sequence[int], arity: int, itemsize: int) -> int:
    """The first input that is one scalar while all else is contiguous; 0 if there is none."""
    for S in range(1, arity + 1):
        if is_contiguous(strides, arity, itemsize, S):
            return S
    return 0


class VectorizedLoop2d:
    """A loop that `for_each` calls: machine code, and the values that its lambda captured.

    `captured` are NumPy scalars of T. Calling the object runs one step, from Python.
    """

    def __init__(self, machine: MachineLoop, captured: Sequence[Any] = ()) -> None:
        self.machine = machine
        self.address = machine.address
        self._captured = np.frombuffer(
            b"".join(np.asarray(value).tobytes() for value in captured) or bytes(1), np.uint8
        )
        self.captured_at = int(self._captured.ctypes.data)

    def way(self, strides: Sequence[int]) -> int | None:
        """S of `LoopStep` for these inner strides, the output's first."""
        machine = self.machine
        if not machine.size:
            return None
        itemsize = machine.T.itemsize
        if is_contiguous(strides, machine.arity, itemsize):
            return 0
        return unroll_contiguous_scalar_checks(strides, machine.arity, itemsize) or None

    def step(
        self, strides: Sequence[int], size0: int, size1: int, begin: int, thread: int
    ) -> LoopStep:
        """How one call goes over memory. Nothing is run for it."""
        inner = tuple(strides[: self.machine.arity + 1])
        S, size = self.way(inner), self.machine.size
        pairs = 0 if S is None else size0 // (2 * size)
        return LoopStep(thread, begin, size0, size1, S, pairs, size0 - pairs * 2 * size, inner)

    def __call__(
        self,
        pointers: Sequence[int],
        strides: Sequence[int],
        size0: int,
        size1: int,
        begin: int = 0,
        story: LoopStory | None = None,
    ) -> None:
        from registry_runtime.aten.loops.drivers import run_loop2d  # with Numba

        if story is not None:
            story.add(self.step(strides, size0, size1, begin, story.thread))
        data, steps = np.array(pointers, np.int64), np.array(strides, np.int64)
        run_loop2d()(
            self.address, data.ctypes.data, steps.ctypes.data, size0, size1, self.captured_at
        )
