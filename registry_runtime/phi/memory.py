"""A tensor's elements, as a body of the text reads and writes them: what `data<T>()` points to.

A pointer to an input's elements reads numbers of C++'s type `T`. A pointer to an output's writes
through to the tensor's memory, and it is noted what was written: what nobody wrote holds what the
memory's last owner left there, and no body is to compute with that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from registry_runtime.cxx import NamedType, Pointer, Refusal, TemplateArgument, Vector
from registry_runtime.cxx.arithmetic import ARITHMETIC
from registry_runtime.cxx.places import pointer_into
from registry_runtime.phi.data_type import DataType, cpp_type_to_data_type


class Memory(Vector):
    """An output's elements, where a pointer leads to them: whoever copies the pointer has the same."""

    def __init__(self, array: Any, of: NamedType) -> None:
        super().__init__(of=of)
        self._elements = array.reshape(-1)  # a view: what was allocated follows one another
        self._written = np.zeros(self._elements.size, bool)

    @property
    def unwritten(self) -> int:
        """Of how many elements nobody has said what they are."""
        return int((~self._written).sum())

    def __len__(self) -> int:
        return len(self._written)

    def __getitem__(self, index: Any) -> Any:
        return self._elements[index].item() if self._written[index] else None

    def __setitem__(self, index: Any, value: Any) -> None:
        if not isinstance(value, bool | int | float):
            raise Refusal("a number is wanted for an element")
        self._elements[index], self._written[index] = value, True

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))


def elements(array: Any, of: NamedType) -> Pointer:
    """A pointer to an input's elements, in C order, of C++'s type `of`. Nobody writes them."""
    return pointer_into(Vector(np.asarray(array).ravel().tolist(), of), is_const=True)


@dataclass(frozen=True, slots=True)
class Address:
    """Of elements that no body can look at: a device's, or those that are classes in C++, as float16,
    whose every operator rounds."""

    dtype: DataType


def data_type(arguments: tuple[TemplateArgument, ...]) -> DataType | None:
    """The data type of the `T` in `data<T>()`; None for no `T`. Raises Refusal where there is none."""
    if not arguments:
        return None
    try:
        return cpp_type_to_data_type(str(arguments[0]))
    except KeyError:
        raise Refusal(f"PHI has no data type for `{arguments[0]}`") from None


def _numbers() -> Iterator[tuple[DataType, NamedType]]:
    for name in ARITHMETIC:
        with suppress(KeyError):
            yield cpp_type_to_data_type(name), NamedType(name)


# C++'s type of the elements, where that is a number's.
ELEMENT_TYPES = dict(_numbers())
