"""A function in a stub's slot: a kernel for iterators, compiled for one instruction set.

Its body is a `switch` over the iterator's common dtype (`AT_DISPATCH_SWITCH`), and which case is
taken, the C++ text decides: take a case out, and that dtype is not implemented. The body is run once
for each dtype, on `Scalar`s that only know which argument they are. What it hands to `cpu_kernel` and
`cpu_kernel_vec` meanwhile is noted, and is what every call with that dtype does from then on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from registry_runtime.aten.bodies import run
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.loops import cpu_kernel_vec as loops
from registry_runtime.aten.loops.cpu_kernel_vec import Noted, noting
from registry_runtime.aten.loops.for_each import GRAIN_SIZE
from registry_runtime.aten.native import instead_of
from registry_runtime.aten.stub.cpu_capability import CPUCapability
from registry_runtime.aten.stub.dispatch_stub import DispatchStub, only_planning
from registry_runtime.aten.stub.stub_choice import StubChoice
from registry_runtime.aten.stub.traced import ArgumentScalar, Operation, operation
from registry_runtime.aten.tensor.device import CPU
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.world import World
from registry_runtime.cxx import (
    CxxError,
    CxxFunction,
    Lambda,
    unknown_call,
    without_reference_and_const,
)


@dataclass(frozen=True, slots=True)
class LoopCall:
    """`cpu_kernel_vec(iter, op, vop)` in a body; `vop` None for `cpu_kernel`."""

    op: Operation
    vop: Operation | None
    grain_size: int

    def run(
        self,
        iter: Any,
        arguments: tuple[Any, ...],
        capability: CPUCapability,
    ) -> None:
        inputs, takes = len(iter.operands) - 1, self.op.arity
        if inputs != takes:
            raise TorchError(f"this loop's function takes {takes} elements, of {inputs} inputs")
        if not all(operand.device == CPU for operand in iter.operands):
            raise TorchError("this kernel is the CPU's, and the tensors are on another device")
        vop = self.vop.bind(arguments) if self.vop is not None else None
        op = self.op.bind(arguments)
        loops.cpu_kernel_vec(iter, op, vop, capability, self.grain_size)


class Asked(Protocol):
    """A loop that a body asks for: over elements, or a reduction."""

    def run(self, iter: Any, arguments: tuple[Any, ...], capability: CPUCapability) -> None: ...


class _Recording(threading.local):
    """The loops that the body which runs in this thread has asked for, if one is being recorded."""

    calls: list[Asked] | None = None


_recording = _Recording()


@contextmanager
def planning() -> Iterator[None]:
    """Calls in this thread find out which loops they ask for, and compute no element."""
    before, only_planning.on = only_planning.on, True
    try:
        yield
    finally:
        only_planning.on = before


class StubKernel:
    """A stub's function pointer. `capability` is the slot that it was compiled for, None for a
    device's; `key` is printed: `AVX2`, `CUDA`."""

    def __init__(
        self,
        source: CxxFunction | Lambda,
        stub: DispatchStub,
        key: str,
        capability: CPUCapability | None,
        world: World,
    ) -> None:
        self.source, self.stub, self.key, self.capability = source, stub, key, capability
        self.function = str(source)
        self._world = world
        self._stand_in = instead_of(source) if key == "CUDA" else None
        self._plans: dict[ScalarType, tuple[Asked, ...]] = {}

    @property
    def runnable(self) -> bool:
        """Whether a call can run it: somebody wrote it in Python, or its body is understood."""
        return self._stand_in is not None or unknown_call(self.source) is None

    @property
    def stood_in(self) -> CxxFunction | None:
        """The C++ function that Python's runs in the place of; None where its body is interpreted."""
        source = self.source
        return source if self._stand_in and isinstance(source, CxxFunction) else None

    def __call__(self, iter: Any, *arguments: Any) -> None:
        """Compute what the iterator is set up for. Raises TorchError for a dtype without a case."""
        for story in self._world.stub_stories:
            story.append(self._choice())
        arguments = tuple(map(self._converted, range(1, len(arguments) + 1), arguments))
        if self._stand_in is not None:
            self._stand_in(iter, *arguments)
            return
        capability = self.capability or CPUCapability.DEFAULT
        asked = self.loops(iter, *arguments)
        for call in () if only_planning.on else asked:
            call.run(iter, arguments, capability)

    def _converted(self, index: int, argument: Any) -> Any:
        # A number where a `const Scalar&` is wanted becomes one.
        type = self.source.type
        if type is None or isinstance(argument, Scalar) or index >= len(type.parameters):
            return argument
        taken = str(without_reference_and_const(type.parameters[index].type))
        return Scalar(argument) if taken.endswith("::Scalar") else argument

    def loops(self, iter: Any, *arguments: Any) -> tuple[Asked, ...]:
        """The loops that the body asks for; none of them is run. Raises TorchError as a call does,
        and CxxError for a body that isn't understood."""
        T = iter.common_dtype
        return self._plans.get(T) or self._planned(T, iter, arguments)

    def _choice(self) -> StubChoice:
        filled = tuple(str(slot) for slot, kernel in self.stub.slots.items() if kernel is not None)
        return StubChoice(self.stub.name, self.key, self.function, filled)

    def plan(self, T: ScalarType) -> tuple[Asked, ...] | None:
        """What calls with this common dtype do, if there was one and they all do the same."""
        return self._plans.get(T)

    def _planned(self, T: ScalarType, iter: Any, arguments: tuple[Any, ...]) -> tuple[Asked, ...]:
        symbolic = (
            ArgumentScalar(i) if isinstance(a, Scalar) else a for i, a in enumerate(arguments)
        )
        try:
            calls, looked = self._recorded(lambda: self.source(iter, *symbolic))
        except CxxError:
            # A body that looks at the number itself: it has to be run each time.
            return self._recorded(lambda: run(self.source, iter, *arguments))[0]
        if not looked:
            self._plans[T] = calls
        return calls

    def _recorded(self, body: Callable[[], object]) -> tuple[tuple[Asked, ...], bool]:
        """The loops that a body asks for, and whether it looked at a size or at an element first, so
        that it may ask for others the next time."""
        before, _recording.calls = _recording.calls, []
        outer, noted = noting.get(), Noted()
        token = noting.set(noted)
        try:
            body()
            return tuple(_recording.calls), noted.looked
        finally:
            noting.reset(token)
            _recording.calls = before
            if outer is not None:
                outer.looked = outer.looked or noted.looked


def cpu_kernel_vec(iter: Any, op: object, vop: object, grain_size: int = GRAIN_SIZE) -> None:
    """What C++ text calls: notes the loop, or runs it where no stub's body is recorded."""
    T = iter.common_dtype
    of_elements = operation(op, T, is_vector=False)
    of_vectors = None
    if vop is not None:  # both are handed all that either of them captures
        of_vectors = operation(vop, T, is_vector=True, captured=of_elements.captured)
        of_elements = of_elements.taking(of_vectors.captured)
    noted_or_run(iter, LoopCall(of_elements, of_vectors, grain_size))


def noted_or_run(iter: Any, call: Asked) -> None:
    """What a body asks for: noted if a stub's body is recorded, and run where none is."""
    if _recording.calls is not None:
        _recording.calls.append(call)
    elif not only_planning.on:
        call.run(iter, (), CPUCapability.DEFAULT)


def cpu_kernel(iter: Any, op: object, grain_size: int = GRAIN_SIZE) -> None:
    """The same without a form for vectors."""
    cpu_kernel_vec(iter, op, None, grain_size)
