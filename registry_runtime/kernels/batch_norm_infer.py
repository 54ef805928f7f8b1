"""`batch_norm_infer`: each channel scaled and shifted, by statistics that training has left.

Whatever mean, variance, scale and bias a channel has, it comes to one product and one sum, so these
two numbers are worked out first. What remains moves memory. A channel is a run of elements in NCHW and
every so-manieth element in NHWC. Half precision keeps its statistics in float32.

Source: `paddle/phi/kernels/batch_norm_kernel.h`, `kernels/cpu/batch_norm_kernel.cc`.
"""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from registry_runtime.kernels import cpu, cuda_source, dtypes, gpu
from registry_runtime.kernels.template import Context, KernelTemplate, Out, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.multiary import BatchNormInferInferMeta
from registry_runtime.phi.kernel_template import KernelError


def signature(
    dev_ctx: Context,
    x: DenseTensor,
    mean: DenseTensor,
    variance: DenseTensor,
    scale: DenseTensor,
    bias: DenseTensor,
    momentum: float,
    epsilon: float,
    data_layout: str,
    y: Out,
    mean_out: Out,
    variance_out: Out,
) -> None: ...


load = store = cast(Any, None)  # open names


def channels_first(begin: int, end: int, x: Any, factor: Any, shift: Any, y: Any) -> None:
    """x of (batch * channels, elements)."""
    for row in range(begin, end):
        channel = row % factor.size
        a, b, numbers, out = factor[channel], shift[channel], x[row], y[row]
        for i in range(numbers.size):
            out[i] = store(load(numbers[i]) * a + b)


def channels_last(begin: int, end: int, x: Any, factor: Any, shift: Any, y: Any) -> None:
    """x of (elements, channels)."""
    for row in range(begin, end):
        numbers, out = x[row], y[row]
        for i in range(factor.size):
            out[i] = store(load(numbers[i]) * factor[i] + shift[i])


def numba_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import rows

    arrays, contract = (
        [(T, 2), (dtypes.mp_type(T), 1), (dtypes.mp_type(T), 1), (T, 2)],
        frozenset({"contract"}),
    )
    first = rows.rows(channels_first, T, arrays, fastmath=contract)
    last = rows.rows(channels_last, T, arrays, fastmath=contract)

    def run(x: Any, mean: Any, var: Any, scale: Any, bias: Any, *rest: Any) -> None:
        _, epsilon, layout, y, mean_out, variance_out = rest
        factor, shift = line(T, mean, var, scale, bias, epsilon)
        mean_out[...], variance_out[...] = mean, var
        made, shape = (last, (-1, factor.size)) if is_last(x, layout) else (first, inner(x))
        if x.size:
            flat = rows.flat(x, *whole(shape, x.size))
            made.run(flat.shape[0], 2 * x.nbytes, flat, factor, shift, rows.flat(y, *flat.shape))

    return cpu.Compiled(run, first.from_cache, first.code, first.llvm)


def is_last(x: Any, layout: str) -> bool:
    return layout not in ("NCHW", "AnyLayout") or x.ndim == 2


def inner(x: Any) -> tuple[int, int]:
    return -1, math.prod(x.shape[2:])


def whole(shape: tuple[int, int], size: int) -> tuple[int, int]:
    return size // shape[1], shape[1]


def line(
    T: DataType, mean: Any, var: Any, scale: Any, bias: Any, epsilon: float
) -> tuple[Any, Any]:
    """What each channel is multiplied by, and what is then added. Raises KernelError."""
    check(T, mean, var, scale, bias)
    with np.errstate(all="ignore"):
        factor = scale / np.sqrt(var + dtypes.mp_type(T).numpy.type(epsilon))
        return factor, bias - mean * factor


def check(T: DataType, mean: Any, var: Any, scale: Any, bias: Any) -> None:
    wanted = dtypes.mp_type(T).numpy
    for name, given in (("mean", mean), ("variance", var), ("scale", scale), ("bias", bias)):
        if given.dtype != wanted:
            raise KernelError(
                f"phi::BatchNormInferKernel<{T}>: {name} is {given.dtype}; cast it to {wanted}"
            )


