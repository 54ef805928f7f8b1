"""Building and launching on the GPU.

CuPy makes a CUDA kernel of one line, `out = x & y`, and NVRTC compiles it for the device that is
there. Registering a GPU kernel takes no GPU; building and running it do, and say so where CuPy, a
driver or a device is missing. CuPy is imported by the first build, never earlier.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from registry_runtime.kernels.template import Build, Builder, KernelError, KernelTemplate
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor


def cupy() -> Any:
    """The module CuPy, where a device can run what it builds. Raises KernelError otherwise."""
    try:
        import cupy as module
    except ImportError as error:
        raise KernelError(
            f"a GPU kernel needs CuPy ({error}): pip install 'unfold[gpu]' for CUDA 13, "
            "or run the CPU kernel"
        ) from None
    try:
        devices = module.cuda.runtime.getDeviceCount()
    except module.cuda.runtime.CUDARuntimeError as error:
        raise KernelError(
            f"a GPU kernel needs a CUDA device ({error}): run it where there is one, "
            "or run the CPU kernel"
        ) from None
    if devices == 0:
        raise KernelError(
            "a GPU kernel needs a CUDA device, and CuPy sees none: check CUDA_VISIBLE_DEVICES, "
            "or run the CPU kernel"
        )
    return module


def to_device(array: np.ndarray[Any, Any]) -> Any:
    """A copy of the host array in GPU memory. Raises KernelError where there is no GPU."""
    return _known_to_cupy(cupy().asarray, array, DataType.of(array.dtype))


@dataclass(frozen=True)
class Elementwise:
    """A builder of kernels that run one CUDA statement, `out = x & y`, on each element.

    Its variables are the names of the inputs, the attributes and `out`. `for_bool` takes the place of
    `operation` where T is bool, `choose(T)` for any T. `constants` is `cpu.elementwise`'s.
    """

    operation: str = ""
    for_bool: str | None = None
    choose: Callable[[DataType], str] | None = None
    constants: Callable[..., tuple[Any, ...]] | None = None

    def statement(self, T: DataType) -> str:
        """What is done to each element."""
        if self.for_bool and T is DataType.BOOL:
            return self.for_bool
        return self.choose(T) if self.choose else self.operation

    def __call__(self, template: KernelTemplate, dtype: DataType) -> Build:
        module, constants = cupy(), self.constants
        started = time.perf_counter()
        kernel = module.ElementwiseKernel(
            ", ".join(
                f"{_spelt(type_, dtype)} {name}" for type_, name in self._arguments(template, dtype)
            ),
            f"{_spelt(template.out_dtype(dtype), dtype)} out",
            self.statement(dtype),
            template.name.rpartition("::")[2],
        )
        count = sum(p.cpp_type == "const DenseTensor&" for p in template.inputs)

        def launch(*args: Any, out: Any = None) -> Any:
            bound = template.bind(*args)
            operands = [
                _operand(module, template, dtype, parameter.name, value)
                for parameter, value in zip(template.inputs, bound, strict=True)
                if isinstance(value, DenseTensor)
            ]
            fixed = constants(dtype, *bound[count:]) if constants else ()
            (meta,) = template.infer(dtype, bound)
            return kernel(*operands, *fixed, output(template, meta.dtype, meta.dims, out))

        # CuPy compiles at the first call, so call it.
        launch(*template.sample(dtype, 1, np.random.default_rng(0)))
        seconds = time.perf_counter() - started
        return Build("GPU", launch, seconds, from_cache=False, code=lambda: str(kernel.cached_code))

    def source(self, template: KernelTemplate, T: DataType) -> str:
        """The kernel in CUDA C++, as CuPy makes it for contiguous memory; behind `HEADERS`."""
        inputs, out = list(self._arguments(template, T)), template.out_dtype(T)
        tensors = [p.name for p in template.inputs if p.cpp_type == "const DenseTensor&"]
        parameters = [
            f"const {_CUDA[type_]}* _{name}" if name in tensors else f"{_CUDA[type_]} {name}"
            for type_, name in inputs
        ]
        elements = [
            f"    const {_CUDA[type_]}& {name} = _{name}[_i];"
            for type_, name in inputs
            if name in tensors
        ]
        return "\n".join(
            [
                f"typedef {_CUDA[T]} T;",
                f"__global__ void {template.name.rpartition('::')[2]}(",
                f"    {', '.join(parameters)}, {_CUDA[out]}* _out, ptrdiff_t _n) {{",
                "  CUPY_FOR(_i, _n) {",
                *elements,
                f"    {_CUDA[out]}& out = _out[_i];",
                f"    {self.statement(T)};",
                "  }",
                "}",
            ]
        )

    def _arguments(self, template: KernelTemplate, T: DataType) -> Iterator[tuple[DataType, str]]:
        types = iter(self.constants(T) if self.constants else ())
        for name, cpp_type in template.inputs:
            if cpp_type == "const DenseTensor&":
                yield min(template.accepts.get(name, (T,))), name
            else:
                yield DataType.of(next(types).dtype), name


elementwise = Elementwise

# CuPy's own, in front of every kernel that it makes.
HEADERS = """\
#include <cupy/complex.cuh>
#include <cupy/carray.cuh>
#include <cupy/float16.cuh>
#include <cupy/bfloat16.cuh>
"""
_CUDA = {
    DataType.BOOL: "bool",
    DataType.UINT8: "unsigned char",
    DataType.INT8: "signed char",
    DataType.UINT16: "unsigned short",
    DataType.INT16: "short",
    DataType.UINT32: "unsigned int",
    DataType.INT32: "int",
    DataType.UINT64: "unsigned long long",
    DataType.INT64: "long long",
    DataType.FLOAT32: "float",
    DataType.FLOAT64: "double",
    DataType.COMPLEX64: "complex<float>",
    DataType.COMPLEX128: "complex<double>",
    DataType.FLOAT16: "float16",
    DataType.BFLOAT16: "bfloat16",
}


def source(template: KernelTemplate, T: DataType) -> str:
    """The CUDA source of a kernel, headers and all; empty where it is made of CuPy's functions."""
    builder = template.builders.get("GPU")
    return HEADERS + builder.source(template, T) if isinstance(builder, Elementwise) else ""


