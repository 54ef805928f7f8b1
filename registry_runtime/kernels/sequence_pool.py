"""`sequence_pool` and `sequence_pool_grad`: of each sequence in a ragged batch, one row.

x's LoD says where its sequences begin. One becomes the average of its rows, their sum, the sum over
the root of how many they are, the largest of each column, the last or the first; an empty one is
filled with `pad_value`. InferMeta doesn't see the LoD, so the kernel resizes its outputs.
`max_index` holds the rows that were the largest, for the gradient; where nobody will want it, it
has no elements here, and in Paddle no memory.

Source: `paddle/phi/kernels/impl/sequence_pool_kernel_impl.h`, `kernels/funcs/sequence_pooling.cc`;
what is refused was tried out on Paddle 3.3.1. There the gradient of rows in no sequence is left as
it lay in memory; here it is 0.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from registry_runtime.kernels import cpu, cuda_source, gpu
from registry_runtime.kernels.template import (
    Context,
    KernelTemplate,
    OptionalTensor,
    Out,
    Ragged,
    random_array,
)
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor, Lod
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.infermeta.unary import SequencePoolInferMeta, UnchangedInferMeta
from registry_runtime.phi.meta_tensor import MetaTensor


def signature(
    dev_ctx: Context,
    x: DenseTensor,
    is_test: bool,
    pooltype: str,
    pad_value: float,
    out: Out,
    max_index: Out,
) -> None: ...


def grad_signature(
    dev_ctx: Context,
    x: DenseTensor,
    max_index: OptionalTensor,
    out_grad: DenseTensor,
    is_test: bool,
    pooltype: str,
    pad_value: float,
    x_grad: Out,
) -> None: ...


_AVERAGE, _SUM, _SQRT, _MAX, _LAST, _FIRST = range(6)
_KINDS = {
    "AVERAGE": _AVERAGE,
    "SUM": _SUM,
    "SQRT": _SQRT,
    "MAX": _MAX,
    "LAST": _LAST,
    "FIRST": _FIRST,
}


def pool_rows(
    begin: int, end: int, x: Any, offsets: Any, kind: Any, pad: Any, out: Any, index: Any
) -> None:
    """x of (rows, columns). `index` has no elements where nobody wants it."""
    columns = x.shape[1]
    for sequence in range(begin, end):
        first, last, target = offsets[sequence], offsets[sequence + 1], out[sequence]
        if first == last:
            for c in range(columns):
                target[c] = pad[0]
            if index.size:
                index[sequence] = -1
            continue
        source = x[last - 1] if kind[0] == _LAST else x[first]
        for c in range(columns):
            target[c] = source[c]
        if kind[0] == _MAX and index.size:
            where = index[sequence]
            where[:] = first
            for row in range(first + 1, last):
                source = x[row]
                for c in range(columns):
                    if source[c] > target[c]:
                        target[c], where[c] = source[c], row
        elif kind[0] == _MAX:
            for row in range(first + 1, last):
                source = x[row]
                for c in range(columns):
                    target[c] = source[c] if source[c] > target[c] else target[c]
        elif kind[0] <= _SQRT:
            for row in range(first + 1, last):
                source = x[row]
                for c in range(columns):
                    target[c] += source[c]
            if kind[0] != _SUM:
                rows = float(last - first)
                by = x.dtype.type(np.sqrt(rows) if kind[0] == _SQRT else rows)
                for c in range(columns):
                    target[c] /= by


def spread_rows(
    begin: int, end: int, grad: Any, offsets: Any, kind: Any, index: Any, x_grad: Any
) -> None:
    columns, how = grad.shape[1], kind[0]
    for sequence in range(begin, end):
        first, last, source = offsets[sequence], offsets[sequence + 1], grad[sequence]
        rows = float(last - first)
        by = grad.dtype.type(np.sqrt(rows) if how == _SQRT else rows if how == _AVERAGE else 1.0)
        for row in range(first, last):
            target = x_grad[row]
            if how == _MAX:
                where = index[sequence]
                for c in range(columns):
                    target[c] = source[c] if where[c] == row else grad.dtype.type(0)
            elif (how == _LAST and row != last - 1) or (how == _FIRST and row != first):
                for c in range(columns):
                    target[c] = grad.dtype.type(0)
            else:
                for c in range(columns):
                    target[c] = source[c] / by


_NAMES = {"np": np, "_AVERAGE": _AVERAGE, "_SUM": _SUM, "_SQRT": _SQRT, "_MAX": _MAX}
_NAMES |= {"_LAST": _LAST, "_FIRST": _FIRST, "float": float}


def numba_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import rows

    number = DataType.INT64
    arrays = [(T, 2), (number, 1), (number, 1), (T, 1), (T, 2), (DataType.INT32, 2)]
    made = rows.rows(pool_rows, T, arrays, _NAMES)

    def plan(metas: Any, lod: Lod, _: bool, pooltype: str, pad_value: float) -> Any:
        count, *dims = metas[0].dims
        columns, offsets = math.prod(dims), np.array(lod[-1], np.int64)
        kind, pad = np.array([_KINDS[pooltype]]), np.array([pad_value], T.numpy)
        pool = made.of(count, lod[-1][-1] * columns * T.numpy.itemsize)
        plain = len(dims) == 1

        def run(ragged: DenseTensor, out: Any, index: Any) -> None:
            x = ragged.data
            if not (plain and x.flags.carray):
                x, out = rows.flat(x, len(x), columns), out.reshape(count, columns)
                index = index.reshape(len(index), columns)
            pool(x, offsets, kind, pad, out, index)

        return run

    return cpu.Compiled(plan, made.from_cache, made.code, made.llvm)


def grad_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import rows

    number = DataType.INT64
    arrays = [(T, 2), (number, 1), (number, 1), (DataType.INT32, 2), (T, 2)]
    made = rows.rows(spread_rows, T, arrays, _NAMES)

    def plan(metas: Any, lod: Lod, _: bool, pooltype: str, __: float) -> Any:
        length, *dims = metas[0].dims
        offsets, kind = np.array(lod[-1], np.int64), np.array([_KINDS[pooltype]])
        count, columns = len(offsets) - 1, math.prod(dims)
        first, last = lod[-1][0], lod[-1][-1]
        spread = made.of(count, length * columns * T.numpy.itemsize)
        nowhere = np.empty((0, columns), np.int32)

        def run(_: DenseTensor, index: Any, grad: Any, x_grad: Any) -> None:
            x_grad[:first] = 0
            x_grad[last:] = 0
            index = nowhere if index is None else rows.flat(index, len(index), columns)
            flat = x_grad.reshape(length, columns)
            spread(rows.flat(grad, count, columns), offsets, kind, index, flat)

        return run

    return cpu.Compiled(plan, made.from_cache, made.code, made.llvm)


def resize(
    x: DenseTensor, is_test: bool, pooltype: str, pad: float, out: MetaTensor, index: MetaTensor
) -> tuple[MetaTensor, ...]:
    """A row for each sequence; with two levels, the upper one groups these rows."""
    dims = (len(offsets_of(x.dims, x.lod)) - 1, *x.dims[1:])
    if pooltype not in _KINDS:
        raise InvalidArgument(
            f'unsupported pooling pooltype: {pooltype}. Only support "MAX", "AVERAGE", "SUM", '
            '"SQRT", "LAST" and "FIRST"'
        )
    if pooltype == "MAX" and len(x.dims) < 2:
        raise InvalidArgument(
            "The rank of input shall be greater than 1, but got the rank is 1. "
            "Please check the input value"
        )
    wanted = pooltype == "MAX" and not is_test
    return (
        replace(out, dims=dims, lod=x.lod[:1] if len(x.lod) > 1 else ()),
        replace(index, dims=dims if wanted else (0, *x.dims[1:]), dtype=DataType.INT32),
    )


def offsets_of(dims: tuple[int, ...], lod: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Where the sequences begin, and where the last one ends. Raises InvalidArgument."""
    if not lod:
        raise InvalidArgument(
            "Input(X) phi::DenseTensor of SequencePoolOp does not contain LoD information."
        )
    if len(lod) > 2:
        raise InvalidArgument(
            f"The lod level of input shall be no more than 2.Received lod level is {len(lod)}."
        )
    offsets, rows = lod[-1], dims[0] if dims else 0
    if rows < len(offsets) - 1:
        raise InvalidArgument(
            "The first dimension of Input(X) must be large than batch size. But received first "
            f"dimension of Input(X) is {rows}, while batch size is {len(offsets) - 1}."
        )
    if len(lod) > 1 and lod[0][-1] != len(offsets) - 1:
        raise InvalidArgument("The input lod information is illegal.")
    if not offsets or [*offsets] != sorted(offsets) or offsets[0] < 0 or offsets[-1] > rows:
        # Paddle reads there.
        raise InvalidArgument(
            f"the LoD's offsets {list(offsets)} must rise from 0 to x's number of rows, {rows}"
        )
    return offsets


