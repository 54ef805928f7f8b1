"""The loops on a device that are no matrix product: layer norm, softmax, dropout, and the ways back.

Matrix products are cuBLAS's, as in Paddle, and sums over all tokens are those of `reduce`. Dropout with
bias and residual is one loop over elements, four for each thread, as many as Philox draws at once; the
shares of attention go through the same one without a bias. A pointer to what is absent is 0.

Source: `paddle/phi/kernels/funcs/layer_norm_impl.cu.h`, `dropout_impl.cu.h`,
`paddle/phi/kernels/fusion/gpu/fused_dropout_helper.h`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from registry_runtime.kernels import cuda_source, dtypes, gpu
from registry_runtime.kernels.fused_attention.dropout import Dropout
from registry_runtime.kernels.layer_norm import CUDA as LAYER_NORM
from registry_runtime.kernels.softmax import CUDA as SOFTMAX
from registry_runtime.phi.data_type import DataType

DROPOUT = """
__device__ void philox(unsigned long long seed, unsigned long long block, float* numbers) {
  unsigned words[4] = {unsigned(block), unsigned(block >> 32), 0, 0};
  unsigned low = unsigned(seed), high = unsigned(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    unsigned long long a = 0xD2511F53ull * words[0], b = 0xCD9E8D57ull * words[2];
    words[0] = unsigned(b >> 32) ^ words[1] ^ low, words[1] = unsigned(b);
    words[2] = unsigned(a >> 32) ^ words[3] ^ high, words[3] = unsigned(a);
    low += 0x9E3779B9u, high += 0xBB67AE85u;
  }
  for (int i = 0; i < 4; ++i) numbers[i] = float(words[i]) * 2.3283064e-10f + 1.1641532e-10f;
}
// out = residual + dropout(x + bias), and the mask of what passed; without a mask everything does.
extern "C" __global__ void dropout(
    const T* x, const T* bias, const T* residual, T* out, unsigned char* mask, long long count,
    long long columns, unsigned long long seed, float rate, U factor) {
  long long block = blockIdx.x * (long long)THREADS + threadIdx.x;
  float numbers[4];
  if (mask) philox(seed, block, numbers);
  for (int i = 0; i < 4 && 4 * block + i < count; ++i) {
    long long at = 4 * block + i;
    bool passes = !mask || numbers[i] >= rate;
    U value = wide(x[at]);
    if (bias) value += wide(bias[at - over(at, columns) * columns]);
    value = passes ? value * factor : U(0);
    out[at] = T(residual ? value + wide(residual[at]) : value);
    if (mask) mask[at] = passes;
  }
}
"""
LAYER_NORM_GRAD = """
// The gradient of x, and what comes to x by another way added to it.
extern "C" __global__ void layer_norm_grad(
    const T* x, const U* scale, const U* mean, const U* variance, U epsilon, const T* out_grad,
    const T* other, T* x_grad, long long lines, long long length, int lanes) {
  Line line(lines, length, 1, lanes);
  bool is_one = line.number < lines;
  U middle = is_one ? mean[line.number] : U(0), spread = is_one ? variance[line.number] : U(0);
  U factor = U(1) / sqrt(spread + epsilon), sum = 0, product = 0;
  x += line.begin, out_grad += line.begin, x_grad += line.begin;
  for (long long i = line.lane; i < line.length; i += lanes) {
    U grad = wide(out_grad[i]) * (scale ? scale[i] : U(1));
    sum += grad, product += grad * (wide(x[i]) - middle) * factor;
  }
  sum = folded(sum, line, lanes, Plus()), product = folded(product, line, lanes, Plus());
  for (long long i = line.lane; i < line.length; i += lanes) {
    U grad = wide(out_grad[i]) * (scale ? scale[i] : U(1)), moved = (wide(x[i]) - middle) * factor;
    grad = factor * (grad - (sum + moved * product) / U(length));
    x_grad[i] = T(other ? grad + wide(other[line.begin + i]) : grad);
  }
}
// The gradients of scale and bias: down the columns.
extern "C" __global__ void layer_norm_columns(
    const T* x, const U* mean, const U* variance, U epsilon, const T* out_grad, U* scale_grad,
    U* bias_grad, long long columns, long long rows, int lanes) {
  Line line(columns, rows, columns, lanes);
  x += line.begin, out_grad += line.begin;
  U sum = 0, product = 0;
  for (long long i = line.lane; i < line.length; i += lanes) {
    U grad = wide(out_grad[i * columns]);
    sum += grad, product += grad * (wide(x[i * columns]) - mean[i]) / sqrt(variance[i] + epsilon);
  }
  sum = folded(sum, line, lanes, Plus()), product = folded(product, line, lanes, Plus());
  if (line.lane == 0 && line.number < columns) {
    if (scale_grad) scale_grad[line.number] = product;
    if (bias_grad) bias_grad[line.number] = sum;
  }
}
"""
SOFTMAX_GRAD = """
extern "C" __global__ void softmax_grad(
    const T* out, const T* out_grad, T* x_grad, long long lines, long long length, int lanes) {
  Line line(lines, length, 1, lanes);
  out += line.begin, out_grad += line.begin, x_grad += line.begin;
  U total = 0;
  for (long long i = line.lane; i < line.length; i += lanes) total += wide(out[i]) * wide(out_grad[i]);
  total = folded(total, line, lanes, Plus());
  for (long long i = line.lane; i < line.length; i += lanes)
    x_grad[i] = T(wide(out[i]) * (wide(out_grad[i]) - total));
}
"""
DROPOUT_GRAD = """
extern "C" __global__ void dropout_grad(
    const T* out_grad, const unsigned char* mask, T* x_grad, long long count, U factor) {
  long long at = blockIdx.x * (long long)THREADS + threadIdx.x;
  if (at < count) x_grad[at] = T(mask[at] ? wide(out_grad[at]) * factor : U(0));
}
"""


def text(T: DataType) -> str:
    """Of the forward pass."""
    U = dtypes.mp_type(T)
    return cuda_source.typed(LAYER_NORM + SOFTMAX + DROPOUT, T=T, U=U, W=U)


def grad_text(T: DataType) -> str:
    return cuda_source.typed(
        LAYER_NORM_GRAD + SOFTMAX_GRAD + DROPOUT_GRAD, T=T, U=dtypes.mp_type(T)
    )


class Launches:
    """The kernels of one source, launched over whole arrays; what is absent may be None."""

    def __init__(self, cupy: Any, T: DataType, source: Callable[[DataType], str]) -> None:
        self.module = gpu.compiled(cupy, source(T))
        self.number = dtypes.mp_type(T).numpy.type

    def _launch(self, name: str, over: Any, *args: Any) -> None:
        kernel = self.module.get_function(name)
        blocks, threads, *lanes = over
        given = (np.uintp(0) if arg is None or _is_empty(arg) else arg for arg in args)
        kernel(blocks, threads, (*given, *map(np.int32, lanes)))

    def layer_norm(
        self, x: Any, scale: Any, bias: Any, epsilon: float, out: Any, mean: Any, variance: Any
    ) -> None:
        lines, length = mean.size, x.shape[-1]
        if x.size:
            over = cuda_source.over_lines(lines, length, 1)
            epsilon = self.number(epsilon)
            self._launch(
                "layer_norm", over, x, scale, bias, epsilon, out, mean, variance, lines, length
            )

    def softmax(self, x: Any, out: Any) -> None:
        if x.size:
            lines, length = x.size // x.shape[-1], x.shape[-1]
            over = cuda_source.over_lines(lines, length, 1)
            self._launch("softmax", over, x, out, lines, length, 1)

    def dropout(
        self, x: Any, of: Dropout, out: Any, mask: Any, bias: Any = None, residual: Any = None
    ) -> None:
        if x.size:
            over = _over_elements(-(-x.size // 4))
            how = (np.uint64(of.seed % 2**64), np.float32(of.rate), self.number(of.factor))
            sizes = (x.size, x.shape[-1])
            self._launch("dropout", over, x, bias, residual, out, mask, *sizes, *how)

    def layer_norm_grad(
        self,
        x: Any,
        scale: Any,
        mean: Any,
        variance: Any,
        epsilon: float,
        out_grad: Any,
        grads: tuple[Any, Any, Any],
        other: Any = None,
    ) -> None:
        x_grad, scale_grad, bias_grad = grads
        lines, length = mean.size, x.shape[-1]
        epsilon = self.number(epsilon)
        if x.size:
            over = cuda_source.over_lines(lines, length, 1)
            given = (x, scale, mean, variance, epsilon, out_grad, other, x_grad, lines, length)
            self._launch("layer_norm_grad", over, *given)
        if length:
            over = cuda_source.over_lines(length, lines, length)
            made = (scale_grad, bias_grad, length, lines)
            self._launch("layer_norm_columns", over, x, mean, variance, epsilon, out_grad, *made)

    def softmax_grad(self, out: Any, out_grad: Any, x_grad: Any) -> None:
        if out.size:
            lines, length = out.size // out.shape[-1], out.shape[-1]
            over = cuda_source.over_lines(lines, length, 1)
            self._launch("softmax_grad", over, out, out_grad, x_grad, lines, length)

    def dropout_grad(self, out_grad: Any, of: Dropout, mask: Any, x_grad: Any) -> None:
        if out_grad.size:
            over = _over_elements(out_grad.size)
            sizes = (out_grad.size, self.number(of.factor))
            self._launch("dropout_grad", over, out_grad, mask, x_grad, *sizes)


def _is_empty(value: Any) -> bool:
    return hasattr(value, "shape") and value.size == 0


def _over_elements(threads: int) -> Any:
    return (-(-threads // cuda_source.THREADS),), (cuda_source.THREADS,)
