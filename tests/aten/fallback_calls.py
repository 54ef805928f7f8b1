"""Operators of every kind that some fallback of libtorch's tells apart, and calls that reach it."""

from __future__ import annotations

from dataclasses import dataclass, field

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet
from registry_runtime.aten.dispatch.dispatcher import OperatorHandle, RegistrationHandleRAII
from registry_runtime.aten.dispatch.kernel_function import makeFromUnboxedFunction
from registry_runtime.aten.dispatch.local_keys import (
    ForceDispatchKeyGuard,
    tls_local_dispatch_key_set,
)
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.linking import new_world
from registry_runtime.aten.schema.function_schema_parser import parse_schema
from registry_runtime.aten.world import World


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FALLTHROUGHS = _names(
    "BackendSelect ADInplaceOrView AutocastCPU AutocastMTIA AutocastMAIA AutocastXPU "
    "AutocastMPS AutocastCUDA FuncTorchVmapMode VmapMode"
)
FUNCTIONS = _names(
    "Meta Python FuncTorchDynamicLayerBackMode Functionalize Conjugate Negative ZeroTensor "
    "AutogradOther AutogradCPU AutogradCUDA AutogradXLA AutogradMPS AutogradXPU AutogradHPU "
    "AutogradLazy AutogradMTIA AutogradMAIA AutogradPrivateUse1 AutogradMeta Tracer "
    "FuncTorchBatched BatchedNestedTensor Batched FuncTorchGradWrapper PythonTLSSnapshot "
    "FuncTorchDynamicLayerFrontMode PreDispatch PythonDispatcher"
)

# Operators of every kind that some fallback tells apart; all have a kernel for the CPU, or for all.
OPERATORS = {
    "one": "(Tensor x) -> Tensor",
    "in_place": "(Tensor(a!) x) -> Tensor(a!)",
    "writes": "(Tensor(a!) x) -> ()",
    "view": "(Tensor(a) x) -> Tensor(a)",
    "mixed": "(Tensor(a!) x, Tensor(b) y) -> (Tensor(a!), Tensor(b))",
    "out": "(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
    "two": "(Tensor x, Tensor y) -> (Tensor, Tensor)",
    "of_list": "(Tensor[] x) -> Tensor",
    "writes_list": "(Tensor(a!)[] x) -> ()",
    "number": "(int n) -> int",
    "no_list": "() -> ()",
}


@dataclass(frozen=True)
class Carrying:
    """A tensor as far as the dispatcher looks: on the CPU, if nothing else is said."""

    key_set: DispatchKeySet = field(
        default_factory=lambda: DispatchKeySet(
            DispatchKey.CPU,
            DispatchKey.AutogradCPU,
            DispatchKey.ADInplaceOrView,
            DispatchKey.AutocastCPU,
        )
    )


def result(of: str, *arguments: object) -> object:
    """What the operator's kernel returns, in either dispatcher."""
    match of:
        case "number":
            return 1
        case "writes" | "writes_list" | "no_list":
            return None
        case "two" | "mixed":
            return arguments
        case "of_list":
            return arguments[0][0]  # type: ignore[index]
    return arguments[-1]


def arguments_of(operator: str, tensor: object) -> list[object]:
    count = OPERATORS[operator].partition(" -> ")[0].count("Tensor")
    if "[]" in OPERATORS[operator]:
        return [[tensor, tensor]]
    return [1] if operator == "number" else [tensor] * count


@dataclass(frozen=True)
class Ours:
    """A dispatcher with all of these operators; the handles keep them registered."""

    world: World
    namespace: str
    handles: tuple[RegistrationHandleRAII, ...]

    def op(self, name: str) -> OperatorHandle:
        return self.world.dispatcher.findSchemaOrThrow(f"{self.namespace}::{name}")


def with_operators(namespace: str) -> Ours:
    world = new_world()
    dispatcher = world.dispatcher
    handles: list[RegistrationHandleRAII] = []
    for name, rest in OPERATORS.items():
        schema = parse_schema(f"{namespace}::{name}{rest}")
        key = DispatchKey.CPU if "Tensor" in rest else DispatchKey.CompositeExplicitAutograd
        kernel = makeFromUnboxedFunction(lambda *a, of=name: result(of, *a))
        handles.append(dispatcher.registerDef(schema, "here"))
        handles.append(dispatcher.registerImpl(schema.name, key, kernel, debug="here"))
    return Ours(world, namespace, tuple(handles))


def outcome(ours: Ours, operator: str, key: DispatchKey) -> str:
    """How a call ends whose thread includes the key."""
    local = tls_local_dispatch_key_set()
    with ForceDispatchKeyGuard(local.included.add(key), local.excluded.remove(key)):
        try:
            ours.world.dispatcher.call(ours.op(operator), *arguments_of(operator, Carrying()))
        except TorchError as error:
            return str(error)
    return "ran"
