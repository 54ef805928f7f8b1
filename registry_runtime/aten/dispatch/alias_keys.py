"""Which keys an alias stands for, and which backends an autograd key speaks for.

Registering with an alias fills many slots of an operator's table at once. `CompositeExplicitAutograd`
means: this kernel works on every backend, gradients are somebody else's business.
`CompositeImplicitAutograd` means: it is written in terms of operators that have gradients, and so
it can stand at the autograd keys too. `CompositeExplicitAutogradNonFunctional` leaves out XLA and
Lazy, which can't have an operator that writes in place.

The sets are those of `c10/core/DispatchKeySet.cpp` in PyTorch 2.13.
"""

from __future__ import annotations

from types import MappingProxyType

from registry_runtime.aten.dispatch.dispatch_key import (
    BackendComponent,
    DispatchKey,
    get_autograd_key_from_backend,
    is_alias_dispatch_key,
    to_functionality_key,
)
from registry_runtime.aten.dispatch.dispatch_key_set import (
    DispatchKeySet,
    autocast_dispatch_keyset,
    autograd_dispatch_keyset,
    autogradother_backends,
    backend_bitset_mask,
)

backend_dispatch_keyset = autogradother_backends.add(DispatchKey.Dense)
non_functional_backend_dispatch_keyset = (
    backend_dispatch_keyset.remove(DispatchKey.Sparse)
    .remove_backend(BackendComponent.XLABit)
    .remove_backend(BackendComponent.LazyBit)
)
math_dispatch_keyset = (backend_dispatch_keyset | autograd_dispatch_keyset).add(
    DispatchKey.NestedTensor
)
nested_dispatch_keyset = backend_bitset_mask | DispatchKeySet(
    DispatchKey.AutogradNestedTensor, DispatchKey.NestedTensor
)

_RUNTIME_KEYS = MappingProxyType(
    {
        # Alone among these sets `autograd_dispatch_keyset` is also used to take keys away with, and
        # so has no backends.
        DispatchKey.Autograd: autograd_dispatch_keyset | backend_bitset_mask,
        DispatchKey.CompositeImplicitAutograd: math_dispatch_keyset,
        DispatchKey.CompositeImplicitAutogradNestedTensor: nested_dispatch_keyset,
        DispatchKey.CompositeExplicitAutograd: backend_dispatch_keyset,
        DispatchKey.CompositeExplicitAutogradNonFunctional: non_functional_backend_dispatch_keyset,
        DispatchKey.FuncTorchBatchedDecomposition: DispatchKeySet(DispatchKey.FuncTorchBatched),
    }
)


def get_runtime_dispatch_key_set(key: DispatchKey) -> DispatchKeySet:
    """The keys that an alias stands for; another key stands for itself."""
    return _RUNTIME_KEYS.get(key) or DispatchKeySet(key)


def is_included_in_alias(key: DispatchKey, alias: DispatchKey) -> bool:
    """Whether a runtime key is one of those that `alias` stands for (`isIncludedInAlias`)."""
    if key is DispatchKey.Undefined:
        return False
    keys = _RUNTIME_KEYS.get(alias)
    if keys is None:
        return key is alias
    if alias is DispatchKey.Autograd:
        return autograd_dispatch_keyset.has(to_functionality_key(key))
    if key is DispatchKey.NestedTensor and alias in _ALL_BACKENDS:
        return False
    return keys.has(key)


_ALL_BACKENDS = (
    DispatchKey.CompositeExplicitAutograd,
    DispatchKey.CompositeExplicitAutogradNonFunctional,
)


def is_backend_dispatch_key(key: DispatchKey) -> bool:
    """Whether kernels for this key compute: no alias, no wrapper around other kernels."""
    return (
        key not in (DispatchKey.Undefined, DispatchKey.NestedTensor)
        and not is_alias_dispatch_key(key)
        and backend_dispatch_keyset.has(key)
    )


def get_backend_key_set_from_autograd(key: DispatchKey) -> DispatchKeySet:
    """The backend keys whose tensors pass this autograd key; empty if it is not one.

    PyTorch's table has no `AutogradHIP`, `AutogradVE` and `AutogradMTIA`.
    """
    return _BACKENDS_OF_AUTOGRAD.get(key, DispatchKeySet())


_BACKENDS_OF_AUTOGRAD = MappingProxyType(
    {
        DispatchKey[f"Autograd{backend}"]: DispatchKeySet(backend)
        for backend in DispatchKeySet(DispatchKey.Dense) | backend_bitset_mask
        if backend.name not in ("HIP", "VE", "MTIA")
    }
    | {
        DispatchKey.AutogradNestedTensor: backend_bitset_mask.add(DispatchKey.NestedTensor),
        DispatchKey.AutogradOther: autogradother_backends,
    }
)


def get_autograd_related_key_set_from_backend(backend: BackendComponent) -> DispatchKeySet:
    """What a tensor on that backend carries besides its backend, so that autograd sees it.

    `CPUBit` → `{ADInplaceOrView, AutogradCPU}` (`getAutogradRelatedKeySetFromBackend`).
    """
    return DispatchKeySet(DispatchKey.ADInplaceOrView, get_autograd_key_from_backend(backend))


def get_autocast_related_key_set_from_backend(backend: BackendComponent) -> DispatchKeySet:
    """`CPUBit` → `{AutocastCPU}`; empty for backends without autocast."""
    name = f"Autocast{backend.name.removesuffix('Bit')}"
    autocast = next((key for key in autocast_dispatch_keyset if key.name == name), None)
    return DispatchKeySet() if autocast is None else DispatchKeySet(autocast)
