"""Stubs in C++ text: how `DECLARE_DISPATCH` and the `REGISTER_…` macros reach `DispatchStub`.

A stub is a class of its own, derived from `DispatchStub<fn, itself>`, with one object. So its slots
can be static members that any file of the program fills, by specialising them:
`template <> F DispatchStub<F, struct add_stub>::AVX2 = &add_kernel;`. The kernels of other devices are
put in by objects whose constructor does it (`ATen/native/DispatchStub.h`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.registered import StubRegistration
from registry_runtime.aten.linking import linked_stub
from registry_runtime.aten.stub import dispatch_stub
from registry_runtime.aten.stub.cpu_capability import CPUCapability
from registry_runtime.aten.stub.dispatch_stub import DispatchStub
from registry_runtime.aten.stub.stub_kernel import StubKernel
from registry_runtime.aten.world import World
from registry_runtime.cxx import (
    Binding,
    ClassTemplate,
    CxxFunction,
    Lambda,
    TemplateArgument,
)

Arguments = tuple[TemplateArgument, ...]


def stub_names(world: World) -> dict[str, Binding]:
    """`at::native::DispatchStub` and the classes of its registrars."""
    names: dict[str, Binding] = {
        "at::native::DispatchStub": ClassTemplate(
            derived=lambda arguments, class_name, name: linked_stub(world, class_name),
            specialise=partial(_specialise, world),
            registers=True,
        )
    }
    for device, pointer in dispatch_stub.POINTERS.items():
        registers = partial(_registrar, world, device.name, pointer)
        if device.name == "HIP":  # PyTorch's build for HIP calls itself CUDA
            registers = partial(_registrar, world, "CUDA", "cuda_dispatch_ptr")
        spelled = device.name.upper()
        names[f"at::native::Register{spelled}Dispatch"] = ClassTemplate(
            constructor=registers, registers=True
        )
    return names


def _specialise(world: World, arguments: Arguments, member: str, value: object) -> StubRegistration:
    stub = linked_stub(world, _class_of(arguments))
    known = {str(capability): capability for capability in CPUCapability}
    if member not in known:
        raise TorchError(
            f"a stub has no slot `{member}`", argument=1, hint=f"it has {', '.join(known)}"
        )
    slot = known[member]
    kernel = _kernel(world, stub, member, value, slot)
    put = partial(stub.set_slot, slot)
    return _fill(world, stub, f"CPU {member}", kernel, put, lambda: stub.clear_slot(slot))


def _registrar(
    world: World, device: str, pointer: str, arguments: Arguments
) -> Callable[..., StubRegistration]:
    def register(stub: object, value: object) -> StubRegistration:
        if not isinstance(stub, DispatchStub):
            raise TorchError("a stub is wanted here", argument=0)
        kernel = _kernel(world, stub, device, value, None)
        put: Callable[[StubKernel | None], None] = getattr(stub, f"set_{pointer}")
        return _fill(world, stub, device, kernel, put, lambda: put(None))

    return register


def _fill(
    world: World,
    stub: DispatchStub,
    key: str,
    kernel: StubKernel | None,
    put: Callable[[StubKernel | None], None],
    clear: Callable[[], None],
) -> StubRegistration:
    # Texts are taken back in any order: the last of those that stand is what is in the slot.
    standing = world.filled.setdefault((stub.name, key), [])
    one = [kernel]
    standing.append(one)
    put(kernel)

    def undo() -> None:
        standing[:] = [other for other in standing if other is not one]
        if standing:
            put(standing[-1][0])
        else:
            clear()

    return StubRegistration(stub, key, kernel, len(standing) > 1, undo)


def _class_of(arguments: Arguments) -> str:
    if len(arguments) != 2 or arguments[1].type is None:
        raise TorchError("DispatchStub takes a function's type and the stub's class")
    return str(arguments[1].type)


def _kernel(
    world: World, stub: DispatchStub, key: str, value: object, slot: CPUCapability | None
) -> StubKernel | None:
    if value is None:
        return None
    if isinstance(value, CxxFunction | Lambda):
        return StubKernel(value, stub, key, slot, world)
    raise TorchError("a function is wanted here", argument=2)
