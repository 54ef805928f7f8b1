"""What a spectrum is an array of, and whether a gradient of one fits its signal."""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError


def complex_of(T: DataType) -> DataType:
    return DataType.COMPLEX64 if T is DataType.FLOAT32 else DataType.COMPLEX128


def check_grad(T: DataType, x: Any, grad: Any) -> None:
    wanted = np.dtype(f"c{2 * T.numpy.itemsize}")
    if grad.dtype != wanted or len(grad) != len(x):
        raise KernelError(
            f"phi::StftGradKernel<{T}>: out_grad is {grad.dtype} of shape {list(grad.shape)}; "
            f"it must be {wanted} of as many rows as x, {len(x)}"
        )
