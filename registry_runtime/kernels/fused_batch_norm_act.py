"""`fused_batch_norm_act`: a batch normalised by its own statistics and cut off by relu, in one pass.

It is training's batch norm for tensors whose channels come last, on a GPU alone: half precision's
fastest form. Three loops run down each channel: for the mean, for the variance about it, and for the
output, which is cut off while it is at hand. Running mean and variance move towards the batch's; what
`saved_variance` keeps is 1 / √(variance + epsilon), cuDNN's word for it notwithstanding, for that is
what the gradient needs. Whether relu let an element through, the gradient sees from y. cuDNN asks for a
`reserve_space` of its own; our kernel needs none, and leaves it empty.

A batch of one element a channel has no variance: Paddle lets x through relu alone then, and leaves
`saved_mean` and `saved_variance` as they come; here they are 0.

Source: `paddle/phi/kernels/fusion/gpu/fused_bn_activation_kernel.cu`, `…_grad_kernel.cu`.
"""

from __future__ import annotations

import math
import statistics
from typing import Any

import numpy as np

from registry_runtime.kernels import cuda_source, dtypes, gpu
from registry_runtime.kernels.finite_differences import slopes
from registry_runtime.kernels.template import Context, KernelTemplate, Out, SecondWay, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.backward import GeneralTernaryGradInferMeta
from registry_runtime.phi.infermeta.multiary import FusedBatchNormActInferMeta
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.meta_tensor import MetaTensor


def signature(
    dev_ctx: Context,
    x: DenseTensor,
    scale: DenseTensor,
    bias: DenseTensor,
    mean: DenseTensor,
    variance: DenseTensor,
    momentum: float,
    epsilon: float,
    act_type: str,
    y: Out,
    mean_out: Out,
    variance_out: Out,
    saved_mean: Out,
    saved_variance: Out,
    reserve_space: Out,
) -> None: ...


def grad_signature(
    dev_ctx: Context,
    x: DenseTensor,
    scale: DenseTensor,
    bias: DenseTensor,
    y: DenseTensor,
    saved_mean: DenseTensor,
    saved_variance: DenseTensor,
    reserve_space: DenseTensor,
    y_grad: DenseTensor,
    momentum: float,
    epsilon: float,
    act_type: str,
    x_grad: Out,
    scale_grad: Out,
    bias_grad: Out,
) -> None: ...


CUDA = """
extern "C" __global__ void fused_batch_norm_act(
    const T* x, const U* scale, const U* bias, const U* mean, const U* variance, U momentum, U epsilon,
    T* y, U* mean_out, U* variance_out, U* saved_mean, U* saved_variance,
    long long channels, long long length, int lanes) {
  Line line(channels, length, channels, lanes);
  long long channel = line.number;
  bool alone = length == 1, writes = channel < channels && line.lane == 0;
  x += line.begin, y += line.begin;
  U total = 0;
  for (long long i = line.lane; i < line.length; i += lanes) total += wide(x[i * channels]);
  U middle = folded(total, line, lanes, Plus()) / U(length);
  U squares = 0;
  for (long long i = line.lane; i < line.length; i += lanes) {
    U distance = wide(x[i * channels]) - middle;
    squares += distance * distance;
  }
  squares = folded(squares, line, lanes, Plus());
  U normal = U(1) / sqrt(squares / U(length) + epsilon);
  if (writes && alone) {
    mean_out[channel] = mean[channel], variance_out[channel] = variance[channel];
    saved_mean[channel] = saved_variance[channel] = 0;
  } else if (writes) {
    mean_out[channel] = mean[channel] * momentum + middle * (1 - momentum);
    variance_out[channel] =
        variance[channel] * momentum + squares / U(length - 1) * (1 - momentum);
    saved_mean[channel] = middle, saved_variance[channel] = normal;
  }
  for (long long i = line.lane; i < line.length; i += lanes) {
    U value = wide(x[i * channels]);
    if (!alone) value = (value - middle) * normal * scale[channel] + bias[channel];
    y[i * channels] = T(value > 0 ? value : U(0));
  }
}
"""
GRAD_CUDA = """
extern "C" __global__ void fused_batch_norm_act_grad(
    const T* x, const U* scale, const T* y, const U* saved_mean, const U* saved_variance,
    const T* y_grad, T* x_grad, U* scale_grad, U* bias_grad,
    long long channels, long long length, int lanes) {
  Line line(channels, length, channels, lanes);
  long long channel = line.number;
  bool alone = length == 1, is_one = channel < channels;
  x += line.begin, y += line.begin, y_grad += line.begin, x_grad += line.begin;
  U middle = is_one ? saved_mean[channel] : U(0), normal = is_one ? saved_variance[channel] : U(0);
  U sum = 0, product = 0;
  for (long long i = line.lane; i < line.length; i += lanes) {
    U grad = wide(y[i * channels]) > 0 ? wide(y_grad[i * channels]) : U(0);
    sum += grad;
    product += grad * (wide(x[i * channels]) - middle) * normal;
  }
  sum = folded(sum, line, lanes, Plus());
  product = folded(product, line, lanes, Plus());
  if (is_one && line.lane == 0) {
    scale_grad[channel] = alone ? U(0) : product;
    bias_grad[channel] = alone ? U(0) : sum;
  }
  for (long long i = line.lane; i < line.length; i += lanes) {
    U grad = wide(y[i * channels]) > 0 ? wide(y_grad[i * channels]) : U(0);
    if (!alone) {
      U moved = (wide(x[i * channels]) - middle) * normal;
      grad = scale[channel] * normal * (grad - (sum + moved * product) / U(length));
    }
    x_grad[i * channels] = T(grad);
  }
}
"""


