"""PyTorch's registrations: schemas, kernels for dispatch keys, fallbacks, libraries, stubs' slots."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from registry_runtime.aten.library.registered import Registration
from visualizer.frameworks.aten import rows
from visualizer.frameworks.presenter import Subject, Table, in_the_registry
from visualizer.layout.words import Parts

if TYPE_CHECKING:
    from registry_runtime.program import Program
    from visualizer.frameworks.runnable import Measurable, Runnable
    from visualizer.frameworks.tried import Tried
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry, Shown

_TABLE = Table(4, ("operator", "key", "kind", "schema or C++ function", "runs", "where"))


def label(registration: Registration) -> str:
    return rows.label(registration)


def function(registration: Registration) -> str:
    return registration.function


def is_declared_only(registration: Registration) -> bool:
    is_kernel = registration.kind in rows.KERNELS and registration.function != "nullptr"
    return is_kernel and not registration.runnable


def arguments(registration: Registration) -> None:
    """The schema has them, and that is an entry of its own."""
    return


def became(made: Sequence[Registration]) -> str:
    runs = any(one.kind in ("impl", "stub") and one.runnable for one in made)
    return in_the_registry(made, "entry", "entries", runs)


def dry_run(registration: Registration, program: Program) -> Tried:
    """Empty for what no call by name leads to here."""
    backend = _TRIED_ON.get(registration.key, "CPU")
    if registration.kind != "impl" or not registration.runnable or not backend:
        return {}
    from registry_runtime.lab.aten.dry_run import dry_run

    return dry_run(program.aten, registration.kernel_name, backend)


# Where a call's tensors are, for a kernel of this key; the CPU for the others.
_TRIED_ON = {"Meta": "Meta", **dict.fromkeys(("CUDA", "HIP", "XPU", "MPS", "PrivateUse1"), "")}


def detail(
    bench: Workbench, shown: Shown, registration: Registration, width: int, tried: Tried | None
) -> list[Parts]:
    return rows.detail(shown, registration, width, tried)


def about(bench: Workbench, entry: Entry, registration: Registration) -> Subject:
    from visualizer.frameworks.aten.calls import subject

    return subject(bench, entry, registration)


def to_run(bench: Workbench, entry: Entry, registration: Registration, size: int) -> Runnable:
    from visualizer.frameworks.aten import running
    from visualizer.workbench.linking import linked

    return running.to_run(linked(bench).aten, registration, bench.entries)


def to_measure(bench: Workbench, entry: Entry, registration: Registration) -> Measurable | None:
    """A stub's builds are timed against one another where they are compared."""
    from visualizer.frameworks.aten import measuring
    from visualizer.workbench.linking import linked

    if registration.kind == "stub":
        return None
    return measuring.of_operator(partial(linked, bench), registration.kernel_name)


def row(
    entry: Entry,
    registration: Registration,
    instead_of: Entry | None,
    program: Program,
    tried: Tried,
) -> tuple[Table, tuple[str, ...]]:
    from visualizer.frameworks.aten import table

    return _TABLE, table.row(entry, registration, instead_of, tried)


def record(
    entry: Entry,
    registration: Registration,
    instead_of: Entry | None,
    program: Program,
    tried: Tried,
) -> dict[str, Any]:
    from visualizer.frameworks.aten import table

    return table.record(entry, registration, instead_of, tried)
