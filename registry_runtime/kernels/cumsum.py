"""`cumsum`: at each place of an axis, the sum of what stands before it, itself included or not.

A running sum can't be cut into independent parts, so the work is shared out by rows: by lines of the
axis if it is the last one, by blocks of columns otherwise, which are then added line upon line. Sums
are kept in x's type, integers wrap around, and half precision is rounded at each place only.

Source: `paddle/phi/kernels/cum_kernel.h`, `kernels/cpu/cum_kernel.cc`.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from registry_runtime.kernels import cpu, dtypes, gpu
from registry_runtime.kernels.softmax import split_at
from registry_runtime.kernels.template import Context, KernelTemplate, Out, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.unary import CumScalarAxisInferMeta
from registry_runtime.phi.scalar import Scalar


def signature(
    dev_ctx: Context,
    x: DenseTensor,
    axis: Scalar,
    flatten: bool,
    exclusive: bool,
    reverse: bool,
    out: Out,
) -> None: ...


load = store = real = cast(Any, None)  # open names
_BLOCK = 256


def running_rows(begin: int, end: int, x: Any, how: Any, out: Any) -> None:
    columns, exclusive, reverse = x.shape[1], how[0], how[1]
    for row in range(begin, end):
        numbers, sums = x[row], out[row]
        total = real(0)
        if reverse:
            for i in range(columns):
                at = columns - 1 - i
                before = total
                total += real(load(numbers[at]))
                sums[at] = store(before if exclusive else total)
        elif exclusive:
            for i in range(columns):
                sums[i] = store(total)
                total += real(load(numbers[i]))
        else:
            for i in range(columns):
                total += real(load(numbers[i]))
                sums[i] = store(total)


def running_columns(begin: int, end: int, x: Any, how: Any, out: Any) -> None:
    length, columns, exclusive, reverse = x.shape[1], x.shape[2], how[0], how[1]
    blocks = (columns + _BLOCK - 1) // _BLOCK
    totals = np.empty(_BLOCK, real)
    for piece in range(begin, end):
        outer, first = piece // blocks, piece % blocks * _BLOCK
        last = min(first + _BLOCK, columns)
        totals[:] = real(0)
        for i in range(length):
            at = length - 1 - i if reverse else i
            numbers, sums = x[outer, at, first:last], out[outer, at, first:last]
            for c in range(numbers.size):
                before = totals[c]
                totals[c] = before + real(load(numbers[c]))
                sums[c] = store(before if exclusive else totals[c])


def accumulator(T: DataType) -> DataType:
    return DataType.FLOAT32 if T in dtypes.HALF else T


def numba_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import rows

    names = {"real": accumulator(T).numpy.type, "min": min, "np": np, "_BLOCK": _BLOCK}
    U = DataType.BOOL
    along_rows = rows.rows(running_rows, T, [(T, 2), (U, 1), (T, 2)], names)
    along_columns = rows.rows(running_columns, T, [(T, 3), (U, 1), (T, 3)], names)

    def run(x: Any, axis: Any, how: Any, _: bool, __: bool, out: Any) -> None:
        outer, length, inner = split_at(x.shape, axis) if axis is not None else (1, x.size, 1)
        if not x.size:
            return
        if inner == 1:
            x, flat = rows.flat(x, outer, length), rows.flat(out, outer, length)
            along_rows.run(outer, 2 * out.nbytes, x, how, flat)
        else:
            x, flat = rows.flat(x, outer, length, inner), rows.flat(out, outer, length, inner)
            along_columns.run(outer * -(-inner // _BLOCK), 2 * out.nbytes, x, how, flat)

    return cpu.Compiled(run, along_rows.from_cache, along_rows.code, along_rows.llvm)


def attributes(
    metas: Any, axis: Scalar, flatten: bool, exclusive: bool, reverse: bool
) -> tuple[Any, ...]:
    """The axis, None where x is flat, and both flags in an array."""
    along = None if flatten or not metas[0].dims else int(axis.to(DataType.INT64))
    return along, np.array([exclusive, reverse]), exclusive, reverse


def running(
    xp: Any, dtype: Any, x: Any, axis: Scalar, flatten: bool, exclusive: bool, reverse: bool
) -> Any:
    """By array operations, adding in `dtype`."""
    shape = (x.size,) if flatten else x.shape
    along = -1 if flatten or not x.shape else int(axis.to(DataType.INT64))
    lines = x.reshape(shape or (1,)).astype(dtype)
    lines = xp.flip(lines, along) if reverse else lines
    sums = xp.cumsum(lines, along, dtype=dtype)
    if exclusive:
        sums = xp.roll(sums, 1, along) if sums.size else sums
        first = [slice(None)] * sums.ndim
        first[along] = slice(0, 1)
        sums[tuple(first)] = 0
    return (xp.flip(sums, along) if reverse else sums).reshape(shape)


def reference(x: DenseTensor, *how: Any) -> Any:
    wide = {"f": np.float64, "V": np.float64, "c": np.complex128}
    dtype = wide.get(x.dtype.numpy.kind, x.dtype.numpy)
    return running(np, dtype, np.asarray(x), *how)


def cupy_build(T: DataType) -> Any:
    import cupy

    def run(x: Any, *arguments: Any) -> None:
        *how, out = arguments
        out[...] = running(cupy, accumulator(T).numpy, x, *how)

    return run


CumsumKernel = KernelTemplate(
    name="phi::CumsumKernel",
    signature=signature,
    dtypes=dtypes.NUMBERS - {DataType.BOOL},
    infer_meta=CumScalarAxisInferMeta,
    reference=reference,
    builders={
        "CPU": cpu.function(numba_build, attributes=attributes),
        "GPU": gpu.function(cupy_build),
    },
    sample=lambda dtype, size, rng: (
        random_array(dtype, (max(1, size // min(size, 1024)), min(size, 1024)), rng),
        Scalar(-1),
        False,
        False,
        False,
    ),
    roundings=16,
    magnitude=lambda x, axis, flatten, exclusive, reverse: running(
        np, np.float64, np.abs(np.asarray(x)), axis, flatten, False, reverse
    ),
)
