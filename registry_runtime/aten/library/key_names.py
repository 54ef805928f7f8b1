"""Dispatch keys in the bodies of kernels: sets of them, and the guards that a block holds.

A kernel that hands a call on says which keys are still to come, and what the thread leaves out until
the end of the block.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager

from registry_runtime.aten.dispatch import dispatch_key_set
from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet
from registry_runtime.aten.dispatch.local_keys import (
    AutoDispatchBelowADInplaceOrView,
    AutoDispatchBelowAutograd,
    ExcludeDispatchKeyGuard,
    IncludeDispatchKeyGuard,
)
from registry_runtime.aten.errors import TorchError
from registry_runtime.cxx import Binding, Class, Constant


class ScopeGuard:
    """A C++ object that holds something for as long as its block lasts."""

    def __init__(self, held: AbstractContextManager[None]) -> None:
        self._held = held
        held.__enter__()

    def end(self) -> None:
        """What its destructor does."""
        self._held.__exit__(None, None, None)


def keys_and_guards() -> dict[str, Binding]:
    def guard(hold: Callable[..., AbstractContextManager[None]]) -> Class:
        return Class(lambda *values: ScopeGuard(hold(*values)), registers=False)

    key_sets = {
        f"c10::{name}": Constant(value)
        for name, value in vars(dispatch_key_set).items()
        if isinstance(value, DispatchKeySet)
    }
    return {
        **key_sets,
        "c10::DispatchKeySet": Class(_key_set, _KEY_SETS, registers=False),
        "at::AutoDispatchBelowAutograd": guard(AutoDispatchBelowAutograd),
        "at::AutoDispatchBelowADInplaceOrView": guard(AutoDispatchBelowADInplaceOrView),
        "c10::impl::ExcludeDispatchKeyGuard": guard(ExcludeDispatchKeyGuard),
        "c10::impl::IncludeDispatchKeyGuard": guard(IncludeDispatchKeyGuard),
    }


# c10::DispatchKeySet later(c10::DispatchKeySet::FULL_AFTER, key)
_KEY_SETS: Mapping[str, object] = {"FULL": "FULL", "FULL_AFTER": "FULL_AFTER"}


def _key_set(*values: object) -> DispatchKeySet:
    match values:
        case ("FULL",):
            return DispatchKeySet.full()
        case ("FULL_AFTER", DispatchKey() as key):
            return DispatchKeySet.full_after(key)
    keys = DispatchKeySet()
    for value in values[0] if values and isinstance(values[0], tuple) else values:
        if isinstance(value, DispatchKeySet):
            keys = keys | value
        elif isinstance(value, DispatchKey):
            keys = keys.add(value)
        else:
            raise TorchError("a DispatchKeySet is made of dispatch keys")
    return keys
