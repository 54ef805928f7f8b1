"""The tensor that PHI's kernels take: one dense block of memory and the facts about it.

`phi::DenseTensor` is an allocation with a `DenseTensorMeta` (`paddle/phi/core/dense_tensor.h`,
`tensor_meta.h`). Here a NumPy array is the allocation, or a CuPy array on the GPU; it knows the
dims, the data type and the strides, so that only the layout, the LoD and the place stand beside it.
Before its memory is allocated a tensor has its facts alone: so a kernel gets its output, and asks its
context for the memory.

A LoD (level of detail) says how the rows group into sequences of different lengths: each level
lists offsets, so that `((0, 2, 5),)` means two sequences, of two and of three rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.device_memory import copy_to, place_of
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.place import Place

Lod = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class DenseTensorMeta:
    """`phi::DenseTensorMeta`. Strides count elements, as Paddle's do; None: those of C order."""

    dtype: DataType = DataType.UNDEFINED
    dims: tuple[int, ...] = ()
    layout: DataLayout = DataLayout.NCHW
    lod: Lod = ()
    strides: tuple[int, ...] | None = None
    offset: int = 0

    def is_contiguous(self) -> bool:
        """Whether the elements follow one another in C order; the stride of a dim of 1 is free."""
        if self.strides is None or 0 in self.dims:
            return True
        wanted = calc_strides(self.dims)
        compared = zip(self.dims, self.strides, wanted, strict=True)
        return all(size == 1 or stride == want for size, stride, want in compared)


def calc_strides(dims: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a contiguous tensor of these dims, in elements."""
    return tuple(math.prod(dims[i + 1 :]) for i in range(len(dims)))


@dataclass(slots=True, eq=False, repr=False)
class DenseTensor:
    """A tensor over `data`, any shape, any dtype that PHI has; NumPy reads it as an array.

    `data` is None until memory is allocated; `declared` then holds the dims and the data type.
    `held_at` is the place, where it is not the one that the array tells: a plug-in's device, whose
    memory is the host's.
    """

    data: Any = None
    layout: DataLayout = DataLayout.NCHW
    lod: Lod = ()
    held_at: Place | None = None
    declared: DenseTensorMeta = DenseTensorMeta()

    @classmethod
    def of(cls, x: Any) -> DenseTensor:
        """`x` itself, or a tensor over the array, the nested list or the number that it is.

        Raises TypeError where the elements have no data type in PHI.
        """
        if isinstance(x, DenseTensor):
            return x
        tensor = cls(x if hasattr(x, "__cuda_array_interface__") else np.asarray(x))
        DataType.of(tensor.data.dtype)
        return tensor

    @classmethod
    def with_meta(cls, meta: DenseTensorMeta) -> DenseTensor:
        """A tensor with these facts and no memory yet."""
        return cls(None, meta.layout, meta.lod, None, meta)

    @classmethod
    def at(cls, x: Any, place: Place) -> DenseTensor:
        """A copy of `x` at `place`. Raises InvalidArgument where there is no such device."""
        tensor = cls.of(x)
        copied = copy_to(tensor.data, place)
        held_at = None if place_of(copied) == place else place
        return cls(copied, tensor.layout, tensor.lod, held_at)

    @property
    def dims(self) -> tuple[int, ...]:
        return self.declared.dims if self.data is None else tuple(self.data.shape)

    @property
    def dtype(self) -> DataType:
        return self.declared.dtype if self.data is None else DataType.of(self.data.dtype)

    @property
    def numel(self) -> int:
        return math.prod(self.dims)

    @property
    def place(self) -> Place:
        """Where the tensor lies; `Place(undefined:0)` before it is allocated."""
        if self.held_at is not None:
            return self.held_at
        return Place() if self.data is None else place_of(self.data)

    @property
    def backend(self) -> str:
        """Whose memory the elements are in: `CPU` for the host's, or `GPU`."""
        return "CPU" if self.data is None or isinstance(self.data, np.ndarray) else "GPU"

    @property
    def strides(self) -> tuple[int, ...]:
        """In elements."""
        if self.data is None:
            return calc_strides(self.dims)
        return tuple(stride // self.data.itemsize for stride in self.data.strides)

    @property
    def meta(self) -> DenseTensorMeta:
        """The facts without the memory; `offset` is in bytes, from the start of the allocation."""
        if self.data is None:
            return replace(self.declared, layout=self.layout, lod=self.lod)
        return DenseTensorMeta(
            self.dtype, self.dims, self.layout, self.lod, self.strides, _offset(self.data)
        )

    def is_contiguous(self) -> bool:
        return self.data is None or bool(self.data.flags.c_contiguous)

    def valid(self) -> bool:
        """Whether its facts are known."""
        return self.dtype is not DataType.UNDEFINED

    def has_allocation(self) -> bool:
        return self.data is not None

    initialized = has_allocation

    def with_lod(self, lod: Lod) -> DenseTensor:
        """The same memory, grouped into sequences by `lod` (`ResetLoD`)."""
        return replace(self, lod=lod)

    def Resize(self, dims: tuple[int, ...]) -> DenseTensor:
        """Change the dims of a tensor that has no memory yet.

        Raises InvalidArgument afterwards: where an array is the memory, its dims are the array's.
        """
        if self.data is not None:
            raise InvalidArgument(
                f"Resize to {list(dims)}: the tensor has memory of {list(self.dims)} already"
            )
        self.declared = replace(self.declared, dims=tuple(dims))
        return self

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if self.data is None:
            raise ValueError("the tensor has no memory yet")
        if self.backend == "GPU":
            return np.asarray(self.data.get(), dtype)
        # NumPy 1's signature had no `copy`; `None` here is NumPy 2's "copy where you must".
        return np.array(self.data, dtype, copy=copy)

    def __repr__(self) -> str:
        lod = f", lod={self.lod}" if self.lod else ""
        where = self.backend if self.held_at is None else str(self.held_at)
        return f"DenseTensor({self.dtype}, {list(self.dims)}, {self.layout}, {where}{lod})"


def _offset(array: Any) -> int:
    """How far the first element lies from the start of the allocation that the array is a view of."""
    root = array
    while isinstance(getattr(root, "base", None), np.ndarray):
        root = root.base
    if root is array or not isinstance(root, np.ndarray):
        return 0
    return int(array.ctypes.data - root.ctypes.data)
