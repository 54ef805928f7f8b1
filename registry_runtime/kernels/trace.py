"""`trace` and `trace_grad`: the sum along a diagonal, and where its gradient goes.

A diagonal is a view whose step is a row and a column at once, so `trace` is `sum` on that view. Its
gradient is the output's, all along the diagonal, and 0 everywhere else.

Source: `paddle/phi/kernels/trace_kernel.h`, `trace_grad_kernel.h`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from registry_runtime.kernels import cpu, cuda_source, dtypes, gpu
from registry_runtime.kernels.full import fill
from registry_runtime.kernels.reduce import accumulator, adder
from registry_runtime.kernels.template import Context, KernelTemplate, Out, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import EnforceNotMet
from registry_runtime.phi.infermeta.backward import GeneralUnaryGradInferMeta
from registry_runtime.phi.infermeta.unary import TraceInferMeta
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.meta_tensor import MetaTensor


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


def check_grad(T: DataType, x: Any, out_grad: Any, offset: int, axis1: int, axis2: int) -> None:
    """Raises KernelError unless `out_grad` has the dims that `trace` gives for this `x`.

    InferMeta looks at neither; in C++ the kernel would read beyond the dims. A matrix's trace was of
    dims [1] before there were tensors without dims, so its gradient may be.
    """
    out = MetaTensor()
    try:
        TraceInferMeta(MetaTensor(tuple(x.shape), T), offset, axis1, axis2, out)
    except EnforceNotMet as error:
        raise KernelError(f"phi::TraceGradKernel: {error.message}") from None
    if tuple(out_grad.shape) not in (out.dims, out.dims or (1,)):
        raise KernelError(
            f"phi::TraceGradKernel: out_grad has dims {list(out_grad.shape)}, and the trace of x, "
            f"whose dims are {list(x.shape)}, has {list(out.dims)}: pass the gradient of that"
        )


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
        check_grad(T, x, grad, offset, axis1, axis2)
        write(zero, in_grad)
        diagonal = in_grad.diagonal(offset, axis1, axis2)
        diagonal.setflags(write=True)  # a view of an array of ours
        diagonal[...] = grad[..., None]

    return cpu.Compiled(run, cached, code)


def reference(x: DenseTensor, *where: int) -> Any:
    diagonal = np.asarray(x).diagonal(*where)
    if x.dtype in dtypes.HALF:
        return diagonal.astype(np.float32).sum(-1)
    return diagonal.sum(-1, dtype=np.int64 if diagonal.dtype.kind in "biu" else None)


def grad_reference(x: DenseTensor, out_grad: DenseTensor, *where: int) -> Any:
    check_grad(x.dtype, np.asarray(x), np.asarray(out_grad), *where)
    in_grad = np.zeros(x.dims, x.dtype.numpy)
    diagonal = in_grad.diagonal(*where)
    diagonal.setflags(write=True)
    diagonal[...] = np.asarray(out_grad)[..., None]
    return in_grad


CUDA = """
// x of (outer, rows, middle, columns, inner) to out of (outer, middle, inner)
extern "C" __global__ void trace(
    const T* x, T* out, long long lines, long long length, int lanes, long long rows,
    long long middle, long long columns, long long inner, long long offset) {
  Line line(lines, length, middle * inner, lanes);
  long long m = over(line.number, inner), o = over(m, middle), step = middle * columns * inner;
  x += o * rows * step + (m - o * middle) * columns * inner + line.number - m * inner;
  x += offset < 0 ? -offset * step : offset * inner;
  U total = 0;
  for (long long i = line.lane; i < line.length; i += lanes)
    total = total + wide(x[i * (step + inner)]);
  total = folded(total, line, lanes, Plus());
  if (line.lane == 0 && line.number < lines) out[line.number] = T(total);
}

// grad of (outer, middle, inner) to in_grad of x's dims; a line is all columns of a row
extern "C" __global__ void trace_grad(
    const T* grad, T* in_grad, long long lines, long long length, int lanes, long long rows,
    long long middle, long long inner, long long offset) {
  Line line(lines, length, 1, lanes);
  long long above = over(line.number, middle), m = line.number - above * middle;
  long long o = over(above, rows), diagonal = (above - o * rows + offset) * inner;
  grad += (o * middle + m) * inner, in_grad += line.begin;
  for (long long i = line.lane; i < line.length; i += lanes)
    in_grad[i] = i >= diagonal && i < diagonal + inner ? grad[i - diagonal] : T(0);
}
"""


def cuda_text(T: DataType) -> str:
    return cuda_source.typed(CUDA, T=T, U=accumulator(T))


def split_twice(
    dims: tuple[int, ...], offset: int, axis1: int, axis2: int
) -> tuple[int, int, int, int, int, int]:
    """The dims around two axes multiplied, and the offset as of the first of them to the second."""
    first, second = axis1 % len(dims), axis2 % len(dims)
    if first > second:
        first, second, offset = second, first, -offset
    outer, middle = math.prod(dims[:first]), math.prod(dims[first + 1 : second])
    inner = math.prod(dims[second + 1 :])
    return outer, dims[first], middle, dims[second], inner, offset


def cupy_build(cupy: Any, T: DataType) -> Any:
    kernel = gpu.compiled(cupy, cuda_text(T)).get_function("trace")

    def run(x: Any, offset: int, axis1: int, axis2: int, out: Any) -> None:
        if not out.size:
            return
        *sizes, offset = split_twice(x.shape, offset, axis1, axis2)[1:]
        rows, middle, columns, inner = sizes
        length = max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
        grid, block, lanes = cuda_source.over_lines(out.size, length, middle * inner)
        kernel(grid, block, (x, out, out.size, length, np.int32(lanes), *sizes, offset))

    return run


def cupy_grad(cupy: Any, T: DataType) -> Any:
    kernel = gpu.compiled(cupy, cuda_text(T)).get_function("trace_grad")

    def run(x: Any, grad: Any, offset: int, axis1: int, axis2: int, in_grad: Any) -> None:
        check_grad(T, x, grad, offset, axis1, axis2)
        if not in_grad.size:
            return
        outer, rows, middle, columns, inner, offset = split_twice(x.shape, offset, axis1, axis2)
        lines, length = outer * rows * middle, columns * inner
        grid, block, lanes = cuda_source.over_lines(lines, length, 1)
        sizes = (lines, length, np.int32(lanes), rows, middle, inner, offset)
        kernel(grid, block, (grad, in_grad, *sizes))

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
    builders={"CPU": cpu.function(numba_build), "GPU": gpu.function(cupy_build, cuda_text)},
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
    builders={"CPU": cpu.function(grad_build), "GPU": gpu.function(cupy_grad, cuda_text)},
    sample=grad_sample,
    bytes_moved=lambda *args: int(args[-1].data.nbytes),  # x is never read
)
