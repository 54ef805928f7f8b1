"""The registry as a table to read and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from registry_runtime.phi.kernel import TensorArgDef
from visualizer.workbench import Entry

_COLUMNS = ("kernel", "key", "C++ function", "runs", "braces", "where")


def as_json(entries: Iterable[Entry]) -> dict[str, list[dict[str, Any]]]:
    """`{NAME: [{"key": …, "file": …, "line": …, "runnable": …, …}]}`, in the order of registration."""
    kernels: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        registration = entry.registration
        args_def = registration.kernel.args_def
        kernels.setdefault(registration.kernel_name, []).append(
            {
                "key": str(registration.key),
                "file": entry.where.file,
                "line": entry.where.line,
                "function": registration.function,
                "registration": registration.reg_type.name,
                "runnable": registration.kernel.runnable,
                "changed_by_braces": _changed_by_braces(entry),
                "inputs": [_tensor(d) for d in args_def.input_defs],
                "outputs": [_tensor(d) for d in args_def.output_defs],
                "attributes": [str(d.type_index) for d in args_def.attribute_defs],
            }
        )
    return kernels


def as_table(entries: Sequence[Entry]) -> Iterator[str]:
    """A line for each key, under the kernel's name."""
    rows = [_COLUMNS]
    previous = ""
    for entry in entries:
        registration = entry.registration
        name = registration.kernel_name
        rows.append(
            (
                "" if name == previous else name,
                str(registration.key),
                registration.function,
                "yes" if registration.kernel.runnable else "declared",
                "change it" if _changed_by_braces(entry) else "",
                f"{entry.where.file}:{entry.where.line}",
            )
        )
        previous = name
    if len(rows) == 1:
        return
    widths = [max(len(row[i]) for row in rows) for i in range(len(_COLUMNS))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _changed_by_braces(entry: Entry) -> bool:
    """Whether the trailing braces made the kernel's arguments other than its C++ type says."""
    return entry.registration.args_def_before != entry.registration.kernel.args_def


def _tensor(definition: TensorArgDef) -> dict[str, str]:
    return {
        "backend": str(definition.backend),
        "layout": str(definition.layout),
        "dtype": str(definition.dtype),
        "type": str(definition.type_index),
    }
