"""`DispatchStub`: a table of function pointers for one kernel, by device and by instruction set.

The dispatcher has chosen CPU or CUDA before a structured kernel runs. What it calls then may exist in
several builds for one device, and a stub chooses among them: static members `DEFAULT`, `AVX2`, … hold
what each build registered (`REGISTER_DISPATCH` in a file that is compiled once for each), and pointers
hold the kernels of other devices. Which CPU member is taken is decided at the first call.

In PyTorch 2.13 a file that is compiled for AVX-512 registers a null pointer with `REGISTER_DISPATCH`;
only `ALSO_REGISTER_AVX512_DISPATCH` fills that slot. A null there means AVX2.

Source: `ATen/native/DispatchStub.h`, `aten/src/ATen/native/DispatchStub.cpp`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.stub.cpu_capability import (
    CPUCapability,
    capabilities,
    family,
    get_cpu_capability,
)
from registry_runtime.aten.tensor.device import DeviceType

FnPtr = Callable[..., Any]


# The devices that have a pointer of their own, and its name. A build has MPS's or XPU's only if it
# is one for that device; ours has all.
POINTERS: Mapping[DeviceType, str] = {
    DeviceType.CUDA: "cuda_dispatch_ptr",
    DeviceType.HIP: "hip_dispatch_ptr",
    DeviceType.MPS: "mps_dispatch_ptr",
    DeviceType.MTIA: "mtia_dispatch_ptr",
    DeviceType.XPU: "xpu_dispatch_ptr",
    DeviceType.HPU: "hpu_dispatch_ptr",
    DeviceType.PrivateUse1: "privateuse1_dispatch_ptr",
}


class OnlyPlanning(threading.local):
    """Whether calls in this thread are to find out which loops they ask for, and run none."""

    on: bool = False


only_planning = OnlyPlanning()


class DispatchStubImpl:
    """What doesn't depend on the function's type: the pointers, and the choice among the slots."""

    def __init__(self) -> None:
        self.cpu_dispatch_ptr: FnPtr | None = None
        self.cuda_dispatch_ptr: FnPtr | None = None
        self.hip_dispatch_ptr: FnPtr | None = None
        self.mps_dispatch_ptr: FnPtr | None = None
        self.mtia_dispatch_ptr: FnPtr | None = None
        self.xpu_dispatch_ptr: FnPtr | None = None
        self.hpu_dispatch_ptr: FnPtr | None = None
        self.privateuse1_dispatch_ptr: FnPtr | None = None

    def get_call_ptr(
        self, device_type: DeviceType, slots: Mapping[CPUCapability, FnPtr | None]
    ) -> FnPtr:
        """The function for a device. Raises TorchError in PyTorch's words where there is none."""
        if device_type is DeviceType.CPU:
            if only_planning.on:
                return self.default_impl(slots)
            # Two threads may both come here; both find the same function.
            if self.cpu_dispatch_ptr is None:
                self.cpu_dispatch_ptr = self.choose_cpu_impl(slots)
            return self.cpu_dispatch_ptr
        if device_type not in POINTERS:
            raise TorchError(f"DispatchStub: unsupported device type{device_type}")
        pointer: FnPtr | None = getattr(self, POINTERS[device_type])
        if pointer is None:
            raise TorchError(f"DispatchStub: missing kernel for {device_type}")
        return pointer

    def default_impl(self, slots: Mapping[CPUCapability, FnPtr | None]) -> FnPtr:
        """What all processors may use: the same text as the others', for whom only the compiler is
        told more. To plan a loop nobody needs to ask which processor this is."""
        function = slots.get(CPUCapability.DEFAULT)
        if function is None:
            raise TorchError("DispatchStub: missing default kernel")
        return function

    def choose_cpu_impl(self, slots: Mapping[CPUCapability, FnPtr | None]) -> FnPtr:
        """The function of the best slot that this process may use. Raises TorchError."""
        capability = chosen_capability(slots, get_cpu_capability())
        function = slots.get(capability)
        if function is None:
            name = "default" if capability is CPUCapability.DEFAULT else str(capability)
            raise TorchError(
                f"DispatchStub: missing {name} kernel",
                hint="load the file too that has its REGISTER_DISPATCH",
            )
        return function


