"""What `cpp_samples/fluid/trace_op.h` declares and leaves to others: diagonals, and sums along them.

Source: `paddle/fluid/operators/trace_op.h`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from registry_runtime.fluid.compute import OutputTensor
from registry_runtime.fluid.native import only_checking
from registry_runtime.phi.contexts import DeviceContext
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.kernel_template import KernelError

if TYPE_CHECKING:
    from registry_runtime.phi.kernel_template import Instance


def Diagonal(
    T: DataType, dev_ctx: DeviceContext, input: DenseTensor, offset: int, dim1: int, dim2: int
) -> DenseTensor:
    """A view, whose step is a row and a column at once."""
    data = _elements(T, "input", input)
    try:
        return DenseTensor(data.diagonal(offset, dim1, dim2))
    except ValueError as error:
        raise KernelError(f"Diagonal: {error}") from None


def SumLastAxis(T: DataType, dev_ctx: DeviceContext, x: DenseTensor, out: DenseTensor) -> None:
    from registry_runtime.kernels.reduce import SumKernel

    data, sums = _elements(T, "x", x), _elements(T, "out", out)
    if not x.dims or (sums.size != data.size // max(x.dims[-1], 1) and x.dims[-1]):
        raise _other_dims("SumLastAxis", x, out)
    # A matrix's trace has one axis in Fluid, and none in PHI: the memory is the same.
    target = sums.reshape(x.dims[:-1])
    packed = _library(data).ascontiguousarray(data)
    _launch(SumKernel.instantiate(T, dev_ctx.name), packed, [-1], T, False, out=target)
    _fill(out)


def FillDiagonals(
    T: DataType,
    dev_ctx: DeviceContext,
    values: DenseTensor,
    offset: int,
    dim1: int,
    dim2: int,
    out: DenseTensor,
) -> None:
    from registry_runtime.kernels.trace import TraceGradKernel

    data, filled = _elements(T, "values", values), _elements(T, "out", out)
    library = _library(filled)
    dims = library.broadcast_to(library.zeros((), filled.dtype), filled.shape)  # nobody reads it
    instance = TraceGradKernel.instantiate(T, dev_ctx.name)
    _launch(instance, dims, data, offset, dim1, dim2, out=filled)
    _fill(out)


def _launch(instance: Instance, *arguments: Any, out: Any) -> None:
    # Of a dry run it is known beforehand that the kernel can be built.
    if not only_checking.on:
        instance.launch(*arguments, out=out)


def _elements(T: DataType, name: str, tensor: object) -> Any:
    if not isinstance(tensor, DenseTensor):
        raise InvalidArgument(f"{name}: a tensor is wanted")
    if not tensor.has_allocation():
        raise InvalidArgument(
            f"{name} has no memory yet", hint="out->mutable_data<T>(context.GetPlace()) takes it"
        )
    if tensor.dtype is not T:
        raise InvalidArgument(f"{name} holds {tensor.dtype}, and is asked for {T}")
    return tensor.data


def _other_dims(function: str, x: DenseTensor, out: DenseTensor) -> InvalidArgument:
    return InvalidArgument(f"{function}: x has dims {list(x.dims)}, and out {list(out.dims)}")


def _fill(out: DenseTensor) -> None:
    if isinstance(out, OutputTensor):
        out.is_filled = True


def _library(array: Any) -> Any:
    """NumPy or CuPy."""
    return sys.modules[type(array).__module__.partition(".")[0]]
