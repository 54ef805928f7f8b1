"""NumPy's calls, which are CuPy's too. Where it takes several passes over memory, each after the
first works in the array that the first one made."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy

from registry_runtime.benchmark.peers import Absent, Call, Library
from registry_runtime.phi.data_type import DataType


def library(backend: str) -> Library:
    return Library(
        "numpy",
        numpy.__version__,
        calls(numpy),
        tensor=lambda array: array,
        dtype=lambda data_type: data_type.numpy,
        dtype_of=dtype_of,
        measuring=lambda: numpy.errstate(all="ignore"),  # random numbers overflow; none may warn
    )


def dtype_of(array: Any) -> str:
    return str(DataType.of(array.dtype))


def calls(np: ModuleType | Any) -> dict[str, Call]:
    """The table for `np`: NumPy, or a module that has its functions."""

    def full_batch_size_like(
        x: Any, shape: Any, val: Any, dtype: Any, x_dim: int, out_dim: int
    ) -> Any:
        dims = list(shape)
        dims[out_dim] = x.shape[x_dim]
        return np.full, dims, val, dtype

    def scale_after(x: Any, scale: Any, bias: Any) -> Any:
        out = x * scale
        out += bias
        return out

    def scale_before(x: Any, scale: Any, bias: Any) -> Any:
        out = x + bias
        out *= scale
        return out

    def dequantize(x: Any, step: Any, shift: Any) -> Any:
        out = x.astype(np.float32)
        out -= shift
        out *= step
        return out

    def sequence_mask(x: Any, columns: int, dtype: Any) -> Any:
        return (np.arange(columns) < x[..., None]).astype(dtype)

    def sequence_pool(x: Any, is_test: bool, pooltype: str, pad_value: float) -> Any:
        if pooltype not in ("AVERAGE", "SUM", "MAX"):
            raise Absent(f"no function of NumPy's is {pooltype}")
        offsets = np.asarray(x.lod[-1])
        lengths = np.diff(offsets)
        return segments, x.rows, offsets[:-1], lengths, lengths > 0, pooltype, pad_value

    def segments(
        x: Any, starts: Any, lengths: Any, some: Any, pooltype: str, pad_value: float
    ) -> Any:
        out = np.full((len(starts), *x.shape[1:]), pad_value, x.dtype)
        reduce = np.maximum if pooltype == "MAX" else np.add
        out[some] = reduce.reduceat(x, starts[some], 0)
        if pooltype == "AVERAGE":
            by = np.maximum(lengths, 1).astype(x.dtype)
            out /= by.reshape(-1, *[1] * (x.ndim - 1))
        return out

    def softmax(x: Any, axis: int) -> Any:
        out = x - x.max(axis, keepdims=True)
        np.exp(out, out=out)
        out /= out.sum(axis, keepdims=True)
        return out

    def matmul(x: Any, y: Any, transpose_x: bool, transpose_y: bool) -> Any:
        x = x.swapaxes(-1, -2) if transpose_x else x
        y = y.swapaxes(-1, -2) if transpose_y else y
        return np.matmul, x, y

    def layer_norm(x: Any, scale: Any, bias: Any, epsilon: float, axis: int) -> Any:
        axes, dims = tuple(range(axis, x.ndim)), x.shape[axis:]
        out = x - x.mean(axes, keepdims=True)
        out /= np.sqrt(np.square(out).mean(axes, keepdims=True) + x.dtype.type(epsilon))
        if scale is not None:
            out *= scale.reshape(dims)
        if bias is not None:
            out += bias.reshape(dims)
        return out

    def batch_norm(
        x: Any, mean: Any, variance: Any, scale: Any, bias: Any, epsilon: float, last: bool
    ) -> Any:
        shape = (-1,) if last else (-1,) + (1,) * (x.ndim - 2)
        factor = scale / np.sqrt(variance + x.dtype.type(epsilon))
        out = x * factor.reshape(shape)
        out += (bias - mean * factor).reshape(shape)
        return out

    def trace_grad(x: Any, grad: Any, *where: int) -> Any:
        out = np.zeros(x.shape, x.dtype)
        diagonal = out.diagonal(*where)
        if hasattr(diagonal, "setflags"):
            diagonal.setflags(write=True)
        diagonal[...] = grad[..., None]
        return out

    def stft(x: Any, window: Any, n_fft: int, hop: int, normalized: bool, onesided: bool) -> Any:
        frames = np.lib.stride_tricks.sliding_window_view(x, n_fft, 1)[:, ::hop] * window
        fft = np.fft.rfft if onesided else np.fft.fft
        return fft(frames, norm="ortho" if normalized else None).swapaxes(1, 2)

    def transpose(x: Any, axes: Any) -> Any:
        return np.ascontiguousarray(x.transpose(axes))

    return {
        "bitwise_and": lambda x, y: (np.bitwise_and, x, y),
        "bitwise_or": lambda x, y: (np.bitwise_or, x, y),
        "bitwise_xor": lambda x, y: (np.bitwise_xor, x, y),
        "bitwise_not": lambda x: (np.bitwise_not, x),
        "add": lambda x, y: (np.add, x, y),
        "subtract": lambda x, y: (np.subtract, x, y),
        "multiply": lambda x, y: (np.multiply, x, y),
        "dequantize": lambda x, scale, shift: (
            dequantize,
            *(x, np.float32(1 / scale), np.float32(shift)),
        ),
        "divide": lambda x, y: (np.divide, x, y),
        "maximum": lambda x, y: (np.maximum, x, y),
        "equal": lambda x, y: (np.equal, x, y),
        "less_than": lambda x, y: (np.less, x, y),
        "isfinite": lambda x: (np.isfinite, x),
        "exp": lambda x: (np.exp, x),
        "relu": lambda x: (np.maximum, x, x.dtype.type(0)),
        "scale": lambda x, scale, bias, after: (
            scale_after if after else scale_before,
            *(x, scale, bias),
        ),
        "cast": lambda x, dtype: (np.ndarray.astype, x, dtype),
        "full": lambda shape, val, dtype: (np.full, tuple(shape), val, dtype),
        "full_like": lambda x, val, dtype: (np.full_like, x, val, dtype),
        "full_batch_size_like": full_batch_size_like,
        "sequence_mask": lambda x, _, maxlen, dtype: (sequence_mask, x, maxlen, dtype),
        "sequence_mask_scalar": lambda x, maxlen, dtype: (sequence_mask, x, maxlen, dtype),
        "sequence_pool": sequence_pool,
        "softmax": lambda x, axis: (softmax, x, axis),
        "stft": lambda *arguments: (stft, *arguments),
        "sum": lambda x, dims, dtype, keep: (np.sum, x, axes(dims), dtype, None, keep),
        "mean": lambda x, dims, keep: (np.mean, x, axes(dims), None, None, keep),
        "trace_grad": lambda x, grad, *where: (trace_grad, x, grad, *where),
        "trace": lambda x, offset, axis1, axis2: (np.trace, x, offset, axis1, axis2),
        "cumsum": lambda x, axis, *how: (np.cumsum, x, plain_cumsum(axis, *how)),
        "transpose": lambda x, axes: (transpose, x, tuple(axes)),
        "matmul": matmul,
        "dot": lambda x, y: (np.dot if x.ndim == 1 else vector_dot(np), x, y),
        "layer_norm": lambda x, scale, bias, epsilon, axis: (
            layer_norm,
            *(x, scale, bias, epsilon, axis),
        ),
        "batch_norm_infer": lambda x, mean, variance, scale, bias, momentum, epsilon, layout: (
            batch_norm,
            *(x, mean, variance, scale, bias, epsilon, str(layout) == "NHWC"),
        ),
        "embedding": lambda ids, weight, padding: (np.take, weight, no_padding(ids, padding), 0),
        "where": lambda condition, x, y: (np.where, condition, x, y),
        "gather": lambda x, index, axis: (np.take, x, index, axis),
    }


def vector_dot(np: Any) -> Callable[..., Any]:
    """Over the last axis: `vecdot`, which is new in NumPy 2, where the module has it."""
    if hasattr(np, "vecdot"):
        return np.vecdot  # type: ignore[no-any-return]
    return lambda x, y: (x * y).sum(-1)


def axes(dims: Any) -> tuple[int, ...] | None:
    """PHI reduces over all axes where it is given none."""
    return tuple(dims) or None


def plain_cumsum(axis: int, flatten: bool, exclusive: bool, reverse: bool) -> int | None:
    """The axis, None for all. Raises Absent: only PHI counts backwards, or leaves an element out."""
    if exclusive or reverse:
        raise Absent("exclusive and reverse are PHI's own")
    return None if flatten else axis


def no_padding(ids: Any, padding_idx: int) -> Any:
    """`ids`, if no row stands for padding. Raises Absent otherwise."""
    if padding_idx >= 0:
        raise Absent("only PHI and PyTorch leave a padding row out")
    return ids
