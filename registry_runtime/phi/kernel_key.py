"""The key under which a kernel is found: backend, layout and data type.

A kernel is found twice, by its name among all kernels, then by its key among those of that name.
The key is looked up at every call of every operator, so PHI packs it into one number of 32 bits
(`paddle/phi/core/kernel_factory.h`) and compares nothing else:

    31 ......... 20 | 19 ...... 12 | 11 ...... 8 | 7 ........ 0
     for extension  |  data type   |   layout    |   backend
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from registry_runtime.phi.backend import Backend, CustomRegisteredDeviceMap
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.place import TransToPhiBackend

if TYPE_CHECKING:
    from registry_runtime.phi.place import Place

_BACKEND_BITS = 8
_DATA_LAYOUT_BITS = 4


@dataclass(frozen=True, slots=True, eq=False)
class KernelKey:
    """`phi::KernelKey`. `str()` prints it as Paddle does: `(CPU, Undefined(AnyLayout), int32)`.

    `hash_value` is the packed number; two keys are equal if these are.

    >>> from registry_runtime.phi import Backend, DataLayout, DataType, KernelKey
    >>> key = KernelKey(Backend.CPU, DataLayout.ALL_LAYOUT, DataType.INT32)
    >>> print(key, hex(key.hash_value))
    (CPU, Undefined(AnyLayout), int32) 0x7001
    """

    backend: Backend = Backend.UNDEFINED
    layout: DataLayout = DataLayout.UNDEFINED
    dtype: DataType = DataType.UNDEFINED
    hash_value: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # C++ casts the backend and the layout to 8 bits and the data type to 16 before it shifts.
        packed = (self.backend & 0xFF) | (self.layout & 0xFF) << _BACKEND_BITS
        packed |= (self.dtype & 0xFFFF) << (_BACKEND_BITS + _DATA_LAYOUT_BITS)
        object.__setattr__(self, "hash_value", packed)

    @classmethod
    def of_place(
        cls,
        place: Place,
        devices: CustomRegisteredDeviceMap,
        layout: DataLayout = DataLayout.ALL_LAYOUT,
        dtype: DataType = DataType.ALL_DTYPE,
    ) -> KernelKey:
        """`KernelKey(place)` and `KernelKey(place, layout, dtype)`: by where the tensors are."""
        return cls(TransToPhiBackend(place, devices), layout, dtype)

    def __hash__(self) -> int:
        return self.hash_value

    def __eq__(self, other: object) -> bool:
        if isinstance(other, KernelKey):
            return self.hash_value == other.hash_value
        return NotImplemented

    def __lt__(self, other: KernelKey) -> bool:
        return self.hash_value < other.hash_value

    def __str__(self) -> str:
        return f"({self.backend!s}, {self.layout!s}, {self.dtype!s})"
