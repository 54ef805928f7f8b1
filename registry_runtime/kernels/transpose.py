"""`transpose`: the same elements, with the axes in another order.

Axes that stay side by side are one axis to the loops, and axes of one element are none. If the last
axis stays the last, whole runs are copied. Otherwise the memory is read along one axis and written
along another, and one of the two jumps at every element; so a tile is copied at a time, of which both
sides fit into the cache. Only bits move: a type is as good as another of its size.

Source: `paddle/phi/kernels/transpose_kernel.h`, `kernels/funcs/transpose_functor.h`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

import numpy as np

from registry_runtime.kernels import cpu, cuda_source, dtypes, gpu
from registry_runtime.kernels.template import Context, KernelTemplate, Out, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.unary import TransposeInferMeta


def signature(dev_ctx: Context, x: DenseTensor, axis: list[int], out: Out) -> None: ...


_TILE = unsigned = cast(Any, None)  # open names


def copy_runs(begin: int, end: int, x: Any, plan: Any, out: Any) -> None:
    """Runs of `plan[0, 0]` elements; further rows of the plan are the axes around them, from the last:
    their lengths, and their steps in x."""
    length = plan[0, 0]
    for run in range(begin, end):
        rest, at = run, 0
        for k in range(1, plan.shape[0]):
            at += rest % plan[k, 0] * plan[k, 1]
            rest //= plan[k, 0]
        source, target = x[at : at + length], out[run * length : (run + 1) * length]
        for i in range(length):
            target[i] = source[i]


def copy_tiles(begin: int, end: int, x: Any, plan: Any, out: Any) -> None:
    """Row 0 of the plan is the output's last axis, row 1 is x's, further rows the axes around them:
    their lengths, and their steps in x and in the output."""
    across, down = plan[0, 0], plan[1, 0]
    # An unsigned index can't count from the end, so nothing has to ask whether it does.
    step_in, step_out = unsigned(plan[0, 1]), unsigned(plan[1, 2])
    tiles_across, tiles_down = (across + _TILE - 1) // _TILE, (down + _TILE - 1) // _TILE
    for tile in range(begin, end):
        a = tile % tiles_across * _TILE
        rest = tile // tiles_across
        b = rest % tiles_down * _TILE
        rest //= tiles_down
        source = unsigned(a) * step_in + unsigned(b)
        target = unsigned(b) * step_out + unsigned(a)
        for k in range(2, plan.shape[0]):
            source += unsigned(rest % plan[k, 0] * plan[k, 1])
            target += unsigned(rest % plan[k, 0] * plan[k, 2])
            rest //= plan[k, 0]
        if a + _TILE <= across and b + _TILE <= down:  # of a known size, LLVM shuffles registers
            for j in range(_TILE):
                for i in range(_TILE):
                    at = target + unsigned(j) * step_out + unsigned(i)
                    out[at] = x[source + unsigned(j) + unsigned(i) * step_in]
        else:
            for j in range(min(_TILE, down - b)):
                for i in range(min(_TILE, across - a)):
                    at = target + unsigned(j) * step_out + unsigned(i)
                    out[at] = x[source + unsigned(j) + unsigned(i) * step_in]


def numba_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import rows

    bits, index = bits_of(T), DataType.INT64
    tile = {1: 16, 16: 4}.get(T.numpy.itemsize, 8)
    runs = rows.rows(copy_runs, bits, [(bits, 1), (index, 2), (bits, 1)])
    names = {"_TILE": tile, "min": min, "unsigned": np.uintp}
    tiles = rows.rows(copy_tiles, bits, [(bits, 1), (index, 2), (bits, 1)], names)

    def run(x: Any, axis: Sequence[int], out: Any) -> None:
        if not x.size:
            return
        whole = rows.flat(x, x.size).view(bits.numpy)
        target = rows.flat(out, x.size).view(bits.numpy)
        plan = plan_of(x.shape, tuple(axis))
        if len(plan) == 1 or plan[0, 1] == 1:
            runs.run(x.size // int(plan[0, 0]), 2 * x.nbytes, whole, plan, target)
        else:
            around = x.size // int(plan[0, 0] * plan[1, 0])
            count = around * -(-int(plan[0, 0]) // tile) * -(-int(plan[1, 0]) // tile)
            tiles.run(count, 2 * x.nbytes, whole, plan, target)

    return cpu.Compiled(run, tiles.from_cache, tiles.code, tiles.llvm)


def bits_of(T: DataType) -> DataType:
    """An unsigned integer of T's size; of 16 bytes there is none, but a complex number."""
    sizes = {1: DataType.UINT8, 2: DataType.UINT16, 4: DataType.UINT32, 8: DataType.UINT64}
    return sizes.get(T.numpy.itemsize, DataType.COMPLEX128)


