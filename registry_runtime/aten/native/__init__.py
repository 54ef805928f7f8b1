"""Python stands in here for bodies of C++ functions that a text doesn't have, or that aren't read.

`find` looks up what a text only declares, as a linker would in libtorch: what makes and resizes
outputs, a kernel. `instead_of` has what a text defines in a way that nobody interprets: kernels for
CUDA are templates. A body that is understood runs itself, whatever it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.argument_types import takes
from registry_runtime.aten.native import assert_async, ufunc_add_cuda
from registry_runtime.aten.tensor.device import DeviceType
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.tensor_meta import check_inplace, create_out, resize_out
from registry_runtime.cxx import CxxFunction, unknown_call

Kernel = Callable[..., Any]

_OUTPUT = ("at::IntArrayRef", "at::IntArrayRef", "at::TensorOptions")

_IN_LIBTORCH: Mapping[str, Kernel] = {
    "at::native::_assert_async_cpu": assert_async._assert_async_cpu,
    "at::create_out": takes(create_out, *_OUTPUT),
    "at::resize_out": takes(resize_out, "at::Tensor", *_OUTPUT),
    "at::check_inplace": takes(check_inplace, "at::Tensor", "at::IntArrayRef", "at::TensorOptions"),
}


def _add_on_cuda(iter: Any, alpha: Scalar) -> None:
    if iter.device_type() is not DeviceType.CUDA:
        raise TorchError("not understood: a kernel of templates, for another device than CUDA")
    ufunc_add_cuda.add_kernel(iter, alpha)


_TEMPLATES: Mapping[str, Kernel] = {"at::native::add_kernel": _add_on_cuda}


def find(qualified_name: str) -> Kernel | None:
    """The Python function for a C++ function that has no body; None where nobody wrote one."""
    return _IN_LIBTORCH.get(qualified_name)


def instead_of(function: object) -> Kernel | None:
    """The Python function that runs in the place of a body which isn't understood."""
    if not isinstance(function, CxxFunction) or function.name not in _TEMPLATES:
        return None
    return _TEMPLATES[function.name] if unknown_call(function) is not None else None
