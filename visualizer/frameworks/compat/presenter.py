"""What joins an operator of Fluid's to PHI: a mapping, a base name, or an InferMeta.

Such an entry is no kernel, so there is nothing of it to select or to measure; it says where a call by
names goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from registry_runtime.phi.registered import CompatRegistration
from visualizer.expansion.wording import listed
from visualizer.frameworks.places import place
from visualizer.frameworks.presenter import Subject, Table, Tell
from visualizer.layout.rows import ACCENT, GOOD, QUIET, STRONG, labelled
from visualizer.layout.words import Parts, Styles, clipped, prose

if TYPE_CHECKING:
    from registry_runtime.program import Program
    from visualizer.frameworks.tried import Tried
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry, Shown

_TABLE = Table(3, ("operator", "key", "leads to", "runs", "where"))
_KINDS = {
    "argument mapping": "which kernel a call of the operator goes to, and its names in that order",
    "base kernel name": "the operator's name in PHI",
    "infer meta": "the shape and data type of what the kernels of this name give",
}


def label(registration: CompatRegistration) -> str:
    return registration.key


def function(registration: CompatRegistration) -> str:
    return registration.function.replace("phi::", "")


def is_declared_only(registration: CompatRegistration) -> bool:
    return not registration.runnable


def arguments(registration: CompatRegistration) -> None:
    return None


def became(made: Sequence[CompatRegistration]) -> str:
    return f"The {made[0].key} is in the registry because of it."


def dry_run(registration: CompatRegistration, program: Program) -> Tried:
    return {}


def detail(
    bench: Workbench,
    shown: Shown,
    registration: CompatRegistration,
    width: int,
    tried: Tried | None,
) -> list[Parts]:
    rows: list[Parts] = [
        [(registration.kernel_name, STRONG)],
        [(registration.key, ())],
        *prose(registration.function, width, QUIET),
        [_state(shown, registration), (f"  line {shown.entry.where.line}", QUIET)],
        *prose(f"It says {_KINDS[registration.key]}.", width, QUIET),
    ]
    return [clipped(row, width, "…") for row in rows]


def about(bench: Workbench, entry: Entry, registration: CompatRegistration) -> Subject:
    told = partial(_all_about, entry, registration)
    return Subject(registration.kernel_name, registration.key, told, _no_kernel)


def to_run(bench: Workbench, entry: Entry, registration: CompatRegistration, size: int) -> None:
    """It is no kernel."""
    return


def to_measure(bench: Workbench, entry: Entry, registration: CompatRegistration) -> None:
    return


def row(
    entry: Entry,
    registration: CompatRegistration,
    instead_of: Entry | None,
    program: Program,
    tried: Tried,
) -> tuple[Table, tuple[str, ...]]:
    runs = "yes" if registration.runnable else "declared"
    if missing := program.phi.unknown_kernels(registration):
        runs = f"no: no {listed(missing, 'kernel', 'kernels')}"
    return _TABLE, (
        registration.kernel_name,
        registration.key,
        registration.function,
        "passed over" if registration.registered.ignored else runs,
        place(entry),
    )


def record(
    entry: Entry,
    registration: CompatRegistration,
    instead_of: Entry | None,
    program: Program,
    tried: Tried,
) -> dict[str, Any]:
    missing = list(program.phi.unknown_kernels(registration))
    return {
        "key": registration.key,
        "file": entry.where.file,
        "line": entry.where.line,
        "function": registration.function,
        "runnable": registration.runnable and not missing,
        "unknown_kernels": missing,
        "ignored": registration.registered.ignored,
    }


def _all_about(entry: Entry, registration: CompatRegistration, width: int) -> list[Parts]:
    return [
        *labelled("leads to", registration.function, width),
        *labelled("registered", place(entry), width),
        [],
        *prose(f"It says {_KINDS[registration.key]}.", width),
    ]


def _no_kernel(chosen: Mapping[str, str]) -> tuple[str, Tell]:
    said = "It is no kernel: the kernels that it leads to can be run."
    return "", lambda width: prose(said, width, QUIET)


def _state(shown: Shown, registration: CompatRegistration) -> tuple[str, Styles]:
    if shown.pending:
        return "… still being produced", QUIET
    if registration.registered.ignored:
        return "passed over: an earlier one stays", ACCENT
    if registration.runnable:
        return "✓ found by calls of the operator", GOOD
    return "declared: no body", ACCENT
