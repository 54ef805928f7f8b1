"""Assignments to variables, to data members and to elements, and `++` and `--`.

What is assigned becomes of the type that was there before; no enumeration is converted into another.
"""

from __future__ import annotations

from enum import Enum

from tree_sitter import Node

from registry_runtime.cxx.accesses import note
from registry_runtime.cxx.arithmetic import Integer, plain, type_of
from registry_runtime.cxx.bindings import refusals_at
from registry_runtime.cxx.context import Context, child, copied, span_of
from registry_runtime.cxx.conversions import AUTO, assigned
from registry_runtime.cxx.declared import initialise_object
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.grammar import assigned_as_a_whole, operator_of
from registry_runtime.cxx.lookup import look_up, nearest_known
from registry_runtime.cxx.member_access import data_member, owner_of_field
from registry_runtime.cxx.names import qualified_name
from registry_runtime.cxx.operators import binary, is_function, kind, overloaded, unary
from registry_runtime.cxx.places import decayed
from registry_runtime.cxx.span import CxxError, Span
from registry_runtime.cxx.symbolic import symbolic
from registry_runtime.cxx.types import NamedType
from registry_runtime.cxx.variables import NoValue, Nullopt, Optional, Tied, Tuple, Variable


def assign(context: Context, node: Node) -> object:
    """`x = value`, `x += value` and `object.member = value`; its value is what was assigned. The right
    side comes first: [expr.ass]."""
    if whole := assigned_as_a_whole(node):
        raise context.not_understood(node, f"an assignment to `{whole}`")
    target, operator = child(node, "left"), operator_of(node)
    member = target.type == "field_expression" and data_member(context, target) is None
    if member and operator == "=":
        return _assign_to_field(context, target, child(node, "right"))
    value = context.evaluate(child(node, "right"))
    variable = context.reach(target)
    if variable.is_temporary and not isinstance(variable.cell.held, Tied):
        raise context.not_understood(target, f"an assignment to `{context.spell(target)}`")
    if operator != "=":
        in_place = context.program.bindings.operation(operator, variable.cell.value)
        if in_place is not None:
            if variable.is_const:
                raise CxxError(f"`{context.spell(target)}` is const", span_of(target))
            refusals_at(span_of(node), [], in_place, variable.cell.value, value)
            return variable
        operation = operator.removesuffix("=")
        value = apply(context, span_of(node), operation, variable.cell.value, value)
    return _store(context, target, variable, value)


def update(context: Context, node: Node) -> object:
    """`++i` and `i++`, `--i` and `i--`."""
    target, operator = child(node, "argument"), child(node, "operator")
    variable = context.reach(target)
    if variable.is_temporary:
        raise context.not_understood(node)
    old = variable.cell.value
    counted = context.program.bindings.operation(context.spell(operator)[0], old) is None
    if old is True or old is False or not counted:
        of = "bool" if counted else type(old).__name__
        raise CxxError(f"there is no `{context.spell(operator)}` for `{of}`", span_of(node))
    new = apply(context, span_of(node), context.spell(operator)[0], old, Integer(1))
    _store(context, target, variable, new)
    return variable if operator.start_byte < target.start_byte else old


def apply(context: Context, whole: Span, operator: str, *operands: object) -> object:
    """What an operator makes of its operands: C++'s own, or one that is overloaded for them."""
    overloads = context.program.bindings.overloads
    known = any(overloads(operator, operand) for operand in operands) and not symbolic(*operands)
    own = binary if len(operands) == 2 else unary
    operands = tuple(map(decayed, operands))
    spelled = operator if len(operands) == 2 else f"unary {operator}"
    function = context.program.bindings.operation(spelled, *operands)
    if function is not None and not symbolic(*operands):
        return refusals_at(whole, [], function, *operands)
    return refusals_at(whole, [], overloaded if known else own, operator, *operands)


def _store(context: Context, target: Node, variable: Variable, value: object) -> Variable:
    name, old = context.spell(target), variable.cell.held
    if variable.is_const:
        raise CxxError(f"`{name}` is const", span_of(target))
    if isinstance(old, NoValue):
        kept = initialise_object(context, old.type or AUTO, value, target)
        refusals_at(span_of(target), [], setattr, variable.cell, "value", kept)
        return variable
    if isinstance(old, Tuple):  # its parts stay the objects that other names are for
        refusals_at(span_of(target), [], assigned, old, value)
        return variable
    _same_kind(target, name, old, value)
    type = type_of(old)
    own = context.program.bindings.conversions.get(value.__class__)
    if own is not None and type is not None:
        made = refusals_at(span_of(target), [], own, value, NamedType(type.name))
    else:
        made = refusals_at(span_of(target), [], assigned, old, value)
    kept = copied(context.program, made)
    refusals_at(span_of(target), [], setattr, variable.cell, "value", kept)
    return variable


def _assign_to_field(context: Context, target: Node, right: Node) -> object:
    owner = owner_of_field(context, target)
    if owner.is_const:
        name = context.spell(child(target, "argument"))
        raise CxxError(f"`{name}` is const", span_of(child(target, "argument")))
    to, name = owner.cell.value, context.spell(child(target, "field"))
    value = _assigned_to_field(context, getattr(to, name), right)
    note(to, changes=True)
    setattr(to, name, plain(value))
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
    if isinstance(value, Optional | Nullopt):
        raise CxxError(f"{kind(value)} is assigned to a member that isn't one", span_of(right))
    if not (takes_function and (value is None or is_function(value))):
        _same_kind(right, context.spell(right), old, value)
    return value


def _same_kind(where: Node, name: str, old: object, value: object) -> None:
    # C++ converts no enumeration into another, and nothing into one.
    if isinstance(old, Enum) and type(value) is not type(old):
        got = f"a {type(value).__name__}" if isinstance(value, Enum) else "something else"
        raise CxxError(f"`{name}`: {got} where a {type(old).__name__} is wanted", span_of(where))
