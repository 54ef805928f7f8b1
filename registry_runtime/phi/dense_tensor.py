"""The tensor that PHI's kernels take: one dense block of memory and the facts about it.

`phi::DenseTensor` is an allocation with a `DenseTensorMeta` (`paddle/phi/core/dense_tensor.h`,
`tensor_meta.h`). Here a NumPy array is the allocation, or a CuPy array on the GPU; it knows the
dims and the data type, so that only the layout and the LoD stand beside it.

A LoD (level of detail) says how the rows group into sequences of different lengths: each level
lists offsets, so that `((0, 2, 5),)` means two sequences, of two and of three rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType

Lod = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class DenseTensor:
    """A tensor over `data`, any shape, any dtype that PHI has; NumPy reads it as an array."""

    data: Any
    layout: DataLayout = DataLayout.NCHW
    lod: Lod = ()

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

    @property
    def dims(self) -> tuple[int, ...]:
        return tuple(self.data.shape)

    @property
    def dtype(self) -> DataType:
        return DataType.of(self.data.dtype)

    @property
    def numel(self) -> int:
        return int(self.data.size)

    @property
    def backend(self) -> str:
        """Where the memory lies: `CPU` or `GPU`."""
        return "CPU" if isinstance(self.data, np.ndarray) else "GPU"

    def with_lod(self, lod: Lod) -> DenseTensor:
        """The same memory, grouped into sequences by `lod` (`ResetLoD`)."""
        return replace(self, lod=lod)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if self.backend == "GPU":
            return np.asarray(self.data.get(), dtype)
        # NumPy 1's signature had no `copy`; `None` here is NumPy 2's "copy where you must".
        return np.array(self.data, dtype, copy=copy)

    def __repr__(self) -> str:
        lod = f", lod={self.lod}" if self.lod else ""
        return f"DenseTensor({self.dtype}, {list(self.dims)}, {self.layout}, {self.backend}{lod})"
