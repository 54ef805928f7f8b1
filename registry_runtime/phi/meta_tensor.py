"""What InferMeta reads and writes: a tensor's facts without its memory.

Before a kernel runs, somebody must know how large its output will be and of what type. That is
InferMeta's work, and it needs no element of any tensor, so it is handed `phi::MetaTensor`s
(`paddle/phi/core/meta_tensor.h`): in C++ a view that writes through to the tensor behind it, here
the facts themselves. An output starts out with no dims and the data type UNDEFINED; what InferMeta
leaves so is for the kernel's registration to say (`kernel->OutputAt(0).SetDataType(…)`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor, Lod


@dataclass(frozen=True, slots=True)
class MetaConfig:
    """When InferMeta runs. Before run time a dim may be -1: not known yet."""

    is_runtime: bool = True


AT_RUN_TIME = MetaConfig()


@dataclass(slots=True)
class MetaTensor:
    """The facts of one tensor; InferMeta sets those of the outputs.

    `shaped` says that somebody set the dims, which in Python can't be seen by looking at them.

    Where PHI passes a MetaTensor without a tensor behind it, for an optional input that is absent
    or an output that nobody wants, `None` is passed here.
    """

    dims: tuple[int, ...] = ()
    dtype: DataType = DataType.UNDEFINED
    layout: DataLayout = DataLayout.NCHW
    lod: Lod = ()
    shaped: bool = field(default=False, compare=False, repr=False)

    @classmethod
    def of(cls, tensor: DenseTensor) -> MetaTensor:
        return cls(tensor.dims, tensor.dtype, tensor.layout, tensor.lod)

    @property
    def numel(self) -> int:
        """How many elements; 1 for a 0-d tensor."""
        return math.prod(self.dims)

    def set_dims(self, dims: Iterable[int]) -> None:
        self.dims, self.shaped = tuple(dims), True

    def set_dtype(self, dtype: DataType) -> None:
        self.dtype = dtype

    def set_layout(self, layout: DataLayout) -> None:
        self.layout = layout

    def share_dims(self, other: MetaTensor) -> None:
        self.set_dims(other.dims)

    def share_lod(self, other: MetaTensor) -> None:
        self.lod = other.lod

    def share_meta(self, other: MetaTensor) -> None:
        """dims, data type, layout and LoD of another."""
        self.share_dims(other)
        self.dtype, self.layout, self.lod = other.dtype, other.layout, other.lod
