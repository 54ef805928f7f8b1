"""PyTorch's registrations as a table to read and as JSON: an operator's schema, its kernels by
dispatch key, fallbacks, and the slots of the dispatch stubs."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import shorten
from typing import Any

from registry_runtime.aten.library.registered import Registration
from registry_runtime.aten.runtime import Runtime
from visualizer.frameworks.aten.dispatch_table import table_rows
from visualizer.frameworks.places import place
from visualizer.workbench.entries import Entry

_REASON = 48  # characters of a refusal that a cell shows
# Where a call's tensors are, for a kernel of this key; the CPU for the others.
_TRIED_ON = {"Meta": "Meta", **dict.fromkeys(("CUDA", "HIP", "XPU", "MPS", "PrivateUse1"), "")}
_KERNELS = ("impl", "fallback", "stub")  # of which it can be said whether they run


def record(
    entry: Entry, registration: Registration, replaced: Entry | None, aten: Runtime
) -> dict[str, Any]:
    """What JSON says of an entry; `replaced` is the one in whose place it stands. "refused" is why a
    call isn't run, by data type: of Python's own kernels nothing is tried."""
    statement = entry.statement_at
    tried = _refused(registration, aten) if entry.stand_in is None else {}
    return {
        "key": registration.key,
        "file": entry.where.file,
        "line": entry.where.line,
        "statement": {"line": statement.line, "column": statement.column},
        "kind": registration.kind,
        "function": registration.function,
        "replaces": place(replaced) if replaced else None,
        "runnable": registration.runnable and not (tried and all(tried.values())),
        "refused": {dtype: why for dtype, why in tried.items() if why},
        "table": _changes(registration),
    }


def row(
    entry: Entry, registration: Registration, replaced: Entry | None, aten: Runtime
) -> tuple[str, ...]:
    """The cells of an entry's row."""
    declared = "no" if registration.function == "nullptr" else "declared"
    runs = _interpreted(registration, aten) if registration.runnable else declared
    runs = entry.stand_in.cell if entry.stand_in else runs
    return (
        registration.kernel_name,
        registration.key,
        registration.kind,
        registration.function,
        runs if registration.kind in _KERNELS else "",
        place(entry) + (f", replaces {place(replaced)}" if replaced else ""),
    )


def _interpreted(registration: Registration, aten: Runtime) -> str:
    """Of a body that is interpreted: whether a call of its operator runs, and with which data types."""
    refused = _refused(registration, aten)
    runs = [dtype for dtype, why in refused.items() if not why]
    if not refused:  # nothing was tried
        return "when called"
    if not runs:
        return shorten(f"no: {next(iter(refused.values()))}", _REASON, placeholder=" …")
    return "yes" if len(runs) == len(refused) else f"for {', '.join(runs)}"


def _refused(registration: Registration, aten: Runtime) -> Mapping[str, str]:
    """What a dry run says; empty for what no call by name leads to here."""
    backend = _TRIED_ON.get(registration.key, "CPU")
    if registration.kind != "impl" or not registration.runnable or not backend:
        return {}
    from registry_runtime.lab.aten.dry_run import dry_run

    return dry_run(aten, registration.kernel_name, backend)


def _changes(registration: Registration) -> dict[str, dict[str, str]]:
    """The slots of the operator's table that are other ones since: what they lead to, and why."""
    return {
        key: {"kernel": row.after, "reason": row.reason}
        for row in table_rows(registration)
        if row.changed
        for key in row.keys
    }
