"""The GPU that is there, as CuPy sees it, or why there is none.

CuPy is imported by the first that asks for it, never earlier: registering a GPU kernel takes no GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError


class NoDevice(KernelError):
    """There is no device, no driver or no CuPy to run a GPU kernel with; `need` says which."""

    def __init__(self, need: str, advice: str) -> None:
        self.need = need
        super().__init__(f"a GPU kernel needs {need}: {advice}, or run the CPU kernel")


def cupy() -> Any:
    """The module CuPy, where a device can run what it builds. Raises NoDevice otherwise."""
    try:
        import cupy as module
    except ImportError as error:
        raise NoDevice(f"CuPy ({error})", "pip install 'unfold[gpu]' for CUDA 13") from None
    try:
        devices = module.cuda.runtime.getDeviceCount()
    except module.cuda.runtime.CUDARuntimeError as error:
        raise NoDevice(f"a CUDA device ({error})", "run it where there is one") from None
    if devices == 0:
        raise NoDevice("a CUDA device, and CuPy sees none", "check CUDA_VISIBLE_DEVICES")
    return module


def to_device(array: np.ndarray[Any, Any]) -> Any:
    """A copy of the host array in GPU memory. Raises KernelError where there is no GPU."""
    return known_to_cupy(cupy().asarray, array, DataType.of(array.dtype))


def known_to_cupy(make: Callable[[Any], Any], value: Any, dtype: DataType) -> Any:
    """What `make` makes of the value. Raises KernelError for a data type that this CuPy lacks."""
    try:
        return make(value)
    except (TypeError, ValueError) as error:
        raise KernelError(f"this CuPy has no {dtype} ({error}): install CuPy 14 or later") from None
