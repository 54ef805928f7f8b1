"""The kernel that a name, a backend and a data type lead to: selected as a call selects its kernel."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import cpp_type_to_data_type
from registry_runtime.phi.enforce import NotFound
from registry_runtime.phi.kernel import Kernel
from registry_runtime.phi.kernel_factory import KernelKeyMap, has_strided_kernel
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.runtime import Runtime


def find_registered(
    runtime: Runtime, name: str, backend: str | None = None, dtype: str | None = None
) -> Kernel:
    """What a call of `name` selects for tensors of this backend and dtype, as they are printed.

    What is left open is chosen: the CPU if it is registered for it, then the first dtype. Raises
    KernelError, with what there is, for what is not registered: where a call would go to the CPU
    instead, too, for who names a backend wants to see that one.
    """
    factory = runtime.factory
    kernels = factory.kernels.get(name)
    if kernels is None:
        raise _not_registered(runtime, name)
    backends = list(dict.fromkeys(str(key.backend) for key in kernels))
    if backend is None:
        backend = "CPU" if "CPU" in backends else backends[0]
    key = _key(name, kernels, backends, backend, _as_printed(dtype))
    if key.layout not in (DataLayout.ALL_LAYOUT, DataLayout.STRIDED):
        # Not for calls, which look for any layout: an executor of programs asks for this one.
        return kernels[key]
    wanted = KernelKey(key.backend, DataLayout.ALL_LAYOUT, key.dtype)
    try:
        selected = factory.SelectKernelOrThrowError(name, wanted, has_strided_kernel(factory, name))
    except NotFound as error:
        raise KernelError(error.message) from None
    return selected.kernel


def _key(
    name: str, kernels: KernelKeyMap, backends: Iterable[str], backend: str, dtype: str | None
) -> KernelKey:
    """The first key of this backend, and of this data type if one is given. Raises KernelError."""
    on_it = [key for key in kernels if str(key.backend).lower() == backend.lower()]
    if not on_it:
        raise KernelError(f"{name} is not registered for {backend}; it is for {listed(backends)}")
    for key in on_it:
        if dtype in (None, str(key.dtype)):
            return key
    there = listed(str(key.dtype) for key in on_it)
    raise KernelError(f"{name} on {backend} is not registered for {dtype}; it is for {there}")


def _not_registered(runtime: Runtime, name: str) -> KernelError:
    if name in runtime.custom_kernels.kernels:
        return KernelError(
            f"{name} waits in CustomKernelMap: a plug-in registered it, and it can't be selected "
            "before the plug-in's runtime is loaded and RegisterCustomKernels moves it"
        )
    close = difflib.get_close_matches(name, runtime.factory.kernels, 1, 0.7)
    hint = (
        f"did you mean {close[0]}?"
        if close
        else "`unfold kernels` lists what is there; PyTorch's operators are called with their "
        "namespace, as in aten::add.Tensor"
    )
    return KernelError(f"no kernel named '{name}' is registered; {hint}")


def _as_printed(dtype: str | None) -> str | None:
    """`int` is registered in C++ and printed as `int32`: either will do."""
    try:
        return None if dtype is None else str(cpp_type_to_data_type(dtype))
    except KeyError:
        return dtype


def listed(names: Iterable[str]) -> str:
    """One after the other, each once."""
    return ", ".join(dict.fromkeys(names))
