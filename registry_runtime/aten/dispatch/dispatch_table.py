"""Which of an operator's registrations serves a key, and why: the rule of precedence.

For each runtime key the first of these that there is:

1. a kernel registered for the key itself;
2. for a backend: `CompositeExplicitAutogradNonFunctional`, then `CompositeExplicitAutograd`;
3. for nested tensors: `CompositeImplicitAutogradNestedTensor`;
4. for backends and autograd: `CompositeImplicitAutograd`, which at an autograd key gives way if the
   backend has a kernel of its own, whose gradient it can't know. `AutogradOther` speaks for many
   backends; if one of those has a kernel, nobody can say who is meant, and the slot is an error;
5. for autograd: `Autograd`; for vmap: `FuncTorchBatchedDecomposition`;
6. the fallback for the key, which serves all operators;
7. nothing: the slot is missing.

This is `computeDispatchTableEntryWithDebug` of `OperatorEntry.cpp`, with its words for the reasons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from registry_runtime.aten.dispatch.alias_keys import (
    get_backend_key_set_from_autograd,
    get_runtime_dispatch_key_set,
    is_included_in_alias,
)
from registry_runtime.aten.dispatch.dispatch_key import (
    NUM_RUNTIME_ENTRIES,
    DispatchKey,
    is_alias_dispatch_key,
)
from registry_runtime.aten.dispatch.dispatch_key_set import (
    DispatchKeySet,
    autogradother_backends,
    get_dispatch_table_index_for_dispatch_key,
)
from registry_runtime.aten.dispatch.kernel_function import (
    KernelFunction,
    makeAmbiguousAutogradOther,
)
from registry_runtime.aten.schema.function_schema import FunctionSchema


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatedKernel:
    """`c10::impl::AnnotatedKernel`: a kernel, the schema inferred from its type, and who says so:
    `debug` tells the file and the line."""

    kernel: KernelFunction = field(default_factory=KernelFunction)
    inferred_function_schema: FunctionSchema | None = None
    debug: str = ""


Kernels = Mapping[DispatchKey, Sequence[AnnotatedKernel]]

MISSING_KERNEL = AnnotatedKernel()
AMBIGUOUS_AUTOGRAD_OTHER_KERNEL = AnnotatedKernel(
    makeAmbiguousAutogradOther(), None, "ambiguous_autogradother"
)

# Undefined is a slot too, where calls without tensors arrive; but no set can hold it.
RUNTIME_KEYS = (DispatchKey.Undefined, *DispatchKeySet.full())
SLOTS = {key: get_dispatch_table_index_for_dispatch_key(key) for key in RUNTIME_KEYS}
RUNTIME_KEY_OF_SLOT = {slot: key for key, slot in SLOTS.items()}


def no_fallbacks() -> list[AnnotatedKernel]:
    """A fallback for each slot: none yet (`Dispatcher::backendFallbackKernels_`)."""
    return [MISSING_KERNEL] * NUM_RUNTIME_ENTRIES


@cache
def slots_that_depend_on(key: DispatchKey) -> tuple[DispatchKey, ...]:
    """The slots that may change when something is registered for that key, or withdrawn.

    They are more than the keys that it stands for, because a composite kernel gives way at an
    autograd key to what a backend has. PyTorch computes fewer anew: 2.13 keeps the old kernel at
    `AutogradOther` when a sparse or quantized backend gets one, at `AutogradNestedTensor` when
    nested tensors do, and at all autograd keys when `CompositeExplicitAutograd` does. Its own check
    of its invariants fails then (`_dispatch_check_invariants`), so this can't be meant.
    """
    slots = set(get_runtime_dispatch_key_set(key))
    slots |= {k for k in RUNTIME_KEYS if _depends(k, key)}
    if key in (DispatchKey.Undefined, _MATH, *_DEFAULT_BACKEND):
        slots |= {DispatchKey.Undefined}
    if key is DispatchKey.CompositeExplicitAutograd:
        slots |= set(get_runtime_dispatch_key_set(_MATH))
    return tuple(slots)


@cache
def _aliases(key: DispatchKey) -> frozenset[DispatchKey]:
    aliases = filter(is_alias_dispatch_key, DispatchKey)
    return frozenset(alias for alias in aliases if is_included_in_alias(key, alias))


@cache
def _backends(key: DispatchKey) -> DispatchKeySet:
    return get_backend_key_set_from_autograd(key)


def _depends(autograd: DispatchKey, backend: DispatchKey) -> bool:
    bits = DispatchKeySet(backend)  # none for an alias, and none for Undefined
    return bool(bits) and _backends(autograd).has_all(bits)


def compute_dispatch_table_entry(
    kernels: Kernels, fallbacks: Sequence[AnnotatedKernel], key: DispatchKey
) -> tuple[AnnotatedKernel, str]:
    """What a call with that runtime key runs, and PyTorch's word for why."""
    if key in kernels:
        return kernels[key][0], "kernel"
    aliases = _aliases(key)
    undefined = key is DispatchKey.Undefined
    for alias in _DEFAULT_BACKEND:
        if (undefined or alias in aliases) and alias in kernels:
            return kernels[alias][0], "default backend kernel"
    if _NESTED in aliases and _NESTED in kernels:
        return kernels[_NESTED][0], "nested kernel"
    if (undefined or _MATH in aliases) and _MATH in kernels:
        if key is DispatchKey.AutogradOther and has_kernel_for_any(kernels, autogradother_backends):
            return AMBIGUOUS_AUTOGRAD_OTHER_KERNEL, "ambiguous autogradother"
        if DispatchKey.CompositeExplicitAutograd not in kernels and not has_kernel_for_any(
            kernels, _backends(key)
        ):
            return kernels[_MATH][0], "math kernel"
    for alias, reason in _LAST_ALIASES:
        if alias in aliases and alias in kernels:
            return kernels[alias][0], reason
    fallback = fallbacks[SLOTS[key]]
    if fallback.kernel.isValid():
        return fallback, "backend fallback"
    return MISSING_KERNEL, "missing"


_DEFAULT_BACKEND = (
    DispatchKey.CompositeExplicitAutogradNonFunctional,
    DispatchKey.CompositeExplicitAutograd,
)
_NESTED = DispatchKey.CompositeImplicitAutogradNestedTensor
_MATH = DispatchKey.CompositeImplicitAutograd
_LAST_ALIASES = (
    (DispatchKey.Autograd, "autograd kernel"),
    (DispatchKey.FuncTorchBatchedDecomposition, "batched kernel"),
)


def has_kernel_for_any(kernels: Kernels, keys: DispatchKeySet) -> bool:
    """Whether something is registered for one of those runtime keys (an alias does not count)."""
    return any(not is_alias_dispatch_key(key) and keys.has(key) for key in kernels)
