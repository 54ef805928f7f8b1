"""`add`, `subtract`, `multiply`, `divide` and `maximum`, of two tensors that broadcast.

Integers wrap around. `divide` of integers gives float32, so that a zero below gives infinity or
NaN; of complex numbers it is the schoolbook formula, and gives NaN. `maximum` hands a NaN on.

Source: `paddle/phi/kernels/elementwise_*_kernel.h`, `kernels/funcs/elementwise_functor.h`; odd
values were tried out on Paddle 3.3.1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from registry_runtime.kernels import cpu, dtypes, gpu
from registry_runtime.kernels.template import (
    Context,
    KernelTemplate,
    Out,
    two_tensors,
)
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.binary import ElementwiseInferMeta


def signature(dev_ctx: Context, x: DenseTensor, y: DenseTensor, out: Out) -> None: ...


def add(x: Any, y: Any) -> Any:
    return x + y


def subtract(x: Any, y: Any) -> Any:
    return x - y


def multiply(x: Any, y: Any) -> Any:
    return x * y


def maximum(x: Any, y: Any) -> Any:
    return x if x > y or x != x else y


def divide(x: Any, y: Any) -> Any:
    return x / y


def divide_integers(x: Any, y: Any) -> Any:
    return np.float32(x) / np.float32(y)


def divide_bool(x: Any, y: Any) -> Any:
    return x and y


def divide_complex(x: Any, y: Any) -> Any:
    square = y.real * y.real + y.imag * y.imag
    real = (x.real * y.real + x.imag * y.imag) / square
    imag = (x.imag * y.real - x.real * y.imag) / square
    return complex(real, imag)


def quotient_type(T: DataType) -> DataType:
    return DataType.FLOAT32 if T in dtypes.INTEGERS else T


def divide_reference(x: DenseTensor, y: DenseTensor) -> Any:
    a, b = np.asarray(x), np.asarray(y)
    if x.dtype is DataType.BOOL:
        return a & b
    if x.dtype in dtypes.COMPLEX:
        square = b.real * b.real + b.imag * b.imag
        real = (a.real * b.real + a.imag * b.imag) / square
        result = np.empty(real.shape, a.dtype)
        result.real, result.imag = real, (a.imag * b.real - a.real * b.imag) / square
        return result
    T = quotient_type(x.dtype).numpy
    return np.divide(a.astype(T), b.astype(T))


def _divide(T: DataType) -> Callable[..., Any]:
    if T in dtypes.INTEGERS:
        return divide_integers
    if T in dtypes.COMPLEX:
        return divide_complex
    return divide_bool if T is DataType.BOOL else divide


def _cuda_divide(T: DataType) -> str:
    if T in dtypes.COMPLEX:  # CuPy's own would scale both by the larger part
        return (
            "auto square = y.real() * y.real() + y.imag() * y.imag(); "
            "out = T((x.real() * y.real() + x.imag() * y.imag()) / square, "
            "(x.imag() * y.real() - x.real() * y.imag()) / square)"
        )
    return "out = (float)x / (float)y" if T in dtypes.INTEGERS else "out = x / y"


def _binary(
    name: str, reference: Any, numba: Callable[..., Any], cuda: str, T: frozenset[DataType]
) -> KernelTemplate:
    return KernelTemplate(
        name=name,
        signature=signature,
        dtypes=T,
        infer_meta=ElementwiseInferMeta,
        reference=reference,
        builders={"CPU": cpu.elementwise(numba), "GPU": gpu.elementwise(cuda)},
        sample=two_tensors,
    )


AddKernel = _binary("phi::AddKernel", np.add, add, "out = x + y", dtypes.NUMBERS)
MultiplyKernel = _binary(
    "phi::MultiplyKernel", np.multiply, multiply, "out = x * y", dtypes.NUMBERS
)
SubtractKernel = _binary(
    "phi::SubtractKernel", np.subtract, subtract, "out = x - y", dtypes.NUMBERS - {DataType.BOOL}
)
MaximumKernel = _binary(
    "phi::MaximumKernel",
    np.maximum,
    maximum,
    "out = x > y || x != x ? x : y",
    dtypes.NUMBERS - dtypes.COMPLEX - {DataType.BOOL},
)
DivideKernel = KernelTemplate(
    name="phi::DivideKernel",
    signature=signature,
    dtypes=dtypes.NUMBERS,
    infer_meta=ElementwiseInferMeta,
    reference=divide_reference,
    builders={
        "CPU": cpu.elementwise(choose=_divide),
        "GPU": gpu.elementwise(
            for_bool="out = x && y",  # a quotient by false would be undefined
            choose=_cuda_divide,
        ),
    },
    sample=two_tensors,
    out_dtype=quotient_type,
)
