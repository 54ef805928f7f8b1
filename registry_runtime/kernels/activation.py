"""`relu` and `exp`, of one tensor.

`relu` of NaN is 0, as in Paddle, for NaN is not above 0. `exp` of integers gives float32.

Source: `paddle/phi/kernels/activation_kernel.h`, `kernels/funcs/activation_functor.h`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from registry_runtime.kernels import cpu, dtypes, gpu
from registry_runtime.kernels.template import Context, KernelTemplate, Out
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.unary import UnchangedInferMeta


def signature(dev_ctx: Context, x: DenseTensor, out: Out) -> None: ...


def relu_double(x: Any) -> Any:
    return x if x > 0 else 0.0


def relu_single(x: Any) -> Any:
    return x if x > 0 else np.float32(0)


def exp_complex(x: Any) -> Any:
    return np.exp(x)


def _exp(T: DataType) -> Callable[..., Any]:
    from registry_runtime.kernels import numbers

    if T in dtypes.COMPLEX:
        return exp_complex
    return numbers.exp64 if T is DataType.FLOAT64 else numbers.exp32


def exp_type(T: DataType) -> DataType:
    return DataType.FLOAT32 if T in dtypes.INTEGERS else T


def exp_reference(x: DenseTensor) -> Any:
    """In double, since NumPy's own of floats is off by up to 2.3 units in the last place."""
    wide = np.complex128 if x.dtype in dtypes.COMPLEX else np.float64
    return np.exp(np.asarray(x).astype(wide))


ReluKernel = KernelTemplate(
    name="phi::ReluKernel",
    signature=signature,
    dtypes=dtypes.FLOATS,
    infer_meta=UnchangedInferMeta,
    reference=lambda x: np.where(np.asarray(x) > 0, np.asarray(x), x.dtype.numpy.type(0)),
    builders={
        "CPU": cpu.elementwise(
            choose=lambda T: relu_double if T is DataType.FLOAT64 else relu_single
        ),
        "GPU": gpu.elementwise("out = x > T(0) ? x : T(0)"),
    },
)
ExpKernel = KernelTemplate(
    name="phi::ExpKernel",
    signature=signature,
    dtypes=dtypes.NUMBERS - {DataType.BOOL},
    infer_meta=UnchangedInferMeta,
    reference=exp_reference,
    builders={
        "CPU": cpu.elementwise(choose=_exp),
        "GPU": gpu.elementwise(
            choose=lambda T: "out = exp((float)x)" if T in dtypes.INTEGERS else "out = exp(x)"
        ),
    },
    out_dtype=exp_type,
    roundings=2,
)
