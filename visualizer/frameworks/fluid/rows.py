"""An entry of Fluid's registries, in rows.

An operator is all that its classes said: the names that its maker lists, each with the line on which
it was added, the call of its gradient, the function that says what comes out. A kernel is its key and
its class. The key is shown beside PHI's, which kept three of its five members, and of the class what
its body will ask for, since no type says it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from registry_runtime.fluid.op_info import OpInfo
from registry_runtime.fluid.op_kernel_type import ClassKernel
from visualizer.frameworks.bodies import another_body
from visualizer.frameworks.fluid.common_rows import declared, names
from visualizer.frameworks.fluid.kernel_rows import kernel
from visualizer.frameworks.fluid.operator_rows import operator
from visualizer.frameworks.fluid.story import asked_for, key_label, proto_rows, short
from visualizer.frameworks.tried import mark, why_not
from visualizer.layout.rows import ACCENT, GOOD, QUIET, STRONG
from visualizer.layout.words import Parts, Styles, clipped, prose

if TYPE_CHECKING:
    from registry_runtime.fluid.registered import Registration
    from visualizer.frameworks.tried import Tried
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry, Shown


def detail(
    shown: Shown, registration: Registration, width: int, tried: Tried | None
) -> list[Parts]:
    """The registration in a few rows."""
    rows: list[Parts] = [
        [(registration.op_type, STRONG)],
        [(key_label(registration.key), ())],
        *prose(short(registration.function), width, QUIET),
        [_state(shown, registration, tried), (f"  line {shown.entry.where.line}", QUIET)],
        *why_not(tried, width),
        *another_body(shown.entry, width),
    ]
    if registration.kind == "kernel":
        asked = asked_for(cast(ClassKernel, registration.entered).kernel_type)
        rows += names(asked, width)
    else:
        info = cast(OpInfo, registration.entered)
        for row in proto_rows(info.proto) if info.proto else ():
            rows.append([(f"{row.kind:>6}  ", QUIET), *declared(row)])
        if info.infer_shape:
            rows.append([("shapes  ", QUIET), (short(info.infer_shape.function.name), ())])
        if info.grad_op_maker:
            rows.append([("  grad  ", QUIET), (short(str(info.grad_op_maker)), ())])
    return [clipped(row, width, "…") for row in rows]


def _state(shown: Shown, registration: Registration, tried: Tried | None) -> tuple[str, Styles]:
    if shown.pending:
        return "… still being produced", QUIET
    if registration.kind == "operator":
        return "✓ in OpInfoMap: r calls it", GOOD
    if registration.runnable:
        return mark("✓ runnable: r calls the operator", "✗ a call of it is refused", tried)
    return "declared only", ACCENT


def all_about(
    bench: Workbench, entry: Entry, registration: Registration, width: int
) -> list[Parts]:
    """What was registered, and all that follows from it."""
    told = kernel if registration.kind == "kernel" else operator
    rows: list[Parts] = []
    for section in told(bench, entry, registration, width):
        rows += [[], *section] if rows and section else section
    return rows