def check_gradient(
    x: DenseTensor,
    index: DenseTensor | None,
    grad: DenseTensor,
    is_test: bool,
    pooltype: str,
    pad_value: float,
    x_grad: MetaTensor,
) -> tuple[MetaTensor, ...]:
    """Nothing is resized; what Paddle finds out by reading beyond a tensor is refused."""
    wanted = (len(offsets_of(x.dims, x.lod)) - 1, *x.dims[1:])
    if pooltype not in _KINDS:
        raise InvalidArgument(f"unsupported pooling pooltype: {pooltype}")
    if grad.dims != wanted:
        raise InvalidArgument(f"out_grad has dims {list(grad.dims)}; it must have {list(wanted)}")
    if pooltype == "MAX" and (index is None or index.dims != wanted):
        raise InvalidArgument(f"max_index of dims {list(wanted)} is needed for the gradient of MAX")
    return (x_grad,)


def reference(x: DenseTensor, is_test: bool, pooltype: str, pad: float) -> Any:
    offsets, rows = x.lod[-1], np.asarray(x)
    out = np.full((len(offsets) - 1, *x.dims[1:]), pad, np.float64)
    index = np.full(out.shape, -1)
    for i, (first, last) in enumerate(pairwise(offsets)):
        sequence = rows[first:last].astype(np.float64)
        if first == last:
            continue
        if pooltype in ("LAST", "FIRST"):
            out[i] = sequence[-1 if pooltype == "LAST" else 0]
        elif pooltype == "MAX":
            out[i], index[i] = sequence[0], first
            for row, numbers in enumerate(sequence[1:], first + 1):
                larger = numbers > out[i]  # not so if one of them is no number
                out[i], index[i] = (
                    np.where(larger, numbers, out[i]),
                    np.where(larger, row, index[i]),
                )
        else:
            out[i] = sequence.sum(0) / divisor(pooltype, last - first)
    wanted = pooltype == "MAX" and not is_test
    return out, index if wanted else index[:0]


