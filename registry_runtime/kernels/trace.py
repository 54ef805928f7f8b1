"""`trace` and `trace_grad`: the sum along a diagonal, and where its gradient goes.

A diagonal is a view whose step is a row and a column at once, so `trace` is `sum` on that view. Its
gradient is the output's, all along the diagonal, and 0 everywhere else.

Source: `paddle/phi/kernels/trace_kernel.h`, `trace_grad_kernel.h`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.kernels import cpu, dtypes, gpu
from registry_runtime.kernels.full import fill
from registry_runtime.kernels.reduce import accumulator, adder
from registry_runtime.kernels.template import Context, KernelTemplate, Out, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.backward import GeneralUnaryGradInferMeta
from registry_runtime.phi.infermeta.unary import TraceInferMeta


def signature(
    dev_ctx: Context, x: DenseTensor, offset: int, axis1: int, axis2: int, out: Out
) -> None: ...


def grad_signature(
    dev_ctx: Context,
    x: DenseTensor,
    out_grad: DenseTensor,
    offset: int,
    axis1: int,
    axis2: int,
    in_grad: Out,
) -> None: ...


def numba_build(loops: Any, T: DataType) -> cpu.Compiled:
    add, compiled = adder(T, T)

    def run(x: Any, offset: int, axis1: int, axis2: int, out: Any) -> None:
        diagonal = np.ascontiguousarray(x.diagonal(offset, axis1, axis2))
        sums = add(diagonal, [-1], out)
        if sums is not out:
            out[...] = sums.reshape(out.shape)

    return compiled._replace(run=run)


def grad_build(loops: Any, T: DataType) -> cpu.Compiled:
    write, cached, code = fill(loops, T)
    zero = T.numpy.type(0)

    def run(x: Any, grad: Any, offset: int, axis1: int, axis2: int, in_grad: Any) -> None:
        write(zero, in_grad)
        diagonal = in_grad.diagonal(offset, axis1, axis2)
        diagonal.setflags(write=True)  # a view of an array of ours
        diagonal[...] = grad[..., None]

    return cpu.Compiled(run, cached, code)


def summed(xp: Any, x: Any, *where: int) -> Any:
    U = accumulator(DataType.of(x.dtype))
    return x.diagonal(*where).astype(U.numpy).sum(-1)


def reference(x: DenseTensor, *where: int) -> Any:
    return summed(np, np.asarray(x), *where)


def grad_reference(x: DenseTensor, out_grad: DenseTensor, *where: int) -> Any:
    in_grad = np.zeros(x.dims, x.dtype.numpy)
    diagonal = in_grad.diagonal(*where)
    diagonal.setflags(write=True)
    diagonal[...] = np.asarray(out_grad)[..., None]
    return in_grad


def cupy_build(T: DataType) -> Any:
    import cupy

    def run(x: Any, offset: int, axis1: int, axis2: int, out: Any) -> None:
        out[...] = summed(cupy, x, offset, axis1, axis2)

    return run


def cupy_grad(T: DataType) -> Any:
    def run(x: Any, grad: Any, offset: int, axis1: int, axis2: int, in_grad: Any) -> None:
        in_grad[...] = 0
        in_grad.diagonal(offset, axis1, axis2)[...] = grad[
            ..., None
        ]  # CuPy's view can be written to

    return run


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    n = max(1, int(size**0.5))
    return random_array(T, (n, n), rng), 0, 0, 1


def grad_sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    x, *where = sample(T, size, rng)
    return x, random_array(T, (), rng), *where


TraceKernel = KernelTemplate(
    name="phi::TraceKernel",
    signature=signature,
    dtypes=dtypes.FLOATS | dtypes.COMPLEX | dtypes.INTEGERS,
    infer_meta=TraceInferMeta,
    reference=reference,
    builders={"CPU": cpu.function(numba_build), "GPU": gpu.function(cupy_build)},
    sample=sample,
    bytes_moved=lambda x, *_: min(x.dims) * x.dtype.numpy.itemsize,
    roundings=16,
    magnitude=lambda x, *where: np.abs(np.asarray(x).diagonal(*where).astype(np.complex128)).sum(
        -1
    ),
)
TraceGradKernel = KernelTemplate(
    name="phi::TraceGradKernel",
    signature=grad_signature,
    dtypes=dtypes.FLOATS | dtypes.COMPLEX | dtypes.INTEGERS,
    infer_meta=GeneralUnaryGradInferMeta,
    param=("x",),
    reference=grad_reference,
    builders={"CPU": cpu.function(grad_build), "GPU": gpu.function(cupy_grad)},
    sample=grad_sample,
    bytes_moved=lambda *args: int(args[-1].data.nbytes),  # x is never read
)
