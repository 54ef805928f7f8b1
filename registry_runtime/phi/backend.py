"""PHI's backends: who computes. The first member of a kernel's key.

A backend is more than a place: `CPU` and `ONEDNN` are one device and two ways to compute on it. The
enumeration (`paddle/phi/common/backend.h`) is closed, but the set of devices is not: a plug-in may
bring an `Ascend910` that Paddle has never heard of. Its registrations name it in a string, and the
first one to do so gets it a number, above all of the enumeration's. Hence backends exist that
`Backend` has no name for until somebody registers something with them.
"""

from __future__ import annotations

from types import MappingProxyType

from registry_runtime.cpp_enum import CppEnum


class Backend(CppEnum):
    """`phi::Backend`. `str()` gives what Paddle's `operator<<` prints: `CPU`, `Undefined`.

    Members for plug-in devices are made by `CustomRegisteredDeviceMap`.
    """

    UNDEFINED = 0
    CPU = 1
    ONEDNN = 2
    GPU = 3
    GPUDNN = 4  # cuDNN, hipDNN
    XPU = 5
    IPU = 6
    KPS = 7  # Paddle's own kernel primitives
    CUSTOM = 8
    NUM_BACKENDS = 9

    ALL_BACKEND = 0  # an alias, as in C++

    def __str__(self) -> str:
        return "Undefined" if self is Backend.UNDEFINED else self.name


# The classes of the first argument of a kernel, in C++; a registration pastes their names.
CONTEXTS = frozenset(
    f"phi::{name}Context" for name in ("CPU", "OneDNN", "GPU", "XPU", "KPS", "IPU", "Custom")
)

# As a registration writes them.
SPELLINGS = MappingProxyType(
    {
        "Undefined": Backend.UNDEFINED,
        "CPU": Backend.CPU,
        "GPU": Backend.GPU,
        "XPU": Backend.XPU,
        "OneDNN": Backend.ONEDNN,
        "GPUDNN": Backend.GPUDNN,
        "KPS": Backend.KPS,
        "IPU": Backend.IPU,
        "Custom": Backend.CUSTOM,
    }
)


class CustomRegisteredDeviceMap:
    """The devices that Paddle was not built for, numbered in the order in which they were named.

    In Paddle it is a singleton (`paddle/phi/common/place.h`); here each world has its own. `loaded`
    are those whose runtime is there, which Paddle asks `DeviceManager::HasDeviceType` about.
    """

    def __init__(self) -> None:
        self._devices: dict[str, Backend] = {}
        self.loaded: set[str] = set()

    def backend(self, device_type: str) -> Backend:
        """The backend of a device, which is given a number if it is new.

        Paddle's ids start at 1, since 0 means "no device type". So the first one's value is
        `NUM_BACKENDS + 1`.
        """
        if not device_type:
            return Backend.NUM_BACKENDS
        if device_type not in self._devices:
            value = Backend.NUM_BACKENDS + len(self._devices) + 1
            self._devices[device_type] = _new_member(device_type, value)
        return self._devices[device_type]

    def device_types(self) -> tuple[str, ...]:
        """The names seen so far, in the order of their numbers."""
        return tuple(self._devices)


def _new_member(name: str, value: int) -> Backend:
    # As enum.Flag makes its members for combinations: a value of the class, but not listed in it.
    member = int.__new__(Backend, value)
    member._name_ = name
    member._value_ = value
    return member


def string_to_backend(
    backend: str, devices: CustomRegisteredDeviceMap, *, with_cuda: bool = False
) -> Backend:
    """`paddle::experimental::StringToBackend`: from the `#backend` of a registration.

    Note that the string for `ONEDNN` is `OneDNN`, and that any string that isn't known, a
    misspelled one too, is taken for a plug-in device. In a build `with_cuda`, `KPS` means `GPU`.
    """
    if backend == "KPS" and with_cuda:
        return Backend.GPU
    known = SPELLINGS.get(backend)
    return devices.backend(backend) if known is None else known
