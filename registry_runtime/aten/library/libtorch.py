"""What is registered before any text runs: the fallbacks that come with libtorch.

An operator of one's own has a kernel for CPU, say, and none for `AutogradCPU`, `ADInplaceOrView` or
`BackendSelect`, whose keys every tensor or every thread carries. That a call gets past them all the
same is the doing of a few files of PyTorch's own, which register a fallback for each such key: 38 of
them in PyTorch 2.13. What each does is in `libtorch_fallbacks`.

A key has one fallback: PyTorch aborts where an extension registers a second. A text that shows one of
these lines stands for that file of PyTorch's, and is told so; one that registers something else for
such a key is refused, as by PyTorch.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from registry_runtime.aten.dispatch import dispatch_sentences as say
from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatcher import Dispatcher
from registry_runtime.aten.dispatch.kernel_function import (
    KernelFunction,
    makeFallthrough,
    makeFromBoxedFunction,
)
from registry_runtime.aten.dispatch.registration_handle import RegistrationHandleRAII
from registry_runtime.aten.library.libtorch_fallbacks import boxed_fallback

_CORE = "aten/src/ATen/core"
_FUNCTORCH = "aten/src/ATen/functorch"
# Which file registers each, and in which line of PyTorch 2.13. Those that pass their key by:
_FALLTHROUGHS = {
    f"{_CORE}/BackendSelectFallbackKernel.cpp": {"BackendSelect": 3},
    f"{_CORE}/VariableFallbackKernel.cpp": {"ADInplaceOrView": 103},
    "aten/src/ATen/autocast_mode.cpp": {
        "AutocastCUDA": 177,
        "AutocastMPS": 221,
        "AutocastCPU": 330,
        "AutocastMTIA": 472,
        "AutocastMAIA": 510,
        "AutocastXPU": 548,
    },
    f"{_FUNCTORCH}/VmapModeRegistrations.cpp": {"FuncTorchVmapMode": 22},
    "aten/src/ATen/VmapModeRegistrations.cpp": {"VmapMode": 32},
}
# Those with a function, and its name there:
_FUNCTIONS = {
    f"{_CORE}/VariableFallbackKernel.cpp": {
        "AutogradOther": (62, "autograd_fallback"),
        "AutogradCPU": (66, "autograd_fallback"),
        "AutogradXPU": (70, "autograd_fallback"),
        "AutogradCUDA": (74, "autograd_fallback"),
        "AutogradMTIA": (78, "autograd_fallback"),
        "AutogradMAIA": (82, "autograd_fallback"),
        "AutogradXLA": (86, "autograd_fallback"),
        "AutogradLazy": (90, "autograd_fallback"),
        "AutogradMPS": (94, "autograd_fallback"),
        "AutogradMeta": (98, "autograd_fallback"),
        "AutogradHPU": (107, "autograd_fallback"),
        "AutogradPrivateUse1": (111, "autograd_fallback"),
    },
    f"{_CORE}/MetaFallbackKernel.cpp": {"Meta": (23, "metaFallback")},
    f"{_CORE}/PythonFallbackKernel.cpp": {
        "Python": (192, "pythonFallback"),
        "PythonDispatcher": (196, "pythonDispatcherFallback"),
        "PythonTLSSnapshot": (200, "pythonTLSSnapshotFallback"),
        "PreDispatch": (204, "preDispatchFallback"),
    },
    "aten/src/ATen/FunctionalizeFallbackKernel.cpp": {
        "Functionalize": (411, "functionalizeFallback")
    },
    "aten/src/ATen/ConjugateFallback.cpp": {"Conjugate": (17, "conjugateFallback")},
    "aten/src/ATen/native/NegateFallback.cpp": {"Negative": (18, "negationFallback")},
    "aten/src/ATen/ZeroTensorFallback.cpp": {"ZeroTensor": (115, "zeroTensorFallback")},
    "torch/csrc/autograd/TraceTypeManual.cpp": {"Tracer": (296, "general_trace_function")},
    f"{_FUNCTORCH}/LegacyBatchingRegistrations.cpp": {
        "FuncTorchBatched": (730, "batchedTensorForLoopFallback"),
        "BatchedNestedTensor": (757, "batchedNestedTensorForLoopFallback"),
    },
    "aten/src/ATen/LegacyBatchingRegistrations.cpp": {
        "Batched": (1072, "batchedTensorForLoopFallback")
    },
    f"{_FUNCTORCH}/TensorWrapper.cpp": {
        "FuncTorchGradWrapper": (210, "dead_tensor_wrapper_fallback")
    },
    f"{_FUNCTORCH}/DynamicLayer.cpp": {
        "FuncTorchDynamicLayerFrontMode": (475, "dynamicLayerFrontFallback"),
        "FuncTorchDynamicLayerBackMode": (479, "dynamicLayerBackFallback"),
    },
}


class Fallback(NamedTuple):
    """One of them, and where in PyTorch 2.13 it is registered."""

    key: DispatchKey
    kernel: KernelFunction
    file: str
    line: int

    @property
    def debug(self) -> str:
        return f"registered at {self.file}:{self.line}"


class Fallbacks:
    """libtorch's fallbacks in one dispatcher, each of which a text may show."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._own = {own.key: own for own in _fallbacks(dispatcher)}
        self._handles: dict[DispatchKey, RegistrationHandleRAII] = {}
        for key in self._own:
            self._register(key)

    def register(
        self, key: DispatchKey, kernel: KernelFunction, debug: str
    ) -> RegistrationHandleRAII:
        """`registerFallback`. What libtorch registers itself takes the place of libtorch's own, which
        then comes back; anything else for such a key is a TorchError."""
        if key not in self._handles or not _same(kernel, self._own[key].kernel):
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

    def twice(self, key: DispatchKey, kernel: KernelFunction, file: str, debug: str) -> str | None:
        """What PyTorch says of a text that registers libtorch's own fallback beside libtorch, and
        then aborts. None if the text is PyTorch itself: that file of it, or one that defines `aten`."""
        if key not in self._handles or "aten" in self._dispatcher.libraries_:
            return None
        own = self._own[key]
        if (
            not _same(kernel, own.kernel)
            or PurePosixPath(file).name == PurePosixPath(own.file).name
        ):
            return None
        return say.two_fallbacks(key, own.debug, debug)

    def _register(self, key: DispatchKey) -> None:
        own = self._own[key]
        self._handles[key] = self._dispatcher.registerFallback(key, own.kernel, own.debug)


def _same(shown: KernelFunction, own: KernelFunction) -> bool:
    """Whether a text registers what libtorch does: a fallthrough, or a function of that name."""
    if own.isFallthrough() or shown.isFallthrough():
        return own.isFallthrough() and shown.isFallthrough()
    return str(shown.function).rpartition("::")[2] == own.function


def _fallbacks(dispatcher: Dispatcher) -> Iterator[Fallback]:
    for file, lines in _FALLTHROUGHS.items():
        for name, line in lines.items():
            yield Fallback(DispatchKey[name], makeFallthrough(), file, line)
    for file, functions in _FUNCTIONS.items():
        for name, (line, function) in functions.items():
            key = DispatchKey[name]
            kernel = makeFromBoxedFunction(boxed_fallback(key, dispatcher), function=function)
            yield Fallback(key, kernel, file, line)