def chosen_capability(
    slots: Mapping[CPUCapability, FnPtr | None], capability: CPUCapability
) -> CPUCapability:
    """The slot that a process of this capability takes, filled or not.

    An empty AVX512 slot means AVX2, and an empty SVE256 slot DEFAULT: not every kernel was found to
    gain from them. Any other empty slot is an error, even where a lesser one is filled. A program of
    which no file was compiled for more than DEFAULT has no further slots: the build didn't define
    HAVE_AVX2_CPU_DEFINITION and its like.
    """
    if set(slots) == {CPUCapability.DEFAULT}:
        return CPUCapability.DEFAULT
    slot = max(
        (c for c in capabilities(family_of(capability)) if c.number <= capability.number),
        key=lambda c: c.number,
    )
    if slot is CPUCapability.SVE128:
        slot = CPUCapability.SVE256  # `capability >= SVE256` is the only test for either
    if slots.get(slot) is None:
        if slot is CPUCapability.AVX512:
            return CPUCapability.AVX2
        if slot is CPUCapability.SVE256:
            return CPUCapability.DEFAULT
    return slot


def family_of(capability: CPUCapability) -> str:
    return capability.value[0] or family()


class DispatchStub:
    """A kernel's table. `DECLARE_DISPATCH` makes a type derived from it, `DEFINE_DISPATCH` the one
    object of that type.

    `slots` are the static members; assigning to one undoes the choice that was made at the first
    call, as no program of C++ can. `changed` is called whenever a slot is filled or emptied.
    """

    def __init__(self, name: str, changed: Callable[[], object] = lambda: None) -> None:
        self.name = name
        self._changed = changed
        self.impl = DispatchStubImpl()
        self._slots: dict[CPUCapability, FnPtr | None] = {}

    @property
    def slots(self) -> Mapping[CPUCapability, FnPtr | None]:
        return self._slots

    def set_slot(self, capability: CPUCapability, function: FnPtr | None) -> None:
        """`REGISTER_ARCH_DISPATCH`: None is a null pointer."""
        self._slots[capability] = function
        self.impl.cpu_dispatch_ptr = None
        self._changed()

    def clear_slot(self, capability: CPUCapability) -> None:
        """Takes back `set_slot`: nothing was compiled for this capability."""
        self._slots.pop(capability, None)
        self.impl.cpu_dispatch_ptr = None
        self._changed()

    def get_call_ptr(self, device_type: DeviceType) -> FnPtr:
        return self.impl.get_call_ptr(device_type, self._slots)

    def __call__(self, device_type: DeviceType, *arguments: Any) -> Any:
        """Calls the function for a device. Raises TorchError where there is none."""
        return self.get_call_ptr(device_type)(*arguments)

    def chosen(self) -> CPUCapability:
        """The slot that a call on the CPU takes in this process, filled or not."""
        return chosen_capability(self._slots, get_cpu_capability())

    def set_cuda_dispatch_ptr(self, function: FnPtr | None) -> None:
        self.impl.cuda_dispatch_ptr = function

    def set_hip_dispatch_ptr(self, function: FnPtr | None) -> None:
        self.impl.hip_dispatch_ptr = function

    def set_mps_dispatch_ptr(self, function: FnPtr | None) -> None:
        self.impl.mps_dispatch_ptr = function

    def set_mtia_dispatch_ptr(self, function: FnPtr | None) -> None:
        self.impl.mtia_dispatch_ptr = function

    def set_xpu_dispatch_ptr(self, function: FnPtr | None) -> None:
        self.impl.xpu_dispatch_ptr = function

    def set_hpu_dispatch_ptr(self, function: FnPtr | None) -> None:
        self.impl.hpu_dispatch_ptr = function

    def set_privateuse1_dispatch_ptr(self, function: FnPtr | None) -> None:
        self.impl.privateuse1_dispatch_ptr = function
