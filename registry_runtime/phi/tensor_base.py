"""What all of PHI's tensors have in common: facts, a place, and memory that may not be there yet.

In C++ `phi::TensorBase` is an abstract class, and a kernel's context holds pointers to it: dense
tensors, sparse ones, rows, strings and lists of tensors travel side by side. `ExtendedTensor` is the
door for a framework that brings a kind of its own; it answers nothing, so that whatever reaches a
kernel unprepared is noticed.

Source: `paddle/phi/core/tensor_base.h`, `extended_tensor.h`.
"""

from __future__ import annotations

from typing import NoReturn, Protocol

from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import Unavailable
from registry_runtime.phi.place import Place


class TensorBase(Protocol):
    """`phi::TensorBase`."""

    @property
    def dims(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> DataType: ...
    @property
    def layout(self) -> DataLayout: ...
    @property
    def place(self) -> Place: ...
    @property
    def numel(self) -> int: ...
    def valid(self) -> bool: ...
    def has_allocation(self) -> bool: ...
    def initialized(self) -> bool: ...


class ExtendedTensor:
    """`phi::ExtendedTensor`: to be subclassed. Each of its own answers raises Unavailable."""

    @property
    def dims(self) -> tuple[int, ...]:
        self._refuse("dims")

    @property
    def dtype(self) -> DataType:
        self._refuse("dtype")

    @property
    def layout(self) -> DataLayout:
        self._refuse("layout")

    @property
    def place(self) -> Place:
        self._refuse("place")

    @property
    def numel(self) -> int:
        self._refuse("numel")

    def valid(self) -> bool:
        self._refuse("valid")

    def has_allocation(self) -> bool:
        self._refuse("has_allocation")

    def initialized(self) -> bool:
        self._refuse("initialized")

    def _refuse(self, what: str) -> NoReturn:
        raise Unavailable(f"{what}() can't be used in {type(self).__name__}")
