"""`full` and `full_like`: a tensor that holds one value everywhere.

`full` casts the value as C++ does. `full_like` refuses what T can't hold; it takes only x's dims, so
x may be of any type and lie on any device.

Source: `paddle/phi/kernels/full_kernel.h`, `kernels/cpu/full_kernel.cc`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from registry_runtime.kernels import cores, cpu, dtypes, gpu
from registry_runtime.kernels.full_batch_size_like import (
    as_double,
    carrier_of,
    check_value,
    cuda_text,
    cupy_fill,
    fill_value,
)
from registry_runtime.kernels.template import Context, IntArray, KernelTemplate, Out, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.nullary import CreateInferMeta
from registry_runtime.phi.infermeta.unary import CreateLikeInferMeta
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.phi.scalar import Scalar


def signature(
    dev_ctx: Context, shape: IntArray, val: Scalar, dtype: DataType, out: Out
) -> None: ...


def like_signature(
    dev_ctx: Context, x: DenseTensor, val: Scalar, dtype: DataType, out: Out
) -> None: ...


def as_T(val: Scalar, T: DataType) -> np.generic:
    """Raises KernelError for what T has no value for."""
    try:
        return val.to(T)
    except OverflowError as error:
        raise KernelError(f"val: {error}; pass one in T's range") from None


def fill(loops: ModuleType, T: DataType) -> Any:
    """`write(value, out)`, with the code behind it."""
    carrier = carrier_of(T)
    single, threaded, cached, code = loops.constant(DataType.of(carrier))
    cores.start_threads(threaded, np.empty(0, carrier), carrier.type(0))
    few = 4 * cores.elements_for_one_core(T)  # it reads nothing, so one core lasts longer

    def write(value: Any, out: Any) -> None:
        if not out.flags.forc:
            out[...] = value
            return
        flat, bits = out.ravel("K").view(carrier), value.view(carrier)
        if flat.size <= few or not cores.on_all_cores(threaded, flat.nbytes, flat, bits):
            single(flat, bits)

    return write, cached, code


def full_attributes(metas: Sequence[MetaTensor], shape: Any, val: Scalar, dtype: Any) -> Any:
    return shape, as_T(val, metas[0].dtype), dtype


def full_like_attributes(metas: Sequence[MetaTensor], val: Scalar, dtype: Any) -> Any:
    return fill_value(val, metas[0].dtype), dtype


def numba_build(loops: ModuleType, T: DataType) -> cpu.Compiled:
    write, cached, code = fill(loops, T)
    return cpu.Compiled(lambda shape_or_x, value, dtype, out: write(value, out), cached, code)


def cupy_filled(cast: Callable[[Scalar, DataType], np.generic]) -> Callable[[Any, DataType], Any]:
    """Fills with the value as `cast` makes it."""

    def build(cupy: Any, T: DataType) -> Any:
        write_as = cache(lambda out: cupy_fill(cupy, out))
        write_as(T)

        def run(shape_or_x: Any, val: Scalar, dtype: Any, out: Any) -> None:
            held = DataType.of(out.dtype)
            write_as(held)(cast(val, held), out)

        return run

    return build


def reference(shape: Sequence[int], val: Scalar, dtype: DataType) -> Any:
    try:
        value = val.to(dtype)
    except OverflowError as error:
        raise KernelError(f"val: {error}; pass one in T's range") from None
    return np.full(tuple(shape), value, dtype.numpy)


def like_reference(x: DenseTensor, val: Scalar, dtype: DataType) -> Any:
    T = x.dtype if dtype is DataType.UNDEFINED else dtype
    check_value(val, T)
    return np.full(x.dims, as_double(val, T), T.numpy)


_ANY = dtypes.NUMBERS | {DataType.FLOAT8_E4M3FN, DataType.FLOAT8_E5M2}

FullKernel = KernelTemplate(
    name="phi::FullKernel",
    signature=signature,
    dtypes=_ANY,
    infer_meta=CreateInferMeta,
    param=("shape", "dtype"),
    reference=reference,
    builders={
        "CPU": cpu.function(numba_build, attributes=full_attributes),
        "GPU": gpu.function(cupy_filled(as_T), cuda_text),
    },
    sample=lambda dtype, size, rng: ([size], Scalar(1), dtype),
)
FullLikeKernel = KernelTemplate(
    name="phi::FullLikeKernel",
    signature=like_signature,
    dtypes=_ANY,
    infer_meta=CreateLikeInferMeta,
    param=("x", "dtype"),
    reference=like_reference,
    builders={
        "CPU": cpu.function(numba_build, attributes=full_like_attributes),
        "GPU": gpu.function(cupy_filled(fill_value), cuda_text),
    },
    sample=lambda dtype, size, rng: (random_array(dtype, (size,), rng), Scalar(1), dtype),
    bytes_moved=lambda *args: int(args[-1].data.nbytes),  # x is never read
    accepts={"x": frozenset(DataType)},
)
