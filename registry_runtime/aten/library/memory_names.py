"""Tensors as a body makes them and reads them: `torch::empty(x.sizes(), x.options())`, and
`x.data_ptr<float>()`, a pointer into what it holds.

So the loop of PyTorch's own tutorial runs as it stands, element by element. Sources:
`aten/src/ATen/native/TensorFactories.cpp`, `aten/src/ATen/core/Tensor.h` and
`aten/src/ATen/templates/TensorMethods.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any

from registry_runtime.aten.errors import IndexTorchError, TorchError
from registry_runtime.aten.library.check_names import Arguments, scalar_type
from registry_runtime.aten.library.type_names import cpp_type
from registry_runtime.aten.loops.cpu_kernel_vec import noting
from registry_runtime.aten.tensor.copy import empty_like, to, to_copy
from registry_runtime.aten.tensor.device import Device, DeviceType
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor, empty, wrapped_scalar_tensor
from registry_runtime.aten.tensor.tensor_meta import TensorOptions
from registry_runtime.cxx import (
    Binding,
    Class,
    Function,
    FunctionTemplate,
    Method,
    Pointer,
    Vector,
)
from registry_runtime.cxx.arithmetic import ARITHMETIC
from registry_runtime.cxx.variables import Element, Variable


@dataclass(frozen=True, slots=True)
class TypeMeta:
    """`caffe2::TypeMeta`, what `x.dtype()` is: it equals the `ScalarType` that it is of."""

    of: ScalarType

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TypeMeta):
            return self.of is other.of
        return self.of is other if isinstance(other, ScalarType) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.of)

    def __str__(self) -> str:
        # As gcc calls the type itself, whatever name it was written by.
        return _GCC_NAMES.get(self.of, self.of.cpp)


_GCC_NAMES = {
    ScalarType.Byte: "unsigned char",
    ScalarType.Char: "signed char",
    ScalarType.Short: "short int",
    ScalarType.Long: "long int",
    ScalarType.UInt16: "short unsigned int",
    ScalarType.UInt32: "unsigned int",
    ScalarType.UInt64: "long unsigned int",
}


class Elements(Vector):
    """The elements that a tensor's storage holds, as an array that pointers lead into."""

    def __init__(self, tensor: Tensor) -> None:
        super().__init__((), cpp_type(tensor.dtype))
        self._array = tensor.storage.data.view(tensor.dtype.numpy)

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: Any) -> Any:
        return self._array[index].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._array[index] = value


