"""What NVRTC makes of a kernel's CUDA source: PTX, the assembly of a GPU that there isn't.

A driver turns it into the machine code of the device that is there.
"""

from __future__ import annotations

from registry_runtime.kernels import gpu, nvrtc
from registry_runtime.kernels.template import KernelTemplate
from registry_runtime.phi.data_type import DataType


def ptx(template: KernelTemplate, T: DataType, architecture: str = "sm_90") -> str:
    """The kernel's PTX; empty where a library of NVIDIA's does the work. Raises as `nvrtc.ptx` does."""
    source = gpu.source(template, T)
    return nvrtc.ptx(source, template.name, architecture) if source else ""
