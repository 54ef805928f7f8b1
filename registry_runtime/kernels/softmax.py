"""`softmax`: the numbers along an axis, as shares of 1 by their exponentials.

The largest is subtracted first, so that no exponential overflows. Along the last axis a row lies in
one piece, and is done at once. Along another axis the loop over columns is the inner one, a block of
them at a time, so that the memory is still read in its order.

Source: `paddle/phi/kernels/softmax_kernel.h`, `kernels/funcs/softmax.h`.
"""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from registry_runtime.kernels import cpu, cuda_source, dtypes, gpu
from registry_runtime.kernels.template import Context, KernelTemplate, Out, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.unary import SoftmaxInferMeta


def signature(dev_ctx: Context, x: DenseTensor, axis: int, out: Out) -> None: ...


load = store = real = exp = cast(Any, None)  # open names
_LANES, _BLOCK = 64, 256


def softmax_rows(begin: int, end: int, x: Any, out: Any) -> None:
    columns = x.shape[1]
    tops = np.empty(_LANES, real)
    shares = np.empty(columns, real)
    for row in range(begin, end):
        # A maximum for each lane of a register, as LLVM makes no such thing of one maximum.
        tops[:] = -np.inf
        whole = columns - columns % _LANES
        for column in range(0, whole, _LANES):
            numbers = x[row, column : column + _LANES]
            for lane in range(_LANES):
                value = load(numbers[lane])
                tops[lane] = value if value > tops[lane] else tops[lane]
        top = tops.max()
        for column in range(whole, columns):
            value = load(x[row, column])
            top = value if value > top else top
        total = real(0)
        for column in range(columns):
            share = exp(load(x[row, column]) - top)
            shares[column] = share
            total += share
        factor = real(1) / total
        for column in range(columns):
            out[row, column] = store(shares[column] * factor)


def softmax_columns(begin: int, end: int, x: Any, out: Any) -> None:
    length, columns = x.shape[1], x.shape[2]
    blocks = (columns + _BLOCK - 1) // _BLOCK
    tops, totals = np.empty(_BLOCK, real), np.empty(_BLOCK, real)
    for piece in range(begin, end):
        outer, first = piece // blocks, piece % blocks * _BLOCK
        width = min(_BLOCK, columns - first)
        tops[:] = -np.inf
        totals[:] = 0
        for i in range(length):
            numbers = x[outer, i, first : first + width]
            for c in range(width):
                value = load(numbers[c])
                tops[c] = value if value > tops[c] else tops[c]
        for i in range(length):
            numbers = x[outer, i, first : first + width]
            for c in range(width):
                totals[c] += exp(load(numbers[c]) - tops[c])
        for c in range(width):
            totals[c] = real(1) / totals[c]
        for i in range(length):
            numbers = x[outer, i, first : first + width]
            shares = out[outer, i, first : first + width]
            for c in range(width):
                shares[c] = store(exp(load(numbers[c]) - tops[c]) * totals[c])


def numba_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import numbers, rows

    double = T is DataType.FLOAT64
    names = {
        "real": np.float64 if double else np.float32,
        "exp": numbers.fused(numbers.share64 if double else numbers.share32),
        "_LANES": _LANES,
        "_BLOCK": _BLOCK,
        "min": min,
        "np": np,
    }
    along_rows = rows.rows(softmax_rows, T, [(T, 2), (T, 2)], names, rows.REASSOCIATE)
    along_columns = rows.rows(softmax_columns, T, [(T, 3), (T, 3)], names, rows.REASSOCIATE)

    def plan(metas: Any, axis: int) -> Any:
        dims = metas[0].dims
        outer, length, inner = split_at(dims or (1,), axis)
        size = outer * length * inner
        nbytes = 2 * size * T.numpy.itemsize
        if inner == 1:
            shape: tuple[int, ...] = outer, length
            fill = along_rows.of(outer, nbytes)
        else:
            shape = outer, length, inner
            fill = along_columns.of(outer * -(-inner // _BLOCK), nbytes)
        plain = dims == shape and rows.carrier(T) is T.numpy

        def run(x: Any, out: Any) -> None:
            if not (plain and x.flags.carray):
                x, out = rows.flat(x, *shape), rows.flat(out, *shape)
            if size:
                fill(x, out)

        return run

    return cpu.Compiled(plan, along_rows.from_cache, along_rows.code, along_rows.llvm)


def split_at(dims: tuple[int, ...], axis: int) -> tuple[int, int, int]:
    """How many elements there are before the axis, along it, and behind it."""
    at = axis % len(dims)
    return math.prod(dims[:at]), dims[at], math.prod(dims[at + 1 :])


def shares(xp: Any, x: Any, axis: int) -> Any:
    """By array operations, in x's precision."""
    if not x.size:
        return x
    powers = xp.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


CUDA = """
extern "C" __global__ void softmax(
    const T* x, T* out, long long lines, long long length, long long inner, int lanes) {
  Line line(lines, length, inner, lanes);
  x += line.begin, out += line.begin;
  auto larger = [](U a, U b) { return b > a ? b : a; };
  U top = line.length ? wide(x[0]) : U(0);
  for (long long i = line.lane; i < line.length; i += lanes) top = larger(top, wide(x[i * inner]));
  top = folded(top, line, lanes, larger);
  U total = 0;
  for (long long i = line.lane; i < line.length; i += lanes) total += exp(wide(x[i * inner]) - top);
  U factor = U(1) / folded(total, line, lanes, Plus());
  for (long long i = line.lane; i < line.length; i += lanes)
    out[i * inner] = T(exp(wide(x[i * inner]) - top) * factor);
}
"""


def cuda_text(T: DataType) -> str:
    return cuda_source.typed(CUDA, T=T, U=DataType.FLOAT32 if T in dtypes.HALF else T)


def cupy_build(cupy: Any, T: DataType) -> Any:
    kernel = gpu.compiled(cupy, cuda_text(T)).get_function("softmax")

    def run(x: Any, axis: int, out: Any) -> None:
        outer, length, inner = split_at(x.shape or (1,), axis)
        if x.size:
            grid, block, lanes = cuda_source.over_lines(outer * inner, length, inner)
            kernel(grid, block, (x, out, outer * inner, length, inner, np.int32(lanes)))

    return run


def reference(x: DenseTensor, axis: int) -> Any:
    wide = np.asarray(x, np.float64)
    return shares(np, wide.reshape(wide.shape or (1,)), axis).reshape(wide.shape)


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    columns = min(size, 1024)
    return random_array(T, (max(1, size // columns), columns), rng), -1


SoftmaxKernel = KernelTemplate(
    name="phi::SoftmaxKernel",
    signature=signature,
    dtypes=dtypes.FLOATS,
    infer_meta=SoftmaxInferMeta,
    reference=reference,
    builders={"CPU": cpu.planned(numba_build), "GPU": gpu.function(cupy_build, cuda_text)},
    sample=sample,
    roundings=16,
)
