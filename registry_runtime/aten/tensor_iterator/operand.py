"""One operand of an iterator: its tensor, and how the iterator will walk over it.

The two drift apart while the iterator is built. `tensor` may be exchanged for a copy in the common
type; `stride_bytes` belong to the iterator's shape, whose dimensions are broadcast, reordered and
merged, and no longer to the tensor's.

Source: `aten/src/ATen/TensorIterator.h` of PyTorch 2.13.
"""

from __future__ import annotations

from dataclasses import dataclass

from registry_runtime.aten.tensor.device import Device
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Sizes, Tensor
from registry_runtime.aten.tensor.tensor_meta import TensorOptions


@dataclass(slots=True, eq=False)
class OperandInfo:
    """`at::OperandInfo`.

    `data` is the address of the first element, 0 until the build is done. `stride_bytes` has one
    stride for each dimension of the iterator; () while there is none. `target_dtype` and `device`
    are what the operand is to have, also before its tensor exists; `current_dtype` is what the
    tensor has. `original_tensor` is the one that was exchanged for a temporary copy.
    """

    tensor: Tensor | None
    data: int = 0
    stride_bytes: Sizes = ()
    device: Device | None = None
    target_dtype: ScalarType = ScalarType.Undefined
    current_dtype: ScalarType = ScalarType.Undefined
    is_output: bool = False
    will_resize: bool = False
    is_read_write: bool = False
    is_const: bool = False
    original_tensor: Tensor | None = None

    @classmethod
    def of(cls, tensor: Tensor | None) -> OperandInfo:
        """An operand that is this tensor; None for an output that is yet to be made."""
        if tensor is None:
            return cls(None)
        return cls(tensor, 0, (), tensor.device, tensor.dtype, tensor.dtype)

    def is_type_defined(self) -> bool:
        return self.target_dtype is not ScalarType.Undefined

    def original_options(self) -> TensorOptions:
        """The options of the tensor that the caller sees, not of a temporary in its place."""
        shown = self.original_tensor
        if shown is not None:
            return TensorOptions(shown.dtype, shown.device)
        assert self.device is not None
        return TensorOptions(self.target_dtype, self.device)

    def exchange_tensor(self, temporary: Tensor) -> None:
        """Put `temporary` in the tensor's place, and remember the tensor."""
        self.original_tensor, self.tensor = self.tensor, temporary
        self.current_dtype = self.target_dtype = temporary.dtype

    def restore_original_tensor(self) -> None:
        """Undo `exchange_tensor`."""
        self.tensor, self.original_tensor = self.original_tensor, None
