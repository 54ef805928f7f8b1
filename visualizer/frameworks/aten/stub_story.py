"""A dispatch stub's slots, and which of them a call takes: below PyTorch's dispatcher, the choice
among the builds of one kernel. Source: `aten/src/ATen/native/DispatchStub.cpp`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from registry_runtime.aten.stub.cpu_capability import (
    CPUCapability,
    can_run,
    capabilities,
    get_cpu_capability,
)
from registry_runtime.aten.stub.dispatch_stub import (
    POINTERS,
    DispatchStub,
    chosen_capability,
)
from registry_runtime.aten.stub.stub_kernel import StubKernel
from registry_runtime.aten.tensor.device import DeviceType

DEVICES = (DeviceType.CPU, *POINTERS)
THIS_MACHINE = "of this machine"


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a function pointer. `function` is None where nothing was registered, empty where a
    null pointer was; `runs` says whether this processor has the instructions."""

    name: str
    function: str | None
    chosen: bool
    runs: bool = True


def capability_words() -> list[str]:
    """What `ATEN_CPU_CAPABILITY` may be, behind what it is without that variable."""
    return [THIS_MACHINE, *(str(c) for c in capabilities())]


def slots(stub: DispatchStub, device: DeviceType, asked: str) -> list[Slot]:
    """All of them; chosen is the one that a call with tensors on that device takes."""
    chosen = chosen_capability(stub.slots, _capability(asked))
    on_cpu = device is DeviceType.CPU
    found = [
        Slot(str(c), _spelled(stub, c), on_cpu and c is chosen, can_run(c)) for c in capabilities()
    ]
    for other, pointer in POINTERS.items():
        function = getattr(stub.impl, pointer)
        if function is not None or other is device:
            spelled = None if function is None else _name(function)
            found.append(Slot(other.name, spelled, other is device))
    return found


def choice(stub: DispatchStub, device: DeviceType, asked: str) -> Iterator[str]:
    """`get_call_ptr`, step by step."""
    yield f"get_call_ptr is asked for {device.name}."
    if device is not DeviceType.CPU:
        pointer = POINTERS.get(device)
        yield (
            f"Its pointer is {pointer}."
            if pointer
            else "No device but those above has a pointer: unsupported device type."
        )
        return
    capability = _capability(asked)
    yield (
        f"The processor can do {capability}: get_cpu_capability asks it once in a process."
        if asked == THIS_MACHINE
        else f"ATEN_CPU_CAPABILITY={asked.lower()} says {capability}, whatever the processor can do."
    )
    chosen = chosen_capability(stub.slots, capability)
    if set(stub.slots) == {CPUCapability.DEFAULT} != {capability}:
        yield "No file was compiled for more than DEFAULT: such a build has no other slots."
    elif chosen is not capability:
        filled = "holds a null pointer" if capability in stub.slots else "is empty"
        yield f"The slot {capability} {filled}: choose_cpu_impl takes {chosen} instead."
    if stub.slots.get(chosen) is None:
        name = "default" if chosen is CPUCapability.DEFAULT else str(chosen)
        yield f"Nothing fills the slot {chosen}: DispatchStub: missing {name} kernel"
    else:
        yield f"The slot {chosen} is taken, and remembered in cpu_dispatch_ptr for the next call."


def _capability(asked: str) -> CPUCapability:
    return get_cpu_capability() if asked == THIS_MACHINE else CPUCapability[asked]


def _spelled(stub: DispatchStub, capability: CPUCapability) -> str | None:
    if capability not in stub.slots:
        return None
    function = stub.slots[capability]
    return "" if function is None else _name(function)


def _name(function: object) -> str:
    return function.function if isinstance(function, StubKernel) else str(function)
