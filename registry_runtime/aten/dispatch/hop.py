"""One step of a call through the dispatcher, told."""

from __future__ import annotations

from dataclasses import dataclass

from registry_runtime.aten.dispatch.dispatch_key import (
    FULL_BACKEND_MASK,
    DispatchKey,
)
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet
from registry_runtime.aten.dispatch.dispatch_table import AnnotatedKernel
from registry_runtime.aten.dispatch.operator_name import OperatorName


@dataclass(frozen=True, slots=True)
class Hop:
    """Whose turn it is, and what the operator's table has for it.

    `way` is `call`, `redispatch`, `callBoxed` or `redispatchBoxed`; `reason` PyTorch's word for why
    this kernel; `passed_by` the higher keys that are there and lead to a fallthrough, the highest
    first; `depth` counts the calls that this one is inside of. `str()` is the line that PyTorch's
    own trace prints (`TORCH_SHOW_DISPATCH_TRACE`).
    """

    way: str
    op: OperatorName
    keyset: DispatchKeySet
    key: DispatchKey
    kernel: AnnotatedKernel
    reason: str
    passed_by: tuple[DispatchKey, ...] = ()
    depth: int = 0

    def __str__(self) -> str:
        return f"{' ' * (self.depth + 1)}[{self.way}] op=[{self.op}], key=[{self.key}]"


def passed_by(everything: int, kept: int) -> tuple[DispatchKey, ...]:
    """The keys of a call that are higher than the one that is called, and were left out."""
    left_out = DispatchKeySet.from_raw_repr(everything & ~kept | everything & FULL_BACKEND_MASK)
    called = DispatchKeySet.from_raw_repr(kept).highest_functionality_key()
    keys: list[DispatchKey] = []
    while left_out.highest_functionality_key() > called:
        keys.append(left_out.highest_priority_type_id())
        left_out = left_out.remove(keys[-1])
    return tuple(keys)
