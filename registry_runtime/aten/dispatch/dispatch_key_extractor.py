"""The keys of one call: from its arguments, from its thread, less what this operator passes by.

Each operator has its own `DispatchKeyExtractor`. It knows where the operator's tensors are on the
stack, and which keys lead to a fallthrough in the operator's table. Those keys are left out here,
with one AND, and never looked up. Mostly one mask serves all backends; only where a backend has a
fallthrough and another doesn't are there as many masks as backends.

The arithmetic is on plain integers (`DispatchKeySet.raw_repr`), for it is done in every call.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from registry_runtime.aten.dispatch.dispatch_key import (
    FULL_BACKEND_MASK,
    NUM_BACKENDS,
    DispatchKey,
    to_backend_component,
)
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet
from registry_runtime.aten.dispatch.local_keys import raw_local_dispatch_key_set, with_local_keys
from registry_runtime.aten.schema.function_schema import FunctionSchema

# An optional list of tensors is not among them: `isDispatchType` doesn't look into one.
_DISPATCH_TYPES = frozenset({"Tensor", "Tensor?", "Tensor[]", "Tensor?[]"})
# What surely has no keys: to ask a number for an attribute costs more than to know its type.
_KEYLESS = frozenset({bool, int, float, complex, str, type(None)})


def keys_of_arguments(arguments: Iterable[Any]) -> int:
    """What the tensors among the arguments, and in lists among them, carry together.

    A tensor is what has a `key_set`: a generator has one too (`detail::MultiDispatchKeySet`).
    """
    raw = 0
    for argument in arguments:
        if type(argument) in _KEYLESS:
            continue
        keys = getattr(argument, "key_set", None)
        if keys is not None:
            raw |= keys.raw_repr
        elif isinstance(argument, list | tuple):
            raw |= keys_of_arguments(argument)
    return raw


class DispatchKeyExtractor:
    """`c10::DispatchKeyExtractor`, of one operator."""

    def __init__(self) -> None:
        full = DispatchKeySet.full().raw_repr
        self.non_fallthrough_keys_per_backend = [full] * NUM_BACKENDS
        self.non_fallthrough_keys = full  # the one that serves all backends
        self.requires_bitset_per_backend = False
        # Counted from the top of the stack, where the operator's last argument lies.
        self.dispatch_arg_indices_reverse: tuple[int, ...] = ()

    def register_schema(self, schema: FunctionSchema) -> None:
        """Remember which of the operator's arguments are tensors."""
        from_the_last = enumerate(reversed(schema.arguments))
        self.dispatch_arg_indices_reverse = tuple(
            i for i, argument in from_the_last if str(argument.type) in _DISPATCH_TYPES
        )

    def deregister_schema(self) -> None:
        """Forget them again."""
        self.dispatch_arg_indices_reverse = ()

    def unboxed(self, arguments: Iterable[Any]) -> int:
        """The keys of a call with those arguments (`getDispatchKeySetUnboxed`)."""
        # with_local_keys and without_fallthroughs, written out: this is in the way of every call.
        local = raw_local_dispatch_key_set
        raw = keys_of_arguments(arguments) | local.included
        raw &= FULL_BACKEND_MASK | ~local.excluded
        if self.requires_bitset_per_backend:
            return self.without_fallthroughs(raw)
        return raw & self.non_fallthrough_keys

    def boxed(self, stack: list[Any]) -> int:
        """The keys of a call whose arguments lie on the stack, fallthroughs still among them."""
        tensors = [stack[-1 - i] for i in self.dispatch_arg_indices_reverse]
        return with_local_keys(keys_of_arguments(tensors))

    def without_fallthroughs(self, raw_repr: int) -> int:
        """The keys of those that lead to a kernel, or to nothing at all."""
        if self.requires_bitset_per_backend:
            backend = ((raw_repr & FULL_BACKEND_MASK) >> 1).bit_length()
            return raw_repr & self.non_fallthrough_keys_per_backend[backend]
        return raw_repr & self.non_fallthrough_keys

    def set_operator_has_fallthrough_for_key(self, key: DispatchKey, has_fallthrough: bool) -> None:
        """Called for each slot that changes (`setOperatorHasFallthroughForKey`)."""
        bit = DispatchKeySet(key).raw_repr & ~FULL_BACKEND_MASK

        def changed(mask: int) -> int:
            return mask & ~bit if has_fallthrough else mask | bit

        masks = self.non_fallthrough_keys_per_backend
        backend = to_backend_component(key)
        if backend:
            masks[backend - 1] = changed(masks[backend - 1])
            self.requires_bitset_per_backend = any(mask != masks[0] for mask in masks)
        else:
            masks[:] = [changed(mask) for mask in masks]
        self.non_fallthrough_keys = masks[0]

    def dumpState(self) -> str:
        """Which stack positions hold tensors, from the top, and the keys that are looked up."""
        tensors = "".join("01"[i in self.dispatch_arg_indices_reverse] for i in range(64))
        return f"{tensors} {DispatchKeySet.from_raw_repr(self.non_fallthrough_keys)}\n"
