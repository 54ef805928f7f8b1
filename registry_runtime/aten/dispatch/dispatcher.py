"""PyTorch's dispatcher: the way of a call to its kernel.

A call asks its arguments which keys they carry, takes the highest, and runs the kernel that the
operator's table has for it. That kernel does its part, autograd's say, and calls the operator again
with the keys below its own: a *redispatch*. So a call of `add` on tensors that require gradients
goes `AutogradCPU → CPU`, and one of `add_` `AutogradCPU → ADInplaceOrView → CPU`. Keys that would lead
to a fallthrough are left out before anything is looked up.

What is registered, and registering itself, is in `operator_registry`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from registry_runtime.aten.dispatch.dispatch_key_extractor import keys_of_arguments
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet, dispatch_table_index
from registry_runtime.aten.dispatch.dispatch_table import RUNTIME_KEY_OF_SLOT
from registry_runtime.aten.dispatch.hop import Hop, passed_by
from registry_runtime.aten.dispatch.kernel_function import Stack
from registry_runtime.aten.dispatch.local_keys import with_local_keys
from registry_runtime.aten.dispatch.operator_handle import OperatorHandle, OpRegistrationListener
from registry_runtime.aten.dispatch.operator_registry import OperatorRegistry
from registry_runtime.aten.dispatch.registration_handle import RegistrationHandleRAII

__all__ = [
    "Dispatcher",
    "Hop",
    "OpRegistrationListener",
    "OperatorHandle",
    "RegistrationHandleRAII",
]


class Dispatcher(OperatorRegistry):
    """`c10::Dispatcher`. `tell`, while it is set, hears of each hop of each call."""

    tell: Callable[[Hop], None] | None = None
    _depth = 0

    def call(self, op: OperatorHandle, *arguments: Any) -> Any:
        """Run an operator on all of its arguments, in order. Raises NotImplementedTorchError."""
        short_way = op.operatorDef_.short_way
        if short_way is not None:
            return short_way(*arguments)
        return self.call_the_long_way(op, *arguments)

    def call_the_long_way(self, op: OperatorHandle, *arguments: Any) -> Any:
        """The same, whatever earlier calls came down to."""
        entry = op.operatorDef_.op
        raw = entry.dispatchKeyExtractor_.unboxed(arguments)
        if self.tell is None:
            kernel = entry.dispatchTable_[dispatch_table_index(raw)]
            # The way of nearly all calls. A key set is made only for those who ask for it.
            if kernel.unboxed is not None and not kernel.with_keyset:
                return kernel.unboxed(*arguments)
            return entry.lookup_raw(raw).call(op, DispatchKeySet.from_raw_repr(raw), *arguments)
        everything = with_local_keys(keys_of_arguments(arguments))
        with self._told("call", op, raw, everything):
            return entry.lookup_raw(raw).call(op, DispatchKeySet.from_raw_repr(raw), *arguments)

    def redispatch(self, op: OperatorHandle, keys: DispatchKeySet, *arguments: Any) -> Any:
        """Go on with a call: the same operator, for the keys that are left."""
        entry = op.operatorDef_.op
        if self.tell is None:
            return entry.lookup(keys).call(op, keys, *arguments)
        with self._told("redispatch", op, keys.raw_repr, keys.raw_repr):
            return entry.lookup(keys).call(op, keys, *arguments)

    def callBoxed(self, op: OperatorHandle, stack: Stack) -> None:
        """Run an operator on the arguments on top of the stack; its results take their place."""
        entry = op.operatorDef_.op
        everything = entry.dispatchKeyExtractor_.boxed(stack)
        raw = entry.dispatchKeyExtractor_.without_fallthroughs(everything)
        with self._told("callBoxed", op, raw, everything):
            entry.lookup_raw(raw).callBoxed(op, DispatchKeySet.from_raw_repr(raw), stack)

    def redispatchBoxed(self, op: OperatorHandle, keys: DispatchKeySet, stack: Stack) -> None:
        """Go on with a boxed call, for the keys that are left."""
        with self._told("redispatchBoxed", op, keys.raw_repr, keys.raw_repr):
            op.operatorDef_.op.lookup(keys).callBoxed(op, keys, stack)

    def _told(
        self, way: str, op: OperatorHandle, raw: int, everything: int
    ) -> AbstractContextManager[None]:
        return nullcontext() if self.tell is None else self._tell(way, op, raw, everything)

    @contextmanager
    def _tell(self, way: str, op: OperatorHandle, raw: int, everything: int) -> Iterator[None]:
        assert self.tell is not None
        key = RUNTIME_KEY_OF_SLOT[dispatch_table_index(raw)]
        annotated, reason = op.operatorDef_.op.computeDispatchTableEntryWithDebug(key)
        keys, skipped = DispatchKeySet.from_raw_repr(raw), passed_by(everything, raw)
        name = op.operator_name()
        self.tell(Hop(way, name, keys, key, annotated, reason, skipped, self._depth))
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
