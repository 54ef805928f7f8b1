"""`full_batch_size_like`: a tensor full of one value, with as many rows as another tensor has.

The kernel never reads x's elements. It takes x's batch size, so x may lie on any device; the
registration says that with `InputAt(0).SetBackend(ALL_BACKEND)`. Where x groups its rows into
sequences, the batch size is the number of sequences: InferMeta doesn't see that, and the kernel
puts it right.

Source: `FullBatchSizeLikeKernel` in `paddle/phi/kernels/full_kernel.h` and
`FullBatchSizeLikeInferMeta` in `paddle/phi/infermeta/unary.h`; how odd values and dims are treated
was tried out on Paddle 3.3.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from registry_runtime.kernels import cores, cpu, cuda_source, device_elements, gpu
from registry_runtime.kernels.template import Build, Context, KernelTemplate, Out, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.unary import FullBatchSizeLikeInferMeta
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.phi.scalar import Scalar


def signature(
    dev_ctx: Context,
    x: DenseTensor,
    shape: list[int],
    val: Scalar,
    dtype: DataType,
    x_batch_size_dim: int,
    out_batch_size_dim: int,
    out: Out,
) -> None: ...


def reference(
    x: DenseTensor, shape: list[int], val: Scalar, dtype: DataType, x_dim: int, out_dim: int
) -> Any:
    check_value(val, dtype)
    dims = list(shape)
    dims[out_dim] = len(x.lod[-1]) - 1 if x.lod and x_dim == 0 else x.dims[x_dim]
    return np.full(dims, as_double(val, dtype), dtype.numpy)


def as_double(val: Scalar, dtype: DataType) -> Any:
    """What a reference fills with."""
    return val.to(dtype if dtype.numpy.kind == "c" else DataType.FLOAT64)


def numba_build(template: KernelTemplate, T: DataType) -> Build:
    def compiled(loops: ModuleType) -> cpu.Compiled:
        carrier = _CARRIERS.get(T, T).numpy
        fill, threaded, cached, code = loops.constant(DataType.of(carrier))
        cores.start_threads(threaded, np.empty(0, carrier), carrier.type(0))
        few = 4 * cores.elements_for_one_core(T)  # it reads nothing, so one core lasts longer

        def write(flat: Any, value: Any) -> None:
            if flat.size <= few or not cores.on_all_cores(threaded, flat.nbytes, flat, value):
                fill(flat, value)

        def long_way(*args: Any, out: Any = None) -> Any:
            args = template.bind(*args)
            value = _checked_value(template, T, *args)
            result = cpu.output(template, T, output_dims(*args), out)
            if not result.flags.forc:
                raise KernelError(f"{template.name}: out must be contiguous; pass another, or none")
            write(result.ravel("K").view(carrier), value.view(carrier))
            return result

        if carrier != T.numpy or carrier.kind == "c":
            return cpu.Compiled(long_way, cached, code)
        return cpu.Compiled(_short_way(T, write, long_way), cached, code)

    return cpu.timed(template, T, compiled)


def _short_way(
    T: DataType, write: Callable[..., None], long_way: Callable[..., Any]
) -> Callable[..., Any]:
    """`long_way`, after a try at what most calls are: an array, a list and a plain number."""
    target, (lowest, highest), ndarray, empty = T.numpy, _range(T), np.ndarray, np.empty
    element = target.type

    def launch(
        x: Any,
        shape: Any,
        val: Any,
        dtype: Any,
        x_batch_size_dim: int,
        out_batch_size_dim: int,
        out: Any = None,
    ) -> Any:
        number: Any = val.value if type(val) is Scalar else val
        try:
            if (
                type(x) is ndarray
                and type(shape) is list
                and type(number) in (int, float, bool)
                and dtype is T
                and out is None
                and x_batch_size_dim >= 0 <= out_batch_size_dim
            ):
                dims = shape.copy()
                dims[out_batch_size_dim] = x.shape[x_batch_size_dim]
                result = empty(dims, target)
                if lowest <= number <= highest:
                    write(result if len(dims) == 1 else result.ravel(), element(float(number)))
                    return result
        except (IndexError, OverflowError, TypeError, ValueError):
            pass  # the long way says what is wrong
        return long_way(x, shape, val, dtype, x_batch_size_dim, out_batch_size_dim, out=out)

    return launch


def cuda_elements(T: DataType) -> cuda_source.Elements:
    bits = _CARRIERS.get(T, T)
    return cuda_source.Elements("fill", {}, {"val": bits}, bits, "out = val")


def cuda_text(T: DataType) -> str:
    return cuda_elements(T).in_one_piece()


def cupy_fill(cupy: Any, T: DataType) -> Callable[[Any, Any], None]:
    """`write(value, out)`, on the GPU."""
    carrier, fill = carrier_of(T), device_elements.launcher(cupy, cuda_elements(T))
    return lambda value, out: fill((), (value.view(carrier),), out.view(carrier))


def cupy_build(cupy: Any, T: DataType) -> Any:
    write = cupy_fill(cupy, T)
    return lambda x, shape, val, dtype, x_dim, out_dim, out: write(fill_value(val, T), out)


def gpu_metas(
    template: KernelTemplate, T: DataType, bound: tuple[Any, ...]
) -> tuple[MetaTensor, ...]:
    _checked_value(template, T, *bound)
    return (MetaTensor(output_dims(*bound), T),)


# Filling only copies bits, so a T that Numba and CUDA need a header for travels as an integer.
_CARRIERS = {
    DataType.FLOAT16: DataType.UINT16,
    DataType.BFLOAT16: DataType.UINT16,
    DataType.FLOAT8_E4M3FN: DataType.UINT8,
    DataType.FLOAT8_E5M2: DataType.UINT8,
}


def carrier_of(T: DataType) -> np.dtype[Any]:
    """The NumPy type of an integer or a number that the bits of a `T` travel as."""
    return _CARRIERS.get(T, T).numpy


def output_dims(x: DenseTensor, *attributes: Any) -> tuple[int, ...]:
    """InferMeta's dims, with the number of sequences where x has a LoD over its dim 0."""
    _, _, _, x_batch_size_dim, out_batch_size_dim = attributes
    (meta,) = FullBatchSizeLikeKernel.infer(attributes[2], (x, *attributes))
    dims = list(meta.dims)
    if x.lod and x_batch_size_dim == 0:
        dims[out_batch_size_dim] = len(x.lod[-1]) - 1
    if min(dims) < 0:
        raise KernelError(f"shape {attributes[0]}: only dim {out_batch_size_dim} may be negative")
    return tuple(dims)


