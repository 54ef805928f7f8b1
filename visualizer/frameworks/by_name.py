"""A kernel or an operator run by its name, as a lesson asks for it of the file that is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from registry_runtime.lab.elements import Tried
    from visualizer.workbench.bench import Workbench


def try_by_name(
    bench: Workbench, name: str, backend: str | None, dtype: str | None, size: int
) -> Tried:
    """The file's own kernel on made-up tensors; an operator of PyTorch's in a program that has
    PyTorch's `add` too.

    Raises KernelError where that is refused, AlreadyExists for a plug-in that can't be loaded.
    """
    from registry_runtime.lab.aten.trial import try_operator
    from registry_runtime.lab.phi.selection import find_registered
    from registry_runtime.lab.phi.trial import try_kernel
    from visualizer.frameworks.aten.asked_program import whole_program

    if bench.program.framework_of(name) == "aten":
        return try_operator(whole_program(bench).aten, name, dtype or "float32", (size,), backend)
    phi = bench.program.phi
    if backend and phi.custom_devices.get(backend) is False:
        phi.load_custom_device(backend)  # the plug-in's, as its users do
    return try_kernel(find_registered(phi, name, backend, dtype), size)
