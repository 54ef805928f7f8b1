"""What joins an operator of Fluid's to PHI, in rows: a mapping, a base name, or an InferMeta.

Such an entry is no kernel, so there is nothing of it to select or to measure; it says where a call by
names goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from visualizer.layout.rows import ACCENT, GOOD, QUIET, STRONG
from visualizer.layout.words import Look, Parts, clipped, prose

if TYPE_CHECKING:
    from registry_runtime.phi.runtime import CompatRegistration
    from visualizer.workbench.bench import Shown

_KINDS = {
    "argument mapping": "which kernel a call of the operator goes to, and its names in that order",
    "base kernel name": "the operator's name in PHI",
    "infer meta": "the shape and data type of what the kernels of this name give",
}


def detail(shown: Shown, registration: CompatRegistration, width: int) -> list[Parts]:
    """The entry in a few rows."""
    rows: list[Parts] = [
        [(registration.kernel_name, STRONG)],
        [(registration.key, ())],
        *prose(registration.function, width, QUIET),
        [_state(shown, registration), (f"  line {shown.entry.where.line}", QUIET)],
        *prose(told(registration), width, QUIET),
    ]
    return [clipped(row, width, "…") for row in rows]


def told(registration: CompatRegistration) -> str:
    """A sentence on what it is for."""
    return f"It says {_KINDS[registration.key]}."


def _state(shown: Shown, registration: CompatRegistration) -> tuple[str, Look]:
    if shown.pending:
        return "… still being produced", QUIET
    if registration.registered.ignored:
        return "passed over: an earlier one stays", ACCENT
    if registration.runnable:
        return "✓ found by calls of the operator", GOOD
    return "declared: no body", ACCENT
