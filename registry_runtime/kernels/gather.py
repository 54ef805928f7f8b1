"""`gather` and `embedding`: rows of a table, by their numbers.

`gather` takes slices of any axis, and counts a negative number from the end. `embedding` takes rows of
a matrix, and zeros for the one number that stands for "no word". Only bits move; the first number that
is out of range is remembered, and the call refused in Paddle's words.

Source: `paddle/phi/kernels/gather_kernel.h`, `funcs/gather.h`, `kernels/cpu/embedding_kernel.cc`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, cast

import numpy as np

from registry_runtime.kernels import cpu, cuda_source, dtypes, gpu
from registry_runtime.kernels.softmax import split_at
from registry_runtime.kernels.template import Context, Int64, KernelTemplate, Out, random_array
from registry_runtime.kernels.transpose import bits_of
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.binary import EmbeddingInferMeta, GatherInferMeta
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.scalar import Scalar


def gather_signature(
    dev_ctx: Context, x: DenseTensor, index: DenseTensor, axis: Scalar, out: Out
) -> None: ...


def embedding_signature(
    dev_ctx: Context, inputx: DenseTensor, weight: DenseTensor, padding_idx: Int64, out: Out
) -> None: ...


zero = unsigned = cast(Any, None)  # open names


def copied_slices(begin: int, end: int, x: Any, index: Any, how: Any, wrong: Any, out: Any) -> None:
    """x of (outer, length, inner) to out of (outer, number of indices, inner), both flat.

    `how` holds length and inner, the lowest index, and the one that means zeros if it is not -1;
    `wrong` takes the place of an index that is out of range.
    """
    length, inner, lowest, padding = how[0], how[1], how[2], how[3]
    count = index.size
    for piece in range(begin, end):
        outer, i = piece // count, piece % count
        at = index[i]
        target = unsigned(piece) * unsigned(inner)
        if at == padding and at != -1:
            for k in range(inner):
                out[target + unsigned(k)] = zero
        elif at < lowest or at >= length:
            wrong[0] = i
        else:
            source = unsigned((outer * length + (at if at >= 0 else at + length)) * inner)
            for k in range(inner):
                out[target + unsigned(k)] = x[source + unsigned(k)]


def _copier(T: DataType) -> tuple[Callable[..., int], cpu.Compiled]:
    """`copy(x, index, how, out)` fills out, and gives the place of an index out of range, or -1."""
    from registry_runtime.kernels import rows

    bits, index_type = bits_of(T), DataType.INT64
    arrays = [(bits, 1), (index_type, 1), (index_type, 1), (index_type, 1), (bits, 1)]
    names = {"zero": bits.numpy.type(0), "unsigned": np.uintp}
    made = rows.rows(copied_slices, bits, arrays, names)
    carrier, int64 = bits.numpy, np.dtype(np.int64)

    def copy(x: Any, index: Any, how: tuple[int, ...], out: Any) -> int:
        places = rows.flat(index if index.dtype is int64 else index.astype(int64), index.size)
        source, target = rows.flat(x, x.size), rows.flat(out, out.size)
        wrong = np.empty(1, int64)
        wrong[0] = -1
        made.run(
            out.size // how[1] if how[1] else places.size,
            2 * out.nbytes,
            source.view(carrier),
            places,
            _array(how),
            wrong,
            target.view(carrier),
        )
        if wrong[0] < 0:
            return -1
        # The threads saw some index out of range; Paddle names the first.
        length, _, lowest, padding = how
        bad = (places < lowest) | (places >= length)
        if padding != -1:
            bad &= places != padding
        return int(bad.argmax())

    return copy, cpu.Compiled(copy, made.from_cache, made.code, made.llvm)


@lru_cache(maxsize=256)
def _array(numbers: tuple[int, ...]) -> Any:
    return np.array(numbers)


def gather_build(loops: Any, T: DataType) -> cpu.Compiled:
    copy, compiled = _copier(T)

    def run(x: Any, index: Any, axis: int, out: Any) -> None:
        _, length, inner = split_at(x.shape, axis)
        wrong = copy(x, index, (length, inner, -length, -1), out)
        if wrong >= 0:
            _refuse(length, int(index.reshape(-1)[wrong]), wrong)

    return compiled._replace(run=run)


def _refuse(length: int, index: int, place: int) -> None:
    bound = (
        f"less than the size of input dim size of axis which is {length}"
        if index >= length
        else f"greater than or equal to {-length}"
    )
    raise KernelError(
        f"The element of Index must be {bound}, but received index element which is {index} in the "
        f"{place} index."
    )


def _refuse_word(words: int, word: int) -> None:
    raise KernelError(
        f"Variable value (input) of OP(embedding) expected >= 0 and < {words}, but got {word}. "
        "Please check input value."
    )


def _looked_up(copy: Callable[..., int]) -> Callable[..., None]:
    """`embedding` with what copies the rows."""

    def run(ids: Any, weight: Any, padding_idx: int, out: Any) -> None:
        wrong = copy(weight, ids, (*weight.shape, 0, padding_idx), out)
        if wrong >= 0:
            _refuse_word(len(weight), int(ids.reshape(-1)[wrong]))

    return run


def embedding_build(loops: Any, T: DataType) -> cpu.Compiled:
    copy, compiled = _copier(T)
    return compiled._replace(run=_looked_up(copy))


def gather_attributes(metas: Any, axis: Scalar) -> tuple[Any, ...]:
    return (int(axis.to(DataType.INT64)),)


def gather_reference(x: DenseTensor, index: DenseTensor, axis: Scalar) -> Any:
    places = np.asarray(index)
    return np.take(np.asarray(x), places.reshape(places.shape[:1]), int(axis.to(DataType.INT64)))


def embedding_reference(ids: DenseTensor, weight: DenseTensor, padding_idx: int) -> Any:
    rows = np.asarray(weight)
    out = rows[np.asarray(ids)]
    if padding_idx != -1:
        out[np.asarray(ids) == padding_idx] = 0
    return out


CUDA = """
// As `copied_slices`: x of (outer, length, inner) to out of (outer, count, inner).
extern "C" __global__ void gather(
    const T* x, const I* index, T* out, long long lines, long long inner, int lanes,
    long long count, long long length, long long lowest, long long padding,
    unsigned long long* wrong) {
  Line slice(lines, inner, 1, lanes);
  if (slice.number >= lines) return;
  long long outer = over(slice.number, count), i = slice.number - outer * count, at = index[i];
  bool zero = padding != -1 && at == padding;
  if (!zero && (at < lowest || at >= length)) {
    atomicMin(wrong, (unsigned long long)i);  // the first of them is named
    return;
  }
  x += (outer * length + (at < 0 ? at + length : at)) * inner;
  for (long long k = slice.lane; k < inner; k += lanes)
    out[slice.begin + k] = zero ? T(0) : x[k];
}
"""


def cuda_text(T: DataType, index: DataType = DataType.INT64) -> str:
    return cuda_source.typed(CUDA, T=bits_of(T), I=index)


def _gpu_copier(cupy: Any, T: DataType) -> Callable[..., int]:
    """`_copier`'s `copy`, on the GPU. It waits for the kernel, to see whether an index was wrong."""

    @cache
    def kernel(index: Any) -> Any:
        return gpu.compiled(cupy, cuda_text(T, DataType.of(index))).get_function("gather")

    kernel(np.dtype(np.int64))

    def copy(x: Any, index: Any, how: tuple[int, ...], out: Any) -> int:
        length, inner, lowest, padding = how
        lines = out.size // inner if inner else index.size
        if not lines:
            return -1
        wrong = cupy.full(1, index.size, np.uint64)
        grid, block, lanes = cuda_source.over_lines(lines, inner, 1)
        sizes = (lines, inner, np.int32(lanes), index.size, length, lowest, padding)
        kernel(index.dtype)(grid, block, (x, index, out, *sizes, wrong))
        first = int(wrong[0])
        return first if first < index.size else -1

    return copy


