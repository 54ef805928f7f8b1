"""What in Fluid are the process's singletons: the two maps."""

from __future__ import annotations

from dataclasses import dataclass, field

from registry_runtime.fluid.op_info import OpInfoMap
from registry_runtime.fluid.op_kernel_type import AllOpKernels


@dataclass
class World:
    """One world of Fluid's."""

    op_info_map: OpInfoMap = field(default_factory=OpInfoMap)
    op_kernels: AllOpKernels = field(default_factory=dict)
