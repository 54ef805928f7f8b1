"""Assignments to variables, to data members and to elements, and `++` and `--`.

What is assigned is of the kind that was there before: C++ converts no enumeration into another.
"""

from __future__ import annotations

from enum import Enum
from functools import partial

from tree_sitter import Node

from registry_runtime.cxx.bindings import refusals_at
from registry_runtime.cxx.context import (
    Context,
    argument_nodes,
    child,
    copied,
    named_variable,
    span_of,
)
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.lookup import look_up, nearest_known
from registry_runtime.cxx.member_access import element, field_value, object_of
from registry_runtime.cxx.names import qualified_name
from registry_runtime.cxx.operators import binary, is_function
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.variables import Variable


def assign(context: Context, node: Node) -> object:
    """`x = value`, `x += value`, `object.member = value` and `v[i] = value`; its value is what was
    assigned."""
    target, operator = child(node, "left"), context.spell(child(node, "operator"))
    variable = named_variable(context, target)
    if variable is not None:
        if operator != "=":
            right = context.evaluate(child(node, "right"))
            combine = partial(binary, operator.removesuffix("="), variable.cell.value, right)
            return _store(context, target, variable, refusals_at(span_of(node), [], combine))
        return _store(context, target, variable, context.evaluate(child(node, "right")))
    if target.type == "subscript_expression":
        return _assign_element(context, node, target, operator)
    if target.type != "field_expression" or operator != "=":
        raise context.not_understood(target, f"an assignment to `{context.spell(target)}`")
    old = field_value(context, target)
    value = _assigned_to_field(context, old, child(node, "right"))
    setattr(object_of(context, target), context.spell(child(target, "field")), value)
    return value


def _assign_element(context: Context, node: Node, target: Node, operator: str) -> object:
    old = element(context, target)
    value = context.evaluate(child(node, "right"))
    if operator != "=":
        whole, operation = span_of(node), operator.removesuffix("=")
        value = refusals_at(whole, [], binary, operation, old, value)
    _same_kind(target, context.spell(target), old, value)
    sequence = context.evaluate(child(target, "argument"))
    if not isinstance(sequence, list):
        raise context.not_understood(target, f"an assignment to `{context.spell(target)}`")
    (index,) = argument_nodes(child(target, "indices"))
    place = context.evaluate(index)
    assert isinstance(place, int)  # or there would have been no element
    sequence[place] = copied(context.program, value)
    return value


def update(context: Context, node: Node) -> object:
    """`++i` and `i++`, `--i` and `i--`."""
    target = child(node, "argument")
    variable = named_variable(context, target)
    if variable is None:
        raise context.not_understood(node)
    old = variable.cell.value
    operator = context.spell(child(node, "operator"))
    new = refusals_at(span_of(node), [], binary, operator[0], old, 1)
    _store(context, target, variable, new)
    is_prefix = child(node, "operator").start_byte < target.start_byte
    return new if is_prefix else old


def _store(context: Context, target: Node, variable: Variable, value: object) -> object:
    name, old = context.spell(target), variable.cell.value
    if variable.is_const:
        raise CxxError(f"`{name}` is const", span_of(target))
    _same_kind(target, name, old, value)
    variable.cell.value = copied(context.program, value)
    return value


def _assigned_to_field(context: Context, old: object, right: Node) -> object:
    takes_function = old is None or is_function(old)
    if takes_function and right.type == "qualified_identifier":
        # A function that only a header declares, which we may not have: as with a kernel's own
        # function, its name is enough. What looks like a slip of a known name is one.
        name = qualified_name(context.program.source, right)
        if look_up(context.program, name, context.place.scope) is None:
            if nearest_known(context.program, str(name)):
                return context.evaluate(right)
            return CxxFunction(str(name), (), None, name.span, (), context.program)
    value = context.evaluate(right)
    if not (takes_function and (value is None or is_function(value))):
        _same_kind(right, context.spell(right), old, value)
    return value


def _same_kind(where: Node, name: str, old: object, value: object) -> None:
    # C++ converts no enumeration into another, and nothing into one.
    if isinstance(old, Enum) and type(value) is not type(old):
        got = f"a {type(value).__name__}" if isinstance(value, Enum) else "something else"
        raise CxxError(f"`{name}`: {got} where a {type(old).__name__} is wanted", span_of(where))
