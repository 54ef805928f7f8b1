"""A kernel as C++ has it: a function template over the element type and the device's context.

`phi::BitwiseAndKernel` is no function yet: `template <typename T, typename Context>` stands before
it, and a registration instantiates it, once for each type that it lists. So here: a
`KernelTemplate` holds an operator's four faces (the signature, InferMeta, the NumPy reference that
says what is right, and a build for each device), `instantiate` picks a data type and a context,
and the `Instance` is built, once, when asked or when first launched.
"""

from __future__ import annotations

import operator
import reprlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Annotated, Any, NamedTuple, get_type_hints

import numpy as np
from numpy.typing import NDArray

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.scalar import Scalar


class KernelError(Exception):
    """A kernel can't be built or run; the message says what was passed and what to do."""


class Parameter(NamedTuple):
    """One parameter of the C++ function: its name, and its type in canonical spelling."""

    name: str
    cpp_type: str


class Meta(NamedTuple):
    """What InferMeta finds out about an output before a byte of it exists."""

    dims: tuple[int, ...]
    dtype: DataType


@dataclass(frozen=True)
class Build:
    """Machine code for one instance. `launch` is `Instance.launch` without the way there."""

    backend: str
    launch: Callable[..., Any]
    compile_seconds: float
    from_cache: bool
    code: Callable[[], str]  # the inner loop: assembly on the CPU, CUDA source on the GPU


# What a signature's annotations are in C++. `Out` is a pointer there, for the kernel writes to it.
Context = Annotated[object, "const Context&"]
Out = Annotated[DenseTensor, "DenseTensor*"]
_CPP_TYPES: dict[Any, str] = {
    DenseTensor: "const DenseTensor&",
    Scalar: "const Scalar&",
    list[int]: "const std::vector<int>&",
    DataType: "DataType",
    int: "int",
}

_BACKENDS = {"CPUContext": "CPU", "GPUContext": "GPU"}

Builder = Callable[["KernelTemplate", DataType], Build]


@dataclass(frozen=True, eq=False)
class KernelTemplate:
    """`template <typename T, typename Context> void name(signature)`.

    name: the qualified C++ name, `phi::BitwiseAndKernel`.
    signature: a function without a body, whose parameters are the C++ function's, in order.
    dtypes: the `T`s that the body makes sense for; C++ would fail to compile the others.
    infer_meta: inputs and attributes, in the signature's order, to the output's `Meta`.
    reference: the same arguments to the output, by NumPy alone.
    builders: for each backend, the function that makes the machine code.
    sample: `(dtype, size, rng)` to random arguments.
    bytes_moved: `(tensors read, out)` to the bytes that must cross the memory bus.
    """

    name: str
    signature: Callable[..., None]
    dtypes: frozenset[DataType]
    infer_meta: Callable[..., Meta]
    reference: Callable[..., Any]
    builders: dict[str, Builder]
    sample: Callable[[DataType, int, np.random.Generator], tuple[Any, ...]]
    bytes_moved: Callable[..., int]

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        hints = get_type_hints(self.signature, include_extras=True)
        del hints["return"]
        return tuple(
            Parameter(name, hint.__metadata__[0] if hint in (Context, Out) else _CPP_TYPES[hint])
            for name, hint in hints.items()
        )

    @cached_property
    def inputs(self) -> tuple[Parameter, ...]:
        """What a caller passes: every parameter but the context and the output."""
        return tuple(
            p for p in self.parameters if p.cpp_type not in ("const Context&", "DenseTensor*")
        )

    @property
    def backends(self) -> frozenset[str]:
        """Where it can be instantiated: a subset of `{"CPU", "GPU"}`."""
        return frozenset(self.builders)

    def instantiate(self, dtype: DataType, context: str) -> Instance:
        """The instance for `T = dtype` and `CPUContext` or `GPUContext`; the same one each time.

        Raises KernelError for a context that the template isn't written for. A dtype that makes no
        sense fails in `Instance.build`, which is where C++ would compile it.
        """
        backend = _BACKENDS.get(context)
        if backend not in self.builders:
            written_for = " and ".join(c for c, b in _BACKENDS.items() if b in self.builders)
            raise KernelError(f"{self.name} is written for {written_for}, not for {context}")
        return _instance(self, dtype, context)

    def bind(self, *args: Any) -> tuple[Any, ...]:
        """The arguments as their C++ types: arrays as `DenseTensor`s, numbers as `Scalar`s.

        Raises KernelError for a wrong number of them, or one that has no such form.
        """
        if len(args) != len(self.inputs):
            names = ", ".join(p.name for p in self.inputs)
            raise KernelError(
                f"{self.name} takes {len(self.inputs)} arguments ({names}), got {len(args)}"
            )
        return tuple(
            _bind(self.name, parameter, arg)
            for parameter, arg in zip(self.inputs, args, strict=True)
        )


