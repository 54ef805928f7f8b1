"""`matmul` and `dot`.

A matrix product of floats or complex numbers is the work of a BLAS, and NumPy brings a good one: no
loop of ours would come near it. Half precision is multiplied as float32 and rounded once. BLAS has
nothing for integers; for them a row of x is multiplied into the rows of y one after the other, so
that the inner loop runs along memory. `dot` sums up products as `sum` sums up elements; of complex
numbers none is conjugated, as in Paddle. Of integers Paddle 3.3.1 makes float32s for `matmul`; ours are
exact, and wrap around.

Source: `paddle/phi/kernels/matmul_kernel.h`, `dot_kernel.h`.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, cast

import numpy as np

from registry_runtime.kernels import cpu, cuda_source, dtypes, gpu
from registry_runtime.kernels.reduce import cupy_adder, parts_of
from registry_runtime.kernels.template import Context, KernelTemplate, Out, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.binary import DotInferMeta, MatmulInferMeta


def matmul_signature(
    dev_ctx: Context,
    x: DenseTensor,
    y: DenseTensor,
    transpose_x: bool,
    transpose_y: bool,
    out: Out,
) -> None: ...


def dot_signature(dev_ctx: Context, x: DenseTensor, y: DenseTensor, out: Out) -> None: ...


load = real = cast(Any, None)  # open names
_PART = 1 << 14


def product_rows(begin: int, end: int, x: Any, y: Any, out: Any) -> None:
    """x of (batch, rows, length) and y of (batch, length, columns); a row is one of the output's."""
    rows, length = x.shape[1], x.shape[2]
    for row in range(begin, end):
        batch, i = row // rows, row % rows
        sums = out[batch, i]
        sums[:] = 0
        for k in range(length):
            factor, numbers = x[batch, i, k], y[batch, k]
            for column in range(sums.size):
                sums[column] += factor * numbers[column]


def dot_rows(begin: int, end: int, x: Any, y: Any, sums: Any) -> None:
    """x and y of (rows, columns) to sums of (rows, parts)."""
    columns, parts = x.shape[1], sums.shape[1]
    for piece in range(begin, end):
        row, part = piece // parts, piece % parts
        low, high = part * _PART, min((part + 1) * _PART, columns)
        left, right = x[row, low:high], y[row, low:high]
        total = real(0)
        for i in range(left.size):
            total += real(load(left[i])) * real(load(right[i]))
        sums[row, part] = total


def turned(x: Any, y: Any, transpose_x: bool, transpose_y: bool) -> tuple[Any, Any]:
    """The operands as `numpy.matmul` takes them; a vector has nothing to transpose."""
    x = x.swapaxes(-1, -2) if transpose_x and x.ndim > 1 else x
    return x, y.swapaxes(-1, -2) if transpose_y and y.ndim > 1 else y


def matmul_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import rows

    wide = dtypes.mp_type(T).numpy

    def blas(x: Any, y: Any, transpose_x: bool, transpose_y: bool, out: Any) -> None:
        x, y = turned(x, y, transpose_x, transpose_y)
        if T in dtypes.HALF:
            with np.errstate(all="ignore"):
                out[...] = np.matmul(x.astype(wide), y.astype(wide))
        elif out.ndim < 2:
            out[...] = np.matmul(x, y)
        else:
            np.matmul(x, y, out=out)

    if T not in dtypes.INTEGERS:
        return cpu.Compiled(blas, True, lambda: "the BLAS that NumPy was built with")
    made = rows.rows(product_rows, T, [(T, 3), (T, 3), (T, 3)])

    def run(x: Any, y: Any, transpose_x: bool, transpose_y: bool, out: Any) -> None:
        x, y = turned(x, y, transpose_x, transpose_y)
        x = x[None, :] if x.ndim == 1 else x
        y = y[:, None] if y.ndim == 1 else y
        batch = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
        (m, k), n = x.shape[-2:], y.shape[-1]
        count = math.prod(batch)
        x = rows.flat(np.broadcast_to(x, (*batch, m, k)), count, m, k)
        y = rows.flat(np.broadcast_to(y, (*batch, k, n)), count, k, n)
        made.run(count * m, x.nbytes * max(n, 1), x, y, rows.flat(out, count, m, n))

    return cpu.Compiled(run, made.from_cache, made.code, made.llvm)


