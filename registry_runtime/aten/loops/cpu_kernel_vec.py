"""`cpu_kernel` and `cpu_kernel_vec`: what an element-wise kernel of PyTorch comes down to.

A kernel hands over an iterator and its function, once for elements and once for vectors. A C++
lambda captures what it needs besides the elements, `alpha` converted to the element's type; here a
`Lambda` says so openly. Whether operands of other types must be cast for it was settled when the
iterator was built: on the CPU by temporary tensors, which `cast_outputs` copies back at the end.

Source: `ATen/native/cpu/Loops.h`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.loops.for_each import GRAIN_SIZE, for_each
from registry_runtime.aten.loops.vectorized_loop2d import LoopStory, VectorizedLoop2d
from registry_runtime.aten.stub.cpu_capability import CPUCapability, can_run
from registry_runtime.aten.tensor.scalar_type import ScalarType


@dataclass(slots=True)
class Noted:
    """What was seen of a call by whoever makes a plan of it: which loops ran over which iterators,
    and whether a body looked at a tensor's sizes or elements, on which it may depend what it does."""

    loops: list[tuple[Any, VectorizedLoop2d, int]] = field(default_factory=list)
    looked: bool = False


noting: ContextVar[Noted | None] = ContextVar("noting", default=None)


class Lambda(NamedTuple):
    """`function(*elements, *captured)`; what is captured are NumPy scalars, of the element's type
    unless `types` says of which."""

    function: Callable[..., Any]
    captured: tuple[Any, ...] = ()
    types: tuple[ScalarType, ...] = ()


def cpu_kernel_vec(
    iter: Any,
    op: Lambda,
    vop: Lambda | None,
    capability: CPUCapability,
    grain_size: int = GRAIN_SIZE,
) -> None:
    """Runs `op` over all elements of `iter`, `vop` where a whole vector can be had.

    All operands have the iterator's common dtype. A story that lies at `iter.loop_story` is told how.
    Raises TorchError where this processor lacks the instructions of `capability`.
    """
    loop = make_vectorized_loop2d(op, vop, len(iter.operands) - 1, iter.common_dtype, capability)
    if (noted := noting.get()) is not None:
        noted.loops.append((iter, loop, grain_size))
    refuse_to_run(capability)
    story: LoopStory | None = getattr(iter, "loop_story", None)
    if story is not None:
        story.capability, story.T = capability, iter.common_dtype
        story.vector_size = loop.machine.size
    for_each(iter, loop, grain_size, story)
    iter.cast_outputs()


def cpu_kernel(iter: Any, op: Lambda, capability: CPUCapability) -> None:
    """Runs `op` over all elements of `iter`, one by one."""
    cpu_kernel_vec(iter, op, None, capability)


def make_vectorized_loop2d(
    op: Lambda, vop: Lambda | None, arity: int, T: ScalarType, capability: CPUCapability
) -> VectorizedLoop2d:
    """The compiled loop for `T` and `capability`, with what `op` captured."""
    from registry_runtime.aten.loops.build import machine_loop  # with which Numba comes

    captures = op.types or (T,) * len(op.captured)
    machine = machine_loop(op.function, vop and vop.function, arity, captures, T, capability)
    return VectorizedLoop2d(machine, op.captured)


def refuse_to_run(capability: CPUCapability) -> None:
    """Raises TorchError where this processor lacks the instructions: PyTorch would just crash."""
    if not can_run(capability):
        raise TorchError(
            f"the {capability} variant was compiled, and this processor can't run it",
            hint="set ATEN_CPU_CAPABILITY to a capability that it has, or unset it",
        )
