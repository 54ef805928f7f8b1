"""`c10::Storage`: the bytes that tensors look at, and how NumPy and CuPy hold them.

A tensor over an array needs no storage until a second tensor is to look at the same bytes; then one
is made of the array, from its first element to its last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.contiguity import Sizes, storage_numel
from registry_runtime.aten.tensor.device import Device, DeviceType
from registry_runtime.aten.tensor.scalar_type import ScalarType


class Storage:
    """The bytes, a one-dimensional array of uint8; None on `meta`.

    Growing it replaces `data`; every tensor that looks at it sees the new bytes.
    """

    __slots__ = ("data", "device", "nbytes")

    def __init__(self, data: Any, nbytes: int, device: Device) -> None:
        self.data, self.nbytes, self.device = data, nbytes, device

    def resize(self, nbytes: int) -> None:
        """Take `nbytes` new bytes and copy the old ones to their front."""
        if self.device.type is not DeviceType.Meta:
            grown = array_module(self.device).empty(nbytes, np.uint8)
            kept = min(nbytes, self.nbytes)
            grown[:kept] = self.data[:kept]
            self.data = grown
        self.nbytes = nbytes


def storage_of(array: Any, sizes: Sizes, strides: Sizes, device: Device) -> Storage:
    """The bytes from the first element of the array to its last, whatever lies between."""
    nbytes = storage_numel(sizes, strides) * array.itemsize
    if array.flags.c_contiguous:
        return Storage(array.reshape(-1).view(np.uint8), nbytes, device)
    stride_tricks: Any = array_module(device).lib.stride_tricks
    elements = stride_tricks.as_strided(array, (nbytes // array.itemsize,), (array.itemsize,))
    return Storage(elements.view(np.uint8), nbytes, device)


def view_of(data: Any, sizes: Sizes, dtype: ScalarType, offset: int, strides: Sizes) -> Any:
    """An array over `data` (bytes). Offset and strides are in bytes."""
    if 0 in sizes:
        offset = 0  # an empty tensor may begin beyond its storage
    if isinstance(data, np.ndarray):
        return np.ndarray(sizes, dtype.numpy, data, offset, strides)
    import cupy  # which a tensor on the CPU never needs

    return cupy.ndarray(sizes, dtype.numpy, data.data + offset, strides)


def array_module(device: Device) -> Any:
    if device.type is DeviceType.CPU:
        return np
    if device.type is DeviceType.CUDA:
        import cupy  # which is there only with a GPU

        return cupy
    raise TorchError(f"this runtime has no memory on {device}: use cpu, cuda or meta")
