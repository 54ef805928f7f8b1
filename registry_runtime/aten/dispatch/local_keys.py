"""What a thread adds to the keys of every call, and what it takes away.

A tensor can't say that autocast is on, or that its call is inside an autograd kernel already. The
thread can: it *includes* keys that no argument carries and *excludes* keys that some do. That is how
a kernel keeps its own key from being reached again by the operators that it calls, and how
`torch.no_grad()` or a mode is switched on for a block: with a guard that puts back what it found
(`c10/core/impl/LocalDispatchKeySet.h`, `ATen/core/LegacyTypeDispatch.h`).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple

from registry_runtime.aten.dispatch.dispatch_key import FULL_BACKEND_MASK, DispatchKey
from registry_runtime.aten.dispatch.dispatch_key_set import (
    DispatchKeySet,
    autograd_dispatch_keyset,
    autograd_dispatch_keyset_with_ADInplaceOrView,
    default_excluded_set,
    default_included_set,
)


class _RawLocalDispatchKeySet(threading.local):
    """Each thread begins with the defaults: `{BackendSelect, ADInplaceOrView}` and no autocast."""

    included: int = default_included_set.raw_repr
    excluded: int = default_excluded_set.raw_repr


# Plain integers, because every call reads them.
raw_local_dispatch_key_set = _RawLocalDispatchKeySet()


class LocalDispatchKeySet(NamedTuple):
    """This thread's two sets."""

    included: DispatchKeySet
    excluded: DispatchKeySet


def tls_local_dispatch_key_set() -> LocalDispatchKeySet:
    """What this thread includes and excludes now."""
    local = raw_local_dispatch_key_set
    return LocalDispatchKeySet(
        DispatchKeySet.from_raw_repr(local.included), DispatchKeySet.from_raw_repr(local.excluded)
    )


def with_local_keys(raw_repr: int) -> int:
    """The integer of a set with this thread's keys added, and then its others taken away."""
    local = raw_local_dispatch_key_set
    return (raw_repr | local.included) & (FULL_BACKEND_MASK | ~local.excluded)


def _as_set(keys: DispatchKeySet | DispatchKey) -> DispatchKeySet:
    return DispatchKeySet(keys) if isinstance(keys, DispatchKey) else keys


@contextmanager
def IncludeDispatchKeyGuard(keys: DispatchKeySet | DispatchKey) -> Iterator[None]:
    """Calls in the block have these keys too, whatever their arguments."""
    local = raw_local_dispatch_key_set
    new = _as_set(keys).raw_repr & ~local.included
    local.included |= new
    try:
        yield
    finally:
        local.included &= ~new


@contextmanager
def ExcludeDispatchKeyGuard(keys: DispatchKeySet | DispatchKey) -> Iterator[None]:
    """Calls in the block pass these keys by."""
    local = raw_local_dispatch_key_set
    new = _as_set(keys).raw_repr & ~local.excluded
    local.excluded |= new
    try:
        yield
    finally:
        local.excluded &= ~new


@contextmanager
def ForceDispatchKeyGuard(included: DispatchKeySet, excluded: DispatchKeySet) -> Iterator[None]:
    """In the block the thread's sets are these two."""
    local = raw_local_dispatch_key_set
    found = local.included, local.excluded
    local.included, local.excluded = included.raw_repr, excluded.raw_repr
    try:
        yield
    finally:
        local.included, local.excluded = found


def AutoDispatchBelowAutograd() -> AbstractContextManager[None]:
    """No autograd in the block: `VariableType`'s guard around the computation itself."""
    return ExcludeDispatchKeyGuard(autograd_dispatch_keyset)


def AutoDispatchBelowADInplaceOrView() -> AbstractContextManager[None]:
    """Neither autograd nor `ADInplaceOrView` in the block."""
    return ExcludeDispatchKeyGuard(autograd_dispatch_keyset_with_ADInplaceOrView)
