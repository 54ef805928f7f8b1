"""PyTorch's calls. It takes NumPy's memory as it is; bfloat16 and float8, which NumPy itself doesn't
know, travel as integers of their width."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch

from registry_runtime.benchmark.peers import Absent, Call, Library, LibraryError
from registry_runtime.benchmark.peers.numpy_calls import no_padding, plain_cumsum


def library(backend: str) -> Library:
    on_gpu = backend == "GPU"
    if on_gpu and not torch.cuda.is_available():
        raise LibraryError(f"torch {torch.__version__} sees no GPU")
    return Library(
        "torch",
        str(torch.__version__),
        _calls("cuda" if on_gpu else "cpu"),
        tensor=partial(tensor, torch.from_dlpack if on_gpu else torch.from_numpy),
        dtype=lambda data_type: getattr(torch, str(data_type)),
        dtype_of=lambda result: str(result.dtype).removeprefix("torch."),
        in_line=on_gpu,
        measuring=torch.inference_mode,  # no record is kept for a backward pass
    )


def tensor(share: Callable[[Any], Any], array: Any) -> Any:
    """The array's memory as a tensor of the same data type."""
    if array.dtype.num < 256:  # NumPy numbers the types of others from there on
        return share(array)
    bits = share(array.view(np.int16 if array.dtype.itemsize == 2 else np.uint8))
    return bits.view(getattr(torch, str(array.dtype)))


def _calls(device: str) -> dict[str, Call]:
    functional = torch.nn.functional

    def full(shape: Any, val: Any, dtype: Any) -> Any:
        return partial(torch.full, dtype=dtype, device=device), tuple(shape), val

    def full_batch_size_like(
        x: Any, shape: Any, val: Any, dtype: Any, x_dim: int, out_dim: int
    ) -> Any:
        dims = list(shape)
        dims[out_dim] = x.shape[x_dim]
        return full(dims, val, dtype)

    def scale(x: Any, scale: Any, bias: Any, after: bool) -> Any:
        if not after:
            return lambda x: (x + bias).mul_(scale), x
        # One pass: `add` multiplies its second operand by alpha.
        return partial(torch.add, alpha=scale), torch.tensor(bias, dtype=x.dtype, device=device), x

    def dequantize(x: Any, scale: float, shift: float) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch is going to do without such tensors
            quantized = torch._make_per_tensor_quantized_tensor(x, 1 / scale, int(shift))
        return torch.dequantize, quantized

    def matmul(x: Any, y: Any, transpose_x: bool, transpose_y: bool) -> Any:
        return torch.matmul, x.mT if transpose_x else x, y.mT if transpose_y else y

    def reduce(function: Any, x: Any, dims: Any, keep: bool, dtype: Any) -> Any:
        axes = tuple(dims) or tuple(range(x.ndim))
        return partial(function, keepdim=keep, dtype=dtype), x, axes

    def trace_grad(x: Any, grad: Any, *where: int) -> Any:
        out = torch.zeros_like(x)
        torch.diagonal(out, *where).copy_(grad[..., None])
        return out

    def trace(x: Any, offset: int, axis1: int, axis2: int) -> Any:
        if x.ndim == 2 and offset == 0 and (axis1, axis2) == (0, 1):
            return torch.trace, x
        return lambda x: torch.diagonal(x, offset, axis1, axis2).sum(-1), x

    def cumsum(x: Any, axis: int, *how: bool) -> Any:
        along = plain_cumsum(axis, *how)
        return torch.cumsum, x.flatten() if along is None else x, along or 0

    def sequence_mask(x: Any, columns: int, dtype: Any) -> Any:
        return (torch.arange(columns, device=device) < x[..., None]).to(dtype)

    def sequence_pool(x: Any, is_test: bool, pooltype: str, pad_value: float) -> Any:
        kinds = {"AVERAGE": "mean", "SUM": "sum", "MAX": "max"}
        if pooltype not in kinds:
            raise Absent(f"torch's segment_reduce has no {pooltype}")
        offsets = torch.tensor(x.lod[-1], device=device)
        function = partial(torch.segment_reduce, offsets=offsets, axis=0, unsafe=True)
        return function, x.rows, kinds[pooltype]

    def stft(x: Any, window: Any, n_fft: int, hop: int, normalized: bool, onesided: bool) -> Any:
        how = {"center": False, "normalized": normalized, "onesided": onesided}
        function = partial(torch.stft, **how, return_complex=True)
        return function, x, n_fft, hop, n_fft, window

    return {
        "bitwise_and": lambda x, y: (torch.bitwise_and, x, y),
        "bitwise_or": lambda x, y: (torch.bitwise_or, x, y),
        "bitwise_xor": lambda x, y: (torch.bitwise_xor, x, y),
        "bitwise_not": lambda x: (torch.bitwise_not, x),
        "add": lambda x, y: (torch.add, x, y),
        "subtract": lambda x, y: (torch.sub, x, y),
        "multiply": lambda x, y: (torch.mul, x, y),
        "dequantize": dequantize,
        "divide": lambda x, y: (torch.div, x, y),
        "maximum": lambda x, y: (torch.maximum, x, y),
        "equal": lambda x, y: (torch.eq, x, y),
        "less_than": lambda x, y: (torch.lt, x, y),
        "isfinite": lambda x: (torch.isfinite, x),
        "exp": lambda x: (torch.exp, x),
        "relu": lambda x: (torch.relu, x),
        "scale": scale,
        # PHI's cast makes a new tensor even where the dtype stays.
        "cast": lambda x, dtype: (partial(torch.Tensor.to, copy=True), x, dtype),
        "full": full,
        "full_like": lambda x, val, dtype: (partial(torch.full_like, dtype=dtype), x, val),
        "full_batch_size_like": full_batch_size_like,
        "sequence_mask": lambda x, _, maxlen, dtype: (sequence_mask, x, maxlen, dtype),
        "sequence_mask_scalar": lambda x, maxlen, dtype: (sequence_mask, x, maxlen, dtype),
        "sequence_pool": sequence_pool,
        "softmax": lambda x, axis: (torch.softmax, x, axis),
        "stft": stft,
        "sum": lambda x, dims, dtype, keep: reduce(torch.sum, x, dims, keep, dtype),
        "mean": lambda x, dims, keep: reduce(torch.mean, x, dims, keep, None),
        "trace": trace,
        "trace_grad": lambda x, grad, *where: (trace_grad, x, grad, *where),
        "cumsum": cumsum,
        "transpose": lambda x, axes: (lambda x: x.permute(axes).contiguous(), x),
        "matmul": matmul,
        "dot": lambda x, y: (torch.dot if x.ndim == 1 else torch.linalg.vecdot, x, y),
        "layer_norm": lambda x, scale, bias, epsilon, axis: (
            functional.layer_norm,
            *(x, x.shape[axis:], scale, bias, epsilon),
        ),
        "batch_norm_infer": lambda x, mean, variance, scale, bias, momentum, epsilon, layout: (
            functional.batch_norm,
            *(x, mean, variance, scale, bias, False, momentum, epsilon),
        ),
        "embedding": lambda ids, weight, padding: (
            functional.embedding,
            *(no_padding(ids, padding), weight),
        ),
        "where": lambda condition, x, y: (torch.where, condition, x, y),
        "gather": lambda x, index, axis: (torch.index_select, x, axis, index),
    }
