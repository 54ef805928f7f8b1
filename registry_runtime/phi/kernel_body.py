"""The body of a kernel in a text, run on a few elements: does the C++ compute what it says?

What runs in a call is the Python function of the kernel's name, and nobody reads the body of the C++
template. Who writes one all the same wants to know whether it is right. So an instance of it is
interpreted: loops over elements, `data<T>()`, `Alloc<T>(out)`, and numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from registry_runtime.cxx import (
    Bindings,
    CxxFunction,
    FunctionTemplate,
    Method,
    NamedType,
    Refusal,
    TemplateArgument,
    Vector,
)
from registry_runtime.cxx.arithmetic import ARITHMETIC
from registry_runtime.cxx.instantiate import instantiated
from registry_runtime.cxx.variables import Element
from registry_runtime.phi.body_names import body_bindings
from registry_runtime.phi.contexts import CPUContext, DeviceContext
from registry_runtime.phi.data_type import DataType, cpp_type_to_data_type
from registry_runtime.phi.ddim import DDim
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.runtime import Runtime


class Memory(Vector):
    """A tensor's elements, where a pointer leads to them: whoever copies the pointer has the same."""


class Output:
    """A tensor that a body is to fill: InferMeta has said its dims, and nobody its type."""

    def __init__(self, *dims: int) -> None:
        self.dims = dims
        self.dtype: DataType | None = None
        self.elements = Memory()

    def allocate(self, dtype: DataType) -> Memory:
        """Memory for elements of this type; nothing is in it yet."""
        elements = [None] * math.prod(self.dims)
        self.dtype, self.elements = dtype, Memory(elements, _elements_of(dtype))
        return self.elements


def run_body(function: CxxFunction, *arguments: object) -> bool:
    """Run the body of a kernel on a CPU's context and these arguments, `Output`s the last of them; of
    an empty one nothing is run, and False is returned. Raises CxxError."""
    body = instantiated(function, Runtime().bindings | body_bindings() | _BODIES)
    if body is None:
        return False
    body(CPUContext(), *arguments)
    return True


# --- What a body may call -------------------------------------------------------------------------


def _read(tensor: DenseTensor | Output, dtype: DataType) -> Sequence[Any]:
    if tensor.dtype is None:
        raise Refusal(
            "the output has no memory yet", hint="dev_ctx.template Alloc<T>(out) makes it"
        )
    if tensor.dtype is not dtype:
        raise Refusal(f"the tensor holds {tensor.dtype}, and data<T>() asks for {dtype}")
    if isinstance(tensor, Output):
        return tensor.elements
    elements = Vector(np.asarray(tensor).ravel().tolist(), _elements_of(dtype))
    return tuple(Element(elements, i).value for i in range(len(elements)))  # const


def _elements_of(dtype: DataType) -> NamedType:
    return _CPP_TYPES.get(dtype, NamedType(str(dtype)))  # float16 and its kin are classes


def _numbers() -> Iterator[tuple[DataType, NamedType]]:
    for name in ARITHMETIC:
        with suppress(KeyError):
            yield cpp_type_to_data_type(name), NamedType(name)


_CPP_TYPES = dict(_numbers())


def _alloc(output: object, dtype: object) -> Memory:
    if not isinstance(output, Output):
        raise Refusal("memory is allocated for an output, a DenseTensor*", argument=0)
    if not isinstance(dtype, DataType):
        raise Refusal("Alloc takes a data type: Alloc<T>(out), or Alloc(out, dtype)")
    return output.allocate(dtype)


def _data(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    dtype = _type(arguments)
    if dtype is None:
        raise Refusal("data takes a type: data<T>()")
    return lambda tensor: _read(tensor, dtype)


def _allocating(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    given = _type(arguments)
    return lambda context, output, dtype=given: _alloc(_pointed_to(output), dtype)


def _type(arguments: tuple[TemplateArgument, ...]) -> DataType | None:
    if not arguments:
        return None
    try:
        return cpp_type_to_data_type(str(arguments[0]))
    except KeyError:
        raise Refusal(f"PHI has no data type for `{arguments[0]}`") from None


def _pointed_to(value: object) -> object:
    return getattr(value, "to", value)


_TENSOR: dict[str, Method] = {
    "numel": lambda tensor: math.prod(tensor.dims),
    "dims": lambda tensor: DDim(tensor.dims),
    "dtype": lambda tensor: tensor.dtype,
    "data": FunctionTemplate(_data),
}
_BODIES = Bindings(
    methods={
        DenseTensor: _TENSOR,
        Output: _TENSOR,
        DeviceContext: {"Alloc": FunctionTemplate(_allocating)},
    }
)
