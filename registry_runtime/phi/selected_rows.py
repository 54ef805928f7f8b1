"""`phi::SelectedRows`: a tall table of which only some rows are kept.

The gradient of an embedding is nearly all zeros: of a million words a sentence uses twenty. So only
the rows that have something are held, in `value`, and `rows` says which they are of the `height`
that there would be. A row may occur more than once; then its parts add up.

Source: `paddle/phi/core/selected_rows.h`, `selected_rows_impl.h`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import InvalidArgument, NotFound
from registry_runtime.phi.place import Place


@dataclass(slots=True, eq=False)
class SelectedRows:
    """`value` has a row for each number in `rows`, which count within `height`.

    Raises InvalidArgument where the two don't agree.
    """

    rows: list[int] = field(default_factory=list)
    height: int = 0
    value: DenseTensor = field(default_factory=DenseTensor)

    def __post_init__(self) -> None:
        self.rows, self.value = list(self.rows), DenseTensor.of(self.value)
        if any(not 0 <= row < self.height for row in self.rows):
            raise InvalidArgument(f"rows {self.rows} must lie within the height {self.height}")
        if self.value.has_allocation() and self.value.dims[:1] != (len(self.rows),):
            raise InvalidArgument(
                f"{len(self.rows)} rows are listed, and value has dims {list(self.value.dims)}"
            )

    @property
    def dims(self) -> tuple[int, ...]:
        """Those of `value`, as in Paddle; `GetCompleteDims` has the height."""
        return self.value.dims

    @property
    def dtype(self) -> DataType:
        return self.value.dtype

    @property
    def layout(self) -> DataLayout:
        return self.value.layout

    @property
    def place(self) -> Place:
        return self.value.place

    @property
    def numel(self) -> int:
        return self.value.numel

    def valid(self) -> bool:
        return self.value.valid()

    def has_allocation(self) -> bool:
        return self.value.has_allocation()

    initialized = has_allocation

    def GetCompleteDims(self) -> tuple[int, ...]:
        """The dims of the whole table."""
        return (self.height, *self.value.dims[1:])

    def Index(self, key: int) -> int:
        """Where in `value` the row stands. Raises NotFound."""
        if key not in self.rows:
            raise NotFound(f"Input id ({key}) is not in current rows table.")
        return self.rows.index(key)

    def to_dense(self) -> NDArray[Any]:
        """The whole table, on the host; rows that aren't selected are zero."""
        value = np.asarray(self.value)
        table = np.zeros(self.GetCompleteDims(), value.dtype)
        np.add.at(table, self.rows, value)
        return table
