"""Building and launching on the GPU.

CuPy makes a CUDA kernel of one line, `out = x & y`; what can't be said of each element alone is CUDA
C++ of ours. NVRTC compiles both for the device that is there (`device`), and says so where there is
none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from registry_runtime.kernels import cuda_source, device
from registry_runtime.kernels.cuda_source import HEADERS
from registry_runtime.kernels.template import Build, KernelTemplate, Ragged
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.phi.parameter_types import Kind


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
        module, constants = device.cupy(), self.constants
        started = time.perf_counter()
        kernel = module.ElementwiseKernel(
            ", ".join(
                f"{_spelt(type_, dtype)} {name}" for type_, name in self._arguments(template, dtype)
            ),
            f"{_spelt(template.out_dtype(dtype), dtype)} out",
            self.statement(dtype),
            template.name.rpartition("::")[2],
            options=_EXACTLY,
        )
        count = sum(p.type.kind is Kind.INPUT for p in template.inputs)

        def launch(*args: Any, out: Any = None) -> Any:
            bound = template.bind(*args)
            operands = [
                _operand(module, template, dtype, parameter.name, value)
                for parameter, value in zip(template.inputs, bound, strict=True)
                if isinstance(value, DenseTensor)
            ]
            fixed = constants(dtype, *bound[count:]) if constants else ()
            (meta,) = template.infer(dtype, bound)
            result = output(template, meta.dtype, meta.dims, out)
            if out is None or not any(_disturbs(module, result, x) for x in operands):
                return kernel(*operands, *fixed, result)
            result[...] = kernel(*operands, *fixed, module.empty(meta.dims, meta.dtype.numpy))
            return result

        # CuPy compiles at the first call, so call it.
        launch(*template.sample(dtype, 1, np.random.default_rng(0)))
        seconds = time.perf_counter() - started
        return Build("GPU", launch, seconds, from_cache=False, code=lambda: str(kernel.cached_code))

    def source(self, template: KernelTemplate, T: DataType) -> str:
        """The kernel in CUDA C++, as CuPy makes it for contiguous memory; behind `HEADERS`."""
        names = [p.name for p in template.inputs if p.type.kind is Kind.INPUT]
        arguments = {name: type_ for type_, name in self._arguments(template, T)}
        kernel = cuda_source.elementwise(
            template.name.rpartition("::")[2],
            {name: arguments.pop(name) for name in names},
            arguments,
            template.out_dtype(T),
            self.statement(T),
        )
        return f"typedef {cuda_source.CUDA_TYPES[T]} T;\n{kernel}"

    def _arguments(self, template: KernelTemplate, T: DataType) -> Iterator[tuple[DataType, str]]:
        types = iter(self.constants(T) if self.constants else ())
        for parameter in template.inputs:
            if parameter.type.kind is Kind.INPUT:
                yield min(template.accepts.get(parameter.name, (T,))), parameter.name
            else:
                yield DataType.of(next(types).dtype), parameter.name


elementwise = Elementwise
_EXACTLY = ("--fmad=false",)  # a product is rounded before it is added to, as on the CPU


def source(template: KernelTemplate, T: DataType) -> str:
    """The CUDA source of a kernel, headers and all; empty where a library of NVIDIA's does the work."""
    builder = template.builders.get("GPU")
    text = builder.source(template, T) if isinstance(builder, Elementwise | Function) else ""
    return HEADERS + text if text else ""


def compiled(cupy: Any, text: str) -> Any:
    """The module that NVRTC makes of the text behind `HEADERS`; `get_function` finds its kernels."""
    module = cupy.RawModule(code=HEADERS + text, options=("--std=c++17",))
    module.compile()
    return module


def allocated(
    template: KernelTemplate, T: DataType, bound: tuple[Any, ...]
) -> tuple[MetaTensor, ...]:
    """What the outputs are: as InferMeta says, or as the body resizes them."""
    return template.resized(bound, template.infer(T, bound))


