"""`sequence_mask` and `sequence_mask_scalar`: lengths to rows of ones, filled up with zeros.

Row i has as many ones as x's element i says. How long the rows are is the attribute's to say, or a
tensor's, or the longest length's: then nobody knows the output's dims before x is read, and the
kernel resizes it itself. What the ones are is an attribute too, so a loop writes the bits of a 1 of
that type.

Source: `paddle/phi/kernels/sequence_mask_kernel.h`, `kernels/impl/sequence_mask_kernel_impl.h`; how
odd lengths are treated was tried out on Paddle 3.3.1.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any, cast

import numpy as np

from registry_runtime.kernels import cpu, cuda_source, gpu
from registry_runtime.kernels.template import Context, KernelTemplate, OptionalTensor, Out
from registry_runtime.kernels.transpose import bits_of
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import InvalidArgument, PreconditionNotMet
from registry_runtime.phi.infermeta.binary import SequenceMaskInferMeta
from registry_runtime.phi.infermeta.unary import SequenceMaskScalarInferMeta
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.phi.scalar import Scalar


def signature(
    dev_ctx: Context,
    x: DenseTensor,
    max_len_tensor: OptionalTensor,
    maxlen: int,
    out_dtype: DataType,
    y: Out,
) -> None: ...


def scalar_signature(
    dev_ctx: Context, x: DenseTensor, max_len: Scalar, out_dtype: DataType, y: Out
) -> None: ...


unsigned = cast(Any, None)  # an open name


def mask_rows(begin: int, end: int, lengths: Any, bits: Any, y: Any) -> None:
    """`bits` are those of a 0 and of a 1."""
    zero, one, columns = bits[0], bits[1], y.shape[1]
    for row in range(begin, end):
        target, length = y[row], lengths[row]
        ones = columns if length >= columns else 0
        if 0 < length < columns:
            ones = int(length)
            ones += ones < length  # 1.5 is more than 1
        for i in range(unsigned(ones)):
            target[i] = one
        for i in range(unsigned(ones), unsigned(columns)):
            target[i] = zero


def numba_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import rows

    @cache
    def made(bits: DataType) -> Any:
        return rows.rows(mask_rows, T, [(T, 1), (bits, 1), (bits, 2)], {"unsigned": np.uintp})

    first = made(DataType.INT64)

    def plan(metas: Any, _: Any, out_dtype: DataType) -> Any:
        *dims, columns = metas[0].dims
        count, bits = math.prod(dims), carried(out_dtype)
        zero_and_one = np.array([0, 1]).astype(out_dtype.numpy).view(bits.numpy)
        fill = made(bits).of(count, count * columns * bits.numpy.itemsize)
        plain = len(dims) == 1 and out_dtype is bits

        def run(x: Any, *rest: Any) -> None:
            y = rest[-1]
            if not (plain and x.flags.carray):
                x, y = rows.flat(x, count), y.reshape(count, columns).view(bits.numpy)
            fill(x, zero_and_one, y)

        return run

    return cpu.Compiled(plan, first.from_cache, first.code, first.llvm)


def carried(out_dtype: DataType) -> DataType:
    """What has the same bits; of 8 bytes, the usual type of a mask."""
    return DataType.INT64 if out_dtype.numpy.itemsize == 8 else bits_of(out_dtype)


def resize(
    x: DenseTensor,
    max_len_tensor: DenseTensor | None,
    maxlen: int,
    out_dtype: DataType,
    y: MetaTensor,
) -> tuple[MetaTensor, ...]:
    """`y` with as many columns as the tensor says, if there is one, or the longest length."""
    if max_len_tensor is not None:
        maxlen = int(np.asarray(max_len_tensor).reshape(-1)[0])
        if maxlen <= 0:
            raise InvalidArgument(
                "Input(MaxLenTensor) value should be greater than 0. But received "
                f"Input(MaxLenTensor) value = {maxlen}."
            )
    return resize_by_scalar(x, Scalar(maxlen), out_dtype, y)


def resize_by_scalar(
    x: DenseTensor, max_len: Scalar, out_dtype: DataType, y: MetaTensor
) -> tuple[MetaTensor, ...]:
    if out_dtype is DataType.UNDEFINED:
        raise InvalidArgument("Not supported phi::DataType(0) as data type.")
    columns = int(max_len.to(DataType.INT32))
    if columns == 0 or (columns < 0 and x.numel and (columns := longest(x)) < 0):
        raise PreconditionNotMet(
            "The meta data must be valid when call the mutable data function: the rows would be "
            f"{columns} long; pass a maxlen above 0"
        )
    return (replace(y, dims=(*x.dims, max(columns, 0))),)


def longest(x: DenseTensor) -> int:
    lengths = np.asarray(x)
    length = lengths.max()
    if not np.isfinite(length) or length >= 2**31:
        raise InvalidArgument(f"the longest length in x is {length}: pass maxlen")
    return int(length)


def mask(x: DenseTensor, columns: int) -> Any:
    return np.arange(columns) < np.asarray(x)[..., None]


def reference(
    x: DenseTensor, max_len_tensor: DenseTensor | None, maxlen: int, out_dtype: DataType
) -> Any:
    (y,) = resize(x, max_len_tensor, maxlen, out_dtype, MetaTensor())
    return mask(x, y.dims[-1]).astype(out_dtype.numpy)


def scalar_reference(x: DenseTensor, max_len: Scalar, out_dtype: DataType) -> Any:
    (y,) = resize_by_scalar(x, max_len, out_dtype, MetaTensor())
    return mask(x, y.dims[-1]).astype(out_dtype.numpy)


CUDA = """
extern "C" __global__ void sequence_mask(const T* x, O* y, long long size, long long columns) {
  for (long long i = blockIdx.x * (long long)THREADS + threadIdx.x; i < size;
       i += gridDim.x * (long long)THREADS) {
    long long row = over(i, columns);
    y[i] = O(i - row * columns < x[row] ? 1.0f : 0.0f);
  }
}
"""


def cuda_text(T: DataType, out_dtype: DataType = DataType.INT64) -> str:
    return cuda_source.typed(CUDA, T=T, O=out_dtype)


def cupy_build(cupy: Any, T: DataType) -> Any:
    @cache
    def kernel(out_dtype: DataType) -> Any:
        return gpu.compiled(cupy, cuda_text(T, out_dtype)).get_function("sequence_mask")

    def run(x: Any, *rest: Any) -> None:
        out_dtype, y = rest[-2:]
        if y.size:
            launch = cuda_source.over_all(y.size)
            kernel(out_dtype)(*launch, (x, y, y.size, y.shape[-1]))

    return run


def lengths(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, int]:
    columns = min(max(size, 1), 512)
    return rng.integers(0, columns + 1, size // columns).astype(T.numpy), columns


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    x, columns = lengths(T, size, rng)
    return x, None, columns, DataType.INT64


def scalar_sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    x, columns = lengths(T, size, rng)
    return x, Scalar(columns), DataType.INT64


SequenceMaskScalarKernel = KernelTemplate(
    name="phi::SequenceMaskScalarKernel",
    signature=scalar_signature,
    dtypes=frozenset({DataType.FLOAT32, DataType.FLOAT64, DataType.INT32, DataType.INT64}),
    infer_meta=SequenceMaskScalarInferMeta,
    reference=scalar_reference,
    builders={
        "CPU": cpu.planned(numba_build),
        "GPU": gpu.function(cupy_build, cuda_text),
    },
    sample=scalar_sample,
    resize=resize_by_scalar,
)
SequenceMaskKernel = replace(
    SequenceMaskScalarKernel,
    name="phi::SequenceMaskKernel",
    signature=signature,
    infer_meta=SequenceMaskInferMeta,
    reference=reference,
    sample=sample,
    accepts={"max_len_tensor": frozenset({DataType.INT32})},
    resize=resize,
)
