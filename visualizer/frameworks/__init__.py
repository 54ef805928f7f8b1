"""An entry of the registry in rows of text, as each framework has it.

PHI holds one kernel under each key and describes its arguments; Fluid's operators have lists of names;
PyTorch's dispatcher computes a table out of all that was registered for an operator. So what there is
to tell of an entry differs from the first row on, and each framework has a module that tells it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry_runtime.fluid.registered import Registration as FluidRegistration
from registry_runtime.phi.runtime import CompatRegistration
from registry_runtime.phi.runtime import Registration as PhiRegistration
from visualizer.frameworks.aten import rows as aten
from visualizer.frameworks.phi import compat_rows as compat
from visualizer.frameworks.phi import rows as phi
from visualizer.frameworks.phi.story import runs_by_names

if TYPE_CHECKING:
    from registry_runtime.program import Registration
    from visualizer.layout.words import Parts
    from visualizer.workbench.bench import Shown, Workbench


def label(registration: Registration) -> str:
    """The entry's row below its kernel's name."""
    if isinstance(registration, PhiRegistration):
        return str(registration.key)
    if isinstance(registration, CompatRegistration):
        return registration.key
    if isinstance(registration, FluidRegistration):
        from visualizer.frameworks.fluid import rows as fluid  # which needs all of Fluid's runtime

        return fluid.label(registration)
    return aten.label(registration)


def function(registration: Registration) -> str:
    """What computes, without the namespaces in which the framework's own things stand."""
    if isinstance(registration, FluidRegistration):
        from visualizer.frameworks.fluid.story import short

        return short(registration.function)
    return registration.function.replace("phi::", "")


def is_declared_only(registration: Registration) -> bool:
    """Whether it names a kernel that nobody wrote in Python."""
    if isinstance(registration, PhiRegistration):
        return not registration.runnable and not runs_by_names(registration)
    if isinstance(registration, CompatRegistration | FluidRegistration):
        return not registration.runnable
    if registration.function == "nullptr":
        return False
    return registration.kind in aten.KERNELS and not registration.runnable


def detail(bench: Workbench, shown: Shown, width: int) -> list[Parts]:
    """The entry in a few rows, for the pane below the registry."""
    registration = shown.entry.registration
    if isinstance(registration, PhiRegistration):
        return phi.detail(bench, shown, registration, width)
    if isinstance(registration, CompatRegistration):
        return compat.detail(shown, registration, width)
    if isinstance(registration, FluidRegistration):
        from visualizer.frameworks.fluid import rows as fluid

        return fluid.detail(shown, registration, width)
    return aten.detail(shown, registration, width)