def function(make: Callable[[DataType], Callable[..., None]]) -> Builder:
    """Builds a kernel of any other shape: `make(T)(*inputs and attributes, *outputs)` fills them."""

    def build(template: KernelTemplate, dtype: DataType) -> Build:
        module = cupy()
        started = time.perf_counter()
        run = make(dtype)

        def launch(*args: Any, out: Any = None) -> Any:
            bound = template.bind(*args)
            metas = template.infer(dtype, bound)
            given = (
                (None,) * len(metas) if out is None else out if isinstance(out, tuple) else (out,)
            )
            outs = tuple(
                output(template, meta.dtype, meta.dims, array)
                for meta, array in zip(metas, given, strict=True)
            )
            values = (
                _operand(module, template, dtype, parameter.name, value)
                if isinstance(value, DenseTensor)
                else value
                for parameter, value in zip(template.inputs, bound, strict=True)
            )
            run(*values, *outs)
            return outs[0] if len(outs) == 1 else outs

        return Build(
            "GPU", launch, time.perf_counter() - started, from_cache=False, code=lambda: ""
        )

    return build


def _spelt(dtype: DataType, T: DataType) -> str:
    return "T" if dtype is T else str(dtype)


def output(template: KernelTemplate, dtype: DataType, dims: tuple[int, ...], out: Any) -> Any:
    """A new array on the device, or `out` if it can take the result. Raises KernelError."""
    if out is None:
        return _known_to_cupy(
            lambda numpy_dtype: cupy().empty(dims, numpy_dtype), dtype.numpy, dtype
        )
    array = out.data if isinstance(out, DenseTensor) else out
    kernel = f"{template.name}<{dtype}, GPUContext>"
    if not hasattr(array, "__cuda_array_interface__"):
        raise KernelError(f"{kernel}: out must lie on the GPU, not in a {type(out).__name__}")
    if array.dtype != dtype.numpy or array.shape != dims:
        raise KernelError(
            f"{kernel}: out is {array.dtype} of shape {array.shape}; it must be {dtype} of shape {dims}"
        )
    return array


def _operand(
    module: Any, template: KernelTemplate, dtype: DataType, name: str, tensor: DenseTensor
) -> Any:
    accepted = template.accepts.get(name, frozenset({dtype}))
    if tensor.dtype not in accepted:
        wanted = " or ".join(map(str, sorted(accepted)))
        raise KernelError(
            f"{template.name}<{dtype}, GPUContext>: {name} is {tensor.dtype}; cast it to {wanted}, "
            f"or run the kernel that is registered for {tensor.dtype}"
        )
    return module.asarray(tensor.data)  # copies what still lies in host memory


def _known_to_cupy(make: Any, value: Any, dtype: DataType) -> Any:
    try:
        return make(value)
    except (TypeError, ValueError) as error:
        raise KernelError(f"this CuPy has no {dtype} ({error}): install CuPy 14 or later") from None
