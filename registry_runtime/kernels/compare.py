"""`equal` and `less_than`, of two tensors that broadcast: bools, whatever T is.

Complex numbers are ordered by their real parts, and by the imaginary ones where those are equal.

Source: `paddle/phi/kernels/compare_kernel.h`, `kernels/funcs/compare_functors.h`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.kernels import cpu, dtypes, gpu
from registry_runtime.kernels.template import Context, KernelTemplate, Out, two_tensors
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.binary import CompareInferMeta


def signature(dev_ctx: Context, x: DenseTensor, y: DenseTensor, out: Out) -> None: ...


def equal(x: Any, y: Any) -> Any:
    return x == y


def less_than(x: Any, y: Any) -> Any:
    return x < y


def less_than_complex(x: Any, y: Any) -> Any:
    return x.real < y.real or (x.real == y.real and x.imag < y.imag)


EqualKernel = KernelTemplate(
    name="phi::EqualKernel",
    signature=signature,
    dtypes=dtypes.NUMBERS,
    infer_meta=CompareInferMeta,
    reference=np.equal,
    builders={"CPU": cpu.elementwise(equal), "GPU": gpu.elementwise("out = x == y")},
    sample=two_tensors,
    out_dtype=lambda T: DataType.BOOL,
)
LessThanKernel = KernelTemplate(
    name="phi::LessThanKernel",
    signature=signature,
    dtypes=dtypes.NUMBERS,
    infer_meta=CompareInferMeta,
    reference=np.less,
    builders={
        "CPU": cpu.elementwise(
            choose=lambda T: less_than_complex if T in dtypes.COMPLEX else less_than
        ),
        "GPU": gpu.elementwise("out = x < y"),
    },
    sample=two_tensors,
    out_dtype=lambda T: DataType.BOOL,
)
