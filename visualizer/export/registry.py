"""The registry as a table to read and as JSON, and the way by which a key finds its kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from registry_runtime.phi.kernel import Kernel, KernelArgsDef, KernelRegisteredType, TensorArgDef
from registry_runtime.phi.runtime import Runtime
from registry_runtime.phi.selection import Selection
from visualizer.entry_story import argument_steps, held_in
from visualizer.workbench import Entry, replacements

_COLUMNS = ("kernel", "key", "C++ function", "runs", "braces", "held in", "where")


def as_json(entries: Sequence[Entry], runtime: Runtime) -> dict[str, list[dict[str, Any]]]:
    """`{NAME: [{"key": …, "file": …, "line": …, "runnable": …, …}]}`, in the order of registration.

    "inputs", "outputs" and "attributes" are what the braces left, "before" what they found.
    "arguments" says of each C++ parameter what it became.
    """
    replaced = replacements(entries)
    kernels: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        registration = entry.registration
        kernels.setdefault(registration.kernel_name, []).append(
            {
                "key": str(registration.key),
                "file": entry.where.file,
                "line": entry.where.line,
                "function": registration.function,
                "registration": registration.reg_type.name,
                "registered_type": registration.kernel.registered_type.name,
                "held_in": held_in(runtime, registration),
                "replaces": _place(replaced[entry]) if entry in replaced else None,
                "runnable": registration.kernel.runnable,
                "changed_by_braces": _changed_by_braces(entry),
                **_args_def(registration.kernel.args_def),
                "before": _args_def(registration.args_def_before),
                "arguments": [asdict(step) for step in argument_steps(registration)],
            }
        )
    return kernels


def as_table(entries: Sequence[Entry], runtime: Runtime) -> Iterator[str]:
    """A line for each key, under the kernel's name."""
    replaced = replacements(entries)
    rows = [_COLUMNS]
    previous = ""
    for entry in entries:
        registration = entry.registration
        name = registration.kernel_name
        instead = f", replaces {_place(replaced[entry])}" if entry in replaced else ""
        rows.append(
            (
                "" if name == previous else name,
                str(registration.key),
                registration.function,
                _runs(registration.kernel),
                "change it" if _changed_by_braces(entry) else "",
                held_in(runtime, registration),
                _place(entry) + instead,
            )
        )
        previous = name
    if len(rows) == 1:
        return
    widths = [max(len(row[i]) for row in rows) for i in range(len(_COLUMNS))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def selection_text(name: str, selection: Selection, entries: Iterable[Entry]) -> Iterator[str]:
    """The path by which a key was looked for, step by step, and where it ended."""
    yield f"{name} for {selection.key}"
    for number, step in enumerate(selection.steps, 1):
        yield f"  {number}. {step}"
    yield f"  => {selection.outcome}"
    if selection.result is None:
        return
    kernel = selection.result.kernel
    place = next((_place(e) for e in entries if e.registration.kernel is kernel), "")
    yield f"     {kernel.fn.name}  {place}"
    for transform in selection.transforms:
        yield f"     {transform}"


def selection_json(name: str, selection: Selection) -> dict[str, Any]:
    """The same as one object."""
    kernel = selection.result.kernel if selection.result else None
    return {
        "kernel": name,
        "key": str(selection.key),
        "steps": list(selection.steps),
        "outcome": selection.outcome,
        "function": kernel.fn.name if kernel else None,
        "transforms": list(selection.transforms),
        "error": selection.error or None,
    }


def _runs(kernel: Kernel) -> str:
    if kernel.registered_type is KernelRegisteredType.STRUCTURE:
        return "structure"
    return "yes" if kernel.runnable else "declared"


def _changed_by_braces(entry: Entry) -> bool:
    """Whether the trailing braces made the kernel's arguments other than its C++ type says."""
    return entry.registration.args_def_before != entry.registration.kernel.args_def


def _place(entry: Entry) -> str:
    return f"{entry.where.file}:{entry.where.line}"


def _args_def(args_def: KernelArgsDef) -> dict[str, Any]:
    return {
        "inputs": [_tensor(d) for d in args_def.input_defs],
        "outputs": [_tensor(d) for d in args_def.output_defs],
        "attributes": [str(d.type_index) for d in args_def.attribute_defs],
    }


def _tensor(definition: TensorArgDef) -> dict[str, str]:
    return {
        "backend": str(definition.backend),
        "layout": str(definition.layout),
        "dtype": str(definition.dtype),
        "type": str(definition.type_index),
    }
