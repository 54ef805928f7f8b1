"""What the body of a reduction's kernel calls: `binary_kernel_reduce_vec`, and `cascade_sum`.

Like the loops over elements, they are noted while a stub's kernel is recorded, and run for each call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.check_names import Arguments, scalar_type
from registry_runtime.aten.loops.cpu_kernel_vec import noting, refuse_to_run
from registry_runtime.aten.stub.cpu_capability import CPUCapability
from registry_runtime.aten.stub.stub_kernel import noted_or_run
from registry_runtime.aten.stub.traced import Operation, operation
from registry_runtime.aten.tensor.scalar_type import ScalarType

_HALVES = (ScalarType.Half, ScalarType.BFloat16)


@dataclass(frozen=True, slots=True)
class ReduceCall:
    """A reduction that a body asks for, in elements of type `wide`."""

    op: Callable[..., Any]
    vop: Callable[..., Any]
    identity: float
    T: ScalarType
    wide: ScalarType

    def run(self, iter: Any, arguments: tuple[Any, ...], capability: CPUCapability) -> None:
        from registry_runtime.aten.loops.reduce import reduce_over  # with which Numba comes

        if (noted := noting.get()) is not None:
            noted.looked = True  # no loop over elements, which a plan could be made of
        refuse_to_run(capability)
        reduce_over(iter, self.op, self.vop, self.identity, self.T, self.wide, capability)


def binary_kernel_reduce_vec(iter: Any, op: object, vop: object, ident: float = 0.0) -> None:
    """`at::native::binary_kernel_reduce_vec`, for functions that capture nothing."""
    T = iter.common_dtype
    one, several = operation(op, T, is_vector=False), operation(vop, T, is_vector=True)
    noted_or_run(iter, ReduceCall(_joins(one), _joins(several), float(ident), T, T))


def _joins(of: Operation) -> Callable[..., Any]:
    if of.arity != 2 or of.captured:
        raise TorchError("not understood: a reduction by a function that does not just join two")
    return of.function


def _sum(x0: Any, x1: Any) -> Any:
    return x0 + x1


def cascade_sum(arguments: Arguments) -> Callable[[Any], None]:
    """`cascade_sum<ignore_nan, scalar_t>(iter)`."""
    if len(arguments) != 2 or arguments[0].value is not False:
        raise TorchError("not understood: a sum that leaves out what is no number")
    T = scalar_type(arguments[1:])
    wide = ScalarType.Float if T in _HALVES else T

    def run(iter: Any) -> None:
        if iter.common_dtype is not T:
            said = f"the elements here are `{iter.common_dtype.cpp}`, and not `{T.cpp}`"
            raise TorchError(f"{said}: the loop would read other bytes")
        noted_or_run(iter, ReduceCall(_sum, _sum, 0.0, T, wide))

    return run
