"""How a call comes to its kernel through PyTorch's dispatcher, told without calling anything.

Four sets, one made of the other. The tensors carry keys; the thread adds some and takes others away;
the operator leaves out those that lead to a fallthrough; of what is left the highest key chooses the
kernel. A kernel above the backends does its part and calls the operator again, with the keys below
its own. What a kernel does can't be known without running it, so here each is taken to do just that.
Sources: `c10/core/DispatchKeySet.h`, `aten/src/ATen/core/dispatch/DispatchKeyExtractor.h`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from registry_runtime.aten.dispatch.alias_keys import is_backend_dispatch_key
from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet, default_excluded_set
from registry_runtime.aten.dispatch.dispatch_sentences import no_meta_kernel
from registry_runtime.aten.dispatch.hop import passed_by
from registry_runtime.aten.dispatch.local_keys import (
    AutoDispatchBelowADInplaceOrView,
    AutoDispatchBelowAutograd,
    ForceDispatchKeyGuard,
    IncludeDispatchKeyGuard,
    tls_local_dispatch_key_set,
)
from registry_runtime.aten.dispatch.operator_entry import OperatorEntry
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.registered import spell
from registry_runtime.aten.tensor.device import Device, DeviceType
from registry_runtime.aten.tensor.tensor import Tensor

# What a thread may be doing when it calls, in the words of the screen.
THREADS: Mapping[str, str] = {
    "as usual": "",
    "below autograd": "at::AutoDispatchBelowAutograd",
    "below ADInplaceOrView": "at::AutoDispatchBelowADInplaceOrView",
    "tracing": "c10::impl::IncludeDispatchKeyGuard(Tracer)",
    "autocast": "torch.autocast: its keys are no longer excluded",
}

# Those that have tensors of their own, the usual ones first.
DEVICES = (
    DeviceType.CPU,
    DeviceType.CUDA,
    DeviceType.Meta,
    DeviceType.MPS,
    DeviceType.XPU,
    DeviceType.XLA,
    DeviceType.HPU,
    DeviceType.MTIA,
    DeviceType.Lazy,
    DeviceType.PrivateUse1,
)


@dataclass(frozen=True, slots=True)
class Stop:
    """A key whose turn it is: the keys of the call, what its slot holds and why, and the higher keys
    that were passed by."""

    keys: DispatchKeySet
    key: DispatchKey
    kernel: str
    reason: str
    passed_by: tuple[DispatchKey, ...] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """The sets in the order in which they are made, and then stop after stop. `error` is what
    PyTorch says where there is no kernel."""

    arguments: tuple[DispatchKeySet, ...]
    included: DispatchKeySet
    excluded: DispatchKeySet
    masked: DispatchKeySet
    keys: DispatchKeySet
    stops: tuple[Stop, ...]
    error: str = ""

    @property
    def hops(self) -> str:
        """`AutogradCPU → ADInplaceOrView → CPU`"""
        return " → ".join(str(stop.key) for stop in self.stops)


def keys_of(device: DeviceType) -> DispatchKeySet:
    """What a tensor on that device carries. No memory is touched for that."""
    tensor = Tensor()
    tensor.device = Device.parse(str(device))
    return tensor.key_set


def way(entry: OperatorEntry, devices: Sequence[DeviceType], thread: str = "as usual") -> Way:
    """Where a call goes whose tensors are on these devices, from a thread that does that."""
    arguments = tuple(keys_of(device) for device in devices)
    together = DispatchKeySet()
    for keys in arguments:
        together |= keys
    with _guard(thread):
        local = tls_local_dispatch_key_set()
    everything = (together | local.included) - local.excluded
    kept = DispatchKeySet.from_raw_repr(
        entry.dispatchKeyExtractor_.without_fallthroughs(everything.raw_repr)
    )
    stops: list[Stop] = []
    error = ""
    left_out = passed_by(everything.raw_repr, kept.raw_repr)
    keys = kept
    while True:
        key = keys.highest_priority_type_id()
        annotated, reason = entry.computeDispatchTableEntryWithDebug(key)
        stops.append(Stop(keys, key, spell(annotated), reason, left_out))
        left_out = ()
        if not annotated.kernel.isValid():
            error = _error(entry, key)
        elif key is DispatchKey.Meta and reason == "backend fallback":
            error = no_meta_kernel(entry.name_)  # which is all that the fallback does
        if error or _computes(key, reason):
            break
        keys = keys & DispatchKeySet.full_after(key)
    masked = DispatchKeySet.from_raw_repr(everything.raw_repr & ~kept.raw_repr)
    return Way(arguments, local.included, local.excluded, masked, kept, tuple(stops), error)


def _computes(key: DispatchKey, reason: str) -> bool:
    """Whether a call ends here: at a backend, where nothing is left, or in a kernel that is made of
    other operators and calls those."""
    return key is DispatchKey.Undefined or is_backend_dispatch_key(key) or reason == "math kernel"


def _error(entry: OperatorEntry, key: DispatchKey) -> str:
    try:
        entry.reportError(key)
    except TorchError as error:
        return str(error)


def _guard(thread: str) -> AbstractContextManager[None]:
    if thread == "below autograd":
        return AutoDispatchBelowAutograd()
    if thread == "below ADInplaceOrView":
        return AutoDispatchBelowADInplaceOrView()
    if thread == "tracing":
        return IncludeDispatchKeyGuard(DispatchKey.Tracer)
    if thread == "autocast":
        local = tls_local_dispatch_key_set()
        return ForceDispatchKeyGuard(local.included, local.excluded - default_excluded_set)
    return nullcontext()