def fill_value(val: Scalar, dtype: DataType) -> np.generic:
    """The value as `dtype`, by way of a double, as Paddle does: int64 is exact up to 2**53.

    Infinity and NaN fill any float. Raises KernelError for what lies out of range, 2 for a bool.
    """
    if dtype.numpy.kind == "c":
        return val.to(dtype)
    value = float(val.to(DataType.FLOAT64))
    lowest, highest = _range(dtype)
    try:
        if math.isfinite(value) and not lowest <= value <= highest:
            raise OverflowError
        return Scalar(value).to(dtype)
    except OverflowError:
        raise KernelError(
            f"val is {value}, out of range for {dtype}: {lowest} … {highest}"
        ) from None


def check_value(val: Scalar, dtype: DataType) -> None:
    """Raises KernelError, as `fill_value` does."""
    fill_value(val, dtype)


def _range(dtype: DataType) -> tuple[float, float]:
    import ml_dtypes

    if dtype is DataType.BOOL:
        return 0, 1
    if dtype.numpy.kind in "iu":
        return np.iinfo(dtype.numpy).min, np.iinfo(dtype.numpy).max
    finfo: Any = ml_dtypes.finfo  # knows NumPy's types as well as its own
    return float(finfo(dtype.numpy).min), float(finfo(dtype.numpy).max)


def _checked_value(template: KernelTemplate, T: DataType, *args: Any) -> np.generic:
    _, _, val, dtype, _, _ = args
    if dtype != T:
        raise KernelError(f"{template.name}<{T}> was asked for {dtype}: run the kernel for {dtype}")
    return fill_value(val, T)


FullBatchSizeLikeKernel = KernelTemplate(
    name="phi::FullBatchSizeLikeKernel",
    signature=signature,
    dtypes=frozenset(DataType) - {DataType.UNDEFINED, DataType.PSTRING, DataType.NUM_DATA_TYPES},
    infer_meta=FullBatchSizeLikeInferMeta,
    reference=reference,
    builders={
        "CPU": numba_build,
        "GPU": gpu.function(cupy_build, cuda_text, gpu_metas),
    },
    sample=lambda dtype, size, rng: (
        random_array(dtype, (size,), rng),
        [-1],
        Scalar(int(rng.integers(0, 2))),
        dtype,
        0,
        0,
    ),
    bytes_moved=lambda *args: int(args[-1].data.nbytes),  # x is never read
    accepts={"x": frozenset(DataType)},
)
