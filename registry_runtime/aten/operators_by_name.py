"""Operators as C++ bodies name them: `at::_ops::add_Tensor`, and `self.add(other, alpha)`.

PyTorch's build writes a struct for each operator of `native_functions.yaml`, and a method of Tensor
for many. Here they are looked up in the dispatcher when a body calls them.
"""

from __future__ import annotations

from typing import Any

from registry_runtime.aten.autograd.missing_derivatives import noted_as_pytorchs
from registry_runtime.aten.dispatch.operator_handle import OperatorHandle
from registry_runtime.aten.errors import NoSchema
from registry_runtime.aten.schema.function_schema import FunctionSchema
from registry_runtime.aten.schema.jit_type import Type, TypeKind
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.aten.world import World
from registry_runtime.cxx import Vector
from registry_runtime.cxx.arithmetic import plain
from registry_runtime.cxx.variables import Nullopt, Optional, what_it_holds


def operator_named(world: World, struct: str) -> OperatorHandle:
    """The operator of `at::_ops::NAME`: its name, and its overload's behind a `_`.

    Raises TorchError, as looking up its schema would.
    """
    for name in world.dispatcher.operatorLookupTable_:
        namespace, _, short = name.name.partition("::")
        spelled = f"{short}_{name.overload_name}" if name.overload_name else short
        if namespace == "aten" and spelled == struct:
            return world.dispatcher.findSchemaOrThrow(name.name, name.overload_name)
    said = f"Could not find schema for at::_ops::{struct}: no operator is called so"
    raise NoSchema(said, f"at::_ops::{struct}")


def method_of(world: World, name: str, *arguments: Any) -> Any:
    """`tensor.NAME(…)`: the first overload of `aten::NAME` that these arguments fit is called.

    Raises TorchError if there is none.
    """
    dispatcher, arguments = world.dispatcher, tuple(map(plain, arguments))
    for operator, handle in list(dispatcher.operatorLookupTable_.items()):
        if operator.name == f"aten::{name}" and handle.hasSchema():
            filled = _filled(handle.schema(), arguments)
            if filled is not None:
                made = dispatcher.call(handle, *filled)
                return noted_as_pytorchs(str(operator), filled, made)
    known = [str(o) for o in dispatcher.operatorLookupTable_ if o.name == f"aten::{name}"]
    hint = "no loaded file registers it; `unfold run` loads several: --file A --file B"
    if known:
        hint = f"none of {', '.join(known)} takes these arguments"
    raise NoSchema(f"Could not find schema for aten::{name}", f"aten::{name}", hint=hint)


def _filled(schema: FunctionSchema, arguments: tuple[Any, ...]) -> tuple[Any, ...] | None:
    # C++'s methods take the keyword-only arguments in their place too.
    filled = []
    for index, argument in enumerate(schema.arguments):
        if index < len(arguments):
            given = arguments[index]
            if isinstance(given, Optional | Nullopt):
                if argument.type.kind is not TypeKind.OptionalType:
                    return None
                given = what_it_holds(given)
            value = _as(argument.real_type, given)
        elif argument.has_default:
            value = argument.default_value
            if argument.type.kind is TypeKind.NumberType:
                value = Scalar.of(value)
        else:
            return None
        if value is _UNFIT:
            return None
        filled.append(value)
    return tuple(filled) if len(arguments) <= len(schema.arguments) else None


_UNFIT = object()


def _as(type: Type, value: Any) -> Any:
    """The value as an argument of this type, or `_UNFIT`: of one overload it is, of another not."""
    match type.kind:
        case TypeKind.OptionalType:
            return None if value is None else _as(type.element, value)
        case TypeKind.ListType:
            # A single number is a list of one: `x.sum(0)`.
            several = value if isinstance(value, tuple | list | Vector) else [value]
            made = [_as(type.element, one) for one in several]
            return _UNFIT if any(one is _UNFIT for one in made) else made
        case TypeKind.TensorType:
            fits = isinstance(value, Tensor)
        case TypeKind.NumberType if isinstance(value, int | float | complex | Scalar):
            return Scalar.of(value)
        case TypeKind.NumberType:
            fits = False
        case TypeKind.ScalarTypeType:
            fits = isinstance(value, ScalarType)
        case TypeKind.IntType | TypeKind.SymIntType:
            fits = isinstance(value, int) and not isinstance(value, bool | ScalarType)
        case _:
            fits = not isinstance(value, Tensor)
    return value if fits else _UNFIT
