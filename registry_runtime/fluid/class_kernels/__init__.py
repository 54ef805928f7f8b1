"""The Python side of Fluid's kernel classes, found by the class's name in C++.

A class kernel has no parameters to compare with C++'s, as a function kernel has: all that the two must
share is the names that the body asks its context for. So this is a table of names and no more. What a
class computes is what PHI's kernel of that operator computes, and it calls that: in the migration, too,
the arithmetic moved and stayed as it was. A class of another name is registered as declared, and can't
be run.
"""

from __future__ import annotations

import importlib

from registry_runtime.fluid.class_kernels.op_kernel import OpKernel

__all__ = ["OpKernel", "find", "find_structure"]

_MODULES = {
    "paddle::operators::TraceKernel": "trace",
    "paddle::operators::TraceGradKernel": "trace",
    "paddle::operators::TraceStructKernel": "trace",
    "paddle::operators::TraceGradStructKernel": "trace",
}


def find(qualified_name: str) -> type[OpKernel] | None:
    """The Python class for `paddle::operators::TraceKernel`, or None where nobody wrote one."""
    module = _MODULES.get(qualified_name)
    if module is None:
        return None
    of: type[OpKernel] = getattr(
        importlib.import_module(f"registry_runtime.fluid.class_kernels.{module}"),
        qualified_name.rpartition("::")[2],
    )
    return of


def find_structure(spelling: str) -> type[OpKernel] | None:
    """The same for a class that was registered with PHI as it was, whose kernel is called
    `paddle::operators::TraceStructKernel<float, phi::CPUContext>`."""
    return find(spelling.partition("<")[0])
