"""The samples' own operators, and how they are called here and compared."""

from __future__ import annotations

from functools import cache

from registry_runtime.program import Program
from visualizer.workbench.linking import load
from visualizer.workbench.samples import samples_folder

SAMPLES = samples_folder() / "aten"
FILES = (
    *("add.cc", "ufunc_add.cc", "ufunc_add_kernel.cc"),
    *("binary_ops.cc", "binary_ops_kernel.cc", "scalar_ops.cc"),
    *("unary_ops.cc", "unary_ops_kernel.cc"),
    *("reduce_ops.cc", "sum_kernel.cc"),
)


@cache
def own_operators() -> Program:
    """A program with all of them."""
    return load([SAMPLES / name for name in FILES])
