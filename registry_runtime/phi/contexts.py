"""The first argument of every kernel: the device that it works on, and the source of its memory.

InferMeta says how large an output is; the memory comes later, from inside the kernel, by
`dev_ctx.Alloc<T>(out)`. So it is the kernel's `T` that decides what the output holds in the end, and
not what anybody expected before.

Source: `paddle/phi/core/device_context.h`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.device_memory import copy_to
from registry_runtime.phi.enforce import InvalidArgument, Unavailable
from registry_runtime.phi.place import CPU_PLACE, AllocationType, Place


@dataclass(frozen=True, slots=True)
class DeviceContext:
    """`phi::DeviceContext`. `name` is the class's in C++: `CPUContext`."""

    name: str
    place: Place

    def GetPlace(self) -> Place:
        return self.place

    def Alloc(self, tensor: DenseTensor, dtype: DataType) -> Any:
        """Memory on this device for a tensor whose dims are known, as `dtype`.

        Memory that the tensor has already is kept where it fits. Raises InvalidArgument for the
        data type UNDEFINED, for negative dims, and for a device that isn't there.
        """
        return _alloc(tensor, dtype, self.place)

    def HostAlloc(self, tensor: DenseTensor, dtype: DataType) -> Any:
        """The same in the host's memory."""
        return _alloc(tensor, dtype, CPU_PLACE)

    def Wait(self) -> None:
        """Until the device has done all that was asked of it."""
        if self.place.type is AllocationType.GPU:
            import cupy

            cupy.cuda.Device(self.place.device).synchronize()


def CPUContext() -> DeviceContext:
    return DeviceContext("CPUContext", CPU_PLACE)


def OneDNNContext() -> DeviceContext:
    """The CPU's, for kernels of Intel's library."""
    return DeviceContext("OneDNNContext", CPU_PLACE)


def GPUContext(place: Place) -> DeviceContext:
    return DeviceContext("GPUContext", place)


def CustomContext(place: Place) -> DeviceContext:
    return DeviceContext("CustomContext", place)


def context_for(place: Place) -> DeviceContext:
    """The context that computes on `place`. Raises Unavailable where PHI here has none."""
    if place.type not in _CONTEXTS:
        raise Unavailable(f"there is no DeviceContext for {place}")
    return DeviceContext(_CONTEXTS[place.type], place)


_CONTEXTS = {
    AllocationType.CPU: "CPUContext",
    AllocationType.GPU: "GPUContext",
    AllocationType.CUSTOM: "CustomContext",
}


def _alloc(tensor: DenseTensor, dtype: DataType, place: Place) -> Any:
    if dtype is DataType.UNDEFINED:
        raise InvalidArgument(
            "The requested dtype is Undefined: Alloc needs the type of an element"
        )
    if tensor.data is not None and (tensor.dtype, tensor.place) == (dtype, place):
        return tensor.data
    if any(size < 0 for size in tensor.dims):
        raise InvalidArgument(f"dims {list(tensor.dims)} aren't known yet: run InferMeta first")
    host = np.empty(tensor.dims, dtype.numpy)
    on_host = place.type in (AllocationType.CPU, AllocationType.CUSTOM)
    tensor.data = host if on_host else copy_to(host, place)
    tensor.held_at = place if place.type is AllocationType.CUSTOM else None
    return tensor.data
