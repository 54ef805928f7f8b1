"""`phi::TensorArray`: a list of dense tensors that travels as one argument.

A loop in a program writes a tensor in each of its turns; the list grows as the loop goes on. It has
no dims of its own, and says so when asked.

Source: `paddle/phi/core/tensor_array.h`, `tensor_array.cc`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import InvalidArgument, OutOfRange, Unavailable
from registry_runtime.phi.place import Place


class TensorArray:
    """Tensors of one data type and layout, which the first one gives."""

    def __init__(self, tensors: Iterable[object] = ()) -> None:
        self.tensors: list[DenseTensor] = []
        for tensor in tensors:
            self.push_back(DenseTensor.of(tensor))

    def push_back(self, tensor: DenseTensor) -> None:
        """Add one at the end. Raises InvalidArgument for another data type than the others'."""
        if self.tensors and tensor.dtype != self.dtype:
            raise InvalidArgument(
                f"the TensorArray holds {self.dtype}, and this tensor is {tensor.dtype}"
            )
        self.tensors.append(tensor)

    def pop(self, i: int) -> None:
        self.at(i)
        del self.tensors[i]

    def at(self, i: int) -> DenseTensor:
        """Raises OutOfRange as `std::vector::at` does."""
        if not 0 <= i < len(self.tensors):
            raise OutOfRange(f"at({i}) is out of range: the TensorArray has {len(self.tensors)}")
        return self.tensors[i]

    def __len__(self) -> int:
        return len(self.tensors)

    def __iter__(self) -> Iterator[DenseTensor]:
        return iter(self.tensors)

    @property
    def dtype(self) -> DataType:
        return self.tensors[0].dtype if self.tensors else DataType.UNDEFINED

    @property
    def layout(self) -> DataLayout:
        return self.tensors[0].layout if self.tensors else DataLayout.NCHW

    @property
    def place(self) -> Place:
        return self.tensors[0].place if self.tensors else Place()

    @property
    def dims(self) -> tuple[int, ...]:
        raise Unavailable("dims() can't be used in TensorArray")

    @property
    def numel(self) -> int:
        raise Unavailable("numel() can't be used in TensorArray")

    def valid(self) -> bool:
        raise Unavailable("valid() can't be used in TensorArray")

    def has_allocation(self) -> bool:
        return all(tensor.has_allocation() for tensor in self.tensors)

    initialized = has_allocation
