"""A kernel of Fluid's, at length: its key beside PHI's, and what its class will ask for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from registry_runtime.fluid.compute import declared_only
from registry_runtime.fluid.op_kernel_type import ClassKernel, OpKernelType
from visualizer.frameworks.fluid.common_rows import names, place
from visualizer.frameworks.fluid.story import asked_for, key_members, short
from visualizer.layout.rows import ACCENT, CHANGED, LABEL, QUIET, STRONG, TITLE, labelled
from visualizer.layout.words import Parts, clipped, prose
from visualizer.workbench.entries import replacements

if TYPE_CHECKING:
    from registry_runtime.fluid.registered import Registration
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry

_KEYS = (
    "AllOpKernels() compares all five members. PHI's key has three, packed into one number of 32 "
    "bits: the place and the library became one backend, the customised value is no more."
)
_ASKS = (
    "Compute is given one ExecutionContext, whatever the operator is. Only its body says what it "
    "takes, by these names."
)


def kernel(
    bench: Workbench, entry: Entry, registration: Registration, width: int
) -> list[list[Parts]]:
    """Its sections."""
    entered = cast(ClassKernel, registration.entered)
    return [
        list(_kernel_facts(bench, entry, registration, entered, width)),
        list(_two_keys(bench, cast(OpKernelType, registration.key), width)),
        list(_compute(bench, entered, width)),
    ]


def _kernel_facts(
    bench: Workbench, entry: Entry, registration: Registration, kernel: ClassKernel, width: int
) -> Iterator[Parts]:
    yield from labelled("class", short(str(kernel)), width)
    yield from labelled("registered", f"line {entry.where.line}, into AllOpKernels()", width)
    held = bench.program.fluid.op_kernels.get(registration.op_type, {}).get(
        cast(OpKernelType, registration.key)
    )
    if held is not kernel:
        yield from labelled("held", "no more: another registration took its key", width)
    replaced = replacements(bench.entries).get(entry)
    if replaced is not None:
        earlier = f"{replaced.where.file}:{replaced.where.line}"
        yield from labelled("replaces", f"the one registered at {earlier}, in silence", width)
    runs = "when called: its body is interpreted"
    if kernel.refused is not None:
        runs = f"no, {declared_only(kernel.kernel_type, kernel.refused)}"
    yield from labelled("runs", runs, width)


def _two_keys(bench: Workbench, key: OpKernelType, width: int) -> Iterator[Parts]:
    yield [("The key: Fluid's OpKernelType, and what PHI's KernelKey keeps of it", TITLE)]
    members = list(key_members(key, bench.program.phi.devices))
    widest = max(max(len(short(m.in_fluid)) for m in members), len("OpKernelType"))
    head = f"{'':{LABEL}}{'OpKernelType':{widest}}    KernelKey"
    yield clipped([(head, QUIET)], width, "…")
    for member in members:
        gone = member.in_phi.startswith("gone")
        row: Parts = [
            (member.name.ljust(LABEL), QUIET),
            (short(member.in_fluid).ljust(widest), STRONG),
            ("    ", ()) if gone else (" →  ", CHANGED),
            (member.in_phi, QUIET if gone else ACCENT),
        ]
        yield clipped(row, width, "…")
    phi_key = key.phi_kernel_key(bench.program.phi.devices)
    yield from labelled("as a number", f"{phi_key.hash_value:#x}", width)
    yield from prose(_KEYS, width, QUIET)


def _compute(bench: Workbench, kernel: ClassKernel, width: int) -> Iterator[Parts]:
    yield [("What Compute asks its context for", TITLE)]
    compute = kernel.kernel_type.method("Compute")
    if compute is None:
        yield from prose("The class's body is not in the text: nothing says what it takes.", width)
        return
    yield from labelled("written", place(bench, compute.span), width)
    yield from names(asked_for(kernel.kernel_type), width)
    yield from prose(_ASKS, width, QUIET)
