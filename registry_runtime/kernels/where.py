"""`where`: x's element where the condition holds, y's elsewhere. Nothing broadcasts.

Source: `paddle/phi/kernels/where_kernel.h`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.kernels import cpu, dtypes, gpu
from registry_runtime.kernels.template import Context, KernelTemplate, Out, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.multiary import WhereInferMeta


def signature(
    dev_ctx: Context, condition: DenseTensor, x: DenseTensor, y: DenseTensor, out: Out
) -> None: ...


def where(condition: Any, x: Any, y: Any) -> Any:
    return x if condition else y


WhereKernel = KernelTemplate(
    name="phi::WhereKernel",
    signature=signature,
    dtypes=dtypes.NUMBERS,
    infer_meta=WhereInferMeta,
    reference=np.where,
    builders={"CPU": cpu.elementwise(where), "GPU": gpu.elementwise("out = condition ? x : y")},
    sample=lambda dtype, size, rng: (
        random_array(DataType.BOOL, (size,), rng),
        random_array(dtype, (size,), rng),
        random_array(dtype, (size,), rng),
    ),
    accepts={"condition": dtypes.BOOL},
)
