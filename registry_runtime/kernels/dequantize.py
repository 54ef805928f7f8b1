"""`dequantize`: real numbers from the small integers that a quantised model computes with.

`(x - shift) / scale`: the scale says how many steps there are to 1, and the shift which integer is
0. bfloat16, which keeps its own zero, takes no shift. As oneDNN does it, the difference is
multiplied by the scale's reciprocal.

Source: `paddle/phi/kernels/dequantize_kernel.h`, `kernels/onednn/dequantize_kernel.cc`. Paddle has
the kernel for oneDNN alone; what that refuses was tried out on Paddle 3.3.1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.kernels import cpu
from registry_runtime.kernels.template import Context, KernelTemplate, Out, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.unary import UnchangedExceptDtypeInferMeta
from registry_runtime.phi.kernel_template import KernelError


def signature(
    dev_ctx: Context,
    x: DenseTensor,
    quantization_scale: float,
    quantization_shift: float,
    out: Out,
) -> None: ...


def dequantized(x: Any, step: Any, shift: Any) -> Any:
    return (np.float32(x) - shift) * step


def constants(T: DataType, scale: float = 1, shift: float = 0) -> tuple[Any, ...]:
    """How far apart two integers are, and which of them is 0. Raises KernelError."""
    check(T, scale, shift)
    return np.float32(1) / np.float32(scale), np.float32(int(shift))


def check(T: DataType, scale: float, shift: float) -> None:
    if scale == 0:
        raise KernelError("Dequantization scale must be different than 0.0f")
    zero = int(shift)
    if zero < 0:
        raise KernelError("Dequantization shift must be greater or equal to 0")
    if zero > 255:
        raise KernelError("Dequantization shift must be lower or equal to 255")
    if zero and T is DataType.BFLOAT16:
        raise KernelError(
            "could not create a primitive descriptor for a reorder primitive: "
            "oneDNN shifts integers only; pass a shift of 0 for bfloat16"
        )


def reference(x: DenseTensor, scale: float, shift: float) -> Any:
    check(x.dtype, scale, shift)
    return (np.asarray(x).astype(np.float64) - int(shift)) / scale


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    return random_array(T, (size,), rng), 127.0, 128.0 if T is DataType.UINT8 else 0.0


DeQuantKernel = KernelTemplate(
    name="phi::DeQuantKernel",
    signature=signature,
    dtypes=frozenset({DataType.UINT8, DataType.INT8, DataType.BFLOAT16}),
    infer_meta=UnchangedExceptDtypeInferMeta,
    param=("x",),
    reference=reference,
    builders={"ONEDNN": cpu.elementwise(dequantized, constants=constants)},
    sample=sample,
    open_dtype=lambda name, T: DataType.FLOAT32,
    out_dtype=lambda T: DataType.FLOAT32,
    roundings=2,
)
