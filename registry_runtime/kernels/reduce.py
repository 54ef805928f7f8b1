"""`sum` and `mean`, of all elements or along some axes.

Axes that lie side by side are one axis to a loop, so that any reduction is one of two: of rows, each in
one piece of memory, or of columns, where whole rows are added up. Long rows are cut into parts, whose
sums are added up in a second round: each part is another core's work, and a long sum loses fewer digits
in pieces than in one go. Axes that lie apart are brought together in a copy.

What is added up is first made the output's type: half precision is added as float32, an average of
integers is cut off once, at the end (Paddle 3.3.1 makes float32s of integers for it; ours is exact).

Source: `paddle/phi/kernels/reduce_sum_kernel.h`, `reduce_mean_kernel.h`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any, cast

import numpy as np

from registry_runtime.kernels import cpu, cuda_source, dtypes, gpu
from registry_runtime.kernels.template import (
    Context,
    IntArray,
    KernelTemplate,
    Out,
    random_array,
)
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.unary import ReduceIntArrayAxisInferMeta, SumInferMeta


def sum_signature(
    dev_ctx: Context, x: DenseTensor, dims: IntArray, out_dtype: DataType, keep_dim: bool, out: Out
) -> None: ...


def mean_signature(
    dev_ctx: Context, x: DenseTensor, dims: IntArray, keep_dim: bool, out: Out
) -> None: ...


load = real = cast(Any, None)  # open names
_PART, _BLOCK = 1 << 14, 512


def sum_rows(begin: int, end: int, x: Any, sums: Any) -> None:
    """x of (rows, columns) to sums of (rows, parts)."""
    columns, parts = x.shape[1], sums.shape[1]
    for piece in range(begin, end):
        row, part = piece // parts, piece % parts
        # A slice, for whose indices LLVM sees that none is negative, and makes vectors of them.
        numbers = x[row, part * _PART : min((part + 1) * _PART, columns)]
        total = real(0)
        for i in range(numbers.size):
            total += real(load(numbers[i]))
        sums[row, part] = total


def sum_columns(begin: int, end: int, x: Any, sums: Any) -> None:
    """x of (outer, length, columns) to sums of (outer, parts, columns)."""
    length, columns, parts = x.shape[1], x.shape[2], sums.shape[1]
    blocks = (columns + _BLOCK - 1) // _BLOCK
    for piece in range(begin, end):
        outer, rest = piece // (blocks * parts), piece % (blocks * parts)
        part, first = rest // blocks, rest % blocks * _BLOCK
        last = min(first + _BLOCK, columns)
        low, high = part * length // parts, (part + 1) * length // parts
        totals = sums[outer, part, first:last]
        totals[:] = real(0)
        for i in range(low, high):
            numbers = x[outer, i, first:last]
            for column in range(totals.size):
                totals[column] += real(load(numbers[column]))


Adder = Callable[[Any, Sequence[int], Any], Any]


def adder(T: DataType, out: DataType) -> tuple[Adder, cpu.Compiled]:
    """`add(x, axes, out)`: x's elements added up along the axes; and the code behind it.

    The sums are written to `out`, if that is of the type in which they are added; or they are new.
    """
    from registry_runtime.kernels import rows

    U = accumulator(out)
    wide, size = U.numpy, T.numpy.itemsize

    @cache
    def made(S: DataType, columns: bool) -> rows.Rows:
        names = {"real": U.numpy.type, "min": min, "_PART": _PART, "_BLOCK": _BLOCK}
        ndim = 3 if columns else 2
        function = sum_columns if columns else sum_rows
        return rows.rows(function, S, [(S, ndim), (U, ndim)], names, rows.REASSOCIATE)

    short = made(T, False)

    def add(x: Any, axes: Sequence[int], out: Any) -> Any:
        order, outer, length, inner = split_of(x.shape, tuple(axes))
        whole = x if order is None else np.ascontiguousarray(x.transpose(order))
        if inner == 1 and length <= _PART:
            target = out if out.dtype is wide else np.empty(outer, wide)
            flat = rows.flat(whole, outer, length)
            short.run(outer, x.nbytes, flat, target.reshape(outer, 1))
            return target
        S = T
        while length != 1 or S is not U:
            nbytes = outer * length * inner * size
            if inner == 1:
                parts = max(1, -(-length // _PART))
                sums = np.empty((outer, parts), wide)
                made(S, False).run(outer * parts, nbytes, rows.flat(whole, outer, length), sums)
            else:
                blocks = -(-inner // _BLOCK)
                few = outer * blocks < 8 and outer * length * inner > 8 * _PART
                parts = min(8, max(1, length // 8)) if few else 1
                sums = np.empty((outer, parts, inner), wide)
                pieces = outer * parts * blocks
                made(S, True).run(pieces, nbytes, rows.flat(whole, outer, length, inner), sums)
            whole, S, length = sums, U, parts
        return whole

    return add, cpu.Compiled(add, short.from_cache, short.code, short.llvm)


def accumulator(out: DataType) -> DataType:
    """The type that is added in, for an output of this one."""
    if out in dtypes.HALF:
        return DataType.FLOAT32
    return DataType.INT64 if out in dtypes.INTEGERS | dtypes.BOOL else out


@lru_cache(maxsize=1024)
def split_of(
    shape: tuple[int, ...], axes: tuple[int, ...]
) -> tuple[tuple[int, ...] | None, int, int, int]:
    """How many elements there are before, along and behind the axes that are added up; and, where
    these don't lie side by side, the order of axes in which they do."""
    rank = len(shape)
    gone = {axis % rank for axis in axes} if axes and rank else set(range(rank))
    long = [i for i in range(rank) if shape[i] != 1]
    reduced = [i for i in long if i in gone]
    if not reduced:
        return None, math.prod(shape), 1, 1
    if long.index(reduced[-1]) - long.index(reduced[0]) >= len(reduced):
        kept = [i for i in range(rank) if i not in gone]
        order = (*kept, *sorted(gone))
        return order, math.prod(shape[i] for i in kept), math.prod(shape[i] for i in gone), 1
    first, last = reduced[0], reduced[-1]
    length = math.prod(shape[first : last + 1])
    return None, math.prod(shape[:first]), length, math.prod(shape[last + 1 :])