def looking(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method; a body that asks it may do something else the next time, so it is noted."""

    @wraps(method)
    def asked(*of: Any) -> Any:
        if (noted := noting.get()) is not None:
            noted.looked = True
        return method(*of)

    return asked


def memory_names() -> dict[str, Binding]:
    """The functions that make tensors, by full name."""
    made: Mapping[str, Callable[..., Tensor]] = {
        "empty": _empty,
        "zeros": _filled(_empty, 0),
        "ones": _filled(_empty, 1),
        "empty_like": _empty_like,
        "zeros_like": _filled(_empty_like, 0),
        "ones_like": _filled(_empty_like, 1),
    }
    spaces = ("at", "torch")
    names: dict[str, Binding] = {
        f"{space}::{name}": Function(looking(make))
        for space in spaces
        for name, make in made.items()
    }
    options = Class(lambda: TensorOptions(ScalarType.Float), registers=False)
    names["at::native::wrapped_scalar_tensor"] = Function(
        lambda number: wrapped_scalar_tensor(Scalar.of(number))
    )
    return names | {f"{space}::TensorOptions": options for space in (*spaces, "c10")}


def memory_methods() -> dict[type, Mapping[str, Method]]:
    """What a tensor and its options are asked for."""
    return {
        Tensor: {
            "dtype": lambda tensor: TypeMeta(tensor.dtype),
            "device": lambda tensor: tensor.device,
            "size": looking(lambda tensor, dim: _at(tensor.sizes, dim)),
            "stride": looking(lambda tensor, dim: _at(tensor.strides, dim)),
            "strides": looking(lambda tensor: tensor.strides),
            "contiguous": looking(_contiguous),
            "defined": lambda tensor: True,
            "clone": looking(lambda tensor: to_copy(tensor, tensor.dtype)),
            "is_same": lambda tensor, other: tensor is other,
            "to": lambda tensor, T: to(tensor, _scalar_type(T)),
            "fill_": looking(_fill_),
            "zero_": looking(lambda tensor: _fill_(tensor, 0)),
            **{
                name: FunctionTemplate(lambda arguments: looking(_pointer(arguments)))
                for name in ("data_ptr", "mutable_data_ptr")
            },
            "const_data_ptr": FunctionTemplate(
                lambda arguments: looking(_pointer(arguments, is_const=True))
            ),
        },
        # What `at::Tensor()` is.
        type(None): {"defined": lambda tensor: False},
        Device: {
            "type": lambda device: device.type,
            "is_cpu": lambda device: device.type is DeviceType.CPU,
            "is_cuda": lambda device: device.type is DeviceType.CUDA,
        },
        TensorOptions: {
            "dtype": lambda options, T: options._replace(dtype=_scalar_type(T)),
            "device": lambda options, on: options._replace(device=_device(on)),
        },
    }


def _scalar_type(T: object) -> ScalarType:
    T = T.of if isinstance(T, TypeMeta) else T
    if not isinstance(T, ScalarType):
        raise TorchError("this is no `at::ScalarType`")
    return T


def _device(on: object) -> Device:
    on = Device(on) if isinstance(on, DeviceType) else on
    if not isinstance(on, Device):
        raise TorchError("this is no `at::Device`")
    return on


def _empty(sizes: Any, options: Any = ScalarType.Float) -> Tensor:
    if not isinstance(sizes, tuple | list) or not all(type(n) is int for n in sizes):
        raise TorchError("this is no `at::IntArrayRef`", argument=0)
    if not isinstance(options, TensorOptions):
        options = TensorOptions(_scalar_type(options))
    negative = next((size for size in sizes if size < 0), None)
    if negative is not None:
        shown = ", ".join(map(str, sizes))
        raise TorchError(f"Trying to create tensor with negative dimension {negative}: [{shown}]")
    return empty(tuple(sizes), options.dtype, options.device)


def _empty_like(like: Any, options: Any = None) -> Tensor:
    if not isinstance(like, Tensor):
        raise TorchError("this is no tensor", argument=0)
    if options is not None and not isinstance(options, TensorOptions):
        options = TensorOptions(_scalar_type(options), like.device)
    dtype, device = (options.dtype, options.device) if options else (like.dtype, like.device)
    return empty_like(like, dtype, device)


def filled_like(like: Any, value: object) -> Tensor:
    """`at::empty_like(like).fill_(value)`"""
    return _fill_(_empty_like(like), value)


def _filled(make: Callable[..., Tensor], value: int) -> Callable[..., Tensor]:
    def filled(*arguments: Any) -> Tensor:
        made = make(*arguments)
        if made.device.type is not DeviceType.Meta:
            made.numpy_or_cupy()[...] = value
        return made

    return filled


def _fill_(tensor: Tensor, value: Any) -> Tensor:
    if tensor.device.type is not DeviceType.Meta:
        tensor.numpy_or_cupy()[...] = Scalar.of(value).to(tensor.dtype)
    return tensor


def _at(listed: tuple[int, ...], dim: int) -> int:
    if not -len(listed) <= dim < len(listed):
        low, high = -max(len(listed), 1), max(len(listed), 1) - 1
        raise IndexTorchError(
            f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})"
        )
    return listed[dim]


def _contiguous(tensor: Tensor) -> Tensor:
    if tensor.is_contiguous():
        return tensor
    made = empty(tensor.sizes, tensor.dtype, tensor.device)
    if made.device.type is not DeviceType.Meta:
        made.numpy_or_cupy()[...] = tensor.numpy_or_cupy()
    return made


def _pointer(arguments: Arguments, is_const: bool = False) -> Callable[[Tensor], Pointer]:
    T = scalar_type(arguments)

    def of(tensor: Tensor) -> Pointer:
        if tensor.dtype is not T:
            raise TorchError(f"expected scalar type {T.name} but found {tensor.dtype.name}")
        if tensor.device.type is not DeviceType.CPU or cpp_type(T).name not in ARITHMETIC:
            said = f"not understood: the memory of a `{T.cpp}` tensor on {tensor.device}"
            raise TorchError(said)
        place = Element(Elements(tensor), tensor.storage_offset)
        return Pointer(Variable(place, is_const or not tensor.is_writable()))

    return of
