"""PHI's kernels: one under each key, with a description of its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from registry_runtime.phi.kernel import KernelArgsDef
from registry_runtime.phi.registered import Registration
from visualizer.frameworks.phi import rows
from visualizer.frameworks.phi.story import runs_by_names
from visualizer.frameworks.presenter import Subject, Table, in_the_registry
from visualizer.layout.words import Parts

if TYPE_CHECKING:
    from registry_runtime.program import Program
    from visualizer.frameworks.runnable import Measurable, Runnable
    from visualizer.frameworks.tried import Tried
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry, Shown

_TABLE = Table(2, ("kernel", "key", "C++ function", "runs", "braces", "held in", "where"))


def label(registration: Registration) -> str:
    return str(registration.key)


def function(registration: Registration) -> str:
    return registration.function.replace("phi::", "")


def is_declared_only(registration: Registration) -> bool:
    return not registration.runnable and not runs_by_names(registration)


def arguments(registration: Registration) -> KernelArgsDef:
    return registration.kernel.args_def


def became(made: Sequence[Registration]) -> str:
    return in_the_registry(made, "kernel", "kernels", runs=True)


def dry_run(registration: Registration, program: Program) -> Tried:
    if not registration.runnable:
        return {}
    from registry_runtime.lab.phi.dry_run import dry_run  # it brings NumPy

    return dry_run(program.phi, registration)


def detail(
    bench: Workbench, shown: Shown, registration: Registration, width: int, tried: Tried | None
) -> list[Parts]:
    return rows.detail(bench, shown, registration, width, tried)


def about(bench: Workbench, entry: Entry, registration: Registration) -> Subject:
    from visualizer.frameworks.phi.calls import subject

    return subject(bench, entry, registration)


def to_run(bench: Workbench, entry: Entry, registration: Registration, size: int) -> Runnable:
    from visualizer.frameworks.phi import running

    return running.to_run(bench.program.phi, registration, size, bench)


def to_measure(bench: Workbench, entry: Entry, registration: Registration) -> Measurable:
    from visualizer.frameworks.phi import measuring

    return measuring.of_registration(bench.program.phi, registration)


def row(
    entry: Entry,
    registration: Registration,
    instead_of: Entry | None,
    program: Program,
    tried: Tried,
) -> tuple[Table, tuple[str, ...]]:
    from visualizer.frameworks.phi import table

    return _TABLE, table.row(entry, registration, instead_of, program.phi, tried)


def record(
    entry: Entry,
    registration: Registration,
    instead_of: Entry | None,
    program: Program,
    tried: Tried,
) -> dict[str, Any]:
    from visualizer.frameworks.phi import table

    return table.record(entry, registration, instead_of, program.phi, tried)
