"""The step's arithmetic in CUDA.

Norms are sums over pieces of unequal length. A block adds up to `CHUNK` elements of one piece, and a
second kernel what the blocks found, so that a long piece keeps many blocks busy.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from registry_runtime.kernels import cuda_source, gpu
from registry_runtime.kernels.distributed_fused_lamb.arguments import (
    Outputs,
    begin,
    end,
    split,
)
from registry_runtime.kernels.distributed_fused_lamb.checks import check
from registry_runtime.kernels.distributed_fused_lamb.operations import Rates
from registry_runtime.kernels.distributed_fused_lamb.step import take_step
from registry_runtime.phi.data_type import DataType

CHUNK = 1 << 14

CUDA = f"""
#define CHUNK {CHUNK}
__device__ float block_sum(float value) {{
  __shared__ float values[THREADS];
  int me = threadIdx.x;
  values[me] = value;
  for (int half = THREADS / 2; half > 0; half /= 2) {{
    __syncthreads();
    if (me < half) values[me] += values[me + half];
  }}
  __syncthreads();
  return values[0];
}}
// Which elements of its piece a block has: blockIdx.y is the piece, blockIdx.x the chunk of it.
struct Chunk {{
  long long begin, end;
  __device__ Chunk(const int* offsets) {{
    long long first = offsets[0], piece = offsets[blockIdx.y] - first;
    begin = piece + blockIdx.x * (long long)CHUNK;
    end = offsets[blockIdx.y + 1] - first;
    if (end > begin + CHUNK) end = begin + CHUNK;
  }}
}};
extern "C" __global__ void lamb_sums(const float* parts, float* sums, int count) {{
  float sum = 0;
  for (int i = threadIdx.x; i < count; i += THREADS) sum += parts[blockIdx.x * (long long)count + i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}}
"""

# Of G, the gradient's type.
OF_GRAD = """
extern "C" __global__ void lamb_square_norms_G(
    const G* x, const int* offsets, float* parts, int counts) {
  Chunk chunk(offsets);
  float sum = 0;
  for (long long i = chunk.begin + threadIdx.x; i < chunk.end; i += THREADS) {
    float value = float(x[i]);
    // What counts instead is how many aren't finite: a square may be infinite where its root is not.
    sum += counts ? float(!isfinite(value)) : value * value;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) parts[blockIdx.y * (long long)gridDim.x + blockIdx.x] = sum;
}
extern "C" __global__ void lamb_scaled_G(const G* x, float factor, G* out, long long count) {
  long long n = blockIdx.x * (long long)THREADS + threadIdx.x;
  if (n < count) out[n] = G(float(x[n]) * float(G(factor)));
}
extern "C" __global__ void lamb_moments_G(
    const float* param, const G* grad, float* moment1, float* moment2, float* step, float scale,
    float beta1, float beta2, float beta1_pow, float beta2_pow, float epsilon, float weight_decay,
    long long decayed, long long count) {
  long long n = blockIdx.x * (long long)THREADS + threadIdx.x;
  if (n >= count) return;
  float g = float(grad[n]) * scale;
  float m = beta1 * moment1[n] + (1 - beta1) * g, v = beta2 * moment2[n] + (1 - beta2) * g * g;
  float adam = m / (1 - beta1_pow) / (sqrt(v / (1 - beta2_pow)) + epsilon);
  moment1[n] = m, moment2[n] = v;
  step[n] = n < decayed ? adam + weight_decay * param[n] : adam;
}
extern "C" __global__ void lamb_update_G(
    float* param, const float* step, const int* offsets, float lr, const float* norms,
    const float* step_norms, G* copy) {
  Chunk chunk(offsets);
  float norm = norms[blockIdx.y], step_norm = step_norms[blockIdx.y];
  float ratio = norm != 0 && step_norm != 0 ? lr * sqrt(norm / step_norm) : lr;
  for (long long i = chunk.begin + threadIdx.x; i < chunk.end; i += THREADS) {
    float value = param[i] - ratio * step[i];
    param[i] = value;
    if (copy) copy[i] = G(value);
  }
}
"""

# Of X, Y and Z: x + y into z.
ADD = """
extern "C" __global__ void lamb_add_X_Y_Z(const X* x, const Y* y, Z* z, long long count) {
  long long n = blockIdx.x * (long long)THREADS + threadIdx.x;
  if (n < count) z[n] = Z(float(x[n]) + float(y[n]));
}
"""

_NAMES = {"float32": "float", "float16": "float16"}
_F, _H = _NAMES.values()
_SUMS = ((_F, _F, _F), (_H, _H, _H), (_H, _F, _H), (_H, _H, _F), (_H, _F, _F))


def cuda_text(T: DataType) -> str:
    of_grad = [OF_GRAD.replace("G", name) for name in _NAMES.values()]
    sums = [ADD.replace("X", x).replace("Y", y).replace("Z", z) for x, y, z in _SUMS]
    return cuda_source.typed("".join([CUDA, *of_grad, *sums]), T=T)


class Kernels:
    """`operations.Operations` of arrays on the device."""

    def __init__(self, cupy: Any, T: DataType) -> None:
        self.cupy, self.module = cupy, gpu.compiled(cupy, cuda_text(T))

    def launch(self, name: str, grid: tuple[int, ...], *args: Any) -> None:
        if all(grid):
            self.module.get_function(name)(grid, (cuda_source.THREADS,), args)

    def zeros(self, count: int) -> Any:
        array = self.cupy.empty((count,), np.float32)
        array.fill(0)
        return array

    def add(self, x: Any, y: Any, out: Any) -> None:
        names = "_".join(_NAMES[str(array.dtype)] for array in (x, y, out))
        self.launch(f"lamb_add_{names}", _blocks(x.size), x, y, out, x.size)

    def scaled(self, x: Any, factor: float) -> Any:
        out = self.cupy.empty(x.shape, x.dtype)
        name = f"lamb_scaled_{_NAMES[str(x.dtype)]}"
        self.launch(name, _blocks(x.size), x, np.float32(factor), out, x.size)
        return out

    def square_norms(self, x: Any, offsets: Any) -> Any:
        return self._sums(x, offsets, False)

    def is_finite(self, x: Any) -> bool:
        return x.size == 0 or float(self._sums(x, None, True)[0]) == 0

    def _sums(self, x: Any, offsets: Any, counts: bool) -> Any:
        if offsets is None:
            offsets = self.cupy.asarray(np.array([0, x.size], np.int32))
        pieces, chunks = offsets.size - 1, max(1, _chunks(offsets))
        parts, sums = self.zeros(pieces * chunks), self.zeros(pieces)
        name = f"lamb_square_norms_{_NAMES[str(x.dtype)]}"
        self.launch(name, (chunks, pieces), x, offsets, parts, np.int32(counts))
        self.launch("lamb_sums", (pieces,), parts, sums, np.int32(chunks))
        return sums

    def moments(
        self, param: Any, grad: Any, moment1: Any, moment2: Any, decayed: int, rates: Rates
    ) -> Any:
        step = self.zeros(param.size)
        self.launch(
            *(f"lamb_moments_{_NAMES[str(grad.dtype)]}", _blocks(param.size)),
            *(param, grad, moment1, moment2, step, *map(np.float32, rates), decayed, param.size),
        )
        return step

    def update(
        self, param: Any, step: Any, offsets: Any, lr: float, norms: Any, step_norms: Any, half: Any
    ) -> None:
        self.launch(
            *("lamb_update_float" if half is None else "lamb_update_float16",),
            *((_chunks(offsets), offsets.size - 1), param, step, offsets, np.float32(lr)),
            *(norms, step_norms, np.uintp(0) if half is None else half),
        )


def _blocks(threads: int) -> tuple[int]:
    return (-(-threads // cuda_source.THREADS),)


def _chunks(offsets: Any) -> int:
    """As many as the longest piece has."""
    bounds: list[int] = offsets.tolist()
    return max(-(-(b - a) // CHUNK) for a, b in pairwise(bounds))


def cupy_build(cupy: Any, T: DataType) -> Any:
    kernels = Kernels(cupy, T)

    def run(*arguments: Any) -> None:
        count = len(Outputs._fields)
        (inputs, attributes), outs = split(arguments[:-count]), Outputs(*arguments[-count:])
        check(inputs, attributes)
        take_step(kernels, begin(inputs, outs, kernels.zeros(0)), attributes)
        end(inputs, outs)

    return run