def cuda_text(T: DataType) -> str:
    return cuda_source.typed(CUDA, T=T, U=dtypes.mp_type(T))


def grad_cuda_text(T: DataType) -> str:
    return cuda_source.typed(GRAD_CUDA, T=T, U=dtypes.mp_type(T))


def lines(x: Any) -> tuple[int, int]:
    """The channels, and the elements of each."""
    channels = x.shape[-1]
    return channels, x.size // channels if channels else 0


def check(act_type: str) -> None:
    if act_type != "relu":
        raise KernelError(
            f"Unsupported activation type: act_type is '{act_type}', and only 'relu' is fused"
        )


def check_tensors(T: DataType, x: Any, like_x: Any, **by_channel: Any) -> None:
    """Raises KernelError for what the kernel would read beyond, or as another type."""
    wanted, channels = dtypes.mp_type(T).numpy, x.shape[-1:]
    for name, tensor in by_channel.items():
        if tensor.dtype != wanted or tensor.shape != channels:
            raise KernelError(
                f"{name} is {tensor.dtype}{list(tensor.shape)}; of x it must be "
                f"{wanted}{list(channels)}, one number for each channel"
            )
    for name, tensor in like_x.items():
        if tensor.shape != x.shape:
            raise KernelError(f"{name} has dims {list(tensor.shape)}; x has {list(x.shape)}")


def cupy_build(cupy: Any, T: DataType) -> Any:
    kernel = gpu.compiled(cupy, cuda_text(T)).get_function("fused_batch_norm_act")
    number = dtypes.mp_type(T).numpy.type

    def run(x: Any, scale: Any, bias: Any, mean: Any, variance: Any, *rest: Any) -> None:
        momentum, epsilon, act_type, *outs, _ = rest
        check(act_type)
        check_tensors(T, x, {}, scale=scale, bias=bias, mean=mean, variance=variance)
        channels, length = lines(x)
        grid, block, lanes = cuda_source.over_lines(channels, length, channels)
        numbers = (number(momentum), number(epsilon))
        sizes = (channels, length, np.int32(lanes))
        if channels:
            kernel(grid, block, (x, scale, bias, mean, variance, *numbers, *outs, *sizes))

    return run


def grad_cupy_build(cupy: Any, T: DataType) -> Any:
    kernel = gpu.compiled(cupy, grad_cuda_text(T)).get_function("fused_batch_norm_act_grad")

    def run(x: Any, scale: Any, _: Any, y: Any, mean: Any, normal: Any, *rest: Any) -> None:
        _, y_grad, _, _, act_type, *outs = rest
        check(act_type)
        statistics = {"scale": scale, "saved_mean": mean, "saved_variance": normal}
        check_tensors(T, x, {"y": y, "y_grad": y_grad}, **statistics)
        channels, length = lines(x)
        grid, block, lanes = cuda_source.over_lines(channels, length, channels)
        sizes = (channels, length, np.int32(lanes))
        if channels:
            kernel(grid, block, (x, scale, y, mean, normal, y_grad, *outs, *sizes))

    return run