CUDA = """
extern "C" __global__ void batch_norm_infer(
    const T* x, const U* mean, const U* variance, const U* scale, const U* bias, U epsilon,
    T* y, U* mean_out, U* variance_out,
    long long lines, long long length, int lanes, long long channels, bool last) {
  for (long long i = blockIdx.x * (long long)THREADS + threadIdx.x; i < channels;
       i += gridDim.x * (long long)THREADS)
    mean_out[i] = mean[i], variance_out[i] = variance[i];
  Line line(lines, length, 1, lanes);
  x += line.begin, y += line.begin;
  U factor = 0, shift = 0;
  long long channel = line.number - over(line.number, channels) * channels;
  for (long long i = line.lane; i < line.length; i += lanes) {
    if (last || i == line.lane) {  // otherwise a line is of one channel
      if (last) channel = i;
      factor = scale[channel] / sqrt(variance[channel] + epsilon);
      shift = bias[channel] - mean[channel] * factor;
    }
    y[i] = T(wide(x[i]) * factor + shift);
  }
}
"""


def cuda_text(T: DataType) -> str:
    return cuda_source.typed(CUDA, T=T, U=dtypes.mp_type(T))


def cupy_build(cupy: Any, T: DataType) -> Any:
    kernel = gpu.compiled(cupy, cuda_text(T)).get_function("batch_norm_infer")

    def run(x: Any, mean: Any, var: Any, scale: Any, bias: Any, *rest: Any) -> None:
        _, epsilon, layout, y, *outs = rest
        check(T, mean, var, scale, bias)
        last = is_last(x, layout)
        length = mean.size if last else math.prod(x.shape[2:])
        lines = x.size // length if length else 0
        grid, block, lanes = cuda_source.over_lines(lines, length, 1)
        eps, sizes = mean.dtype.type(epsilon), (lines, length, np.int32(lanes), mean.size)
        if mean.size:
            kernel(grid, block, (x, mean, var, scale, bias, eps, y, *outs, *sizes, np.bool(last)))

    return run


def reference(
    x: DenseTensor,
    mean: Any,
    var: Any,
    scale: Any,
    bias: Any,
    _: float,
    epsilon: float,
    layout: str,
) -> Any:
    a, b, c, d = (np.asarray(t, np.float64) for t in (mean, var, scale, bias))
    channels = 1 if layout in ("NCHW", "AnyLayout") else -1
    elements = np.moveaxis(np.asarray(x, np.float64), channels, -1)
    y = (elements - a) / np.sqrt(b + epsilon) * c + d
    return np.moveaxis(y, -1, channels), np.asarray(mean), np.asarray(var)


def magnitude(x: DenseTensor, mean: Any, var: Any, scale: Any, bias: Any, *rest: Any) -> Any:
    far = [np.abs(np.asarray(t, np.float64)) for t in (x, mean, var, scale, bias)]
    far[1] = -far[1]  # what is subtracted adds to what may be lost
    tensors: list[Any] = [DenseTensor(t) for t in far]
    return reference(*tensors, *rest)


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    channels = max(1, min(64, size // 64))
    inner = max(1, min(1024, size // channels))
    x = random_array(T, (max(1, size // (channels * inner)), channels, inner), rng)
    mean, var, scale, bias = (random_array(dtypes.mp_type(T), (channels,), rng) for _ in range(4))
    return x, mean, np.square(var), scale, bias, 0.9, 1e-5, "NCHW"


_STATISTICS = frozenset({DataType.FLOAT32, DataType.FLOAT64})
BatchNormInferKernel = KernelTemplate(
    name="phi::BatchNormInferKernel",
    signature=signature,
    dtypes=dtypes.FLOATS,
    infer_meta=BatchNormInferInferMeta,
    reference=reference,
    builders={"CPU": cpu.function(numba_build), "GPU": gpu.function(cupy_build, cuda_text)},
    sample=sample,
    accepts=dict.fromkeys(("mean", "variance", "scale", "bias"), _STATISTICS),
    open_dtype=lambda name, T: T if name == "y" else dtypes.mp_type(T),
    roundings=8,
    magnitude=magnitude,
)
