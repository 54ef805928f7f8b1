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
from typing import Any, cast

import numpy as np

from registry_runtime.kernels import cpu, dtypes, gpu
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


def accumulator(T: DataType) -> DataType:
    return DataType.FLOAT32 if T in dtypes.HALF else T


def turned(x: Any, y: Any, transpose_x: bool, transpose_y: bool) -> tuple[Any, Any]:
    """The operands as `numpy.matmul` takes them; a vector has nothing to transpose."""
    x = x.swapaxes(-1, -2) if transpose_x and x.ndim > 1 else x
    return x, y.swapaxes(-1, -2) if transpose_y and y.ndim > 1 else y


def matmul_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import rows

    wide = accumulator(T).numpy

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

    U = accumulator(T)
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


def matmul_reference(x: DenseTensor, y: DenseTensor, *transposed: bool) -> Any:
    product = np.matmul(*turned(_wide(x), _wide(y), *transposed))
    return product.astype(x.dtype.numpy)


def matmul_magnitude(x: DenseTensor, y: DenseTensor, *transposed: bool) -> Any:
    return np.matmul(*turned(np.abs(_wide(x)), np.abs(_wide(y)), *transposed))


def dot_reference(x: DenseTensor, y: DenseTensor) -> Any:
    return (_wide(x) * _wide(y)).sum(-1, dtype=_wide(x).dtype)


def cupy_matmul(T: DataType) -> Any:
    def run(x: Any, y: Any, transpose_x: bool, transpose_y: bool, out: Any) -> None:
        wide = accumulator(T).numpy
        x, y = turned(
            x.astype(wide, copy=False), y.astype(wide, copy=False), transpose_x, transpose_y
        )
        out[...] = x @ y

    return run


def cupy_dot(T: DataType) -> Any:
    def run(x: Any, y: Any, out: Any) -> None:
        wide = accumulator(T).numpy
        out[...] = (x.astype(wide, copy=False) * y.astype(wide, copy=False)).sum(-1, dtype=wide)

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
    builders={"CPU": cpu.function(matmul_build), "GPU": gpu.function(cupy_matmul)},
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
    builders={"CPU": cpu.function(dot_build), "GPU": gpu.function(cupy_dot)},
    sample=lambda T, size, rng: (random_array(T, (size,), rng), random_array(T, (size,), rng)),
    roundings=16,
    magnitude=lambda x, y: (np.abs(_wide(x)) * np.abs(_wide(y))).sum(-1),
)
