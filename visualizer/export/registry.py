"""The registries of a program as tables to read and as one JSON object.

Each framework has columns of its own, so each has a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from registry_runtime.phi.runtime import CompatRegistration
from registry_runtime.phi.runtime import Registration as PhiRegistration
from registry_runtime.program import Program
from visualizer.export import aten_registry, phi_registry
from visualizer.workbench import Entry, replacements


def as_json(
    entries: Sequence[Entry], program: Program, only: Iterable[Entry] | None = None
) -> dict[str, list[dict[str, Any]]]:
    """`{NAME: [{"key": …, "file": …, "line": …, "runnable": …, …}]}`, in the order of registration.

    Of PHI's entries, "inputs", "outputs" and "attributes" are what the braces left, "before" what
    they found, and "arguments" says of each C++ parameter what it became. Of PyTorch's, "kind" says
    what was registered, "statement" where in the block, and "table" what that made of the operator's
    computed table. `only` are those of the `entries` that are wanted.
    """
    replaced = replacements(entries)
    kernels: dict[str, list[dict[str, Any]]] = {}
    for entry in entries if only is None else only:
        registration, instead_of = entry.registration, replaced.get(entry)
        if isinstance(registration, PhiRegistration):
            record = phi_registry.record(entry, registration, instead_of, program.phi)
        elif isinstance(registration, CompatRegistration):
            record = phi_registry.compat_record(entry, registration)
        else:
            record = aten_registry.record(entry, registration, instead_of)
        kernels.setdefault(registration.kernel_name, []).append(record)
    return kernels


def as_table(
    entries: Sequence[Entry], program: Program, only: Iterable[Entry] | None = None
) -> Iterator[str]:
    """A line for each key, under the kernel's name: PHI's kernels, what joins operators of Fluid's to
    them, and PyTorch's operators."""
    replaced = replacements(entries)
    phi: list[tuple[str, ...]] = [phi_registry.COLUMNS]
    compat: list[tuple[str, ...]] = [phi_registry.COMPAT_COLUMNS]
    aten: list[tuple[str, ...]] = [aten_registry.COLUMNS]
    for entry in entries if only is None else only:
        registration, instead_of = entry.registration, replaced.get(entry)
        if isinstance(registration, PhiRegistration):
            phi.append(phi_registry.row(entry, registration, instead_of, program.phi))
        elif isinstance(registration, CompatRegistration):
            compat.append(phi_registry.compat_row(entry, registration))
        else:
            aten.append(aten_registry.row(entry, registration, instead_of))
    filled = [rows for rows in (phi, compat, aten) if len(rows) > 1]
    for index, rows in enumerate(filled):
        if index:
            yield ""
        yield from _laid_out(rows)


def _laid_out(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    previous = ""
    for name, *cells in rows:
        line = ["" if name == previous else name, *cells]
        previous = name
        yield "  ".join(map(str.ljust, line, widths)).rstrip()