def divisor(pooltype: str, rows: int) -> float:
    return {"AVERAGE": rows, "SQRT": math.sqrt(rows)}.get(pooltype, 1)


def magnitude(x: DenseTensor, is_test: bool, pooltype: str, pad: float) -> Any:
    largest = replace(x, data=np.abs(np.asarray(x, np.float64)))
    kind = pooltype if pooltype in ("AVERAGE", "SUM", "SQRT") else "SUM"
    return reference(largest, True, kind, pad)[0], 0


def grad_reference(
    x: DenseTensor, index: Any, grad: Any, is_test: bool, pooltype: str, pad: float
) -> Any:
    offsets = x.lod[-1]
    result, source = np.zeros(x.dims), np.asarray(grad, np.float64)
    for i, (first, last) in enumerate(pairwise(offsets)):
        if first == last:
            continue
        if pooltype in ("LAST", "FIRST"):
            result[last - 1 if pooltype == "LAST" else first] = source[i]
        elif pooltype == "MAX":
            numbers = np.arange(first, last).reshape(-1, *[1] * (source.ndim - 1))
            result[first:last] = np.where(np.asarray(index)[i] == numbers, source[i], 0)
        else:
            result[first:last] = source[i] / divisor(pooltype, last - first)
    return result


CUDA = """
#define EACH(i, size)                                                              \\
  for (long long i = blockIdx.x * (long long)THREADS + threadIdx.x; i < (size);    \\
       i += gridDim.x * (long long)THREADS)
enum { AVERAGE, SUM, ROOT, MAX, LAST, FIRST };

// A thread goes through a column of a sequence.
extern "C" __global__ void pooled(
    const T* x, const long long* offsets, int kind, T pad, T* out, int* index, bool with_index,
    long long size, long long columns) {
  EACH(i, size) {
    long long sequence = over(i, columns), column = i - sequence * columns;
    long long first = offsets[sequence], last = offsets[sequence + 1], where = -1;
    T value = pad;
    if (first < last) {
      where = kind == LAST ? last - 1 : first;
      value = x[where * columns + column];
      for (long long row = first + 1; kind <= MAX && row < last; ++row) {
        T next = x[row * columns + column];
        if (kind != MAX) value += next;
        else if (next > value) value = next, where = row;
      }
      T rows = T(last - first);
      if (kind == AVERAGE) value /= rows;
      if (kind == ROOT) value /= sqrt(rows);
    }
    out[i] = value;
    if (with_index) index[i] = int(where);
  }
}

extern "C" __global__ void spread(
    const T* grad, const long long* offsets, int kind, const int* index, T* x_grad,
    long long size, long long columns) {
  EACH(i, size) {
    long long sequence = over(i, columns), column = i - sequence * columns;
    long long first = offsets[sequence], last = offsets[sequence + 1];
    T rows = T(last - first), value = grad[i];
    if (kind == AVERAGE) value /= rows;
    if (kind == ROOT) value /= sqrt(rows);
    long long only = kind == MAX ? index[i] : kind == LAST ? last - 1 : first;
    for (long long row = first; row < last; ++row)
      x_grad[row * columns + column] = kind <= ROOT || row == only ? value : T(0);
  }
}
"""