def reference(
    x: Any,
    scale: Any,
    bias: Any,
    mean: Any,
    variance: Any,
    momentum: float,
    epsilon: float,
    act_type: str,
) -> Any:
    check(act_type)
    x, scale, bias, mean, variance = (
        np.asarray(t, np.float64) for t in (x, scale, bias, mean, variance)
    )
    nothing, zeros = np.empty(0), np.zeros_like(mean)
    axes = tuple(range(x.ndim - 1))
    length = math.prod(x.shape[:-1])
    if length == 1:
        return np.where(x > 0, x, 0), mean, variance, zeros, zeros, nothing
    middle = x.sum(axes) / np.float64(length)
    squares = np.square(x - middle).sum(axes)
    normal = 1 / np.sqrt(squares / np.float64(length) + epsilon)
    moved = (x - middle) * normal * scale + bias
    return (
        np.where(moved > 0, moved, 0),
        mean * momentum + middle * (1 - momentum),
        variance * momentum + squares / np.float64(length - 1) * (1 - momentum),
        middle,
        normal,
        nothing,
    )


def grad_reference(
    x: Any, scale: Any, bias: Any, y: Any, mean: Any, normal: Any, _: Any, y_grad: Any, *rest: Any
) -> Any:
    check(rest[2])
    x, scale, y, mean, normal, y_grad = (
        np.asarray(t, np.float64) for t in (x, scale, y, mean, normal, y_grad)
    )
    axes = tuple(range(x.ndim - 1))
    length = math.prod(x.shape[:-1])
    grad = np.where(y > 0, y_grad, 0)
    if length == 1:
        return grad, np.zeros_like(scale), np.zeros_like(scale)
    moved = (x - mean) * normal
    bias_grad, scale_grad = grad.sum(axes), (grad * moved).sum(axes)
    spread = (bias_grad + moved * scale_grad) / np.float64(length)
    return scale * normal * (grad - spread), scale_grad, bias_grad


def by_statistics(
    x: Any, scale: Any, bias: Any, mean: Any, variance: Any, momentum: float, epsilon: float, _: str
) -> Any:
    """The same, channel by channel, by Python's `statistics`, which computes exactly."""
    x = np.asarray(x, np.float64)
    channels, length = lines(x)
    flat, y = x.reshape(length, channels), np.empty((length, channels))
    found: list[tuple[float, ...]] = []
    for channel in range(channels):
        numbers = flat[:, channel].tolist()
        a, b, m, v = (float(np.asarray(t)[channel]) for t in (scale, bias, mean, variance))
        middle, normal = 0.0, 0.0
        if length > 1:
            middle = statistics.fmean(numbers)
            normal = (statistics.pvariance(numbers) + epsilon) ** -0.5
            m += (middle - m) * (1 - momentum)
            v += (statistics.variance(numbers) - v) * (1 - momentum)
            numbers = [(number - middle) * normal * a + b for number in numbers]
        y[:, channel] = [max(number, 0.0) for number in numbers]
        found.append((m, v, middle, normal))
    return y.reshape(x.shape), *np.array(found).reshape(channels, 4).T, np.empty(0)


def by_differences(x: Any, scale: Any, bias: Any, *rest: Any) -> Any:
    """The slopes of Σ y · y_grad in x, scale and bias, of which the forward pass makes y."""
    *_, y_grad, momentum, epsilon, act_type = rest
    weight = np.asarray(y_grad, np.float64)
    zeros = np.zeros(weight.shape[-1])  # the running statistics, which y has nothing of

    def loss(x: Any, scale: Any, bias: Any) -> float:
        y, *_ = reference(x, scale, bias, zeros, zeros, momentum, epsilon, act_type)
        return float((y * weight).sum())

    return (
        slopes(lambda t: loss(t, scale, bias), x),
        slopes(lambda t: loss(x, t, bias), scale),
        slopes(lambda t: loss(x, scale, t), bias),
    )


