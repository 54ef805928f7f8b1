"""The registries of a program as tables to read and as one JSON object.

Each framework has columns of its own, so each has a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from registry_runtime.fluid.registered import Registration as FluidRegistration
from registry_runtime.phi.runtime import CompatRegistration
from registry_runtime.phi.runtime import Registration as PhiRegistration
from registry_runtime.program import Program
from visualizer.frameworks.aten import table as aten_registry
from visualizer.frameworks.phi import table as phi_registry
from visualizer.workbench.bench import Entry, replacements

Cells: TypeAlias = tuple[str, ...]


def as_json(
    entries: Sequence[Entry], program: Program, only: Iterable[Entry] | None = None
) -> dict[str, list[dict[str, Any]]]:
    """`{NAME: [{"key": …, "file": …, "line": …, "runnable": …, …}]}`, in the order of registration.

    Of PHI's entries, "inputs", "outputs" and "attributes" are what the braces left, "before" what
    they found, and "arguments" says of each C++ parameter what it became. Of PyTorch's, "kind" says
    what was registered, "statement" where in the block, and "table" what that made of the operator's
    computed table. Of Fluid's, an operator has its names and its gradient's call, a kernel the members
    of its key. `only` are those of the `entries` that are wanted.
    """
    replaced = replacements(entries)
    kernels: dict[str, list[dict[str, Any]]] = {}
    for entry in entries if only is None else only:
        registration, instead_of = entry.registration, replaced.get(entry)
        if isinstance(registration, PhiRegistration):
            record = phi_registry.record(entry, registration, instead_of, program.phi)
        elif isinstance(registration, CompatRegistration):
            record = phi_registry.compat_record(entry, registration, program.phi)
        elif isinstance(registration, FluidRegistration):
            from visualizer.frameworks.fluid import (
                table as fluid_registry,  # which needs all of Fluid's runtime
            )

            record = fluid_registry.record(entry, registration, instead_of)
        else:
            record = aten_registry.record(entry, registration, instead_of)
        kernels.setdefault(registration.kernel_name, []).append(record)
    return kernels


def as_table(
    entries: Sequence[Entry], program: Program, only: Iterable[Entry] | None = None
) -> Iterator[str]:
    """A line for each key, under its kernel's name: Fluid's operators and kernels, PHI's kernels, what
    joins operators of Fluid's to them, and PyTorch's operators."""
    replaced = replacements(entries)
    tables: dict[int, list[Cells]] = {}
    for entry in entries if only is None else only:
        order, columns, row = _row(entry, replaced.get(entry), program)
        tables.setdefault(order, [columns]).append(row)
    for index, order in enumerate(sorted(tables)):
        if index:
            yield ""
        yield from _laid_out(tables[order])


def _row(entry: Entry, instead_of: Entry | None, program: Program) -> tuple[int, Cells, Cells]:
    """Which of the tables the entry is in, that one's columns, and the cells."""
    registration = entry.registration
    if isinstance(registration, FluidRegistration):
        from visualizer.frameworks.fluid import table as fluid

        if registration.kind == "operator":
            cells = fluid.operator_row(entry, registration, program.fluid)
            return 0, fluid.OPERATOR_COLUMNS, cells
        return 1, fluid.KERNEL_COLUMNS, fluid.kernel_row(entry, registration, instead_of)
    if isinstance(registration, PhiRegistration):
        row = phi_registry.row(entry, registration, instead_of, program.phi)
        return 2, phi_registry.COLUMNS, row
    if isinstance(registration, CompatRegistration):
        row = phi_registry.compat_row(entry, registration, program.phi)
        return 3, phi_registry.COMPAT_COLUMNS, row
    return 4, aten_registry.COLUMNS, aten_registry.row(entry, registration, instead_of)


def _laid_out(rows: Sequence[Cells]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    previous = ""
    for name, *cells in rows:
        line = ["" if name == previous else name, *cells]
        previous = name
        yield "  ".join(map(str.ljust, line, widths)).rstrip()
