"""The types of what a body hands to Python: a compiler would have looked at them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.aten.tensor.tensor_meta import TensorOptions

_TYPES: dict[str, tuple[type, ...]] = {
    "at::Tensor": (Tensor, type(None)),
    "at::Scalar": (Scalar,),
    "at::ScalarType": (ScalarType,),
    "at::IntArrayRef": (tuple, list),
    "at::TensorOptions": (TensorOptions,),
    "at::DimnameList": (tuple,),
    "int64_t": (int,),
}


def takes(function: Callable[..., Any], *wanted: str, method: bool = False) -> Callable[..., Any]:
    """`function`, for arguments of these C++ types, behind the object of a `method`. Raises TorchError
    for others."""

    @wraps(function)
    def checked(*values: object) -> Any:
        given = values[1:] if method else values
        for index, (value, spelled) in enumerate(zip(given, wanted, strict=False)):
            if not isinstance(value, _TYPES[spelled]):
                raise TorchError(f"this is no `{spelled}`", argument=index)
        return function(*values)

    return checked
