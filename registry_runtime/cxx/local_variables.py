"""Declarations in a body: `int i = 3;`, `auto& y = x;`, `at::NoGradGuard guard;`.

The grammar doesn't know which names are types, so that some of these look like declarations of
functions: `int j(i);` and `X x(a, b);`. Here the variables are known, and it can be told.
"""

from __future__ import annotations

from functools import partial

from tree_sitter import Node

from registry_runtime.cxx.bindings import refusals_at
from registry_runtime.cxx.calls import call_bound
from registry_runtime.cxx.context import Context, argument_nodes, child, span_of
from registry_runtime.cxx.conversions import AUTO, arithmetic_type, listed
from registry_runtime.cxx.declarators import declared_name, is_const
from registry_runtime.cxx.declared import (
    bind_reference,
    initialise_object,
    is_read,
    type_in,
    unread,
)
from registry_runtime.cxx.evaluate import evaluate
from registry_runtime.cxx.member_access import lvalue
from registry_runtime.cxx.objects import object_class
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import PointerType, ReferenceType, Type, without_reference_and_const
from registry_runtime.cxx.variables import Cell, Variable


def declare_variables(context: Context, statement: Node) -> None:
    """Make the variables that a declaration in a body declares. Raises CxxError."""
    assert context.variables is not None
    is_static = any(context.spell(c) == "static" for c in statement.children)
    for declarator in statement.children_by_field_name("declarator"):
        name = declared_name(declarator)
        if name is None or name.type != "identifier":
            raise context.not_understood(declarator)
        # `static auto op = …` is worked out the first time.
        kept, key = context.program.instances, ("static", name.start_byte)
        made = kept.get(key) if is_static else None
        if not isinstance(made, Variable):
            made = _declared(context, statement, declarator)
            if is_static:
                kept[key] = made
        spelling = context.spell(name)
        if spelling in context.variables.values:
            raise CxxError(f"`{spelling}` is declared twice", span_of(name))
        context.variables.values[spelling] = made


def _declared(context: Context, statement: Node, declarator: Node) -> Variable:
    if declarator.type == "function_declarator":
        return _of_names(context, statement, declarator)
    value = declarator.child_by_field_name("value")
    inner = child(declarator, "declarator") if declarator.type == "init_declarator" else declarator
    const = is_const(statement) and inner.type != "pointer_declarator"
    if inner.type == "identifier":
        object = _object(context, statement, declarator, value)
        if object is not None:
            return object
    if value is None:
        raise context.not_understood(declarator, "a variable without a value")
    if inner.type == "array_declarator":
        return Variable(Cell(_array(context, statement, inner, value)), const)
    type = type_in(context, statement, inner)
    in_braces = value.type == "initializer_list"
    if in_braces or value.type == "argument_list":  # int i(3), int i{3}
        values = argument_nodes(value)
        if len(values) != 1 or _is_list(type, declarator):
            if not is_read(context.program, type) or arithmetic_type(type) is not None:
                raise context.not_understood(declarator)
            elements = tuple(evaluate(context, node) for node in values)
            return Variable(Cell(initialise_object(context, type, elements, value)), const)
        value = values[0]
    if isinstance(type, ReferenceType):
        named = lvalue(context, value)
        given = named.cell.value if named is not None else evaluate(context, value)
        return bind_reference(context, type, named, given, value, const)
    if not is_read(context.program, type):
        raise unread(context, type, child(statement, "type"))
    made = initialise_object(context, type, evaluate(context, value), value, in_braces=in_braces)
    return Variable(Cell(made), const)


def _is_list(type: Type, declarator: Node) -> bool:
    # `auto v = {1}` is a list of one; `auto v{1}` and `int i = {1}` are a number.
    is_auto = without_reference_and_const(type) == AUTO
    return is_auto and any(c.type == "=" for c in declarator.children)


def _array(context: Context, statement: Node, declarator: Node, value: Node) -> object:
    # `int v[] = {4, 5}`: fixed in size, and otherwise as a vector. What isn't given is zero.
    of = type_in(context, statement, declarator)
    size = declarator.child_by_field_name("size")
    if not isinstance(of, PointerType) or value.type != "initializer_list":
        raise context.not_understood(declarator, "an array without a list of its elements")
    values = [evaluate(context, node) for node in argument_nodes(value)]
    wanted = evaluate(context, size) if size is not None else len(values)
    if wanted != len(values):
        raise CxxError(
            f"this array has {wanted} elements, and {len(values)} are listed", span_of(value)
        )
    return refusals_at(span_of(value), [], listed, without_reference_and_const(of.to), values)


# --- What looks like a function -------------------------------------------------------------------


def _of_names(context: Context, statement: Node, declarator: Node) -> Variable:
    # `int j(i);` is a declaration of a function to the grammar, which knows no variables; and so is
    # `X x(A::a, b);`, with parameters of the types `A::a` and `b`.
    assert context.variables is not None
    listed_ = argument_nodes(child(declarator, "parameters"))
    if not listed_ or any(p.type != "parameter_declaration" for p in listed_):
        raise context.not_understood(declarator, "a variable without a value")
    nodes = [child(parameter, "type") for parameter in listed_]
    named = [context.variables.find(context.spell(node)) for node in nodes]
    of = object_class(context.program, child(statement, "type"), context.place)
    const = is_const(statement)
    copies = len(nodes) == 1 and named[0] is not None
    if of is not None and of.construct is not None and not copies:
        values = [
            evaluate(context, node) if found is None else found.cell.value
            for node, found in zip(nodes, named, strict=True)
        ]
        spans = [span_of(node) for node in nodes]
        made = refusals_at(span_of(declarator), spans, of.construct, *values)
        return Variable(Cell(_kept(context, made)), const)
    found, type = named[0], type_in(context, statement, None)
    if len(nodes) != 1 or found is None:
        written = context.spell(nodes[0])
        raise CxxError(f"`{written}` is not known here", span_of(listed_[0]))
    if not is_read(context.program, type):
        raise unread(context, type, child(statement, "type"))
    value = initialise_object(context, type, found.cell.value, listed_[0])
    return Variable(Cell(value), const)


# --- Objects of bound classes ---------------------------------------------------------------------


def _object(
    context: Context, statement: Node, declarator: Node, value: Node | None
) -> Variable | None:
    # `at::NoGradGuard guard;` and `X x(a, b);`: an object of a bound class, whose end is noted.
    if value is not None and value.type not in ("argument_list", "initializer_list"):
        return None
    type_node, const = child(statement, "type"), is_const(statement)
    of = object_class(context.program, type_node, context.place)
    if of is None or of.construct is None:
        type = type_in(context, statement, None)
        if not is_read(context.program, type):
            raise unread(context, type, type_node)
        return None
    if value is None:
        made = refusals_at(span_of(statement), [], of.construct)
        return Variable(Cell(_kept(context, made)), const)
    is_list = value.type == "initializer_list"
    construct = of.from_list if is_list and of.from_list else of.construct
    return Variable(Cell(_kept(context, call_bound(context, declarator, construct, value))), const)


def _kept(context: Context, made: object) -> object:
    # Its destructor, if it has one, runs where the block ends.
    assert context.variables is not None
    end = context.program.bindings.destructors.get(type(made))
    if end is not None:
        context.variables.ends.append(partial(end, made))
    return made
