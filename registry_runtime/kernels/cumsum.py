"""`cumsum`: at each place of an axis, the sum of what stands before it, itself included or not.

A running sum can't be cut into independent parts, so the work is shared out by rows: by lines of the
axis if it is the last one, by blocks of columns otherwise, which are then added line upon line. Sums
are kept in x's type, integers wrap around, and half precision is rounded at each place only.

Source: `paddle/phi/kernels/cum_kernel.h`, `kernels/cpu/cum_kernel.cc`.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from registry_runtime.kernels import cpu, cuda_source, dtypes, gpu
from registry_runtime.kernels.reduce import parts_of
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


def numba_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import rows

    names = {"real": dtypes.mp_type(T).numpy.type, "min": min, "np": np, "_BLOCK": _BLOCK}
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


CUDA = """
#define ITEMS 8  // of a line that a thread adds up in one go
// The sums of each line's parts; to go in reverse is to count from the end.
extern "C" __global__ void part_sums(
    const T* x, U* sums, long long lines, long long length, long long inner, int lanes,
    bool reverse) {
  long long parts = gridDim.y, part = blockIdx.y;
  Line line(lines, length, inner, lanes);
  x += line.begin;
  long long end = over((part + 1) * line.length, parts);
  U total = 0;
  for (long long i = over(part * line.length, parts) + line.lane; i < end; i += lanes)
    total = total + wide(x[(reverse ? length - 1 - i : i) * inner]);
  total = folded(total, line, lanes, Plus());
  if (line.lane == 0 && line.number < lines)
    sums[line.number + (over(line.number, inner) * (parts - 1) + part) * inner] = total;
}

// Lines that lie in one piece. `starts`, if any, is what stands before each part.
extern "C" __global__ void running_rows(
    const T* x, const U* starts, O* out, long long lines, long long length, int lanes,
    bool exclusive, bool reverse) {
  __shared__ U tile[THREADS * (ITEMS + 1)];  // a gap after ITEMS: threads read from different banks
  __shared__ U sums[THREADS];
  long long parts = gridDim.y, part = blockIdx.y;
  Line line(lines, length, 1, lanes);
  x += line.begin, out += line.begin;
  int me = threadIdx.x, lane = line.lane, first = me - lane;
  U* numbers = tile + first * (ITEMS + 1);
  long long begin = over(part * line.length, parts);
  long long end = over((part + 1) * line.length, parts), longest = over(length, parts) + 1;
  U total = starts && line.number < lines ? starts[line.number * parts + part] : U(0);
  for (long long done = 0; done < longest; done += lanes * ITEMS) {
    for (int at = lane; at < lanes * ITEMS; at += lanes) {
      long long i = begin + done + at;
      numbers[at + at / ITEMS] = i < end ? wide(x[reverse ? length - 1 - i : i]) : U(0);
    }
    __syncthreads();
    U* mine = numbers + lane * (ITEMS + 1);
    U sum = 0;
    for (int k = 0; k < ITEMS; ++k) sum = sum + mine[k];
    sums[me] = sum;
    for (int step = 1; step < lanes; step *= 2) {
      __syncthreads();
      U left = lane >= step ? sums[me - step] : U(0);
      __syncthreads();
      sums[me] = left + sums[me];
    }
    __syncthreads();
    U before = lane ? total + sums[me - 1] : total;
    total = total + sums[first + lanes - 1];
    for (int k = 0; k < ITEMS; ++k) {
      U after = before + mine[k];
      mine[k] = exclusive ? before : after;
      before = after;
    }
    __syncthreads();
    for (int at = lane; at < lanes * ITEMS; at += lanes) {
      long long i = begin + done + at;
      if (i < end) out[reverse ? length - 1 - i : i] = O(numbers[at + at / ITEMS]);
    }
    __syncthreads();
  }
}

// A thread walks down a column.
extern "C" __global__ void running_columns(
    const T* x, const U* starts, O* out, long long lines, long long length, long long inner,
    bool exclusive, bool reverse) {
  long long parts = gridDim.y, part = blockIdx.y;
  Line line(lines, length, inner, 1);
  if (line.number >= lines) return;
  x += line.begin, out += line.begin;
  long long start = line.number + (over(line.number, inner) * (parts - 1) + part) * inner;
  long long end = over((part + 1) * length, parts);
  U total = starts ? starts[start] : U(0);
  for (long long i = over(part * length, parts); i < end; ++i) {
    long long at = (reverse ? length - 1 - i : i) * inner;
    U after = total + wide(x[at]);
    out[at] = O(exclusive ? total : after);
    total = after;
  }
}
"""


def cuda_text(T: DataType) -> str:
    return cuda_source.typed(CUDA, T=T, U=dtypes.mp_type(T), O=T)


def cupy_build(cupy: Any, T: DataType) -> Any:
    """Of a line too long for one block, parts are summed up first, and each then starts there."""
    U = dtypes.mp_type(T)
    module = gpu.compiled(cupy, cuda_text(T))
    of_sums = module if U is T else gpu.compiled(cupy, cuda_text(U))
    part_sums, null = module.get_function("part_sums"), np.uintp(0)
    rows = [m.get_function("running_rows") for m in (module, of_sums)]
    columns = [m.get_function("running_columns") for m in (module, of_sums)]

    def scan(which: int, split: Any, parts: int, x: Any, starts: Any, out: Any, *how: Any) -> None:
        outer, length, inner = split
        lines = outer * inner
        if inner == 1:
            blocks, block, lanes = cuda_source.over_lines(lines, length, 1)
            sizes: tuple[Any, ...] = (lines, length, np.int32(lanes))
            rows[which]((*blocks, parts), block, (x, starts, out, *sizes, *how))
        else:
            grid = (-(-lines // cuda_source.THREADS), parts)
            sizes = (lines, length, inner)
            columns[which](grid, (cuda_source.THREADS,), (x, starts, out, *sizes, *how))

    def run(x: Any, axis: Scalar, flatten: bool, exclusive: bool, reverse: bool, out: Any) -> None:
        if not x.size:
            return
        flat = flatten or not x.shape
        split = (1, x.size, 1) if flat else split_at(x.shape, int(axis.to(DataType.INT64)))
        outer, length, inner = split
        lines, starts, how = outer * inner, null, (np.bool(exclusive), np.bool(reverse))
        blocks, block, lanes = cuda_source.over_lines(lines, length, inner)
        parts = parts_of(lines, length, lanes if inner == 1 else 1)
        if parts > 1:
            sums, starts = (cupy.empty((outer, parts, inner), U.numpy) for _ in range(2))
            sizes = (lines, length, inner, np.int32(lanes))
            part_sums((*blocks, parts), block, (x, sums, *sizes, np.bool(reverse)))
            scan(1, (outer, parts, inner), 1, sums, null, starts, np.bool(True), np.bool(False))
        scan(0, split, parts, x, starts, out, *how)

    return run


CumsumKernel = KernelTemplate(
    name="phi::CumsumKernel",
    signature=signature,
    dtypes=dtypes.NUMBERS - {DataType.BOOL},
    infer_meta=CumScalarAxisInferMeta,
    reference=reference,
    builders={
        "CPU": cpu.function(numba_build, attributes=attributes),
        "GPU": gpu.function(cupy_build, cuda_text),
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
