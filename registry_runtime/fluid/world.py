"""What in Fluid are the process's singletons: the two maps, and where a class's Python side is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from registry_runtime.fluid.op_info import OpInfoMap
from registry_runtime.fluid.op_kernel_type import AllOpKernels

if TYPE_CHECKING:
    from registry_runtime.fluid.class_kernels import OpKernel

FindClassKernel = Callable[[str], "type[OpKernel] | None"]


def find_in_class_kernels(name: str) -> type[OpKernel] | None:
    """The Python class for `paddle::operators::TraceKernel`."""
    from registry_runtime.fluid.class_kernels import find  # which knows kernels, as we don't

    return find(name)


@dataclass
class World:
    """One world of Fluid's.

    `find_kernel` finds what runs in the stead of a class kernel, by the class's full name.
    """

    op_info_map: OpInfoMap = field(default_factory=OpInfoMap)
    op_kernels: AllOpKernels = field(default_factory=dict)
    find_kernel: FindClassKernel = find_in_class_kernels
