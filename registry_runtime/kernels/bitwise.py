"""`bitwise_and`, `bitwise_or`, `bitwise_xor` and `bitwise_not`, of bools and of integers.

Each operator shows its faces side by side: what it is called in C++, what NumPy says it computes,
what Numba compiles for one element, what CUDA does with one. The signature and InferMeta are common
to the three that take two tensors. For bools, "not" is the logical one: `~` would turn `true`, whose
byte is 1, into a byte of 254.

Source: `paddle/phi/kernels/bitwise_kernel.h`, `ElementwiseInferMeta` and `UnchangedInferMeta`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.kernels import cpu, gpu
from registry_runtime.kernels.dtypes import BOOL, INTEGERS
from registry_runtime.kernels.template import Context, KernelTemplate, Out, random_array
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.binary import ElementwiseInferMeta
from registry_runtime.phi.infermeta.unary import UnchangedInferMeta


def binary(dev_ctx: Context, x: DenseTensor, y: DenseTensor, out: Out) -> None: ...
def unary(dev_ctx: Context, x: DenseTensor, out: Out) -> None: ...


def bitwise_and(x: Any, y: Any) -> Any:
    return x & y


def bitwise_or(x: Any, y: Any) -> Any:
    return x | y


def bitwise_xor(x: Any, y: Any) -> Any:
    return x ^ y


def bitwise_not(x: Any) -> Any:
    return ~x


def logical_not(x: Any) -> Any:
    return not x


def _binary(name: str, numpy: np.ufunc, numba: Any, cuda: str) -> KernelTemplate:
    return KernelTemplate(
        name=name,
        signature=binary,
        dtypes=BOOL | INTEGERS,
        infer_meta=ElementwiseInferMeta,
        reference=numpy,
        builders={"CPU": cpu.elementwise(numba), "GPU": gpu.elementwise(cuda)},
        sample=lambda dtype, size, rng: tuple(random_array(dtype, (size,), rng) for _ in range(2)),
    )


BitwiseAndKernel = _binary("phi::BitwiseAndKernel", np.bitwise_and, bitwise_and, "out = x & y")
BitwiseOrKernel = _binary("phi::BitwiseOrKernel", np.bitwise_or, bitwise_or, "out = x | y")
BitwiseXorKernel = _binary("phi::BitwiseXorKernel", np.bitwise_xor, bitwise_xor, "out = x ^ y")
BitwiseNotKernel = KernelTemplate(
    name="phi::BitwiseNotKernel",
    signature=unary,
    dtypes=BOOL | INTEGERS,
    infer_meta=UnchangedInferMeta,
    reference=np.bitwise_not,
    builders={
        "CPU": cpu.elementwise(bitwise_not, for_bool=logical_not),
        "GPU": gpu.elementwise("out = ~x", for_bool="out = !x"),
    },
)
