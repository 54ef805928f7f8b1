"""Paddle's calls: the same operators, registered by the macros that Unfold shows.

It takes NumPy's memory over DLPack; bfloat16 and float8 travel as integers of their width.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import paddle

from registry_runtime.benchmark.peers import Absent, Call, Library, LibraryError
from registry_runtime.benchmark.peers.numpy_calls import no_padding, plain_cumsum


def library(backend: str) -> Library:
    on_gpu = backend == "GPU"
    version = paddle.version.full_version
    if on_gpu and not (paddle.device.is_compiled_with_cuda() and paddle.device.cuda.device_count()):
        raise LibraryError(f"paddle {version} sees no GPU (the CPU's wheel is paddlepaddle)")
    paddle.disable_static()  # eager execution is switched on in the importing thread alone
    paddle.device.set_device("gpu" if on_gpu else "cpu")
    return Library(
        "paddle",
        version,
        _calls(),
        tensor=tensor,
        dtype=lambda data_type: getattr(paddle, str(data_type)),
        dtype_of=lambda result: str(result.dtype).removeprefix("paddle."),
        wait=paddle.device.synchronize if on_gpu else lambda: None,
        measuring=paddle.no_grad,
    )


def tensor(array: Any) -> Any:
    """The array's memory as a tensor of the same data type."""
    if array.dtype == np.uint16:
        raise Absent("paddle prints uint16 as bfloat16, and has few kernels for it")
    if array.dtype.num < 256:  # NumPy numbers the types of others from there on
        return paddle.from_dlpack(array)
    bits = array.view(np.int16 if array.dtype.itemsize == 2 else np.uint8)
    return paddle.from_dlpack(bits).view(str(array.dtype))


def _calls() -> dict[str, Call]:
    functional = paddle.nn.functional

    def full_batch_size_like(
        x: Any, shape: Any, val: Any, dtype: Any, x_dim: int, out_dim: int
    ) -> Any:
        place = paddle.framework._current_expected_place()
        function = paddle._C_ops.full_batch_size_like  # it has no other name in Python
        return function, x, list(shape), dtype, val, x_dim, out_dim, place

    def cumsum(x: Any, axis: int, *how: bool) -> Any:
        return paddle.cumsum, x, plain_cumsum(axis, *how)

    return {
        "bitwise_and": lambda x, y: (paddle.bitwise_and, x, y),
        "bitwise_or": lambda x, y: (paddle.bitwise_or, x, y),
        "bitwise_xor": lambda x, y: (paddle.bitwise_xor, x, y),
        "bitwise_not": lambda x: (paddle.bitwise_not, x),
        "add": lambda x, y: (paddle.add, x, y),
        "subtract": lambda x, y: (paddle.subtract, x, y),
        "multiply": lambda x, y: (paddle.multiply, x, y),
        "divide": lambda x, y: (paddle.divide, x, y),
        "maximum": lambda x, y: (paddle.maximum, x, y),
        "equal": lambda x, y: (paddle.equal, x, y),
        "less_than": lambda x, y: (paddle.less_than, x, y),
        "isfinite": lambda x: (paddle.isfinite, x),
        "exp": lambda x: (paddle.exp, x),
        "relu": lambda x: (functional.relu, x),
        "scale": lambda x, scale, bias, after: (paddle.scale, x, scale, bias, after),
        "cast": lambda x, dtype: (paddle.cast, x, dtype),
        "full": lambda shape, val, dtype: (paddle.full, list(shape), val, dtype),
        "full_like": lambda x, val, dtype: (paddle.full_like, x, val, dtype),
        "full_batch_size_like": full_batch_size_like,
        "sequence_mask": lambda x, _, maxlen, dtype: (functional.sequence_mask, x, maxlen, dtype),
        "sequence_mask_scalar": lambda x, maxlen, dtype: (
            functional.sequence_mask,
            *(x, maxlen, dtype),
        ),
        "softmax": lambda x, axis: (functional.softmax, x, axis),
        "stft": lambda *arguments: (paddle._C_ops.stft, *arguments),
        "stft_grad": lambda *arguments: (paddle._C_ops.stft_grad, *arguments),
        "sum": lambda x, dims, dtype, keep: (paddle.sum, x, list(dims) or None, dtype, keep),
        "mean": lambda x, dims, keep: (paddle.mean, x, list(dims) or None, keep),
        "trace_grad": lambda x, grad, *where: (paddle._C_ops.trace_grad, x, grad, *where),
        "trace": lambda x, offset, axis1, axis2: (paddle.trace, x, offset, axis1, axis2),
        "cumsum": cumsum,
        # Its transpose is a view of x; ours and the others' are copies.
        "transpose": lambda x, axes: (lambda x: paddle.transpose(x, list(axes)).contiguous(), x),
        "matmul": lambda x, y, *transposed: (paddle.matmul, x, y, *transposed),
        "dot": lambda x, y: (paddle.dot, x, y),
        "layer_norm": lambda x, scale, bias, epsilon, axis: (
            functional.layer_norm,
            *(x, list(x.shape[axis:]), scale, bias, epsilon),
        ),
        "batch_norm_infer": lambda x, mean, variance, scale, bias, momentum, epsilon, layout: (
            functional.batch_norm,
            *(x, mean, variance, scale, bias, False, momentum, epsilon, str(layout)),
        ),
        "embedding": lambda ids, weight, padding: (
            functional.embedding,
            *(no_padding(ids, padding), weight),
        ),
        "where": lambda condition, x, y: (paddle.where, condition, x, y),
        "gather": lambda x, index, axis: (paddle.gather, x, index, axis),
    }
