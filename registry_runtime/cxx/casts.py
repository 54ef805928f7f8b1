"""Casts: `static_cast<T>(x)` and its kin, `(T)x`, `int(x)`.

A cast that converts is done by `operators.static_cast`. The others give the same function or object,
seen as something else.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import type_of
from registry_runtime.cxx.bindings import refusals_at
from registry_runtime.cxx.context import Context, argument_nodes, child, named_variable, span_of
from registry_runtime.cxx.conversions import arithmetic_type, static_cast, zero
from registry_runtime.cxx.lookup import look_up
from registry_runtime.cxx.names import qualified_name
from registry_runtime.cxx.own_types import OwnType
from registry_runtime.cxx.places import Pointer
from registry_runtime.cxx.read_type import named_type, read_type
from registry_runtime.cxx.types import ConstType, NamedType, PointerType, ReferenceType, Type
from registry_runtime.cxx.variables import Variable

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
        return context.reach(operands[0])
    if cast != "reinterpret_cast" or not isinstance(target, PointerType):
        raise context.not_understood(node)
    value = context.evaluate(operands[0])  # the same function or object, seen as something else
    if isinstance(value, Pointer) and type_of(value.variable.cell.held) is not None:
        raise context.not_understood(node)  # whose bytes would be another number
    return value


def c_cast(context: Context, node: Node) -> object:
    """`(T)x`; `(void)x` is nothing."""
    target = read_type(context.program, child(node, "type"), context.place)
    if target == NamedType("void"):
        context.evaluate(child(node, "value"))
        return None
    return _convert(context, node, target, child(node, "value"))


def function_cast(context: Context, node: Node, type: Type, arguments: Node) -> object:
    """`int(x)`, and `int()`, which is zero."""
    operands = argument_nodes(arguments)
    to = arithmetic_type(type)
    if not operands and (to is not None or isinstance(type, OwnType)):
        if reads_as_a_type(node):
            raise context.not_understood(node, f"`{context.spell(node)}` in parentheses")
        return refusals_at(span_of(node), [], zero, type)
    if len(operands) != 1:
        raise context.not_understood(node)
    return _convert(context, node, type, operands[0])


def reads_as_a_type(node: Node) -> bool:
    """Whether `int()` stands where it is a function's type to a compiler, [dcl.ambig.res]: in
    `(int()) - 1`, which casts, and in `sizeof(int())`."""
    around = node.parent
    while around is not None and around.type in ("argument_list", "call_expression"):
        around = around.parent
    return around is not None and around.type in ("parenthesized_expression", "sizeof_expression")


def type_named(context: Context, name: Node) -> Type | None:
    """The type that a name is an alias of, or a template's parameter: the `T` of `T(1)`. None for one
    that has a constructor here."""
    if named_variable(context, name) is not None:
        return None
    found = look_up(
        context.program, qualified_name(context.program.source, name), context.place.scope
    )
    if found is None or not (found.type or found.alias or found.is_class) or found.rest:
        return None
    type = named_type(context.program, name, context.place)
    bound = isinstance(type, NamedType) and type.name in context.program.bindings.names
    unread = found.is_class and not isinstance(type, OwnType)
    return None if bound or unread else type


def _convert(context: Context, node: Node, target: Type, operand: Node) -> object:
    if isinstance(target, ReferenceType):
        return _same_object(context, node, target, operand)
    name = target.name if isinstance(target, NamedType) else ""
    binding = context.program.bindings.names.get(name)
    value = context.evaluate(operand)
    own = context.program.bindings.conversions.get(type(value))
    if own is not None:
        return refusals_at(span_of(node), [], own, value, target)
    return refusals_at(span_of(node), [], static_cast, target, binding, value)


def _same_object(context: Context, node: Node, target: ReferenceType, operand: Node) -> Variable:
    # static_cast<const int&>(x) is another name for x.
    found = context.reach(operand)
    if found.is_temporary or arithmetic_type(target) != type_of(found.cell.value):
        raise context.not_understood(node)
    return Variable(found.cell, found.is_const or isinstance(target.to, ConstType))
