"""The parameters of a function of the text, as variables of its body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tree_sitter import Node

from registry_runtime.cxx.classes import CxxObject
from registry_runtime.cxx.context import Context, argument_nodes, span_of
from registry_runtime.cxx.conversions import is_optional
from registry_runtime.cxx.declarators import declared_name, is_const_object
from registry_runtime.cxx.declared import (
    bind_reference,
    initialise_object,
    is_read,
    type_in,
    unread,
)
from registry_runtime.cxx.evaluate import evaluate
from registry_runtime.cxx.places import Pointer
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import ReferenceType, without_reference_and_const
from registry_runtime.cxx.variables import NULLOPT, Cell, Variable


def bind_parameters(
    context: Context, name: str, declarator: Node, values: Sequence[object]
) -> None:
    """Make the variables of what `declarator` lists. A value is a Python one, given by pointer where
    the parameter is a pointer; or a `Variable`, to which a reference is bound. Raises CxxError."""
    variables = context.variables
    assert variables is not None
    key = ("parameters", declarator.start_byte, context.place.scope)
    listed: list[_Listed] = context.program.once(key, lambda: _list(context, declarator))
    if len(listed) < len(values) or not all(one.default for one in listed[len(values) :]):
        shown = "this lambda" if name == "operator()" else f"`{name}`"
        raise CxxError(
            f"{shown} has {len(listed)} parameters and is called with {len(values)}",
            span_of(declarator.child_by_field_name("parameters") or declarator),
        )
    defaults = (evaluate(context, one.default) for one in listed[len(values) :] if one.default)
    for one, value in zip(listed, (*values, *defaults), strict=True):
        if one.name in variables.values:
            raise CxxError(f"`{one.name}` is declared twice", span_of(one.node))
        if one.name:
            variables.values[one.name] = _parameter(context, one, value)
    variables.values.setdefault("__func__", Variable(Cell(name.rpartition("::")[2]), is_const=True))


class _Listed(NamedTuple):
    """A parameter as it is declared; its type is read when it is given something."""

    name: str
    node: Node
    declarator: Node | None
    default: Node | None
    is_pointer: bool
    is_const: bool


def _list(context: Context, declarator: Node) -> list[_Listed]:
    spell, listed = context.program.source.spell, declarator.child_by_field_name("parameters")
    nodes = [n for n in argument_nodes(listed) if n.type in _PARAMETERS] if listed else []
    return [_one(context, node) for node in nodes if spell(node) != "void"]


def _one(context: Context, node: Node) -> _Listed:
    declarator = node.child_by_field_name("declarator")
    named, default = declared_name(declarator), node.child_by_field_name("default_value")
    is_pointer = declarator is not None and declarator.type == "pointer_declarator"
    name = context.program.source.spell(named) if named is not None else ""
    return _Listed(name, node, declarator, default, is_pointer, is_const_object(node, declarator))


_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration")


def _parameter(context: Context, one: _Listed, value: object) -> Variable:
    node, const = one.node, one.is_const
    type = type_in(context, node, one.declarator)
    assert context.variables is not None
    keep = context.variables.keep
    if not isinstance(value, Variable):
        given = Pointer(value) if one.is_pointer else value
        if value is None and is_optional(without_reference_and_const(type)):
            given = NULLOPT  # Python's own
        if isinstance(given, CxxObject):
            return Variable(Cell(given), const)
        made = initialise_object(context, type, given, node)
        # What bound code gives a reference to is its own, and outlives the call.
        return Variable(Cell(made) if isinstance(type, ReferenceType) else keep(made), const)
    if isinstance(type, ReferenceType):
        return bind_reference(context, type, value, node, const)
    if not is_read(context.program, type):
        raise unread(context, type, node)
    return Variable(keep(initialise_object(context, type, value.cell.value, node)), const)
