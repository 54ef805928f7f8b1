"""The same loop in each instruction set, side by side: its registers, its assembly, its time.

Which set is best depends on the work. `add` waits for memory, and in a large array every level takes
the same time; a polynomial of sixteen steps computes, and each level halves it or better. What the
processor can't run is compiled and shown all the same, without a time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from registry_runtime.aten.loops.cpu_kernel_vec import Lambda, make_vectorized_loop2d
from registry_runtime.aten.loops.vectorized import fmadd
from registry_runtime.aten.loops.vectorized_loop2d import VectorizedLoop2d
from registry_runtime.aten.native.ufunc_add import add, add_vectorized
from registry_runtime.aten.stub.cpu_capability import CPUCapability, can_run, capabilities
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.kernels.machine_code import HotLoop, hot_loop

STEPS = 16
_ROUNDS = 15


@dataclass(frozen=True, slots=True)
class Level:
    """A loop as compiled for one capability.

    `seconds` is the time of one call, None where this processor lacks the instructions;
    `compile_seconds` what building took, next to nothing where it was cached.
    """

    capability: CPUCapability
    vector_size: int
    hot_loop: HotLoop | None
    compile_seconds: float
    seconds: float | None

    def __str__(self) -> str:
        bits = self.hot_loop.bits if self.hot_loop else 0
        timed = (
            "compiled; this processor can't run it"
            if self.seconds is None
            else f"{self.seconds * 1e6:.2f} µs"
        )
        return f"{self.capability}: {self.vector_size} a vector, {bits}-bit registers, {timed}"


def add_levels(T: ScalarType, elements: int = 10_000) -> tuple[Level, ...]:
    """`add` of two arrays of `T`, in each capability of this kind of processor."""
    one = (np.ones(1, T.numpy)[0],) if T is not ScalarType.ComplexHalf else (np.zeros(1, T.numpy),)
    vop = None if T is ScalarType.Bool else Lambda(add_vectorized, one)
    return tuple(_levels(Lambda(add, one), vop, 2, T, elements))


def polynomial_levels(
    T: ScalarType = ScalarType.Float, elements: int = 10_000
) -> tuple[Level, ...]:
    """A polynomial of `STEPS` coefficients, of each element of one array of Float or Double."""
    coefficients = tuple(np.ones(STEPS, T.numpy) / np.arange(1, STEPS + 1, dtype=T.numpy))
    op, vop = Lambda(horner(vector=False), coefficients), Lambda(horner(vector=True), coefficients)
    return tuple(_levels(op, vop, 1, T, elements))


def horner(*, vector: bool) -> Any:
    """`x -> (…(c0 * x + c1) * x + …)`, its coefficients captured."""
    names = [f"c{i}" for i in range(STEPS)]
    text = names[0]
    for name in names[1:]:
        text = f"fmadd({text}, x, {name})" if vector else f"({name} + {text} * x)"
    return eval(f"lambda x, {', '.join(names)}: {text}", {"fmadd": fmadd})


def _levels(
    op: Lambda, vop: Lambda | None, arity: int, T: ScalarType, elements: int
) -> Iterator[Level]:
    for capability in capabilities():
        loop = make_vectorized_loop2d(op, vop, arity, T, capability)
        machine = loop.machine
        seconds = _timed(loop, arity, T, elements) if can_run(capability) else None
        code = hot_loop(machine.assembly())
        yield Level(capability, machine.size, code, machine.seconds, seconds)


def _timed(loop: VectorizedLoop2d, arity: int, T: ScalarType, elements: int) -> float:
    """The best of many: what another process takes away is no property of the loop."""
    from registry_runtime.aten.loops.drivers import run_loop2d  # with Numba

    arrays = [np.zeros(elements, T.numpy) for _ in range(arity + 1)]
    pointers = np.array([array.ctypes.data for array in arrays], np.int64)
    strides = np.array([T.itemsize] * (arity + 1) + [0] * (arity + 1), np.int64)
    arguments: Sequence[int] = (
        loop.address,
        pointers.ctypes.data,
        strides.ctypes.data,
        elements,
        1,
        loop.captured_at,
    )
    run, best = run_loop2d(), float("inf")
    calls = max(1, 200_000 // elements)
    for _ in range(_ROUNDS):
        started = time.perf_counter()
        for _ in range(calls):
            run(*arguments)
        best = min(best, (time.perf_counter() - started) / calls)
    return best
