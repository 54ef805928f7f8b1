"""`cast`: T's elements as another type, by C++'s `static_cast`.

A fraction is cut off, an integer wraps, a complex number loses its imaginary part. Each target type
is a loop of its own, compiled when first asked for.

Source: `paddle/phi/kernels/cast_kernel.h`; floats out of range were tried out on Paddle 3.3.1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from registry_runtime.kernels import cores, cpu, cuda_source, device_elements, dtypes, gpu
from registry_runtime.kernels.template import Context, KernelTemplate, Out, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.unary import CastInferMeta


def signature(dev_ctx: Context, x: DenseTensor, out_dtype: DataType, out: Out) -> None: ...


def to_bool(x: Any) -> Any:
    return x != 0


def unchanged(x: Any) -> Any:
    return x


def real_part(x: Any) -> Any:
    return x.real


def to_small_integer(x: Any) -> Any:
    return np.int64(x)  # whose low bits are then kept


def real_to_small_integer(x: Any) -> Any:
    return np.int64(x.real)


_ADDRESSABLE = (DataType.INT32, DataType.INT64, DataType.UINT64)


def conversion(T: DataType, out_dtype: DataType) -> Callable[..., Any]:
    """What one element goes through on its way; storing it does the rest."""
    if out_dtype is DataType.BOOL:
        return to_bool
    small = out_dtype in dtypes.INTEGERS and out_dtype not in _ADDRESSABLE
    if T in dtypes.COMPLEX and out_dtype not in dtypes.COMPLEX:
        return real_to_small_integer if small else real_part
    return to_small_integer if small and T in dtypes.FLOATS else unchanged


def numba_build(loops: ModuleType, T: DataType) -> cpu.Compiled:
    @cache
    def made(out_dtype: DataType) -> Any:
        return loops.elementwise(conversion(T, out_dtype), (T, out_dtype), (False,))

    first, few = made(DataType.FLOAT32), cores.elements_for_one_core(T)

    def run(x: Any, out_dtype: DataType, out: Any) -> None:
        loop = made(out_dtype)
        x, out = x.view(loop.carriers[0]), out.view(loop.carriers[1])
        flat = x.flags.c_contiguous and out.flags.c_contiguous and x.flags.aligned
        if not (
            x.size > few
            and flat
            and cores.on_all_cores(loop.threaded, out.nbytes, x.ravel(), out.ravel())
        ):
            loop.ufunc(x, out)

    return cpu.Compiled(run, first.from_cache, first.code, first.llvm)


def reference(x: DenseTensor, out_dtype: DataType) -> Any:
    elements = np.asarray(x)
    if x.dtype in dtypes.COMPLEX and out_dtype not in (*dtypes.COMPLEX, DataType.BOOL):
        elements = elements.real
    return elements.astype(out_dtype.numpy)


def cuda_statement(T: DataType, out: DataType) -> str:
    """The same conversion of `x` in CUDA C++, which knows half precision as floats only."""
    number = "(float)x" if T in dtypes.HALF else "x"
    if T in dtypes.COMPLEX:
        if out is DataType.BOOL:
            return "out = x.real() != 0 || x.imag() != 0"
        number = "x" if out in dtypes.COMPLEX else "x.real()"
    if out is DataType.BOOL:
        return f"out = {number} != 0"
    if out in dtypes.HALF:
        number = f"(float){number}"
    elif out in dtypes.INTEGERS and out not in _ADDRESSABLE:
        number = f"(long long){number}"
    return f"out = ({cuda_source.CUDA_TYPES[out]})({number})"


def cuda_elements(T: DataType, out: DataType) -> cuda_source.Elements:
    return cuda_source.Elements("CastKernel", {"x": T}, {}, out, cuda_statement(T, out))


def cuda_text(T: DataType) -> str:
    return cuda_elements(T, DataType.FLOAT32).in_one_piece()


def cupy_build(cupy: Any, T: DataType) -> Any:
    @cache
    def made(out_dtype: DataType) -> Any:
        return device_elements.launcher(cupy, cuda_elements(T, out_dtype))

    return lambda x, out_dtype, out: made(out_dtype)((x,), (), out)


CastKernel = KernelTemplate(
    name="phi::CastKernel",
    signature=signature,
    dtypes=dtypes.NUMBERS,
    infer_meta=CastInferMeta,
    reference=reference,
    builders={"CPU": cpu.function(numba_build), "GPU": gpu.function(cupy_build, cuda_text)},
    sample=lambda dtype, size, rng: (random_array(dtype, (size,), rng), DataType.FLOAT32),
)
