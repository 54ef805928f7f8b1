"""`c10::Dispatcher` in a body: how a function calls an operator by its name, as from anywhere else.

    static auto op = c10::Dispatcher::singleton()
        .findSchemaOrThrow("my::f", "").typed<at::Tensor(const at::Tensor&)>();
    return op.call(x);

The type is held against that of the operator's kernels when the handle is made, and the arguments of a
call become of its types (`aten/src/ATen/core/dispatch/Dispatcher.h` of PyTorch 2.13).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from registry_runtime.aten.autograd.missing_derivatives import noted_as_pytorchs
from registry_runtime.aten.dispatch.dispatcher import Dispatcher
from registry_runtime.aten.dispatch.operator_handle import OperatorHandle
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.check_names import Arguments
from registry_runtime.aten.schema.cpp_signature import CppSignature
from registry_runtime.aten.world import World
from registry_runtime.cxx import Binding, Class, Function, FunctionTemplate, FunctionType, Method
from registry_runtime.cxx.arithmetic import plain
from registry_runtime.cxx.bindings import Typed
from registry_runtime.cxx.conversions import initialised
from registry_runtime.cxx.variables import what_it_holds


@dataclass(frozen=True, slots=True)
class TypedOperatorHandle:
    """`c10::TypedOperatorHandle<type>`."""

    op: OperatorHandle
    type: FunctionType


def dispatcher_names(world: World) -> dict[str, Binding]:
    """The one dispatcher, by the names that it has."""

    def refuse(*values: object) -> object:
        raise TorchError("there is one Dispatcher: Dispatcher::singleton()")

    members = {"singleton": Function(lambda: world.dispatcher)}
    one = Class(refuse, members, registers=False)
    return {f"{space}::Dispatcher": one for space in ("c10", "at", "torch")}


def dispatcher_methods(world: World) -> dict[type, Mapping[str, Method]]:
    """What it is asked for, and how what it gives is called."""

    def find(dispatcher: Dispatcher, name: object, overload: object) -> OperatorHandle:
        if not isinstance(name, str) or not isinstance(overload, str):
            raise TorchError(
                "an operator is looked for by its name and its overload's, two strings"
            )
        return dispatcher.findSchemaOrThrow(name, overload)

    def call(of: TypedOperatorHandle, *values: object) -> object:
        given = _converted(of, values)
        made = world.dispatcher.call(of.op, *given)
        return noted_as_pytorchs(str(of.op.operator_name()), given, made)

    def redispatch(of: TypedOperatorHandle, keys: Any, *values: object) -> object:
        return world.dispatcher.redispatch(of.op, keys, *_converted(of, values))

    return {
        Dispatcher: {"findSchemaOrThrow": find},
        TypedOperatorHandle: {"call": Typed(call), "redispatch": Typed(redispatch)},
    }


TYPED = FunctionTemplate(lambda arguments: _typed(arguments))


def _typed(arguments: Arguments) -> Callable[[OperatorHandle], TypedOperatorHandle]:
    type = arguments[0].type if len(arguments) == 1 else None
    if not isinstance(type, FunctionType):
        raise TorchError("typed<…> wants the type of a function: at::Tensor(const at::Tensor&)")

    def typed(op: OperatorHandle) -> TypedOperatorHandle:
        op.typed(CppSignature.make(type), "SymInt" in str(type))
        return TypedOperatorHandle(op, type)

    return typed


def _converted(of: TypedOperatorHandle, values: tuple[object, ...]) -> list[Any]:
    wanted = of.type.parameters
    if len(values) != len(wanted):
        raise TorchError(f"this operator takes {len(wanted)} arguments, and gets {len(values)}")
    each = zip(wanted, values, strict=True)
    return [plain(what_it_holds(initialised(parameter.type, value))) for parameter, value in each]
