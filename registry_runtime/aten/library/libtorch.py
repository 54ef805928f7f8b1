"""What is registered before any text runs: the fallbacks that come with libtorch.

An operator of one's own has a kernel for CPU, say, and none for `AutogradCPU`, `ADInplaceOrView` or
`BackendSelect`, whose keys every tensor or every thread carries. That a call gets past them all the
same is the doing of a few files of PyTorch's own, which register a fallback for each such key. A text
that shows one of these lines stands for that file; one that registers something else for such a key is
refused, as by PyTorch.
Sources: `aten/src/ATen/core/BackendSelectFallbackKernel.cpp`, `VariableFallbackKernel.cpp`.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet, after_autograd_keyset
from registry_runtime.aten.dispatch.dispatcher import Dispatcher
from registry_runtime.aten.dispatch.kernel_function import (
    KernelFunction,
    Stack,
    makeFallthrough,
    makeFromBoxedFunction,
)
from registry_runtime.aten.dispatch.operator_handle import OperatorHandle
from registry_runtime.aten.dispatch.registration_handle import RegistrationHandleRAII

_BACKEND_SELECT = "aten/src/ATen/core/BackendSelectFallbackKernel.cpp"
_VARIABLE = "aten/src/ATen/core/VariableFallbackKernel.cpp"
# By the lines of PyTorch 2.13.
_AUTOGRAD = {
    62: "AutogradOther",
    66: "AutogradCPU",
    70: "AutogradXPU",
    74: "AutogradCUDA",
    78: "AutogradMTIA",
    82: "AutogradMAIA",
    86: "AutogradXLA",
    90: "AutogradLazy",
    94: "AutogradMPS",
    98: "AutogradMeta",
    107: "AutogradHPU",
    111: "AutogradPrivateUse1",
}


class Fallbacks:
    """libtorch's fallbacks in one dispatcher, each of which a text may show."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._kernels = {key: (kernel, debug) for key, kernel, debug in _fallbacks(dispatcher)}
        self._handles: dict[DispatchKey, RegistrationHandleRAII] = {}
        for key in self._kernels:
            self._register(key)

    def register(
        self, key: DispatchKey, kernel: KernelFunction, debug: str
    ) -> RegistrationHandleRAII:
        """`registerFallback`. What libtorch registers itself takes the place of libtorch's own, which
        then comes back; anything else for such a key is a TorchError."""
        if key not in self._handles or not _same(kernel, self._kernels[key][0]):
            return self._dispatcher.registerFallback(key, kernel, debug)
        self._handles.pop(key).reset()
        handle = self._dispatcher.registerFallback(key, kernel, debug)

        # Weakly: a world that nobody holds any more is taken apart in any order.
        myself = weakref.ref(self)

        def undo() -> None:
            handle.reset()
            fallbacks = myself()
            if fallbacks is not None:
                fallbacks._register(key)

        return RegistrationHandleRAII(undo)

    def _register(self, key: DispatchKey) -> None:
        kernel, debug = self._kernels[key]
        self._handles[key] = self._dispatcher.registerFallback(key, kernel, debug)


def _same(shown: KernelFunction, own: KernelFunction) -> bool:
    """Whether a text registers what libtorch does: a fallthrough, or a function of that name."""
    if own.isFallthrough() or shown.isFallthrough():
        return own.isFallthrough() and shown.isFallthrough()
    return str(shown.function).rpartition("::")[2] == own.function


def _fallbacks(dispatcher: Dispatcher) -> Iterator[tuple[DispatchKey, KernelFunction, str]]:
    def autograd_fallback(op: OperatorHandle, keyset: DispatchKeySet, stack: Stack) -> None:
        dispatcher.redispatchBoxed(op, keyset & after_autograd_keyset, stack)

    yield DispatchKey.BackendSelect, makeFallthrough(), f"registered at {_BACKEND_SELECT}:3"
    yield DispatchKey.ADInplaceOrView, makeFallthrough(), f"registered at {_VARIABLE}:103"
    kernel = makeFromBoxedFunction(autograd_fallback, function="autograd_fallback")
    for line, name in _AUTOGRAD.items():
        yield DispatchKey[name], kernel, f"registered at {_VARIABLE}:{line}"