@dataclass(frozen=True)
class Function:
    """A builder of kernels of any other shape, with the CUDA source behind them.

    `make(cupy, T)` compiles it. `run(*inputs and attributes, *outputs)` then gets the inputs as
    C-contiguous arrays on the device, but for those that may be of any type, which stay where they
    are; absent ones as None; the attributes as their C++ types; and the outputs as C-contiguous arrays
    of the dims and data types that InferMeta found, which share no memory with the inputs.
    `text(T)` is the source, behind `HEADERS`; empty where a library of NVIDIA's does the work.
    `metas` is InferMeta, unless the kernel knows better.
    """

    make: Callable[[Any, DataType], Callable[..., None]]
    text: Callable[[DataType], str]
    metas: Callable[[KernelTemplate, DataType, tuple[Any, ...]], tuple[MetaTensor, ...]] = allocated

    def source(self, template: KernelTemplate, T: DataType) -> str:
        return self.text(T)

    def __call__(self, template: KernelTemplate, dtype: DataType) -> Build:
        module = device.cupy()
        started = time.perf_counter()
        run = self.make(module, dtype)
        seconds = time.perf_counter() - started

        def argument(name: str, value: Any) -> Any:
            if isinstance(value, list):
                return [argument(name, element) for element in value]
            if not isinstance(value, DenseTensor):
                return value
            if template.accepts.get(name) == _ANY_TYPE:
                return value.data
            array = _contiguous(_operand(module, template, dtype, name, value))
            return Ragged(array, value.lod) if name in template.ragged else array

        def launch(*args: Any, out: Any = None) -> Any:
            bound = template.bind(*args)
            metas = self.metas(template, dtype, bound)
            given = out if isinstance(out, tuple) else (out,) * len(metas)
            outs = tuple(
                output(template, meta.dtype, meta.dims, array)
                for meta, array in zip(metas, given, strict=True)
            )
            values = [argument(p.name, v) for p, v in zip(template.inputs, bound, strict=True)]
            targets = outs if out is None else [_target(module, o, values) for o in outs]
            for name, result, target in zip(template.outputs, outs, targets, strict=False):
                if name in template.carried and (out is None or target is not result):
                    target[...] = 0 if out is None else result
            run(*values, *targets)
            for result, target in zip(outs, targets, strict=True):
                if result is not target:
                    result[...] = target
            return outs[0] if len(outs) == 1 else outs

        return Build("GPU", launch, seconds, from_cache=False, code=lambda: source(template, dtype))


function = Function
_ANY_TYPE = frozenset(DataType)


def _contiguous(array: Any) -> Any:
    return array if array.flags.c_contiguous else array.copy(order="C")


def _target(module: Any, out: Any, values: list[Any]) -> Any:
    """`out`, or a new array if it has gaps or lies over an input."""
    flat = (v for value in values for v in (value if isinstance(value, list) else [value]))
    arrays = (value.rows if isinstance(value, Ragged) else value for value in flat)
    shared = any(
        module.may_share_memory(out, array) for array in arrays if isinstance(array, module.ndarray)
    )
    return out if out.flags.c_contiguous and not shared else module.empty(out.shape, out.dtype)


def _disturbs(module: Any, out: Any, x: Any) -> bool:
    """Whether writing an element of `out` may change another of x."""
    same = out.shape == x.shape and out.strides == x.strides and _address(out) == _address(x)
    return not same and bool(module.may_share_memory(out, x))


def _address(array: Any) -> int:
    return int(array.__cuda_array_interface__["data"][0])


def _spelt(dtype: DataType, T: DataType) -> str:
    return "T" if dtype is T else str(dtype)


def output(template: KernelTemplate, dtype: DataType, dims: tuple[int, ...], out: Any) -> Any:
    """A new array on the device, or `out` if it can take the result. Raises KernelError."""
    if out is None:
        return device.known_to_cupy(
            lambda numpy_dtype: device.cupy().empty(dims, numpy_dtype), dtype.numpy, dtype
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
