"""`isfinite`: neither NaN nor infinite; true of every integer.

Source: `paddle/phi/kernels/isfinite_kernel.h`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.kernels import cpu, dtypes, gpu
from registry_runtime.kernels.template import Context, KernelTemplate, Out
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.unary import IsfiniteInferMeta


def signature(dev_ctx: Context, x: DenseTensor, out: Out) -> None: ...


def isfinite(x: Any) -> Any:
    return x - x == 0  # infinity - infinity is NaN


IsfiniteKernel = KernelTemplate(
    name="phi::IsfiniteKernel",
    signature=signature,
    dtypes=dtypes.NUMBERS - {DataType.BOOL},
    infer_meta=IsfiniteInferMeta,
    reference=np.isfinite,
    builders={"CPU": cpu.elementwise(isfinite), "GPU": gpu.elementwise("out = x - x == T(0)")},
    out_dtype=lambda T: DataType.BOOL,
)
