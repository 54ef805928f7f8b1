"""Fluid's registrations: operators with their lists of names, and kernels, which are classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from registry_runtime.fluid.registered import Registration
from visualizer.frameworks.fluid import rows
from visualizer.frameworks.fluid.story import key_label, short
from visualizer.frameworks.presenter import Subject, Table, in_the_registry
from visualizer.layout.words import Parts

if TYPE_CHECKING:
    from registry_runtime.program import Program
    from visualizer.frameworks.runnable import Runnable
    from visualizer.frameworks.tried import Tried
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry, Shown

_OPERATORS = Table(
    0,
    (
        *("operator", "class", "inputs", "outputs", "attributes"),
        *("gradient", "shapes by", "where"),
    ),
)
_KERNELS = Table(
    1,
    (
        *("kernels of", "data type", "place", "layout", "library"),
        *("class", "runs", "where"),
    ),
)


def label(registration: Registration) -> str:
    return key_label(registration.key)


def function(registration: Registration) -> str:
    return short(registration.function)


def is_declared_only(registration: Registration) -> bool:
    return not registration.runnable


def arguments(registration: Registration) -> None:
    """A class asks for them while it runs."""
    return


def became(made: Sequence[Registration]) -> str:
    kind = made[0].kind
    return in_the_registry(made, kind, f"{kind}s", any(one.runnable for one in made))


def dry_run(registration: Registration, program: Program) -> Tried:
    from registry_runtime.lab.fluid.dry_run import dry_run

    return dry_run(program.fluid, registration)


def detail(
    bench: Workbench, shown: Shown, registration: Registration, width: int, tried: Tried | None
) -> list[Parts]:
    return rows.detail(shown, registration, width, tried)


def about(bench: Workbench, entry: Entry, registration: Registration) -> Subject:
    from visualizer.frameworks.fluid.calls import subject

    return subject(bench, entry, registration)


def to_run(bench: Workbench, entry: Entry, registration: Registration, size: int) -> Runnable:
    from visualizer.frameworks.fluid import running
    from visualizer.workbench.linking import linked

    return running.to_run(linked(bench).fluid, registration, bench.entries)


def to_measure(bench: Workbench, entry: Entry, registration: Registration) -> None:
    """There is nothing to compare its time with."""
    return


def row(
    entry: Entry,
    registration: Registration,
    instead_of: Entry | None,
    program: Program,
    tried: Tried,
) -> tuple[Table, tuple[str, ...]]:
    from visualizer.frameworks.fluid import table

    if registration.kind == "operator":
        return _OPERATORS, table.operator_row(entry, registration, program.fluid)
    return _KERNELS, table.kernel_row(entry, registration, instead_of, tried)


def record(
    entry: Entry,
    registration: Registration,
    instead_of: Entry | None,
    program: Program,
    tried: Tried,
) -> dict[str, Any]:
    from visualizer.frameworks.fluid import table

    return table.record(entry, registration, instead_of, tried)