def magnitude(x: Any, scale: Any, bias: Any, mean: Any, variance: Any, *rest: Any) -> Any:
    x, scale, bias = (np.asarray(t, np.float64) for t in (x, scale, bias))
    y, mean_out, variance_out, _, normal, nothing = reference(x, scale, bias, mean, variance, *rest)
    _, length = lines(x)
    axes = tuple(range(x.ndim - 1))
    far = np.abs(x).sum(axes) / np.float64(length)  # of what the mean is made
    lost = (np.abs(x) + far) * normal * np.abs(scale) + np.abs(bias)
    mean_far = np.abs(np.asarray(mean, np.float64)) + far
    # Rounding the mean moves the variance, and 1 / √variance with it.
    shaken = np.square(far) + np.abs(variance_out)
    return y + lost, mean_far + np.abs(mean_out), shaken, far, normal * (1 + far * normal), nothing


def grad_magnitude(
    x: Any, scale: Any, bias: Any, y: Any, mean: Any, normal: Any, *rest: Any
) -> Any:
    x, scale, y, mean, normal, y_grad = (
        np.asarray(t, np.float64) for t in (x, scale, y, mean, normal, rest[1])
    )
    axes = tuple(range(x.ndim - 1))
    _, length = lines(x)
    grad, moved = np.abs(np.where(y > 0, y_grad, 0)), (np.abs(x) + np.abs(mean)) * normal
    bias_grad, scale_grad = grad.sum(axes), (grad * moved).sum(axes)
    spread = (bias_grad + moved * scale_grad) / np.float64(length)
    sized = np.abs(scale) * normal * (grad + spread)
    return (grad if length == 1 else sized), scale_grad, bias_grad


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    channels = max(1, min(64, size // 8))
    # Two numbers are normalised to 1 and -1, whatever they are: no sample to check a gradient by.
    x = random_array(T, (max(3, size // (channels * 2)), 2, channels), rng)
    scale, bias, mean, var = (random_array(dtypes.mp_type(T), (channels,), rng) for _ in range(4))
    return x, scale, bias, mean, np.square(var), 0.9, 1e-5, "relu"


def grad_sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    """x with what the forward pass made of it."""
    x, scale, bias, *rest = sample(T, size, rng)
    y, _, _, mean, normal, reserved = reference(x, scale, bias, *rest)
    y, reserved = y.astype(T.numpy), reserved.astype(T.numpy)
    mean, normal = (t.astype(dtypes.mp_type(T).numpy) for t in (mean, normal))
    y_grad = random_array(T, x.shape, rng)
    return x, scale, bias, y, mean, normal, reserved, y_grad, 0.9, 1e-5, "relu"


def resize(*arguments: Any) -> tuple[MetaTensor, ...]:
    *_, reserve_space = outs = arguments[8:]
    reserve_space.set_dims((0,))
    return outs


_TYPES = frozenset({DataType.FLOAT32, DataType.FLOAT64, DataType.FLOAT16})
_STATISTICS = frozenset({DataType.FLOAT32, DataType.FLOAT64})
FusedBatchNormActKernel = KernelTemplate(
    name="phi::fusion::FusedBatchNormActKernel",
    signature=signature,
    dtypes=_TYPES,
    infer_meta=FusedBatchNormActInferMeta,
    param=("x", "scale", "bias", "mean", "variance"),
    reference=reference,
    second_way=SecondWay(
        "Python's module statistics, channel by channel, which computes exactly", by_statistics
    ),
    builders={"GPU": gpu.function(cupy_build, cuda_text)},
    sample=sample,
    accepts=dict.fromkeys(("scale", "bias", "mean", "variance"), _STATISTICS),
    open_dtype=lambda name, T: T if name in ("y", "reserve_space") else dtypes.mp_type(T),
    resize=resize,
    in_place={"mean_out": "mean", "variance_out": "variance"},
    roundings=16,
    magnitude=magnitude,
)
FusedBatchNormActGradKernel = KernelTemplate(
    name="phi::fusion::FusedBatchNormActGradKernel",
    signature=grad_signature,
    dtypes=_TYPES,
    infer_meta=GeneralTernaryGradInferMeta,
    param=("x", "scale", "bias"),
    reference=grad_reference,
    second_way=SecondWay("finite differences of the forward pass", by_differences),
    builders={"GPU": gpu.function(grad_cupy_build, grad_cuda_text)},
    sample=grad_sample,
    accepts=dict.fromkeys(("scale", "bias", "saved_mean", "saved_variance"), _STATISTICS),
    roundings=16,
    magnitude=grad_magnitude,
)
