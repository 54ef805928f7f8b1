"""Casts: `static_cast<T>(x)` and its kin, `(T)x`, `int(x)`.

A cast that converts is done by `operators.static_cast`. The others give the same function or object,
seen as something else.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx.bindings import refusals_at
from registry_runtime.cxx.context import Context, argument_nodes, child, span_of
from registry_runtime.cxx.conversions import static_cast
from registry_runtime.cxx.read_type import read_type
from registry_runtime.cxx.types import NamedType, PointerType, Type, fundamental

CASTS = ("reinterpret_cast", "static_cast", "const_cast", "dynamic_cast")


def named_cast(context: Context, node: Node, function: Node, arguments: Node) -> object:
    """`static_cast<T>(x)`, or another cast of C++'s own."""
    types, operands = argument_nodes(child(function, "arguments")), argument_nodes(arguments)
    if len(types) != 1 or len(operands) != 1 or types[0].type != "type_descriptor":
        raise context.not_understood(node)
    target = read_type(context.program, types[0], context.place)
    cast = context.spell(child(function, "name"))
    if cast == "static_cast":
        return _convert(context, node, target, operands[0])
    if cast == "const_cast":
        return context.evaluate(operands[0])
    if cast != "reinterpret_cast" or not isinstance(target, PointerType):
        raise context.not_understood(node)
    return context.evaluate(operands[0])  # the same function or object, seen as something else


def c_cast(context: Context, node: Node) -> object:
    """`(T)x`; `(void)x` is nothing."""
    target = read_type(context.program, child(node, "type"), context.place)
    if target == NamedType("void"):
        context.evaluate(child(node, "value"))
        return None
    return _convert(context, node, target, child(node, "value"))


def function_cast(context: Context, node: Node, function: Node, arguments: Node) -> object:
    """`int(x)`."""
    operands = argument_nodes(arguments)
    if len(operands) != 1:
        raise context.not_understood(node)
    return _convert(context, node, fundamental(context.spell(function)), operands[0])


def _convert(context: Context, node: Node, target: Type, operand: Node) -> object:
    name = target.name if isinstance(target, NamedType) else ""
    binding = context.program.bindings.names.get(name)
    value = context.evaluate(operand)
    own = context.program.bindings.conversions.get(type(value))
    if own is not None:
        return refusals_at(span_of(node), [], own, value, target)
    return refusals_at(span_of(node), [], static_cast, target, binding, value)
