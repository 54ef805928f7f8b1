"""`at::Tensor`: how to look at a storage.

The storage owns bytes. The tensor says where in them its elements lie: sizes, strides and offset,
counted in elements, and their type. Two tensors may look at one storage; then writing through one
changes the other, which is why PyTorch checks for overlap. On the CPU NumPy holds the bytes, on CUDA
CuPy; a tensor on `meta` has everything but bytes, and so tells an operator's shapes without its work.

What dispatches a call is the tensor's key set: its backend's key, and those of the functionality that
every tensor of the backend takes part in (autograd, views and in-place writes, autocast).

An undefined tensor, `at::Tensor()`, is None here. Sources: `c10/core/TensorImpl.h` and `.cpp`,
`aten/src/ATen/ScalarOps.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from registry_runtime.aten.dispatch.alias_keys import (
    get_autocast_related_key_set_from_backend,
    get_autograd_related_key_set_from_backend,
)
from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet
from registry_runtime.aten.errors import TorchError, TypeTorchError
from registry_runtime.aten.tensor.checked_arrays import checked_scalar_type
from registry_runtime.aten.tensor.contiguity import (
    MemoryFormat,
    contiguous_strides,
    is_contiguous,
    is_non_overlapping_and_dense,
    storage_numel,
)
from registry_runtime.aten.tensor.device import CPU, META, Device, DeviceType
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.storage import Storage, array_module, storage_of, view_of

Sizes = tuple[int, ...]


class Tensor:
    """A tensor; `from_array` and `empty_strided` make one.

    `version` counts what was written in place.
    """

    # Defaults of the class, so that a new tensor sets only what differs: one is made in every call.
    dtype: ScalarType
    device: Device = CPU
    requires_grad: bool = False
    grad_fn: Any = None  # the autograd node that it is an output of, and which output
    output_nr: int = 0
    is_wrapped_number: bool = False
    version: int = 0
    _sizes: Sizes | None = None
    _strides: Sizes | None = None
    _storage_offset: int = 0
    _storage: Storage | None = None
    _array: Any = None  # the elements, as the sizes and strides arrange them
    _viewed: Any = None  # the bytes of the storage that `_array` is a view of

    @classmethod
    def over(cls, array: Any, dtype: ScalarType, device: Device = CPU) -> Tensor:
        """A tensor over an array that is known to be in order; `from_array` checks."""
        tensor = cls()
        tensor._array = array
        tensor.dtype = dtype
        if device is not CPU:
            tensor.device = device
        return tensor

    @classmethod
    def from_array(cls, array: Any) -> Tensor:
        """A tensor that shares the memory of a NumPy or CuPy array.

        A list or a number is copied first. Raises TypeTorchError for elements of a type that
        PyTorch hasn't, ValueTorchError for strides that it can't have.
        """
        device = CPU
        if not isinstance(array, np.ndarray):
            if hasattr(array, "__cuda_array_interface__"):
                device = Device(DeviceType.CUDA, array.device.id)
            else:
                array = np.asarray(array)
        return cls.over(array, checked_scalar_type(array), device)

    @property
    def sizes(self) -> Sizes:
        if self._sizes is None:
            self._sizes = self._array.shape
        return self._sizes

    @property
    def strides(self) -> Sizes:
        """In elements."""
        if self._strides is None:
            itemsize = self.dtype.itemsize
            self._strides = tuple([stride // itemsize for stride in self._array.strides])
        return self._strides

    @property
    def storage_offset(self) -> int:
        """Where the first element lies in the storage, in elements."""
        return self._storage_offset

    @property
    def storage(self) -> Storage:
        """The owner of the bytes; shared by the tensors that `as_strided` makes of one another."""
        if self._storage is None:
            self._storage = storage_of(self._array, self.sizes, self.strides, self.device)
            self._viewed = self._storage.data
        return self._storage

    def is_alias_of(self, other: Tensor) -> bool:
        """Whether the two look at one storage."""
        # A storage that nobody has asked for has nobody else looking at it.
        return self is other or (self._storage is not None and self._storage is other._storage)

    def dim(self) -> int:
        return len(self.sizes)

    def numel(self) -> int:
        return math.prod(self.sizes)

    @property
    def data_ptr(self) -> int:
        """The address of the first element; 0 on `meta`."""
        if self.device.type is DeviceType.Meta:
            return 0
        array = self.numpy_or_cupy()
        if self.device.type is DeviceType.CPU:
            return int(array.__array_interface__["data"][0])
        return int(array.data.ptr)

    def is_writable(self) -> bool:
        """False for a tensor over a read-only NumPy array."""
        array = self.numpy_or_cupy()
        return not isinstance(array, np.ndarray) or array.flags.writeable

    def is_contiguous(self, memory_format: MemoryFormat = MemoryFormat.Contiguous) -> bool:
        return is_contiguous(self.sizes, self.strides, memory_format)

    def is_non_overlapping_and_dense(self) -> bool:
        return is_non_overlapping_and_dense(self.sizes, self.strides)

    @property
    def key_set(self) -> DispatchKeySet:
        """The dispatch keys, as `TensorImpl`'s constructor computes them from the backend's."""
        return _key_set(self.device.type)

    def as_strided(self, sizes: Sizes, strides: Sizes, storage_offset: int | None = None) -> Tensor:
        """Another look at the same storage. Raises TorchError if it would reach beyond it."""
        view = Tensor()
        view.dtype, view.device, view._storage = self.dtype, self.device, self.storage
        offset = self._storage_offset if storage_offset is None else storage_offset
        view._set_sizes_and_strides(sizes, strides, offset)
        return view

    def as_strided_(self, sizes: Sizes, strides: Sizes) -> Tensor:
        """Look at the same storage so from now on. Raises TorchError if that reaches beyond it."""
        self.storage  # noqa: B018  (made from the array that is about to go)
        self._set_sizes_and_strides(sizes, strides, self._storage_offset)
        return self

    def _set_sizes_and_strides(self, sizes: Sizes, strides: Sizes, offset: int) -> None:
        sizes, strides = tuple(sizes), tuple(strides)
        if any(stride < 0 for stride in strides):
            raise TorchError(
                "as_strided: Negative strides are not supported at the moment, "
                f"got strides: {list(strides)}"
            )
        itemsize, storage = self.dtype.itemsize, self.storage
        needed = storage_numel(sizes, strides, offset) * itemsize
        if needed > storage.nbytes:
            raise TorchError(
                f"setStorage: sizes {list(sizes)}, strides {list(strides)}, storage offset "
                f"{offset}, and itemsize {itemsize} requiring a storage size of {needed} are out "
                f"of bounds for storage of size {storage.nbytes}"
            )
        self._sizes, self._strides, self._storage_offset = sizes, strides, offset
        self._array = self._viewed = None

    def numpy(self) -> NDArray[Any]:
        """The elements as a NumPy array that shares memory. Raises TypeTorchError off the CPU."""
        if self.device.type is not DeviceType.CPU:
            raise TypeTorchError(
                f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to "
                "copy the tensor to host memory first."
            )
        array: NDArray[Any] = self.numpy_or_cupy()
        return array

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        # NumPy 1's signature had no `copy`; `None` here is NumPy 2's "copy where you must".
        return np.array(self.numpy(), dtype, copy=copy)

    def numpy_or_cupy(self) -> Any:
        """The elements as an array of the device's: NumPy's on the CPU, CuPy's on CUDA, None on Meta,
        where there are none."""
        storage = self._storage
        if storage is None or storage.data is None:
            return self._array
        if self._array is not None and self._viewed is storage.data:
            return self._array
        itemsize = self.dtype.itemsize
        self._viewed = storage.data
        self._array = view_of(
            storage.data,
            self.sizes,
            self.dtype,
            self._storage_offset * itemsize,
            tuple([stride * itemsize for stride in self.strides]),
        )
        return self._array

    def item(self) -> Any:
        """The one element, as Python's number. Raises TorchError if there isn't just one."""
        if self.numel() != 1:
            raise TorchError(f"a Tensor with {self.numel()} elements cannot be converted to Scalar")
        element = self.numpy_or_cupy().reshape(()).item()
        return complex(*map(float, element)) if isinstance(element, tuple) else element

    def __repr__(self) -> str:
        return f"Tensor({self.dtype.torch_name}, {list(self.sizes)}, {self.device})"


def empty_strided(sizes: Sizes, strides: Sizes, dtype: ScalarType, device: Device = CPU) -> Tensor:
    """`at::empty_strided`: a new tensor, its elements not set. Strides count elements."""
    sizes, strides = tuple(sizes), tuple(strides)
    if device.type is DeviceType.Meta:
        return _empty_meta(sizes, strides, dtype)
    xp = array_module(device)
    if strides == contiguous_strides(sizes):
        array = xp.empty(sizes, dtype.numpy)
    else:
        itemsize = dtype.itemsize
        data = xp.empty(storage_numel(sizes, strides) * itemsize, np.uint8)
        array = view_of(data, sizes, dtype, 0, tuple([stride * itemsize for stride in strides]))
    tensor = Tensor.over(array, dtype, device)
    tensor._sizes, tensor._strides = sizes, strides
    return tensor


def empty(sizes: Sizes, dtype: ScalarType, device: Device = CPU) -> Tensor:
    """`at::empty`: a new contiguous tensor, its elements not set."""
    return empty_strided(sizes, contiguous_strides(tuple(sizes)), dtype, device)


def scalar_to_tensor(scalar: Scalar, device: Device = CPU) -> Tensor:
    """`c10::scalar_to_tensor`: a 0-dimensional tensor of the scalar's own type."""
    if device.type is DeviceType.Meta:
        return _empty_meta((), (), scalar.type)
    array = array_module(device).asarray(scalar.value, scalar.type.numpy)
    return Tensor.over(array, scalar.type, device)


def wrapped_scalar_tensor(scalar: Scalar, device: Device = CPU) -> Tensor:
    """`scalar_to_tensor`, marked as a number: its type gives way to that of any real tensor."""
    tensor = scalar_to_tensor(scalar, device)
    tensor.is_wrapped_number = True
    return tensor


def _empty_meta(sizes: Sizes, strides: Sizes, dtype: ScalarType) -> Tensor:
    tensor = Tensor()
    tensor.dtype, tensor.device = dtype, META
    tensor._sizes, tensor._strides = sizes, strides
    tensor._storage = Storage(None, storage_numel(sizes, strides) * dtype.itemsize, META)
    return tensor


@cache
def _key_set(kind: DeviceType) -> DispatchKeySet:
    keys = DispatchKeySet(DispatchKey[kind.name])
    backend = keys.highest_backend_key()
    return (
        keys
        | get_autocast_related_key_set_from_backend(backend)
        | get_autograd_related_key_set_from_backend(backend)
    )
