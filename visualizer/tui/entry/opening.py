"""Which screen opens on an entry of the registry: to read about it, to run it, to measure it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from registry_runtime.fluid.registered import Registration as FluidRegistration
from registry_runtime.phi.runtime import CompatRegistration
from registry_runtime.phi.runtime import Registration as PhiRegistration
from visualizer.frameworks.presenter import presenter_of

if TYPE_CHECKING:
    from textual.screen import Screen

    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry


def all_about(bench: Workbench, entry: Entry) -> Screen[None]:
    """What the entry is, and which calls find it."""
    from visualizer.tui.entry.screen import EntryScreen

    registration = entry.registration
    return EntryScreen(presenter_of(registration).about(bench, entry, registration))


def to_run(bench: Workbench, entry: Entry, size: int) -> Screen[None]:
    """The run pane; tensors have `size` elements at first."""
    registration = entry.registration
    if isinstance(registration, PhiRegistration):
        from visualizer.tui.run.kernel import RunScreen

        return RunScreen(bench.program.phi, registration, size=size)
    if isinstance(registration, CompatRegistration):
        return all_about(bench, entry)
    from visualizer.workbench.linking import linked

    if isinstance(registration, FluidRegistration):
        return _to_call(bench, registration)
    from visualizer.tui.run.operator import RunOperatorScreen

    return RunOperatorScreen(partial(linked, bench), registration)


def to_measure(bench: Workbench, entry: Entry) -> Screen[None]:
    """A benchmark of it, beside the peers."""
    from visualizer.tui.run.benchmark import BenchmarkScreen, measure_operator

    registration, phi = entry.registration, bench.program.phi
    if isinstance(registration, PhiRegistration):
        return BenchmarkScreen(registration, phi)
    if isinstance(registration, CompatRegistration):
        return all_about(bench, entry)
    if isinstance(registration, FluidRegistration):
        return _to_call(bench, registration)  # there is nothing to compare its time with
    if registration.kind == "stub":  # whose builds are measured where they are compared
        return to_run(bench, entry, 0)
    from visualizer.workbench.linking import linked

    return BenchmarkScreen(registration, phi, partial(measure_operator, partial(linked, bench)))


def _to_call(bench: Workbench, registration: FluidRegistration) -> Screen[None]:
    from registry_runtime.fluid.op_kernel_type import OpKernelType
    from registry_runtime.phi.data_type import trans_to_phi_data_type
    from visualizer.tui.run.fluid import RunByNamesScreen
    from visualizer.workbench.linking import linked

    fluid, key = linked(bench).fluid, registration.key
    if not isinstance(key, OpKernelType):
        return RunByNamesScreen(fluid, registration)
    return RunByNamesScreen(fluid, registration, str(trans_to_phi_data_type(key.data_type)))
