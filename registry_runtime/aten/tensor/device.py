"""Where a tensor lives: a type of device, and which one of them.

Type and number say where the bytes are; the dispatcher is told the same by a backend's key in the
tensor's key set (`CUDA` for `cuda:0` and `cuda:1` alike). An index of -1 means the current device.

Sources: `torch/headeronly/core/DeviceType.h`, `c10/core/Device.h` and `.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from registry_runtime.aten.errors import TorchError
from registry_runtime.cpp_enum import CppEnum


class DeviceType(CppEnum):
    """`c10::DeviceType`. `str()` gives the lower-case name that a device string uses: `cpu`."""

    CPU = 0
    CUDA = 1
    MKLDNN = 2
    OPENGL = 3
    OPENCL = 4
    IDEEP = 5
    HIP = 6
    FPGA = 7
    MAIA = 8
    XLA = 9
    Vulkan = 10
    Metal = 11
    XPU = 12
    MPS = 13
    Meta = 14  # tensors that have every fact of a tensor and no data
    HPU = 15
    VE = 16
    Lazy = 17
    IPU = 18
    MTIA = 19
    PrivateUse1 = 20

    __hash__ = int.__hash__

    def __str__(self) -> str:
        return "privateuseone" if self is DeviceType.PrivateUse1 else self.name.lower()


# In the order in which the sentence about a wrong device string lists them.
_PARSED = [
    "cpu",
    "cuda",
    "ipu",
    "xpu",
    "mkldnn",
    "opengl",
    "opencl",
    "ideep",
    "hip",
    "ve",
    "fpga",
    "maia",
    "xla",
    "lazy",
    "vulkan",
    "mps",
    "meta",
    "hpu",
    "mtia",
    "privateuseone",
]


@dataclass(frozen=True, slots=True)
class Device:
    """`c10::Device`. `str()` prints it as PyTorch does: `cpu`, `cuda:0`."""

    type: DeviceType = DeviceType.CPU
    index: int = -1

    @classmethod
    def parse(cls, text: str) -> Device:
        """The device that the string names, `cpu` or `cuda:1`. Raises TorchError."""
        if not text:
            raise TorchError("Device string must not be empty")
        parts = re.fullmatch(r"([a-zA-Z_]+)(?::(0|[1-9]\d*))?", text)
        if parts is None:
            raise TorchError(f"Invalid device string: '{text}'")
        name, index = parts.groups()
        if name not in _PARSED:
            raise TorchError(
                f"Expected one of {', '.join(_PARSED)} device type "
                f"at start of device string: {name}"
            )
        return cls(_by_name()[name], -1 if index is None else int(index))

    def __str__(self) -> str:
        return f"{self.type}" if self.index < 0 else f"{self.type}:{self.index}"

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


CPU = Device(DeviceType.CPU)
META = Device(DeviceType.Meta)


@cache
def _by_name() -> dict[str, DeviceType]:
    return {str(kind): kind for kind in DeviceType}
