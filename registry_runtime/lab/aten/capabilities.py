"""One kernel of a dispatch stub, built for every instruction set that PyTorch builds for.

A stub holds one function for each, compiled from one source. What differs is the machine code: how
wide its registers are, how many elements they hold, and so how long a loop takes over elements that
lie in the cache. All are built, whichever slots are filled; those that this processor can't run are
only shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.loops.cpu_kernel_vec import Noted, noting
from registry_runtime.aten.loops.for_each import for_each
from registry_runtime.aten.runtime import Runtime
from registry_runtime.aten.stub.cpu_capability import CPUCapability, can_run, capabilities
from registry_runtime.aten.stub.dispatch_stub import DispatchStub
from registry_runtime.aten.stub.stub_kernel import StubKernel
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor_iterator import (
    BINARY_OP_CONFIG,
    UNARY_OP_CONFIG,
    TensorIterator,
)
from registry_runtime.cxx import unknown_part
from registry_runtime.kernels.machine_code import hot_loop, simd_width
from registry_runtime.lab.aten.trial import dtype_named, random_tensor, refusal
from registry_runtime.lab.timing import median_seconds
from registry_runtime.near import did_you_mean
from registry_runtime.phi.kernel_template import KernelError

if TYPE_CHECKING:
    from registry_runtime.aten.loops.vectorized_loop2d import VectorizedLoop2d

_ROUNDS = 25
SAMPLE_SIZE = 10_000  # three arrays of floats stay in the nearest caches


@dataclass(frozen=True)
class Build:
    """What a capability made of the kernel. `slot` says what the stub holds for it: the function,
    `nullptr`, or nothing. `bits` is the width of the registers in the loop where the time is spent,
    `elements` how many a vector has, and `seconds` one pass; None where it can't be run here."""

    capability: CPUCapability
    slot: str
    chosen: bool
    bits: int
    elements: int
    loop: str
    assembly: str
    seconds: float | None


def stub_named(runtime: Runtime, name: str) -> DispatchStub:
    """Raises KernelError, with what there is, for a name that no file declares."""
    if name in runtime.stubs:
        return runtime.stubs[name]
    hint = did_you_mean(name, runtime.stubs, f"there is {', '.join(runtime.stubs) or 'none'}")
    raise KernelError(f"no stub is named '{name}'; {hint}")


def builds(
    runtime: Runtime, name: str, dtype: str = "float32", size: int = SAMPLE_SIZE
) -> list[Build]:
    """The kernel for each capability. Raises KernelError where the stub holds nothing that runs."""
    stub = stub_named(runtime, name)
    kernels = [k for k in stub.slots.values() if isinstance(k, StubKernel)]
    if not kernels:
        raise KernelError(f"no CPU slot of {name} is filled: REGISTER_DISPATCH fills one")
    if not kernels[0].runnable:
        unknown = unknown_part(kernels[0].source)
        body = f", whose body isn't understood at `{unknown}`" if unknown else ""
        raise KernelError(
            f"{name} holds {kernels[0].function}{body}, and nobody wrote it in Python"
        )
    chosen = stub.chosen()
    return [
        _build(runtime, stub, kernels[0], capability, chosen, dtype, size)
        for capability in capabilities()
    ]


def report(found: list[Build]) -> Iterator[str]:
    """A line for each capability, and how much faster it is than the first."""
    base = found[0].seconds
    yield "capability  slot                      registers  elements  time        against DEFAULT"
    for one in found:
        mark = "*" if one.chosen else " "
        took = "can't run here" if one.seconds is None else f"{one.seconds * 1e6:,.2f} µs"
        ratio = f"{base / one.seconds:.2f} ×" if base and one.seconds else ""
        yield (
            f"{mark} {one.capability!s:9} {one.slot:25} {one.bits or '-':>4} bits  {one.elements:8}  "
            f"{took:10}  {ratio}"
        ).rstrip()
    yield "* is the slot that a call takes on this machine."


def _build(
    runtime: Runtime,
    stub: DispatchStub,
    kernel: StubKernel,
    capability: CPUCapability,
    chosen: CPUCapability,
    dtype: str,
    size: int,
) -> Build:
    compiled = StubKernel(kernel.source, stub, f"CPU {capability}", capability, runtime.world)
    iter, loop, grain = _noted(compiled, dtype, size)
    assembly = loop.machine.assembly()
    hot = hot_loop(assembly)
    held = stub.slots.get(capability, "empty")
    return Build(
        capability,
        held.function if isinstance(held, StubKernel) else "nullptr" if held is None else "empty",
        capability is chosen,
        hot.bits if hot else simd_width(assembly),
        loop.machine.size,
        hot.text if hot else "",
        assembly,
        _seconds(iter, loop, grain) if can_run(capability) else None,
    )


def _noted(kernel: StubKernel, dtype: str, size: int) -> tuple[Any, VectorizedLoop2d, int]:
    """Run the kernel once, and catch the loop that it runs: over two inputs, or if its function
    takes but one, over one. Raises KernelError."""
    extra = [Scalar(1)] * _extra_arguments(kernel)
    problem: Exception | None = None
    ran = False
    for inputs in (2, 1):
        iterator = _iterator(dtype, size, inputs)
        noted = Noted()
        token = noting.set(noted)
        try:
            kernel(iterator, *extra)
            ran = True
        except Exception as error:
            # Which number of inputs its lambda has, only its compiler finds out.
            problem = problem or error
        noting.reset(token)
        if noted.loops:
            return noted.loops[0]
    if problem is None or ran:
        raise KernelError(
            f"{kernel.function} runs no loop over elements, so its builds have nothing to compare; "
            "a loop is what cpu_kernel or cpu_kernel_vec runs"
        )
    said = problem.message if isinstance(problem, TorchError) else type(problem).__name__
    raise refusal(f"{kernel.function} can't be run for {dtype}: {said}", problem)


def _extra_arguments(kernel: StubKernel) -> int:
    """How many numbers it takes behind the iterator."""
    kind = kernel.source.type
    return len(kind.parameters) - 1 if kind is not None else 0


def _iterator(dtype: str, size: int, inputs: int) -> TensorIterator:
    rng, T = np.random.default_rng(0), dtype_named(dtype)
    iterator = TensorIterator()
    config = BINARY_OP_CONFIG() if inputs == 2 else UNARY_OP_CONFIG()
    config.add_output(None)
    for _ in range(inputs):
        config.add_const_input(random_tensor(T, (size,), rng))
    iterator.build(config)
    return iterator


def _seconds(iterator: Any, loop: VectorizedLoop2d, grain: int) -> float:
    for_each(iterator, loop, grain)
    return median_seconds(lambda _: for_each(iterator, loop, grain), _ROUNDS)
