"""Fluid's registries as tables to read and as JSON: operators by their names, and kernels by their
keys; and the way by which a call finds one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from registry_runtime.fluid.grad_op_maker import OpDesc
from registry_runtime.fluid.name_check import operator_names
from registry_runtime.fluid.op_info import OpInfo
from registry_runtime.fluid.op_kernel_type import ClassKernel, OpKernelType
from registry_runtime.fluid.op_proto import OpProto
from registry_runtime.fluid.registered import Registration
from registry_runtime.fluid.runtime import Runtime
from registry_runtime.fluid.selection import Selection
from visualizer.frameworks.fluid.story import (
    ProtoRow,
    asked_for,
    gradient_call,
    infer_meta_name,
    infers_shapes,
    no_kernel_needs,
    proto_rows,
    short,
)
from visualizer.frameworks.places import place
from visualizer.frameworks.tried import Tried, cell, refused, runs
from visualizer.workbench.entries import Entry


def operator_row(entry: Entry, registration: Registration, fluid: Runtime) -> tuple[str, ...]:
    """The cells of an operator's row. A gradient, which has no maker, has the names
    that its operator's grad op maker sets."""
    info = cast(OpInfo, registration.entered)
    rows = proto_rows(info.proto) if info.proto else []
    found = None if info.proto else operator_names(fluid.world, registration.op_type)
    return (
        registration.op_type,
        short(str(info.op_class or "")),
        ", ".join(found.inputs) if found else _named(rows, "input"),
        ", ".join(found.outputs) if found else _named(rows, "output"),
        _named(rows, "attr"),
        _gradient(registration.op_type, info),
        short(infers_shapes(info)) or "nothing",
        place(entry),
    )


def kernel_row(
    entry: Entry, registration: Registration, replaced: Entry | None, tried: Tried
) -> tuple[str, ...]:
    """The cells of a kernel's row."""
    key = cast(OpKernelType, registration.key)
    return (
        registration.op_type,
        short(str(key.data_type)),
        str(key.place),
        str(key.data_layout),
        str(key.library_type),
        short(registration.function),
        _runs(registration, tried),
        place(entry) + (f", replaces {place(replaced)}" if replaced else ""),
    )


def _runs(registration: Registration, tried: Tried) -> str:
    if not registration.runnable:
        return "declared"
    return cell("yes" if tried else "when called", tried)


def record(
    entry: Entry, registration: Registration, replaced: Entry | None, tried: Tried
) -> dict[str, Any]:
    """What JSON says of an entry; `replaced` is the one in whose place it stands. "refused" is why a
    call isn't run, by data type."""
    common = {
        "key": str(registration.key),
        "file": entry.where.file,
        "line": entry.where.line,
        "kind": f"fluid {registration.kind}",
        "function": registration.function,
        "classes": list(registration.args),
        "replaces": place(replaced) if replaced else None,
        "runnable": registration.runnable and runs(tried),
        "refused": refused(tried),
    }
    if registration.kind == "operator":
        return common | _operator(registration.op_type, cast(OpInfo, registration.entered))
    key, kernel = cast(OpKernelType, registration.key), cast(ClassKernel, registration.entered)
    asked = asked_for(kernel.kernel_type)
    return common | {
        "data_type": str(key.data_type),
        "place": str(key.place),
        "layout": str(key.data_layout),
        "library": str(key.library_type),
        "asks_for": {
            "inputs": list(asked.inputs),
            "outputs": list(asked.outputs),
            "attributes": list(asked.attrs),
        },
    }


def selection_text(selection: Selection, entries: Iterable[Entry]) -> Iterator[str]:
    """The path by which an operator's kernel was looked for, and where it ended."""
    yield f"{selection.op_type} for {selection.key}"
    for number, step in enumerate(selection.steps, 1):
        yield f"  {number}. {step}"
    yield f"  => {selection.outcome}"
    if selection.kernel is not None:
        held = (e for e in entries if _is_of(e.registration, selection.kernel))
        registered = next(map(place, held), "")
        yield f"     {selection.function}  {registered}".rstrip()


def selection_json(selection: Selection) -> dict[str, Any]:
    """The same as one object."""
    return {
        "operator": selection.op_type,
        "key": str(selection.key),
        "steps": list(selection.steps),
        "outcome": selection.outcome,
        "function": selection.function or None,
        "error": selection.error or None,
    }


def _is_of(registration: object, kernel: object) -> bool:
    return kernel in (getattr(registration, "entered", None), getattr(registration, "kernel", None))


def _named(rows: Iterable[ProtoRow], kind: str) -> str:
    return ", ".join(map(_declared, (row for row in rows if row.kind == kind)))


def _declared(row: ProtoRow) -> str:
    """`Input`, `Bias (dispensable)`, `int axis = 0`."""
    typed = f"{row.type} {row.name}".strip() + (f" = {row.default}" if row.default else "")
    return f"{typed} ({', '.join(row.flags)})" if row.flags else typed


def _gradient(op_type: str, info: OpInfo) -> str:
    if info.use_empty_grad_op_desc_maker:
        return "none: EmptyGradOpMaker"
    call = gradient_call(op_type, info)
    if isinstance(call, str):
        return "its maker fails"
    return call.type if call else ""


def _operator(op_type: str, info: OpInfo) -> dict[str, Any]:
    rows = proto_rows(info.proto or OpProto(op_type), of_every_operator=True)
    call = gradient_call(op_type, info)
    return {
        "inputs": [_name(row) for row in rows if row.kind == "input"],
        "outputs": [_name(row) for row in rows if row.kind == "output"],
        "attributes": [
            _name(row) | {"type": row.type, "default": row.default or None}
            for row in rows
            if row.kind == "attr"
        ],
        "has_maker": info.proto is not None,
        "infer_shape": infers_shapes(info) or None,
        "infer_meta": infer_meta_name(info) or None,
        "grad_op_maker": str(info.grad_op_maker) if info.grad_op_maker else None,
        "gradient": _call(call) if isinstance(call, OpDesc) else None,
        "no_need_buffer_vars": list(no_kernel_needs(info)),
    }


def _name(row: ProtoRow) -> dict[str, Any]:
    return {"name": row.name, "flags": list(row.flags), "comment": row.comment}


def _call(call: OpDesc) -> dict[str, Any]:
    return {"type": call.type, "inputs": call.inputs, "outputs": call.outputs}
