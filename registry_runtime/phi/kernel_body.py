"""The body of a kernel in a text, run on a few elements: does the C++ compute what it says?

What runs in a call is the Python function of the kernel's name, and nobody reads the body of the C++
template. Who writes one all the same wants to know whether it is right. So an instance of it is
interpreted: loops over elements, `data<T>()`, `Alloc<T>(out)`, and numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from registry_runtime.cxx import (
    Bindings,
    CxxFunction,
    FunctionTemplate,
    Method,
    NamedType,
    Pointer,
    Refusal,
    TemplateArgument,
    Vector,
)
from registry_runtime.cxx.instantiate import instantiated
from registry_runtime.cxx.places import pointer_into
from registry_runtime.phi.body_names import body_bindings
from registry_runtime.phi.contexts import CPUContext, DeviceContext
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.ddim import DDim
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.memory import ELEMENT_TYPES, data_type, elements
from registry_runtime.phi.runtime import Runtime


class Output:
    """A tensor that a body is to fill: InferMeta has said its dims, and nobody its type."""

    def __init__(self, *dims: int) -> None:
        self.dims = dims
        self.dtype: DataType | None = None
        self.elements = Vector()

    def allocate(self, dtype: DataType) -> Pointer:
        """Memory for elements of this type; nothing is in it yet."""
        elements = [None] * math.prod(self.dims)
        self.dtype, self.elements = dtype, Vector(elements, _elements_of(dtype))
        return pointer_into(self.elements, is_const=False)


def run_body(function: CxxFunction, *arguments: object) -> bool:
    """Run the body of a kernel on a CPU's context and these arguments, `Output`s the last of them; of
    an empty one nothing is run, and False is returned. Raises CxxError."""
    body = instantiated(function, Runtime().bindings | body_bindings() | _BODIES)
    if body is None:
        return False
    body(CPUContext(), *arguments)
    return True


# --- What a body may call -------------------------------------------------------------------------


def _read(tensor: DenseTensor | Output, dtype: DataType) -> Pointer:
    if tensor.dtype is None:
        raise Refusal(
            "the output has no memory yet", hint="dev_ctx.template Alloc<T>(out) makes it"
        )
    if tensor.dtype is not dtype:
        raise Refusal(f"the tensor holds {tensor.dtype}, and data<T>() asks for {dtype}")
    if isinstance(tensor, Output):
        return pointer_into(tensor.elements, is_const=False)
    return elements(tensor, _elements_of(dtype))


def _elements_of(dtype: DataType) -> NamedType:
    return ELEMENT_TYPES.get(dtype, NamedType(str(dtype)))  # float16 and its kin are classes


def _alloc(output: object, dtype: object) -> Pointer:
    if not isinstance(output, Output):
        raise Refusal("memory is allocated for an output, a DenseTensor*", argument=0)
    if not isinstance(dtype, DataType):
        raise Refusal("Alloc takes a data type: Alloc<T>(out), or Alloc(out, dtype)")
    return output.allocate(dtype)


def _data(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    dtype = data_type(arguments)
    if dtype is None:
        raise Refusal("data takes a type: data<T>()")
    return lambda tensor: _read(tensor, dtype)


def _allocating(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    given = data_type(arguments)
    return lambda context, output, dtype=given: _alloc(_pointed_to(output), dtype)


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
