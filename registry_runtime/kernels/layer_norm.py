"""`layer_norm`: each row brought to mean 0 and variance 1, then scaled and shifted column by column.

The dims from `begin_norm_axis` on are one row. A row is read three times: for its mean, for its
variance, which taken about the mean loses no digits, and for the output; from the second time on it
lies in the cache. Half precision is computed in float32, and keeps its statistics there.

Source: `paddle/phi/kernels/layer_norm_kernel.h`.
"""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from registry_runtime.kernels import cpu, cuda_source, dtypes, gpu
from registry_runtime.kernels.template import (
    Context,
    KernelTemplate,
    OptionalTensor,
    Out,
    random_array,
)
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.ternary import LayerNormInferMeta


def signature(
    dev_ctx: Context,
    x: DenseTensor,
    scale: OptionalTensor,
    bias: OptionalTensor,
    epsilon: float,
    begin_norm_axis: int,
    out: Out,
    mean: Out,
    variance: Out,
) -> None: ...


load = store = real = sqrt = cast(Any, None)  # open names


def layer_norm_rows(
    begin: int, end: int, x: Any, scale: Any, bias: Any, epsilon: Any, out: Any, mean: Any, var: Any
) -> None:
    columns = x.shape[1]
    for row in range(begin, end):
        total = real(0)
        for column in range(columns):
            total += load(x[row, column])
        middle = total / real(columns)
        squares = real(0)
        for column in range(columns):
            distance = load(x[row, column]) - middle
            squares += distance * distance
        spread = squares / real(columns)
        factor = real(1) / sqrt(spread + epsilon[0])
        for column in range(columns):
            normal = (load(x[row, column]) - middle) * factor
            out[row, column] = store(normal * load(scale[column]) + load(bias[column]))
        mean[row], var[row] = middle, spread


def numba_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import rows

    U = dtypes.mp_type(T)
    made = rows.rows(
        layer_norm_rows,
        T,
        [(T, 2), (T, 1), (T, 1), (U, 1), (T, 2), (U, 1), (U, 1)],
        {"real": U.numpy.type, "sqrt": np.sqrt},
        rows.REASSOCIATE,
    )

    def run(
        x: Any, scale: Any, bias: Any, eps: Any, axis: int, out: Any, mean: Any, var: Any
    ) -> None:
        left = mean.size
        columns = math.prod(x.shape[axis:])
        scale = np.ones(columns, T.numpy) if scale is None else scale
        bias = np.zeros(columns, T.numpy) if bias is None else bias
        made.run(
            left,
            2 * x.nbytes,
            rows.flat(x, left, columns),
            rows.flat(scale, columns),
            rows.flat(bias, columns),
            eps,
            rows.flat(out, left, columns),
            mean,
            var,
        )

    return cpu.Compiled(run, made.from_cache, made.code, made.llvm)


def attributes(metas: Any, epsilon: float, begin_norm_axis: int) -> tuple[Any, ...]:
    return np.full(1, epsilon, metas[1].dtype.numpy), begin_norm_axis


def normalised(xp: Any, x: Any, scale: Any, bias: Any, epsilon: float, axis: int) -> Any:
    """Output, mean and variance by array operations, in float32 for half precision."""
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    left, columns = math.prod(x.shape[:axis]), math.prod(x.shape[axis:])
    flat = x.reshape(left, columns).astype(wide)
    mean = flat.sum(1, keepdims=True) / wide(columns)
    variance = xp.square(flat - mean).sum(1, keepdims=True) / wide(columns)
    out = (flat - mean) / xp.sqrt(variance + wide(epsilon))
    if scale is not None:
        out = out * scale.astype(wide)
    if bias is not None:
        out = out + bias.astype(wide)
    return out.reshape(x.shape), mean[:, 0], variance[:, 0]


# W is the type of scale and bias: here x's, in fused_attention that of the statistics.
CUDA = """
extern "C" __global__ void layer_norm(
    const T* x, const W* scale, const W* bias, U epsilon, T* out, U* mean, U* variance,
    long long lines, long long length, int lanes) {
  Line line(lines, length, 1, lanes);
  x += line.begin, out += line.begin;
  U total = 0;
  for (long long i = line.lane; i < line.length; i += lanes) total += wide(x[i]);
  U middle = folded(total, line, lanes, Plus()) / U(length);
  U squares = 0;
  for (long long i = line.lane; i < line.length; i += lanes) {
    U distance = wide(x[i]) - middle;
    squares += distance * distance;
  }
  U spread = folded(squares, line, lanes, Plus()) / U(length);
  U factor = U(1) / sqrt(spread + epsilon);
  for (long long i = line.lane; i < line.length; i += lanes) {
    U normal = (wide(x[i]) - middle) * factor;
    if (scale) normal *= U(scale[i]);
    out[i] = T(bias ? normal + U(bias[i]) : normal);
  }
  if (line.lane == 0 && line.number < lines) mean[line.number] = middle, variance[line.number] = spread;
}
"""


def cuda_text(T: DataType) -> str:
    return cuda_source.typed(CUDA, T=T, U=dtypes.mp_type(T), W=T)


def cupy_build(cupy: Any, T: DataType) -> Any:
    kernel = gpu.compiled(cupy, cuda_text(T)).get_function("layer_norm")
    number, null = dtypes.mp_type(T).numpy.type, np.uintp(0)

    def run(
        x: Any, scale: Any, bias: Any, epsilon: float, axis: int, out: Any, mean: Any, var: Any
    ) -> None:
        if not mean.size:
            return
        columns = math.prod(x.shape[axis:])
        grid, block, lanes = cuda_source.over_lines(mean.size, columns, 1)
        scale, bias = (null if t is None else t for t in (scale, bias))
        sizes = (mean.size, columns, np.int32(lanes))
        kernel(grid, block, (x, scale, bias, number(epsilon), out, mean, var, *sizes))

    return run


def reference(x: Any, scale: Any, bias: Any, epsilon: float, begin_norm_axis: int) -> Any:
    x, scale, bias = (None if t is None else np.asarray(t, np.float64) for t in (x, scale, bias))
    return normalised(np, x, scale, bias, epsilon, begin_norm_axis)


def magnitude(x: DenseTensor, scale: Any, bias: Any, epsilon: float, begin_norm_axis: int) -> Any:
    out, _, variance = reference(x, scale, bias, epsilon, begin_norm_axis)
    weight = 1 if scale is None else np.abs(np.asarray(scale, np.float64)).max(initial=0)
    columns = math.prod(x.dims[begin_norm_axis:])
    far = np.abs(np.asarray(x, np.float64)).reshape(variance.size, columns).sum(1) / np.float64(
        columns
    )
    # Where a row lies far from 0 and close together, the subtraction leaves few digits.
    lost = far / np.sqrt(variance + epsilon)
    rows = np.abs(out).reshape(variance.size, columns) + weight * (1 + lost[:, None])
    return rows.reshape(out.shape), far, variance + far * far


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    columns = min(size, 1024)
    x = random_array(T, (max(1, size // columns), columns), rng)
    return x, random_array(T, (columns,), rng), random_array(T, (columns,), rng), 1e-5, 1


LayerNormKernel = KernelTemplate(
    name="phi::LayerNormKernel",
    signature=signature,
    dtypes=dtypes.FLOATS,
    infer_meta=LayerNormInferMeta,
    reference=reference,
    builders={
        "CPU": cpu.function(numba_build, attributes=attributes),
        "GPU": gpu.function(cupy_build, cuda_text),
    },
    sample=sample,
    roundings=16,
    magnitude=magnitude,
)
