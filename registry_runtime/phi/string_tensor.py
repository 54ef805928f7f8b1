"""`phi::StringTensor`: a tensor of text, each element as long as it likes.

Strings don't lie side by side in one block as numbers do, so their tensor is a class of its own, with
a data type (`PSTRING`) and a layout (`PSTRING_UNION`) that no dense tensor has. The kernels that take
it are registered under names that begin with `strings_`.

Source: `paddle/phi/core/string_tensor.h`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.place import CPU_PLACE, Place


@dataclass(slots=True, eq=False)
class StringTensor:
    """Over an array of Python's `str`, on the host; None before it is allocated."""

    data: NDArray[Any] | None = None

    @classmethod
    def of(cls, strings: Any) -> StringTensor:
        """From a `str` or nested lists of them. Raises InvalidArgument for anything else."""
        if isinstance(strings, StringTensor):
            return strings
        data = np.array(strings, object)
        for element in data.flat:
            if not isinstance(element, str):
                raise InvalidArgument(f"a StringTensor holds strings, not {element!r}")
        return cls(data)

    @property
    def dtype(self) -> DataType:
        return DataType.PSTRING

    @property
    def layout(self) -> DataLayout:
        return DataLayout.PSTRING_UNION

    @property
    def dims(self) -> tuple[int, ...]:
        return () if self.data is None else self.data.shape

    @property
    def numel(self) -> int:
        return 0 if self.data is None else self.data.size

    @property
    def place(self) -> Place:
        return Place() if self.data is None else CPU_PLACE

    def valid(self) -> bool:
        return self.data is not None

    has_allocation = initialized = valid