# How an argument becomes what its C++ type promises, so that a kernel's body needn't ask.
_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "const DenseTensor&": DenseTensor.of,
    "const Scalar&": Scalar.of,
    "const std::vector<int>&": lambda values: [operator.index(value) for value in values],
    "DataType": lambda dtype: dtype if isinstance(dtype, DataType) else DataType.of(dtype),
    "int": operator.index,
}


def _bind(kernel: str, parameter: Parameter, value: Any) -> Any:
    name, cpp_type = parameter
    try:
        return _CONVERSIONS[cpp_type](value)
    except (TypeError, ValueError) as error:
        passed = reprlib.repr(value)
        raise KernelError(
            f"{kernel}: {name} must be a {cpp_type}, not {passed} ({error})"
        ) from None


@cache
def _instance(template: KernelTemplate, dtype: DataType, context: str) -> Instance:
    return Instance(template, dtype, context)


class Instance:
    """`name<T, Context>`: one function, built at most once, by whichever thread comes first.

    `launch(*inputs and attributes, out=None)` infers the output's shape, allocates it and runs;
    tensors may be arrays or `DenseTensor`s, the result is an array. Raises KernelError.
    """

    launch: Callable[..., Any]

    def __init__(self, template: KernelTemplate, dtype: DataType, context: str) -> None:
        self.template, self.dtype, self.context = template, dtype, context
        self.backend = _BACKENDS[context]
        self._lock = threading.Lock()
        self._build: Build | None = None
        # Not a method: once built, the attribute is the built function itself, and a call on one
        # element doesn't pay for a frame that only passes arguments on.
        self.launch = self._build_and_launch

    def __repr__(self) -> str:
        return f"{self.template.name}<{self.dtype}, {self.context}>"

    def build(self) -> Build:
        """Compiles now, or returns what was compiled before.

        Raises KernelError where `T` makes no sense, or where the device or its library is missing.
        """
        with self._lock:
            if self._build is None:
                if self.dtype not in self.template.dtypes:
                    known = ", ".join(map(str, sorted(self.template.dtypes)))
                    raise KernelError(f"{self!r} makes no sense: T may be {known}")
                self._build = self.template.builders[self.backend](self.template, self.dtype)
                self.launch = self._build.launch
            return self._build

    def _build_and_launch(self, *args: Any, out: Any = None) -> Any:
        return self.build().launch(*args, out=out)

    def reference(self, *args: Any) -> NDArray[Any]:
        """What `launch` must return, computed by NumPy. Raises KernelError, as InferMeta does."""
        tensors = self.template.bind(*args)
        self.template.infer_meta(*tensors)
        return np.asarray(self.template.reference(*tensors))

    def sample_inputs(self, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
        """Random arguments for `launch`: arrays of shape `(size,)` and this dtype, and attributes.

        For a GPU instance the arrays lie on the GPU. Raises KernelError where there is none.
        """
        args = self.template.sample(self.dtype, size, rng)
        if self.backend == "CPU":
            return args
        from registry_runtime.kernels import gpu

        return tuple(gpu.to_device(arg) if isinstance(arg, np.ndarray) else arg for arg in args)

    def bytes_moved(self, args: tuple[Any, ...], out: Any) -> int:
        """The bytes that `launch(*args)` must read and write at least, for its throughput."""
        return self.template.bytes_moved(*self.template.bind(*args), DenseTensor.of(out))


def random_array(dtype: DataType, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[Any]:
    """Uniform over all values of a bool or an integer type; standard normal otherwise."""
    target = dtype.numpy
    if target.kind == "b":
        return rng.integers(0, 2, shape).astype(target)
    if target.kind in "iu":
        limits = np.iinfo(target)
        return rng.integers(limits.min, limits.max, shape, dtype=target, endpoint=True)
    return rng.standard_normal(shape).astype(target)
