"""PyTorch's registrations as a table to read and as JSON: an operator's schema, its kernels by
dispatch key, fallbacks, and the slots of the dispatch stubs."""

from __future__ import annotations

from typing import Any

from registry_runtime.aten.library.registered import Registration
from visualizer.frameworks.aten.dispatch_table import table_rows
from visualizer.frameworks.places import place
from visualizer.frameworks.tried import Tried, cell, refused, runs
from visualizer.workbench.entries import Entry

_KERNELS = ("impl", "fallback", "stub")  # of which it can be said whether they run


def record(
    entry: Entry, registration: Registration, replaced: Entry | None, tried: Tried
) -> dict[str, Any]:
    """What JSON says of an entry; `replaced` is the one in whose place it stands. "refused" is why a
    call isn't run, by data type."""
    statement = entry.statement_at
    return {
        "key": registration.key,
        "file": entry.where.file,
        "line": entry.where.line,
        "statement": {"line": statement.line, "column": statement.column},
        "kind": registration.kind,
        "function": registration.function,
        "replaces": place(replaced) if replaced else None,
        "runnable": registration.runnable and runs(tried),
        "refused": refused(tried),
        "table": _changes(registration),
    }


def row(
    entry: Entry, registration: Registration, replaced: Entry | None, tried: Tried
) -> tuple[str, ...]:
    """The cells of an entry's row."""
    return (
        registration.kernel_name,
        registration.key,
        registration.kind,
        registration.function,
        _runs(entry, registration, tried) if registration.kind in _KERNELS else "",
        place(entry) + (f", replaces {place(replaced)}" if replaced else ""),
    )


def _runs(entry: Entry, registration: Registration, tried: Tried) -> str:
    if not registration.runnable:
        return "no" if registration.function == "nullptr" else "declared"
    of_text = "yes" if tried else "when called"
    return cell(entry.stand_in.cell if entry.stand_in else of_text, tried)


def _changes(registration: Registration) -> dict[str, dict[str, str]]:
    """The slots of the operator's table that are other ones since: what they lead to, and why."""
    return {
        key: {"kernel": row.after, "reason": row.reason}
        for row in table_rows(registration)
        if row.changed
        for key in row.keys
    }
