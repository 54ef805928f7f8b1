"""`_assert_async`: is the one element of a tensor true? (`aten/src/ATen/native/TensorCompare.cpp`.)"""

from __future__ import annotations

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.tensor import Tensor


def _assert_async_cpu(self: Tensor) -> None:
    """`at::native::_assert_async_cpu`. Raises TorchError in PyTorch's words."""
    if self.numel() != 1:
        how_many = "no values" if not self.numel() else "more than one value"
        hint = "pass a tensor of one element (--size 1)"
        raise TorchError(f"Boolean value of Tensor with {how_many} is ambiguous", hint=hint)
    if not self.item():
        raise TorchError("Expected Tensor with single nonzero value, but got zero")
