"""PHI's registry as a table to read and as JSON, and the way by which a key finds its kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from registry_runtime.phi.kernel import Kernel, KernelArgsDef, KernelRegisteredType, TensorArgDef
from registry_runtime.phi.registered import Registration
from registry_runtime.phi.runtime import Runtime
from visualizer.frameworks.phi.story import argument_steps, held_in, runs_by_names
from visualizer.frameworks.places import place
from visualizer.frameworks.tried import Tried, cell, refused, runs
from visualizer.workbench.entries import Entry

if TYPE_CHECKING:
    from registry_runtime.phi.selection import Selection


def record(
    entry: Entry,
    registration: Registration,
    replaced: Entry | None,
    runtime: Runtime,
    tried: Tried,
) -> dict[str, Any]:
    """What JSON says of an entry; `replaced` is the one in whose place it stands. "refused" is why a
    call isn't run, by data type."""
    return {
        "key": str(registration.key),
        "file": entry.where.file,
        "line": entry.where.line,
        "function": registration.function,
        "registration": registration.reg_type.name,
        "registered_type": registration.kernel.registered_type.name,
        "held_in": held_in(runtime, registration),
        "replaces": place(replaced) if replaced else None,
        "runnable": (registration.runnable and runs(tried)) or runs_by_names(registration),
        "refused": refused(tried),
        "changed_by_braces": _changed_by_braces(registration),
        **_args_def(registration.kernel.args_def),
        "before": _args_def(registration.args_def_before),
        "arguments": [asdict(step) for step in argument_steps(registration)],
    }


def row(
    entry: Entry,
    registration: Registration,
    replaced: Entry | None,
    runtime: Runtime,
    tried: Tried,
) -> tuple[str, ...]:
    """The cells of an entry's row."""
    return (
        registration.kernel_name,
        str(registration.key),
        registration.function,
        _runs(entry, registration, tried),
        "change it" if _changed_by_braces(registration) else "",
        held_in(runtime, registration),
        place(entry) + (f", replaces {place(replaced)}" if replaced else ""),
    )


def selection_text(name: str, selection: Selection, entries: Iterable[Entry]) -> Iterator[str]:
    """The path by which a key was looked for, step by step, and where it ended."""
    yield f"{name} for {selection.key}"
    for number, step in enumerate(selection.steps, 1):
        yield f"  {number}. {step}"
    yield f"  => {selection.outcome}"
    if selection.result is None:
        return
    kernel = selection.result.kernel
    registered = next((place(e) for e in entries if _is_of(e.registration, kernel)), "")
    yield f"     {kernel.fn.name}  {registered}"
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


def _is_of(registration: object, kernel: Kernel) -> bool:
    return isinstance(registration, Registration) and registration.kernel is kernel


def _runs(entry: Entry, registration: Registration, tried: Tried) -> str:
    if entry.stand_in is not None:
        on_a_gpu = ", on a GPU" if registration.kernel.context == "GPU" else ""
        return cell(f"{entry.stand_in.cell}{on_a_gpu}", tried)
    if runs_by_names(registration):
        return "by names"
    if registration.kernel.registered_type is KernelRegisteredType.STRUCTURE:
        return "structure"
    function = registration.kernel.function
    return "declared" if function is None or function.type is not None else "undeclared"


def _changed_by_braces(registration: Registration) -> bool:
    """Whether the trailing braces made the kernel's arguments other than its C++ type says."""
    return registration.args_def_before != registration.kernel.args_def


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
