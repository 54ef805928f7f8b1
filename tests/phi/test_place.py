"""Places, as Paddle prints them, and the backends that compute on them."""

import warnings

import numpy as np
import pytest

from registry_runtime.phi.backend import Backend, CustomRegisteredDeviceMap
from registry_runtime.phi.device_memory import copy_to
from registry_runtime.phi.enforce import InvalidArgument, Unavailable
from registry_runtime.phi.place import (
    AllocationType,
    CPUPlace,
    CustomPlace,
    GPUPinnedPlace,
    GPUPlace,
    Place,
    TransToPhiBackend,
    TransToPhiPlace,
)


@pytest.mark.parametrize(
    ("place", "printed"),
    [
        (CPUPlace(), "Place(cpu)"),
        (GPUPlace(), "Place(gpu:0)"),
        (GPUPlace(3), "Place(gpu:3)"),
        (GPUPinnedPlace(), "Place(gpu_pinned)"),
        (CustomPlace("CustomCPU", 0), "Place(CustomCPU:0)"),
        (Place(AllocationType.XPU, 1), "Place(xpu:1)"),
        (Place(), "Place(undefined:0)"),
    ],
)
def test_a_place_prints_as_paddle_prints_it(place: Place, printed: str) -> None:
    assert str(place) == repr(place) == printed


@pytest.mark.paddle
def test_places_print_as_in_the_installed_paddle() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        paddle = pytest.importorskip("paddle")
    assert str(CPUPlace()) == repr(paddle.CPUPlace())
    assert str(CPUPlace()) == str(paddle.ones([1]).place)


def test_places_are_equal_by_device_and_name() -> None:
    assert CustomPlace("A") == CustomPlace("A") != CustomPlace("B")
    assert GPUPlace(0) != GPUPlace(1)


def test_a_place_and_its_backend() -> None:
    devices = CustomRegisteredDeviceMap()
    for place, backend in (
        (CPUPlace(), Backend.CPU),
        (GPUPlace(), Backend.GPU),
        (Place(), Backend.UNDEFINED),
        (CustomPlace("CustomCPU"), devices.backend("CustomCPU")),
    ):
        assert TransToPhiBackend(place, devices) is backend
        assert TransToPhiPlace(backend, devices) == place
    assert TransToPhiBackend(GPUPinnedPlace(), devices) is Backend.GPU
    assert TransToPhiPlace(Backend.GPUDNN, devices) == GPUPlace()
    assert TransToPhiPlace(Backend.CUSTOM, devices) == CustomPlace("CustomCPU")


def test_a_backend_without_a_place() -> None:
    with pytest.raises(Unavailable, match="Unsupported backend `CUSTOM` when casting it"):
        TransToPhiPlace(Backend.CUSTOM, CustomRegisteredDeviceMap())


def test_a_copy_shares_no_memory() -> None:
    x = np.arange(3)
    for place in (CPUPlace(), CustomPlace("CustomCPU")):
        copied = copy_to(x, place)
        assert np.array_equal(copied, x)
        assert not np.shares_memory(copied, x)


def test_a_device_that_is_not_there() -> None:
    with pytest.raises(InvalidArgument, match=r"GPU.*(Place\(cpu\)|on your machine)"):
        copy_to(np.arange(3), GPUPlace(99))
    with pytest.raises(InvalidArgument, match=r"Place\(xpu:0\)"):
        copy_to(np.arange(3), Place(AllocationType.XPU))
