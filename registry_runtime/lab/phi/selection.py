"""The kernel that a name, a backend and a data type lead to: selected as a call selects its kernel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from registry_runtime.near import did_you_mean
from registry_runtime.phi.backend import Backend
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType, data_type_named
from registry_runtime.phi.enforce import NotFound
from registry_runtime.phi.kernel import Kernel
from registry_runtime.phi.kernel_factory import KernelKeyMap, has_strided_kernel
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.runtime import Runtime

_Member = TypeVar("_Member")


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
    try:
        wanted = None if dtype is None else data_type_named(dtype)
    except ValueError as error:
        raise KernelError(str(error)) from None
    try:
        key = _key(runtime, kernels, backend, wanted)
    except ValueError:
        raise _other(name, kernels, backend, dtype) from None
    try:
        selected = factory.SelectKernelOrThrowError(name, key, has_strided_kernel(factory, name))
        if not selected.has_fallback_cpu:
            return selected.kernel
    except NotFound:
        pass
    for registered, kernel in kernels.items():
        # Not for calls, which look for any layout: an executor of programs asks for this one.
        if (registered.backend, registered.dtype) == (key.backend, key.dtype):
            return kernel
    raise _other(name, kernels, str(key.backend), str(key.dtype))


def key_named(runtime: Runtime, backend: str, layout: str, dtype: str) -> KernelKey:
    """The key in these words, as PHI prints them or as C++ spells them: `gpu`, `NCHW`, `int`.

    Raises ValueError, naming what there is, for a word that PHI doesn't have.
    """
    layouts: dict[str, DataLayout] = dict(DataLayout.__members__)
    on = _backend(runtime, backend)
    return KernelKey(on, _named("layout", layout, layouts), data_type_named(dtype))


def _backend(runtime: Runtime, word: str) -> Backend:
    devices: dict[str, Backend] = {b.name: b for b in Backend}
    for kernels in (*runtime.factory.kernels.values(), *runtime.custom_kernels.kernels.values()):
        devices |= {str(key.backend): key.backend for key in kernels}
    return _named("backend", word, devices)


def _named(what: str, word: str, members: Mapping[str, _Member]) -> _Member:
    for name, member in members.items():
        if name.lower() == word.lower():
            return member
    raise ValueError(f"PHI has no {what} '{word}'; it has {', '.join(members)}")


def _key(
    runtime: Runtime, kernels: KernelKeyMap, backend: str | None, dtype: DataType | None
) -> KernelKey:
    """The key of a call, in any layout; what is left open is that of a kernel. Raises ValueError."""
    on_cpu = (key for key in kernels if key.backend is Backend.CPU)
    first = next(on_cpu, next(iter(kernels)))
    on = first.backend if backend is None else _backend(runtime, backend)
    usual = next((key.dtype for key in kernels if key.backend is on), first.dtype)
    return KernelKey(on, DataLayout.ALL_LAYOUT, usual if dtype is None else dtype)


def _other(name: str, kernels: KernelKeyMap, backend: str | None, dtype: str | None) -> KernelError:
    """Why no kernel is selected, with what there is."""
    backends = listed(str(key.backend) for key in kernels)
    on = [key for key in kernels if backend and str(key.backend).lower() == backend.lower()]
    if not on and backend is not None:
        return KernelError(f"{name} is not registered for {backend}; it is for {backends}")
    there = listed(str(key.dtype) for key in on or kernels)
    where = f" on {backend}" if backend else ""
    return KernelError(f"{name}{where} is not registered for {dtype}; it is for {there}")


def _not_registered(runtime: Runtime, name: str) -> KernelError:
    if name in runtime.custom_kernels.kernels:
        return KernelError(
            f"{name} waits in CustomKernelMap: a plug-in registered it, and it can't be selected "
            "before the plug-in's runtime is loaded and RegisterCustomKernels moves it"
        )
    otherwise = (
        "`unfold kernels` lists what is there; PyTorch's operators are called with their namespace, "
        "as in aten::add.Tensor"
    )
    hint = did_you_mean(name, runtime.factory.kernels, otherwise)
    return KernelError(f"no kernel named '{name}' is registered; {hint}")


def listed(names: Iterable[str]) -> str:
    """One after the other, each once."""
    return ", ".join(dict.fromkeys(names))