def cupy_gather(cupy: Any, T: DataType) -> Any:
    copy = _gpu_copier(cupy, T)

    def run(x: Any, index: Any, axis: Scalar, out: Any) -> None:
        _, length, inner = split_at(x.shape, int(axis.to(DataType.INT64)))
        wrong = copy(x, index, (length, inner, -length, -1), out)
        if wrong >= 0:
            _refuse(length, int(index.reshape(-1)[wrong]), wrong)

    return run


def cupy_embedding(cupy: Any, T: DataType) -> Any:
    return _looked_up(_gpu_copier(cupy, T))


def gather_sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    inner = min(size, 64)
    rows = max(1, size // inner)
    return random_array(T, (rows, inner), rng), rng.integers(0, rows, rows), Scalar(0)


def embedding_sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    x, index, _ = gather_sample(T, size, rng)
    return index, x, -1


_INDEX = frozenset({DataType.INT32, DataType.INT64})

GatherKernel = KernelTemplate(
    name="phi::GatherKernel",
    signature=gather_signature,
    dtypes=dtypes.NUMBERS,
    infer_meta=GatherInferMeta,
    reference=gather_reference,
    builders={
        "CPU": cpu.function(gather_build, attributes=gather_attributes),
        "GPU": gpu.function(cupy_gather, cuda_text),
    },
    sample=gather_sample,
    accepts={"index": _INDEX},
)
EmbeddingKernel = KernelTemplate(
    name="phi::EmbeddingKernel",
    signature=embedding_signature,
    dtypes=dtypes.FLOATS | dtypes.COMPLEX | {DataType.INT8},
    infer_meta=EmbeddingInferMeta,
    reference=embedding_reference,
    builders={"CPU": cpu.function(embedding_build), "GPU": gpu.function(cupy_embedding, cuda_text)},
    sample=embedding_sample,
    accepts={"inputx": _INDEX},
)
