"""How a call finds its kernel, told: each place that was looked in, and what the call must then move.

`SelectKernelOrThrowError` does the looking and names the places. Around it stands what a caller meets:
kernels that no call can find yet, for they wait for a plug-in's runtime; and behind it, what becomes
of inputs that are not what the kernel expects.

Source: `paddle/phi/core/kernel_factory.cc`, `paddle/phi/api/lib/data_transform.cc`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from registry_runtime.phi.backend import Backend
from registry_runtime.phi.data_transform import (
    DEFAULT_FLAG,
    SPARSE_TENSORS,
    NeedTransformDataType,
    NeedTransformLayout,
    NeedTransformPlace,
)
from registry_runtime.phi.enforce import NotFound, Unavailable
from registry_runtime.phi.kernel import Kernel
from registry_runtime.phi.kernel_factory import KernelResult, has_strided_kernel
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_registrar import World
from registry_runtime.phi.place import Place, TransToPhiPlace


@dataclass(frozen=True, slots=True)
class Selection:
    """How a key was looked for. `result` is None if no kernel was found, and `error` says so;
    `transforms` tells what inputs of this key go through before the call."""

    key: KernelKey
    steps: tuple[str, ...]
    result: KernelResult | None
    transforms: tuple[str, ...] = ()
    error: str = ""

    @property
    def outcome(self) -> str:
        """`found`, `found for strided tensors`, `fell back to the CPU` or `not found`."""
        if self.result is None:
            return "not found"
        if self.result.is_stride_kernel:
            return "found for strided tensors"
        return "fell back to the CPU" if self.result.has_fallback_cpu else "found"


def explain_selection(world: World, name: str, key: KernelKey) -> Selection:
    """The way of a call whose tensors make this key: their backend, layout and data type."""
    steps = list(_before_looking(world, name, key))
    try:
        strided = has_strided_kernel(world.factory, name)
        result = world.factory.SelectKernelOrThrowError(name, key, strided, steps.append)
    except NotFound as error:
        if name not in world.factory.kernels:
            steps.append(f"KernelFactory holds no kernel named {name}")
        return Selection(key, tuple(steps), None, error=f"(NotFound) {error}")
    return Selection(key, tuple(steps), result, tuple(_transforms(world, result.kernel, key)))


def _before_looking(world: World, name: str, key: KernelKey) -> Iterator[str]:
    device = str(key.backend)
    if device in world.devices.device_types() and device not in world.devices.loaded:
        yield f"no runtime of {device} is loaded, so no tensor can be on it"
    waiting = len(world.custom_kernels.kernels.get(name, ()))
    if waiting:
        yield f"{waiting} named {name} wait in CustomKernelMap for their plug-in: no call finds them"


def _transforms(world: World, kernel: Kernel, key: KernelKey) -> Iterator[str]:
    place = _place(world, key.backend)
    for index, wanted in enumerate(kernel.args_def.input_defs):
        if wanted.backend is Backend.CUSTOM:
            wanted = replace(wanted, backend=key.backend)
        if wanted.layout != key.layout and SPARSE_TENSORS.keys() & {wanted.layout, key.layout}:
            kind = SPARSE_TENSORS.get(wanted.layout, "DenseTensor")
            yield f"input {index} must be a {kind}: nothing makes one of a tensor in {key.layout}"
        elif NeedTransformLayout(key.layout, wanted.layout, place, DEFAULT_FLAG):
            yield f"input {index} is transposed from {key.layout} to {wanted.layout} before the call"
        if NeedTransformDataType(key.dtype, wanted.dtype, DEFAULT_FLAG):
            yield f"input {index} is cast from {key.dtype} to {wanted.dtype} before the call"
        if NeedTransformPlace(place, wanted.backend, DEFAULT_FLAG, world.devices):
            yield f"input {index} is copied from {key.backend} to {wanted.backend} before the call"


def _place(world: World, backend: Backend) -> Place:
    try:
        return TransToPhiPlace(backend, world.devices)
    except Unavailable:  # the IPU, which PHI has a backend for, and no place
        return Place()
