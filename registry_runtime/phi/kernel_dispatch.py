"""From a call's arguments to the key that its kernel is looked up by.

The code that Paddle generates for each operator lets a small parser walk over the arguments. Each
tensor adds its backend to a set of bits, and the highest bit wins: that is why one tensor on the GPU
takes the whole call there, and why a plug-in's device, whose number lies above all others, beats the
GPU. The data type is that of the *last* tensor, a surprise that shows when two differ: an int32 and
an int64 look for the int64 kernel, and the first tensor is then the wrong one. Only complex numbers
promote. A list of tensors speaks through all of its tensors; attributes have no say, unless the
operator's definition names one.

Source: `paddle/phi/api/lib/kernel_dispatch.h` and `.cc`, `backend_set.h`, `data_type_set.h`; that the
last data type wins was tried out on Paddle 3.3.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from registry_runtime.phi.backend import Backend, CustomRegisteredDeviceMap
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.place import TransToPhiBackend
from registry_runtime.phi.tensor_base import TensorBase


@dataclass(frozen=True, slots=True)
class KeyPart:
    """What one argument contributed to the key."""

    argument: str
    backend: Backend
    layout: DataLayout
    dtype: DataType


@dataclass(frozen=True, slots=True)
class ParsedKey:
    """The key, each argument's part in it, and which one's backend and data type it has.

    The names are empty where no argument decided; `promoted` says that no tensor's data type is the
    key's.
    """

    key: KernelKey
    parts: tuple[KeyPart, ...]
    backend_from: str
    dtype_from: str
    promoted: bool = False


def ParseKernelKeyByInputArgs(
    arguments: Iterable[tuple[str, Any]],
    devices: CustomRegisteredDeviceMap,
    *,
    with_cuda: bool = False,
) -> ParsedKey:
    """The key of a call with these named arguments, in order. What is no tensor is passed over.

    In a build `with_cuda` a tensor on the GPU also asks for cuDNN's kernels, which come first. Raises
    InvalidArgument for a tensor on a plug-in's device that no registration has named.
    """
    parts = tuple(
        KeyPart(name, _backend(tensor, devices, with_cuda), tensor.layout, tensor.dtype)
        for name, value in arguments
        for tensor in _tensors(value)
    )
    if not parts:
        return ParsedKey(KernelKey(), (), "", "")
    decides = max(parts, key=lambda part: part.backend)
    promoted = promote_types({part.dtype for part in parts})
    last = parts[-1]
    dtype = last.dtype if promoted is DataType.UNDEFINED else promoted
    layout = max(part.layout for part in parts)
    dtype_from = next((p.argument for p in reversed(parts) if p.dtype == dtype), "")
    key = KernelKey(decides.backend, layout, dtype)
    return ParsedKey(key, parts, decides.argument, dtype_from, promoted=not dtype_from)


def promote_types(dtypes: set[DataType]) -> DataType:
    """The complex type that holds them all; UNDEFINED where none of them is complex."""
    if DataType.COMPLEX128 in dtypes:
        return DataType.COMPLEX128
    if DataType.COMPLEX64 not in dtypes:
        return DataType.UNDEFINED
    return DataType.COMPLEX128 if DataType.FLOAT64 in dtypes else DataType.COMPLEX64


def _tensors(value: Any) -> Iterator[TensorBase]:
    if isinstance(value, list | tuple):
        for element in value:
            yield from _tensors(element)
    elif hasattr(value, "has_allocation"):
        yield value


def _backend(tensor: TensorBase, devices: CustomRegisteredDeviceMap, with_cuda: bool) -> Backend:
    if not tensor.has_allocation():
        return Backend.UNDEFINED
    place = tensor.place
    if place.device_type and place.device_type not in devices.loaded:
        raise InvalidArgument(
            f"Invalid CustomPlace({place.device_type}, {place.device}), "
            "the device type is not registered as a custom device."
        )
    backend = TransToPhiBackend(place, devices)
    return Backend.GPUDNN if with_cuda and backend is Backend.GPU else backend
