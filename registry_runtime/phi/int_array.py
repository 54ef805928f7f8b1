"""`phi::IntArray`: a list of integers that may have been a tensor a moment ago.

A shape or a list of axes is usually written down in the program, but it can be computed as well: a
tensor of int32 or int64, or one tensor of one element for each number. A kernel takes an IntArray and
needn't care; InferMeta may, for a number from a tensor isn't known before run time.

Source: `paddle/phi/common/int_array.h`, `paddle/phi/core/kernel_utils.h`.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import InvalidArgument


@dataclass(frozen=True, slots=True)
class IntArray(Sequence[int]):
    """Integers of 64 bits. `FromTensor()` tells whether they came out of a tensor."""

    values: tuple[int, ...] = ()
    from_tensor: bool = False

    @classmethod
    def of(cls, value: Any) -> IntArray:
        """From an integer, integers, a tensor of them, or tensors of one element each.

        Raises InvalidArgument for a tensor of another data type, or for a list of tensors in which
        one has not exactly one element; TypeError for what is no integer at all.
        """
        if isinstance(value, IntArray):
            return value
        if _is_tensor(value):
            return cls(_elements(value), True)
        if isinstance(value, list | tuple) and any(isinstance(v, DenseTensor) for v in value):
            return cls(tuple(_one_element(tensor) for tensor in value), True)
        if isinstance(value, list | tuple | range):
            return cls(tuple(operator.index(number) for number in value))
        return cls((operator.index(value),))

    def GetData(self) -> list[int]:
        return list(self.values)

    def FromTensor(self) -> bool:
        return self.from_tensor

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[int]:
        return iter(self.values)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        return self.values[index]


def _is_tensor(value: Any) -> bool:
    return isinstance(value, DenseTensor | np.ndarray) or hasattr(value, "__cuda_array_interface__")


def _elements(value: Any) -> tuple[int, ...]:
    tensor = DenseTensor.of(value)
    if tensor.dtype not in (DataType.INT32, DataType.INT64):
        raise InvalidArgument(
            "Data type error. Currently, The data type of IntArrayBase only supports Tensor with "
            f"int32 and int64, but now received `{tensor.dtype}`."
        )
    return tuple(np.asarray(tensor).ravel().tolist())


def _one_element(value: Any) -> int:
    elements = _elements(value)
    if len(elements) != 1:
        raise InvalidArgument(
            "an IntArray made of a list of tensors takes one number of each, "
            f"and this one has {len(elements)}"
        )
    return elements[0]
