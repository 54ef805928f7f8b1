"""Building and launching on the GPU.

A kernel is one CUDA statement for each element, `out = x & y`, or, where that can't be said of each
alone, CUDA C++ of its own. NVRTC compiles both for the device that is there (`device`), and says so
where there is none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import starmap
from typing import Any

from registry_runtime.kernels import device, device_elements, nvrtc
from registry_runtime.kernels.cuda_source import HEADERS, Elements
from registry_runtime.kernels.plan import Plans, key_of, keys_for
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
        run = device_elements.launcher(module, self._elements(template, dtype))
        seconds = time.perf_counter() - started
        key_for = keys_for([parameter.type for parameter in template.inputs])
        count = sum(p.type.kind is Kind.INPUT for p in template.inputs)
        plans: Plans[tuple[tuple[int, ...], Any, tuple[Any, ...]]] = Plans()
        ndarray, empty = module.ndarray, module.empty

        def launch(*args: Any, out: Any = None) -> Any:
            operands: Sequence[Any] = args[:count]
            try:
                dims, type_, fixed = plans[key_for(*args)]
                known = out is None and all(type(x) is ndarray for x in operands)
            except Exception:  # a new call, or a wrong one: the long way says what is wrong with it
                known = False
            if known:
                result = empty(dims, type_)
                run(operands, fixed, result)
                return result
            return long_way(args, out)

        def long_way(args: tuple[Any, ...], out: Any) -> Any:
            bound = template.bind(*args)
            operands = [
                _operand(module, template, dtype, parameter.name, value)
                for parameter, value in zip(template.inputs, bound, strict=True)
                if isinstance(value, DenseTensor)
            ]
            fixed = constants(dtype, *bound[count:]) if constants else ()
            (meta,) = template.infer(dtype, bound)
            if key_of(args) is not None:
                plans.keep(key_for(*args), (meta.dims, meta.dtype.numpy, fixed))
            result = output(template, meta.dtype, meta.dims, out)
            fits = result.flags.c_contiguous and not any(
                _disturbs(module, result, x) for x in operands
            )
            target = result if out is None or fits else empty(meta.dims, meta.dtype.numpy)
            run(operands, fixed, target)
            if target is not result:
                result[...] = target
            return result

        code = partial(source, template, dtype)
        return Build("GPU", launch, seconds, from_cache=False, code=code)

    def source(self, template: KernelTemplate, T: DataType) -> str:
        """The kernel in CUDA C++, for memory without gaps; behind `HEADERS`."""
        return self._elements(template, T).in_one_piece()

    def _elements(self, template: KernelTemplate, T: DataType) -> Elements:
        names = [p.name for p in template.inputs if p.type.kind is Kind.INPUT]
        arguments = {name: type_ for type_, name in self._arguments(template, T)}
        tensors = {name: arguments.pop(name) for name in names}
        name = template.name.rpartition("::")[2]
        return Elements(
            name, tensors, arguments, template.out_dtype(T), self.statement(T), {"T": T}
        )

    def _arguments(self, template: KernelTemplate, T: DataType) -> Iterator[tuple[DataType, str]]:
        types = iter(self.constants(T) if self.constants else ())
        for parameter in template.inputs:
            if parameter.type.kind is Kind.INPUT:
                yield min(template.accepts.get(parameter.name, (T,))), parameter.name
            else:
                yield DataType.of(next(types).dtype), parameter.name


elementwise = Elementwise


def source(template: KernelTemplate, T: DataType) -> str:
    """The CUDA source of a kernel, headers and all; empty where a library of NVIDIA's does the work."""
    builder = template.builders.get("GPU")
    text = builder.source(template, T) if isinstance(builder, Elementwise | Function) else ""
    return HEADERS + text if text else ""


def compiled(cupy: Any, text: str) -> Any:
    """The module that NVRTC makes of the text behind `HEADERS`; `get_function` finds its kernels."""
    return nvrtc.loaded(cupy, HEADERS + text, "the kernel")


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
        # Of what isn't so, tensors' contents and what an earlier call left decide as well.
        plain = not (template.resize or template.ragged or template.carried or template.how_many)

        def argument(name: str, value: Any) -> Any:
            if isinstance(value, list):
                return [argument(name, element) for element in value]
            if not isinstance(value, DenseTensor):
                return value
            if template.accepts.get(name) == _ANY_TYPE:
                return value.data
            array = _contiguous(_operand(module, template, dtype, name, value))
            return Ragged(array, value.lod) if name in template.ragged else array

        key_for = keys_for([parameter.type for parameter in template.inputs])
        count = sum(p.type.kind is Kind.INPUT for p in template.inputs)
        plans: Plans[_Plan] = Plans()
        ndarray, empty = module.ndarray, module.empty

        def launch(*args: Any, out: Any = None) -> Any:
            arrays = args[:count]
            try:
                attributes, shapes = plans[key_for(*args)]
                known = out is None and all(
                    x is None or (type(x) is ndarray and x.flags.c_contiguous) for x in arrays
                )
            except Exception:  # a new call, or a wrong one: the long way says what is wrong with it
                known = False
            if not known:
                return long_way(args, out)
            outs = tuple(starmap(empty, shapes))
            run(*arrays, *attributes, *outs)
            return outs[0] if len(outs) == 1 else outs

        def long_way(args: tuple[Any, ...], out: Any) -> Any:
            bound = template.bind(*args)
            metas = self.metas(template, dtype, bound)
            if plain and self.metas is allocated and key_of(args) is not None:
                shapes = tuple((meta.dims, meta.dtype.numpy) for meta in metas)
                plans.keep(key_for(*args), (bound[count:], shapes))
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
_Plan = tuple[
    tuple[Any, ...], tuple[tuple[Any, ...], ...]
]  # attributes; dims and types of the outputs


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
