"""Where memory lies. A backend computes; a place holds.

The two are not the same set: `GPU` and `GPUDNN` are two ways to compute on one place, and pinned host
memory is a place that nobody computes on. A tensor knows its place, a kernel's key its backend, and
`TransToPhiBackend` leads from the one to the other whenever a kernel is selected. A plug-in's device
has one allocation type for all, `CUSTOM`, and is told apart by its name.

Source: `paddle/phi/common/place.h` and `place.cc`, `paddle/phi/core/compat/convert_utils.cc`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from registry_runtime.phi.backend import Backend, CustomRegisteredDeviceMap
from registry_runtime.phi.enforce import Unavailable


class AllocationType(IntEnum):
    """`phi::AllocationType`. `str()` gives what Paddle prints: `cpu`, `gpu_pinned`."""

    UNDEFINED = 0
    CPU = 1
    GPU = 2
    GPUPINNED = 3
    XPU = 4
    XPUPINNED = 5
    IPU = 7
    CUSTOM = 9

    CUDA = 2  # an alias, as in C++

    def __str__(self) -> str:
        return _PRINTED.get(self) or self.name.lower()


_PRINTED = {
    AllocationType.GPUPINNED: "gpu_pinned",
    AllocationType.XPUPINNED: "xpu_pinned",
    AllocationType.CUSTOM: "custom_device",
}
_WITHOUT_NUMBER = (AllocationType.CPU, AllocationType.GPUPINNED, AllocationType.XPUPINNED)


@dataclass(frozen=True, slots=True)
class Place:
    """`phi::Place`. `str()` prints it as Paddle does: `Place(cpu)`, `Place(gpu:0)`.

    `device_type` is a plug-in device's name, empty for the others.
    """

    type: AllocationType = AllocationType.UNDEFINED
    device: int = 0
    device_type: str = ""

    def GetType(self) -> AllocationType:
        return self.type

    def __str__(self) -> str:
        name = self.device_type if self.type is AllocationType.CUSTOM else str(self.type)
        return f"Place({name})" if self.type in _WITHOUT_NUMBER else f"Place({name}:{self.device})"

    __repr__ = __str__


def CPUPlace() -> Place:
    return Place(AllocationType.CPU)


def GPUPlace(device_id: int = 0) -> Place:
    return Place(AllocationType.GPU, device_id)


def GPUPinnedPlace() -> Place:
    return Place(AllocationType.GPUPINNED)


def CustomPlace(dev_type: str, device_id: int = 0) -> Place:
    return Place(AllocationType.CUSTOM, device_id, dev_type)


CPU_PLACE = CPUPlace()


def TransToPhiBackend(place: Place, devices: CustomRegisteredDeviceMap) -> Backend:
    """The backend that computes on `place`. A device that nobody has named yet gets its number."""
    if place.type is AllocationType.CUSTOM:
        return devices.backend(place.device_type)
    return _BACKENDS[place.type]


_BACKENDS = {
    AllocationType.UNDEFINED: Backend.UNDEFINED,
    AllocationType.CPU: Backend.CPU,
    AllocationType.GPU: Backend.GPU,
    AllocationType.GPUPINNED: Backend.GPU,
    AllocationType.XPU: Backend.XPU,
    AllocationType.XPUPINNED: Backend.XPU,
    AllocationType.IPU: Backend.IPU,
}


def TransToPhiPlace(backend: Backend, devices: CustomRegisteredDeviceMap) -> Place:
    """The place that `backend` computes on, with device number 0.

    `CUSTOM` means the device that was named first. Raises Unavailable for a backend without one.
    """
    match backend:
        case Backend.UNDEFINED:
            return Place()
        case Backend.CPU | Backend.ONEDNN:
            return CPU_PLACE
        case Backend.GPU | Backend.GPUDNN | Backend.KPS:
            return GPUPlace()
        case Backend.XPU:
            return Place(AllocationType.XPU)
    names = devices.device_types()
    number = 0 if backend is Backend.CUSTOM else backend - Backend.NUM_BACKENDS - 1
    if 0 <= number < len(names):
        return CustomPlace(names[number])
    raise Unavailable(f"Unsupported backend `{backend}` when casting it to paddle place type.")