def cuda_text(T: DataType) -> str:
    return cuda_source.typed(CUDA, T=T)


def cupy_build(cupy: Any, T: DataType) -> Any:
    kernel = gpu.compiled(cupy, cuda_text(T)).get_function("pooled")

    def run(x: Ragged, _: bool, pooltype: str, pad: float, out: Any, max_index: Any) -> None:
        if out.size:
            offsets = cupy.asarray(np.array(x.lod[-1], np.int64))
            sizes = (out.size, out.size // len(out))
            outs = (out, max_index, np.bool(max_index.size))
            how = (np.int32(_KINDS[pooltype]), T.numpy.type(pad))
            kernel(*cuda_source.over_all(out.size), (x.rows, offsets, *how, *outs, *sizes))

    return run


def cupy_grad(cupy: Any, T: DataType) -> Any:
    kernel = gpu.compiled(cupy, cuda_text(T)).get_function("spread")

    def run(x: Ragged, index: Any, grad: Any, _: bool, kind: str, __: float, x_grad: Any) -> None:
        offsets = np.array(x.lod[-1], np.int64)
        x_grad[: int(offsets[0])] = 0
        x_grad[int(offsets[-1]) :] = 0
        if grad.size:
            where = np.uintp(0) if index is None else index
            sizes = (grad.size, grad.size // len(grad))
            arguments = (grad, cupy.asarray(offsets), np.int32(_KINDS[kind]), where, x_grad)
            kernel(*cuda_source.over_all(grad.size), (*arguments, *sizes))

    return run


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    columns = min(max(size, 1), 64)
    rows = size // columns
    cuts = np.sort(rng.integers(0, rows + 1, rows // 16))
    lod = ((0, *cuts.tolist(), rows),) if rows else ((0,),)
    return DenseTensor(random_array(T, (rows, columns), rng), lod=lod), False, "AVERAGE", 0.0


def grad_sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    x, *how = sample(T, size, rng)
    return x, None, random_array(T, (len(x.lod[-1]) - 1, *x.dims[1:]), rng), *how


SequencePoolKernel = KernelTemplate(
    name="phi::SequencePoolKernel",
    signature=signature,
    dtypes=frozenset({DataType.FLOAT32, DataType.FLOAT64}),
    infer_meta=SequencePoolInferMeta,
    reference=reference,
    builders={
        "CPU": cpu.planned(numba_build),
        "GPU": gpu.function(cupy_build, cuda_text),
    },
    sample=sample,
    open_dtype=lambda name, T: T if name == "out" else DataType.INT32,
    resize=resize,
    ragged=frozenset({"x"}),
    roundings=16,
    magnitude=magnitude,
)
SequencePoolGradKernel = KernelTemplate(
    name="phi::SequencePoolGradKernel",
    signature=grad_signature,
    dtypes=frozenset({DataType.FLOAT32, DataType.FLOAT64}),
    infer_meta=UnchangedInferMeta,
    param=("x",),
    reference=grad_reference,
    builders={
        "CPU": cpu.planned(grad_build),
        "GPU": gpu.function(cupy_grad, cuda_text),
    },
    sample=grad_sample,
    bytes_moved=lambda x, *tensors: sum(
        int(t.data.nbytes) for t in tensors if isinstance(t, DenseTensor)
    ),  # x is never read
    accepts={"max_index": frozenset({DataType.INT32})},
    resize=check_gradient,
    ragged=frozenset({"x"}),
    roundings=2,
)
