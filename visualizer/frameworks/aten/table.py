"""PyTorch's registrations as a table to read and as JSON: an operator's schema, its kernels by
dispatch key, fallbacks, and the slots of the dispatch stubs."""

from __future__ import annotations

from typing import Any

from registry_runtime.aten.library.registered import Registration
from visualizer.frameworks.aten.dispatch_table import table_rows
from visualizer.frameworks.places import place
from visualizer.workbench.entries import Entry

_KERNELS = ("impl", "fallback", "stub")  # of which it can be said whether they run


def record(entry: Entry, registration: Registration, replaced: Entry | None) -> dict[str, Any]:
    """What JSON says of an entry; `replaced` is the one in whose place it stands."""
    statement = entry.statement_at
    return {
        "key": registration.key,
        "file": entry.where.file,
        "line": entry.where.line,
        "statement": {"line": statement.line, "column": statement.column},
        "kind": registration.kind,
        "function": registration.function,
        "replaces": place(replaced) if replaced else None,
        "runnable": registration.runnable,
        "table": _changes(registration),
    }


def row(entry: Entry, registration: Registration, replaced: Entry | None) -> tuple[str, ...]:
    """The cells of an entry's row."""
    declared = "no" if registration.function == "nullptr" else "declared"
    runs = "yes" if registration.runnable else declared
    runs = entry.stand_in.cell if entry.stand_in else runs
    return (
        registration.kernel_name,
        registration.key,
        registration.kind,
        registration.function,
        runs if registration.kind in _KERNELS else "",
        place(entry) + (f", replaces {place(replaced)}" if replaced else ""),
    )


def _changes(registration: Registration) -> dict[str, dict[str, str]]:
    """The slots of the operator's table that are other ones since: what they lead to, and why."""
    return {
        key: {"kernel": row.after, "reason": row.reason}
        for row in table_rows(registration)
        if row.changed
        for key in row.keys
    }