def sum_build(loops: Any, T: DataType) -> cpu.Compiled:
    made = cache(lambda out: adder(T, DataType.of(out)))

    def run(x: Any, dims: Sequence[int], out_dtype: DataType, keep_dim: bool, out: Any) -> None:
        sums = made(out.dtype)[0](x, dims, out)
        if sums is not out:
            sums = sums.reshape(out.shape)
            out[...] = sums != 0 if out.dtype == bool else sums

    return made(sum_type(T).numpy)[1]._replace(run=run)


def sum_type(T: DataType) -> DataType:
    return DataType.INT64 if T in (DataType.BOOL, DataType.INT32) else T


def mean_build(loops: Any, T: DataType) -> cpu.Compiled:
    add, compiled = adder(T, T)

    def run(x: Any, dims: Sequence[int], keep_dim: bool, out: Any) -> None:
        sums = add(x, dims, out).reshape(out.shape)
        average(np, sums, x.size // out.size if out.size else 0, T, out)

    return compiled._replace(run=run)


def average(xp: Any, sums: Any, count: int, T: DataType, out: Any) -> None:
    """Fills out with the quotient; of integers, with C++'s, which is cut off towards 0."""
    if T in dtypes.BOOL:
        out[...] = sums != 0
    elif T in dtypes.INTEGERS:
        quotient = xp.abs(sums) // max(count, 1)
        out[...] = xp.where(sums < 0, -quotient, quotient)
    elif count and sums is out:
        out /= sums.dtype.type(count)
    else:
        with np.errstate(all="ignore"):
            out[...] = sums / sums.dtype.type(count)


def _axes(x: Any, dims: Sequence[int]) -> tuple[int, ...]:
    return tuple(axis % x.ndim for axis in dims) if dims and x.ndim else tuple(range(x.ndim))


def _added(x: DenseTensor, dims: Sequence[int], keep_dim: bool, out: DataType) -> Any:
    """In the widest type of the output's kind."""
    elements, kind = np.asarray(x), out.numpy.kind
    if elements.dtype.kind == "c" and kind != "c":
        elements = elements.real
    wide = np.complex128 if kind == "c" else np.int64 if kind in "biu" else np.float64
    return elements.astype(wide).sum(_axes(elements, dims), keepdims=keep_dim)


def sum_reference(x: DenseTensor, dims: Sequence[int], out_dtype: DataType, keep_dim: bool) -> Any:
    out = out_dtype
    if out is DataType.UNDEFINED:
        out = DataType.INT64 if x.dtype in (DataType.BOOL, DataType.INT32) else x.dtype
    sums = _added(x, dims, keep_dim, out)
    return sums != 0 if out is DataType.BOOL else sums.astype(out.numpy)


def mean_reference(x: DenseTensor, dims: Sequence[int], keep_dim: bool) -> Any:
    sums = _added(x, dims, keep_dim, x.dtype)
    count = math.prod(x.dims) // max(sums.size, 1)
    if x.dtype.numpy.kind in "iu":  # C++ cuts a quotient off towards 0
        return np.sign(sums) * (np.abs(sums) // max(count, 1))
    return sums != 0 if x.dtype is DataType.BOOL else sums / np.float64(count)


def _sizes(x: DenseTensor, dims: Sequence[int], keep_dim: bool) -> Any:
    elements = np.asarray(x)
    wide = elements.astype(np.complex128 if elements.dtype.kind == "c" else np.float64)
    return np.abs(wide).sum(_axes(elements, dims), keepdims=keep_dim)


def mean_sizes(x: DenseTensor, dims: Sequence[int], keep_dim: bool) -> Any:
    sums = _sizes(x, dims, keep_dim)
    with np.errstate(all="ignore"):
        return sums / (math.prod(x.dims) / max(sums.size, 1))


CUDA = """
template <typename Number>
__device__ Number divided(Number total, long long count) { return total / Number(count); }
template <typename Real>
__device__ complex<Real> divided(complex<Real> total, long long count) {
  return complex<Real>(total.real() / Real(count), total.imag() / Real(count));
}
// x of (outer, length, inner) to out of (outer, parts, inner), divided if the divisor isn't negative
extern "C" __global__ void sums(
    const T* x, O* out, long long lines, long long length, long long inner, int lanes,
    long long divisor) {
  long long parts = gridDim.y, part = blockIdx.y;
  Line line(lines, length, inner, lanes);
  x += line.begin;
  long long end = over((part + 1) * line.length, parts);
  U total = 0;
#pragma unroll 8
  for (long long i = over(part * line.length, parts) + line.lane; i < end; i += lanes)
    total = total + wide(x[i * inner]);
  total = folded(total, line, lanes, Plus());
  if (divisor >= 0) total = divided(total, divisor);
  if (line.lane == 0 && line.number < lines)
    out[line.number + (over(line.number, inner) * (parts - 1) + part) * inner] = O(total);
}
"""
_LANES_IN_FLIGHT, _ELEMENTS_FOR_A_LANE = 1 << 18, 16


def cuda_text(T: DataType, out: DataType | None = None) -> str:
    O = sum_type(T) if out is None else out  # noqa: E741 - its name in the source
    return cuda_source.typed(CUDA, T=T, U=accumulator(O), O=O)


def parts_of(lines: int, length: int, lanes: int) -> int:
    """Into how many parts to cut lines that are too few to keep a GPU busy."""
    most = length // (lanes * _ELEMENTS_FOR_A_LANE)
    return max(1, min(1024, most, _LANES_IN_FLIGHT // max(lines * lanes, 1)))


def cupy_adder(cupy: Any, T: DataType, out_type: DataType) -> Any:
    """`add((outer, length, inner), x, out, divisor)`, which adds up along the middle axis."""
    U = accumulator(out_type)

    @cache
    def kernel(S: DataType, O: DataType) -> Any:  # noqa: E741
        text = cuda_source.typed(CUDA, T=S, U=U, O=O)
        return gpu.compiled(cupy, text).get_function("sums")

    direct = kernel(T, out_type)

    def add(split: tuple[int, int, int], x: Any, out: Any, divisor: int = -1) -> None:
        if not out.size:
            return
        outer, length, inner = split
        lines, last = outer * inner, direct
        blocks, block, lanes = cuda_source.over_lines(lines, length, inner)
        parts = parts_of(lines, length, lanes)
        if parts > 1:
            sums = cupy.empty((outer, parts, inner), U.numpy)
            sizes = (lines, length, inner, np.int32(lanes), -1)
            kernel(T, U)((*blocks, parts), block, (x, sums, *sizes))
            x, length, last = sums, parts, kernel(U, out_type)
            blocks, block, lanes = cuda_source.over_lines(lines, length, inner)
        last(blocks, block, (x, out, lines, length, inner, np.int32(lanes), divisor))

    return add


def _split(cupy: Any, x: Any, dims: Sequence[int]) -> tuple[tuple[int, int, int], Any]:
    order, *split = split_of(x.shape, tuple(dims))
    whole = x if order is None else cupy.ascontiguousarray(x.transpose(order))
    return (split[0], split[1], split[2]), whole


def cupy_sum(cupy: Any, T: DataType) -> Any:
    adder_for = cache(lambda out: cupy_adder(cupy, T, out))
    adder_for(sum_type(T))

    def run(x: Any, dims: Sequence[int], out_dtype: DataType, keep_dim: bool, out: Any) -> None:
        adder_for(DataType.of(out.dtype))(*_split(cupy, x, dims), out)

    return run


def cupy_mean(cupy: Any, T: DataType) -> Any:
    add, whole_numbers = cupy_adder(cupy, T, T), T in dtypes.INTEGERS

    def run(x: Any, dims: Sequence[int], keep_dim: bool, out: Any) -> None:
        count = x.size // max(out.size, 1)
        divisor = -1 if T in dtypes.BOOL else max(count, 1) if whole_numbers else count
        add(*_split(cupy, x, dims), out, divisor)

    return run


SumKernel = KernelTemplate(
    name="phi::SumKernel",
    signature=sum_signature,
    dtypes=dtypes.NUMBERS,
    infer_meta=SumInferMeta,
    reference=sum_reference,
    builders={"CPU": cpu.function(sum_build), "GPU": gpu.function(cupy_sum, cuda_text)},
    sample=lambda dtype, size, rng: (
        random_array(dtype, (size,), rng),
        [],
        DataType.UNDEFINED,
        False,
    ),
    open_dtype=lambda name, T: sum_type(T),
    roundings=16,
    magnitude=lambda x, dims, out_dtype, keep_dim: _sizes(x, dims, keep_dim),
)
MeanKernel = KernelTemplate(
    name="phi::MeanKernel",
    signature=mean_signature,
    dtypes=dtypes.NUMBERS,
    infer_meta=ReduceIntArrayAxisInferMeta,
    reference=mean_reference,
    builders={
        "CPU": cpu.function(mean_build),
        "GPU": gpu.function(cupy_mean, lambda T: cuda_text(T, T)),
    },
    sample=lambda dtype, size, rng: (random_array(dtype, (size,), rng), [], False),
    roundings=16,
    magnitude=mean_sizes,
)