def dot_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import rows

    U = dtypes.mp_type(T)
    names = {"real": U.numpy.type, "min": min, "_PART": _PART}
    made = rows.rows(dot_rows, T, [(T, 2), (T, 2), (U, 2)], names, rows.REASSOCIATE)

    def run(x: Any, y: Any, out: Any) -> None:
        columns = x.shape[-1]
        count = out.size
        parts = max(1, -(-columns // _PART))
        sums = np.empty((count, parts), U.numpy)
        x, y = rows.flat(x, count, columns), rows.flat(y, count, columns)
        made.run(count * parts, 2 * x.nbytes, x, y, sums)
        with np.errstate(all="ignore"):
            out[...] = (sums[:, 0] if parts == 1 else sums.sum(1)).reshape(out.shape)

    return cpu.Compiled(run, made.from_cache, made.code, made.llvm)


def _wide(x: Any) -> Any:
    """In a type that rounds less; integers stay as they are, and wrap around."""
    kind = x.dtype.numpy.kind
    exact = {"f": np.float64, "V": np.float64, "c": np.complex128}
    return np.asarray(x).astype(exact.get(kind, x.dtype.numpy))


def _transposed(x: Any, transpose: bool) -> Any:
    return np.moveaxis(x, -1, -2) if transpose and x.ndim > 1 else x


def matmul_reference(x: DenseTensor, y: DenseTensor, of_x: bool, of_y: bool) -> Any:
    product = np.matmul(_transposed(_wide(x), of_x), _transposed(_wide(y), of_y))
    return product.astype(x.dtype.numpy)


def matmul_magnitude(x: DenseTensor, y: DenseTensor, of_x: bool, of_y: bool) -> Any:
    sizes = (np.abs(_transposed(_wide(t), of)) for t, of in ((x, of_x), (y, of_y)))
    return np.matmul(*sizes)


def dot_reference(x: DenseTensor, y: DenseTensor) -> Any:
    return (_wide(x) * _wide(y)).sum(-1, dtype=_wide(x).dtype)


PRODUCT = """
#define TILE 16
// x of (batch, m, k) and y of (batch, k, n), each maybe transposed; a block makes one tile of out.
extern "C" __global__ void product(
    const T* x, const T* y, T* out, long long m, long long k, long long n, bool transpose_x,
    bool transpose_y) {
  __shared__ T left[TILE][TILE + 1], right[TILE][TILE + 1];
  long long across = (n + TILE - 1) / TILE, down = (m + TILE - 1) / TILE;
  long long above = over(blockIdx.x, across), batch = over(above, down);
  int r = threadIdx.x / TILE, c = threadIdx.x % TILE;
  long long row = (above - batch * down) * TILE + r, column = (blockIdx.x - above * across) * TILE + c;
  x += batch * m * k, y += batch * k * n, out += batch * m * n;
  T total = 0;
  for (long long at = 0; at < k; at += TILE) {
    long long i = at + c, j = at + r;
    left[r][c] = row < m && i < k ? x[transpose_x ? i * m + row : row * k + i] : T(0);
    right[r][c] = column < n && j < k ? y[transpose_y ? column * k + j : j * n + column] : T(0);
    __syncthreads();
    for (int q = 0; q < TILE; ++q) total += left[r][q] * right[q][c];
    __syncthreads();
  }
  if (row < m && column < n) out[row * n + column] = total;
}
"""
_GPU_TILE = 16

DOT = """
// x and y of (lines, length) to sums of (lines, parts)
extern "C" __global__ void dot(
    const T* x, const T* y, O* sums, long long lines, long long length, int lanes) {
  long long parts = gridDim.y, part = blockIdx.y;
  Line line(lines, length, 1, lanes);
  x += line.begin, y += line.begin;
  long long end = over((part + 1) * line.length, parts);
  U total = 0;
#pragma unroll 8
  for (long long i = over(part * line.length, parts) + line.lane; i < end; i += lanes)
    total = total + wide(x[i]) * wide(y[i]);
  total = folded(total, line, lanes, Plus());
  if (line.lane == 0 && line.number < lines) sums[line.number * parts + part] = O(total);
}
"""


def matmul_text(T: DataType) -> str:
    """Of integers; the rest is cuBLAS's."""
    return cuda_source.typed(PRODUCT, T=T) if T in dtypes.INTEGERS else ""


def dot_text(T: DataType, sums: DataType | None = None) -> str:
    return cuda_source.typed(DOT, T=T, U=dtypes.mp_type(T), O=sums or T)


def cupy_matmul(cupy: Any, T: DataType) -> Any:
    """cuBLAS, by way of CuPy, as in Paddle; it has nothing for integers.

    float16 matrices are multiplied as such, added up as float32. Stacks of them, and all of bfloat16,
    go by way of float32, as CuPy doesn't do these, or not reliably (14.2).
    """
    wide = dtypes.mp_type(T).numpy

    def cublas(x: Any, y: Any, transpose_x: bool, transpose_y: bool, out: Any) -> None:
        if T is not DataType.FLOAT16 or not x.ndim == y.ndim == 2:
            x, y = x.astype(wide, copy=False), y.astype(wide, copy=False)
        x, y = turned(x, y, transpose_x, transpose_y)
        out[...] = x @ y

    if T not in dtypes.INTEGERS:
        return cublas
    product = gpu.compiled(cupy, matmul_text(T)).get_function("product")

    def run(x: Any, y: Any, transpose_x: bool, transpose_y: bool, out: Any) -> None:
        transpose_x, transpose_y = transpose_x and x.ndim > 1, transpose_y and y.ndim > 1
        x = x[None, :] if x.ndim == 1 else x
        y = y[:, None] if y.ndim == 1 else y
        batch = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
        x, y = (cupy.ascontiguousarray(cupy.broadcast_to(t, batch + t.shape[-2:])) for t in (x, y))
        m, k = x.shape[:-3:-1] if transpose_x else x.shape[-2:]
        n = y.shape[-2] if transpose_y else y.shape[-1]
        if out.size:
            tiles = math.prod(batch) * -(-m // _GPU_TILE) * -(-n // _GPU_TILE)
            how = (np.bool(transpose_x), np.bool(transpose_y))
            product((tiles,), (cuda_source.THREADS,), (x, y, out, m, k, n, *how))

    return run


def cupy_dot(cupy: Any, T: DataType) -> Any:
    U = dtypes.mp_type(T)
    add = cupy_adder(cupy, U, T)

    @cache
    def kernel(sums: DataType) -> Any:
        return gpu.compiled(cupy, dot_text(T, sums)).get_function("dot")

    kernel(T)

    def run(x: Any, y: Any, out: Any) -> None:
        lines, length = out.size, x.shape[-1]
        if not lines:
            return
        blocks, block, lanes = cuda_source.over_lines(lines, length, 1)
        parts = parts_of(lines, length, lanes)
        sums = out if parts == 1 else cupy.empty((lines, parts), U.numpy)
        sizes = (lines, length, np.int32(lanes))
        kernel(T if parts == 1 else U)((*blocks, parts), block, (x, y, sums, *sizes))
        if parts > 1:
            add((lines, parts, 1), sums, out)

    return run


def square(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    n = max(1, int(size**0.5))
    return random_array(T, (n, n), rng), random_array(T, (n, n), rng), False, False


_PRODUCTS = dtypes.FLOATS | dtypes.COMPLEX | {DataType.INT32, DataType.INT64}

MatmulKernel = KernelTemplate(
    name="phi::MatmulKernel",
    signature=matmul_signature,
    dtypes=_PRODUCTS,
    infer_meta=MatmulInferMeta,
    reference=matmul_reference,
    builders={"CPU": cpu.function(matmul_build), "GPU": gpu.function(cupy_matmul, matmul_text)},
    sample=square,
    roundings=16,
    magnitude=matmul_magnitude,
)
DotKernel = KernelTemplate(
    name="phi::DotKernel",
    signature=dot_signature,
    dtypes=_PRODUCTS,
    infer_meta=DotInferMeta,
    reference=dot_reference,
    builders={"CPU": cpu.function(dot_build), "GPU": gpu.function(cupy_dot, dot_text)},
    sample=lambda T, size, rng: (random_array(T, (size,), rng), random_array(T, (size,), rng)),
    roundings=16,
    magnitude=lambda x, y: (np.abs(_wide(x)) * np.abs(_wide(y))).sum(-1),
)