@lru_cache(maxsize=256)
def plan_of(shape: tuple[int, ...], axis: tuple[int, ...]) -> Any:
    """(length, step in x, step in the output) of each axis as the loops want them."""
    rank = len(shape)
    order = [a % rank for a in axis] if axis else []
    order += range(len(order), rank)  # InferMeta leaves the axes that aren't named
    steps = [int(np.prod(shape[i + 1 :], dtype=np.int64)) for i in range(rank)]
    merged: list[list[int]] = []  # [length, step in x], in the output's order
    for a in order:
        if shape[a] == 1:
            continue
        if merged and merged[-1][1] == shape[a] * steps[a]:
            merged[-1] = [merged[-1][0] * shape[a], steps[a]]
        else:
            merged.append([shape[a], steps[a]])
    if not merged:
        merged = [[1, 1]]
    written = [1]
    for length, _ in reversed(merged[1:]):
        written.insert(0, written[0] * length)
    rows = [[*axis_, out] for axis_, out in zip(merged, written, strict=True)][::-1]
    if rows[0][1] != 1:
        last_of_x = next(i for i, row in enumerate(rows) if row[1] == 1)
        rows.insert(1, rows.pop(last_of_x))
    return np.array(rows, np.int64)


def reference(x: DenseTensor, axis: Sequence[int]) -> Any:
    return (
        np.asarray(x).transpose([a % max(x.data.ndim, 1) for a in axis]) if axis else np.asarray(x)
    )


CUDA = """
#define TILE 32
// As on the CPU: runs of plan[0], and the tiles of two axes; a row of the plan is (length, step in x,
// step in out).
extern "C" __global__ void copy_runs(
    const T* x, const long long* plan, int axes, T* out, long long runs, long long length,
    int lanes) {
  Line run(runs, length, 1, lanes);
  long long rest = run.number;
  for (int k = 1; k < axes; ++k) {
    long long next = over(rest, plan[3 * k]);
    x += (rest - next * plan[3 * k]) * plan[3 * k + 1], rest = next;
  }
  for (long long i = run.lane; i < run.length; i += lanes) out[run.begin + i] = x[i];
}

// A tile is read along one axis and written along the other, both in neighbouring threads.
extern "C" __global__ void copy_tiles(const T* x, const long long* plan, int axes, T* out) {
  __shared__ T tile[TILE][TILE + 1];  // one more, so that a column lies in different banks
  long long across = plan[0], down = plan[3], step_in = plan[1], step_out = plan[5];
  long long tiles_across = (across + TILE - 1) / TILE, tiles_down = (down + TILE - 1) / TILE;
  long long above = over(blockIdx.x, tiles_across), rest = over(above, tiles_down);
  long long a = (blockIdx.x - above * tiles_across) * TILE, b = (above - rest * tiles_down) * TILE;
  x += a * step_in + b, out += b * step_out + a;
  for (int k = 2; k < axes; ++k) {
    long long next = over(rest, plan[3 * k]), at = rest - next * plan[3 * k];
    x += at * plan[3 * k + 1], out += at * plan[3 * k + 2], rest = next;
  }
  int column = threadIdx.x % TILE;
  for (int row = threadIdx.x / TILE; row < TILE; row += THREADS / TILE)
    if (a + row < across && b + column < down) tile[row][column] = x[row * step_in + column];
  __syncthreads();
  for (int row = threadIdx.x / TILE; row < TILE; row += THREADS / TILE)
    if (b + row < down && a + column < across) out[row * step_out + column] = tile[column][row];
}
"""
_GPU_TILE = 32


def cuda_text(T: DataType) -> str:
    return cuda_source.typed(CUDA, T=bits_of(T))


def cupy_build(cupy: Any, T: DataType) -> Any:
    module = gpu.compiled(cupy, cuda_text(T))
    runs, tiles = module.get_function("copy_runs"), module.get_function("copy_tiles")

    @lru_cache(maxsize=256)
    def planned(shape: tuple[int, ...], axis: tuple[int, ...]) -> tuple[Any, Any]:
        plan = plan_of(shape, axis)
        return plan.tolist(), cupy.asarray(plan)

    def run(x: Any, axis: Sequence[int], out: Any) -> None:
        if not x.size:
            return
        rows, plan = planned(x.shape, tuple(axis))
        (length, _, _), axes = rows[0], np.int32(len(rows))
        if len(rows) == 1 or rows[0][1] == 1:
            count = x.size // length
            grid, block, lanes = cuda_source.over_lines(count, length, 1)
            runs(grid, block, (x, plan, axes, out, count, length, np.int32(lanes)))
        else:
            down = rows[1][0]
            around = x.size // (length * down)
            count = around * -(-length // _GPU_TILE) * -(-down // _GPU_TILE)
            tiles((count,), (cuda_source.THREADS,), (x, plan, axes, out))

    return run


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    rows = max(1, int(size**0.5))
    return random_array(T, (rows, size // rows), rng), [1, 0]


TransposeKernel = KernelTemplate(
    name="phi::TransposeKernel",
    signature=signature,
    dtypes=dtypes.NUMBERS | {DataType.FLOAT8_E4M3FN, DataType.FLOAT8_E5M2},
    infer_meta=TransposeInferMeta,
    reference=reference,
    builders={"CPU": cpu.function(numba_build), "GPU": gpu.function(cupy_build, cuda_text)},
    sample=sample,
)
