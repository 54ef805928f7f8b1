"""What NVRTC makes of a kernel's CUDA source: PTX, the assembly of a GPU that there isn't.

A driver turns it into the machine code of the device that is there. Making it takes the compiler's
library and CuPy's headers, and neither a driver nor a device.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from registry_runtime.kernels import gpu
from registry_runtime.kernels.template import KernelTemplate
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError

_INSTALL = "pip install 'unfold[gpu]' brings what is missing"


class NotInstalled(KernelError):
    """NVRTC can't be loaded."""


def ptx(template: KernelTemplate, T: DataType, architecture: str = "sm_90") -> str:
    """The kernel's PTX; empty where a library of NVIDIA's does the work.

    Raises NotInstalled where NVRTC is missing, KernelError where a header is, or with NVRTC's log
    where it objects.
    """
    source = gpu.source(template, T)
    return compiled(source, template.name, architecture) if source else ""


def compiled(source: str, name: str, architecture: str = "sm_90") -> str:
    """The PTX of CUDA source that is called `name` in errors, which are those of `ptx`."""
    try:
        nvrtc = importlib.import_module("cupy_backends.cuda.libs.nvrtc")
        program = nvrtc.createProgram(source, "kernel.cu", (), ())
    except (ImportError, RuntimeError) as error:
        raise NotInstalled(
            f"PTX is made by NVRTC, which can't be loaded ({error}): {_INSTALL}"
        ) from (None)
    flags = ("-std=c++17", "--device-as-default-execution-space", f"-arch={architecture}")
    try:
        nvrtc.compileProgram(program, (*flags, *(f"-I{folder}" for folder in _headers())))
    except nvrtc.NVRTCError:
        log = str(nvrtc.getProgramLog(program)).strip("\0 \n")
        raise KernelError(f"NVRTC does not compile {name}: {log}\n{_INSTALL}") from None
    text = nvrtc.getPTX(program)
    return (text.decode() if isinstance(text, bytes) else str(text)).strip("\0")


def _headers() -> list[Path]:
    import cupy

    ours = Path(cupy.__file__).parent / "_core" / "include"
    cccl = ours / "cupy" / "_cccl"
    folders = [ours, cccl / "libcudacxx", cccl / "thrust", cccl / "cub"]
    try:
        nvidia = importlib.import_module("nvidia")
    except ImportError:
        return folders
    return folders + [
        h.parent for p in nvidia.__path__ for h in Path(p).glob("*/include/cuda_fp16.h")
    ]
