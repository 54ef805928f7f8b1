"""`scale`: x * scale + bias, or (x + bias) * scale. Both numbers are first made a T.

Source: `paddle/phi/kernels/scale_kernel.h`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.kernels import cpu, dtypes, gpu
from registry_runtime.kernels.template import Context, KernelTemplate, Out, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.unary import UnchangedInferMeta
from registry_runtime.phi.scalar import Scalar


def signature(
    dev_ctx: Context,
    x: DenseTensor,
    scale: Scalar,
    bias: Scalar,
    bias_after_scale: bool,
    out: Out,
) -> None: ...


def scaled(x: Any, scale: Any, bias: Any, bias_after_scale: Any) -> Any:
    return x * scale + bias if bias_after_scale else (x + bias) * scale


_ZERO, _ONE = Scalar(0), Scalar(1)


def constants(
    T: DataType, scale: Scalar = _ONE, bias: Scalar = _ZERO, after: bool = True
) -> tuple[Any, ...]:
    numbers = (scale.to(T), bias.to(T))
    if T in dtypes.HALF:
        numbers = (np.float32(numbers[0]), np.float32(numbers[1]))
    return (*numbers, np.bool(after))


def reference(x: DenseTensor, scale: Scalar, bias: Scalar, bias_after_scale: bool) -> Any:
    wide = np.dtype(np.float32) if x.dtype in dtypes.HALF else x.dtype.numpy
    a, b = (np.asarray(number.to(x.dtype)).astype(wide) for number in (scale, bias))
    elements = np.asarray(x, wide)
    return elements * a + b if bias_after_scale else (elements + b) * a


ScaleKernel = KernelTemplate(
    name="phi::ScaleKernel",
    signature=signature,
    dtypes=dtypes.NUMBERS,
    infer_meta=UnchangedInferMeta,
    param=("x",),
    reference=reference,
    builders={
        "CPU": cpu.elementwise(scaled, constants=constants),
        "GPU": gpu.elementwise(
            "out = bias_after_scale ? x * scale + bias : (x + bias) * scale", constants=constants
        ),
    },
    sample=lambda dtype, size, rng: (random_array(dtype, (size,), rng), Scalar(2), Scalar(1), True),
)
