"""The computed table of an operator of PyTorch's, told in as few rows as it takes.

The table has a slot for each of 137 runtime keys, and most of them say the same. Neighbours that lead
to the same kernel for the same reason, and did so before the registration too, make one row. Slots
that are empty, and were so before, make none.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from registry_runtime.aten.dispatch.dispatch_table import RUNTIME_KEYS
from registry_runtime.aten.library.registered import Registration

_EMPTY = ("", "missing")


@dataclass(frozen=True, slots=True)
class TableRow:
    """Keys that share a row. `before` and `after` say what they lead to, empty for nowhere; `reason`
    is the rule of precedence that decides since, `reason_before` the one that did."""

    keys: tuple[str, ...]
    before: str
    reason_before: str
    after: str
    reason: str

    @property
    def changed(self) -> bool:
        return (self.before, self.reason_before) != (self.after, self.reason)

    @property
    def spelled_keys(self) -> str:
        """`CPU`; `SparseCPU … SparseMeta (15)` where there are many."""
        if len(self.keys) <= 2:
            return ", ".join(self.keys)
        return f"{self.keys[0]} … {self.keys[-1]} ({len(self.keys)})"


def table_rows(registration: Registration) -> list[TableRow]:
    """The table after a registration; nothing for what has none, such as a stub's slot."""
    before, after = registration.table_before, registration.table_after
    if not before and not after:
        return []
    slots = (
        (key, before.get(key, _EMPTY), after.get(key, _EMPTY)) for key in map(str, RUNTIME_KEYS)
    )
    return [
        TableRow(tuple(key for key, _, _ in group), *was, *now)
        for (was, now), group in groupby(slots, key=lambda slot: slot[1:])
        if was != _EMPTY or now != _EMPTY
    ]
