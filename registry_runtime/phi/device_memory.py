"""Arrays in the memory of places: in which one lies, and how it comes into that of another.

Apart from the places themselves, since who registers kernels has no arrays and needn't wait for NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.place import CPU_PLACE, AllocationType, GPUPlace, Place


def place_of(array: Any) -> Place:
    """Where the array's memory is: the host for NumPy's, a GPU for CuPy's."""
    if isinstance(array, np.ndarray):
        return CPU_PLACE
    return GPUPlace(int(getattr(getattr(array, "device", None), "id", 0)))


def copy_to(array: Any, place: Place) -> Any:
    """A copy of the array in the memory of `place`.

    A plug-in device's memory is the host's here, as that of Paddle's own `CustomCPU` is. Raises
    InvalidArgument for a device that isn't there.
    """
    on_host = array if isinstance(array, np.ndarray) else array.get()
    if place.type in (AllocationType.CPU, AllocationType.CUSTOM):
        return np.array(on_host) if on_host is array else on_host
    if place.type is AllocationType.GPU:
        return _on_gpu(array, place)
    raise InvalidArgument(f"{place} is a place that this runtime has no memory of: use Place(cpu)")


def _on_gpu(array: Any, place: Place) -> Any:
    advice = "Please change the place of the tensor to be Place(cpu)."
    try:
        import cupy
    except ImportError:
        raise InvalidArgument(
            f"Cannot use GPU because CuPy is not installed: {place}. {advice}"
        ) from None
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError:
        count = 0
    if count == 0:
        raise InvalidArgument(
            f"Cannot use GPU because there is no GPU detected on your machine: {place}. {advice}"
        )
    if not 0 <= place.device < count:
        raise InvalidArgument(
            f"Invalid CUDAPlace({place.device}), must inside [0, {count}), "
            f"because GPU number on your machine is {count}"
        )
    with cupy.cuda.Device(place.device):
        return cupy.array(array)
