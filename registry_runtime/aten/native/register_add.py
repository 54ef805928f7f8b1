"""The functions around `add`'s structured kernels that torchgen writes into `RegisterCPU.cpp`, ….

Each makes an object of one of the generated classes, calls `meta`, calls `impl`, and returns the
output. On Meta there is no `impl`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.linking import linked_member
from registry_runtime.aten.native.ufunc_add_cuda import add_kernel
from registry_runtime.aten.structured import (
    structured_add_Tensor,
    structured_add_Tensor_meta_functional,
    structured_add_Tensor_meta_inplace,
    structured_add_Tensor_meta_out,
    structured_ufunc_add_CPU,
    structured_ufunc_add_CPU_functional,
    structured_ufunc_add_CPU_inplace,
    structured_ufunc_add_CPU_out,
    structured_ufunc_add_CUDA,
    structured_ufunc_add_CUDA_functional,
    structured_ufunc_add_CUDA_inplace,
    structured_ufunc_add_CUDA_out,
)
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.aten.world import World

Forms = tuple[
    Callable[[], Any],
    Callable[[Tensor], Any],
    Callable[[Tensor], Any],
]

# What each backend's file declares: the classes for add.Tensor, add.out and add_.Tensor.
FORMS: dict[str, Forms] = {
    "CPU": (
        structured_ufunc_add_CPU_functional,
        structured_ufunc_add_CPU_out,
        structured_ufunc_add_CPU_inplace,
    ),
    "CUDA": (
        structured_ufunc_add_CUDA_functional,
        structured_ufunc_add_CUDA_out,
        structured_ufunc_add_CUDA_inplace,
    ),
    "Meta": (
        structured_add_Tensor_meta_functional,
        structured_add_Tensor_meta_out,
        structured_add_Tensor_meta_inplace,
    ),
}


def add_Tensor(world: World, backend: str, self: Tensor, other: Tensor, alpha: Scalar) -> Tensor:
    """`wrapper_CPU_add_Tensor`."""
    op = FORMS[backend][0]()
    _run(world, op, self, other, alpha)
    output: Tensor = op.outputs_[0]
    return output


def add_out(
    world: World, backend: str, self: Tensor, other: Tensor, alpha: Scalar, out: Tensor
) -> Tensor:
    """`wrapper_CPU_add_out_out`."""
    op = FORMS[backend][1](out)
    _run(world, op, self, other, alpha)
    op.copy_proxies()
    return out


def add__Tensor(world: World, backend: str, self: Tensor, other: Tensor, alpha: Scalar) -> Tensor:
    """`wrapper_CPU_add__Tensor`."""
    op = FORMS[backend][2](self)
    _run(world, op, self, other, alpha)
    op.copy_proxies()
    return self


def _run(
    world: World, op: structured_add_Tensor, self: Tensor, other: Tensor, alpha: Scalar
) -> None:
    op.tell()
    alpha = Scalar.of(alpha)
    _member(world, op, "meta")(self, other, alpha)
    output = op.maybe_get_output(0)
    assert output is not None
    if isinstance(op, structured_ufunc_add_CPU):
        op.add_stub = _stub(world)
        _member(world, op, "impl")(self, other, alpha, output)
    elif isinstance(op, structured_ufunc_add_CUDA):
        op.add_kernel = add_kernel
        op.impl(self, other, alpha, output)


def _member(world: World, op: structured_add_Tensor, name: str) -> Callable[..., Any]:
    """`meta` or `impl`: what a C++ text of the program says, otherwise Python's."""
    linked = linked_member(world, op, name)
    if linked is None:
        written: Callable[..., Any] = getattr(op, name)
        return written
    where = next(of for of in type(op).__mro__ if name in vars(of))
    op.enter(f"{where.__name__}::{name}")
    return linked


def _stub(world: World) -> Any:
    stub = world.stubs.get("add_stub")
    if stub is None:
        raise TorchError(
            "DispatchStub: missing default kernel",
            hint="load a file that registers add_stub: ufunc_add_kernel.cc",
        )
    return stub


_WRAPPERS: dict[str, Callable[..., Tensor]] = {
    "wrapper_{}_add_Tensor": add_Tensor,
    "wrapper_{}_add_out_out": add_out,
    "wrapper_{}_add__Tensor": add__Tensor,
}


def find(name: str, world: World) -> Callable[..., Any] | None:
    """The wrapper of that C++ name, `at::wrapper_CPU_add_Tensor`."""
    for backend in FORMS:
        for spelled, function in _WRAPPERS.items():
            if name == "at::" + spelled.format(backend):
                return partial(function, world, backend)
    return None
