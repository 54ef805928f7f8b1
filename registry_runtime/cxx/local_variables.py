"""Declarations in a body: `int i = 3;`, `auto& y = x;`, `at::NoGradGuard guard;`.

The grammar doesn't know which names are types, so that some of these look like declarations of
functions: `int j(i);` and `X x(a, b);`. Here the variables are known, and it can be told.
"""

from __future__ import annotations

from functools import partial

from tree_sitter import Node

from registry_runtime.cxx.bindings import refusals_at
from registry_runtime.cxx.calls import call_bound
from registry_runtime.cxx.context import (
    Context,
    argument_nodes,
    child,
    copied,
    named_variable,
    span_of,
)
from registry_runtime.cxx.declarators import declared_name, is_const
from registry_runtime.cxx.evaluate import evaluate
from registry_runtime.cxx.objects import object_class
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.variables import Cell, Variable


def declare_variables(context: Context, statement: Node) -> None:
    """Make the variables that a declaration in a body declares. Raises CxxError."""
    assert context.variables is not None
    is_static = any(context.spell(c) == "static" for c in statement.children)
    for declarator in statement.children_by_field_name("declarator"):
        name = declared_name(declarator)
        value = declarator.child_by_field_name("value")
        if name is not None and _is_object(context, statement, declarator, name):
            continue
        if declarator.type != "init_declarator" or name is None or value is None:
            if declarator.type == "function_declarator":
                if not _is_object_of_names(context, statement, declarator):
                    _declare_from_names(context, declarator, is_const(statement))
                continue
            raise context.not_understood(declarator, "a variable without a value")
        inner = child(declarator, "declarator").type
        const = is_const(statement) and inner != "pointer_declarator"
        is_list = inner == "array_declarator" or _is_list(context, statement, declarator)
        # `static auto op = …` is worked out the first time.
        kept, key = context.program.instances, ("static", name.start_byte)
        made = kept.get(key) if is_static else None
        if not isinstance(made, Variable):
            made = _variable(context, inner, value, const, is_list)
            if is_static:
                kept[key] = made
        context.variables.values[context.program.source.spell(name)] = made


def _is_list(context: Context, statement: Node, declarator: Node) -> bool:
    # `auto v = {1}` and `std::vector<int> v{1}` are lists of one; `int i = {1}` is a number.
    type_node = child(statement, "type")
    if type_node.type == "placeholder_type_specifier":
        return any(c.type == "=" for c in declarator.children)
    return context.spell(type_node).endswith(">")


def _variable(
    context: Context, declarator: str, value: Node, const: bool, is_list: bool
) -> Variable:
    if value.type in ("argument_list", "initializer_list"):  # int i(3), int i{3}
        values = argument_nodes(value)
        if is_list or len(values) != 1:
            return Variable(Cell(tuple(evaluate(context, node) for node in values)), const)
        value = values[0]
    if declarator == "reference_declarator":
        named = named_variable(context, value)
        if named is not None:
            return Variable(named.cell, const or named.is_const)
        return Variable(Cell(evaluate(context, value)), const)
    return Variable(Cell(copied(context.program, evaluate(context, value))), const)


def _declare_from_names(context: Context, declarator: Node, const: bool) -> None:
    # `int j(i);` is a declaration of a function to the grammar, which knows no variables.
    assert context.variables is not None
    parameters = child(declarator, "parameters").named_children
    name = declared_name(declarator.child_by_field_name("declarator"))
    if len(parameters) != 1 or name is None:
        raise context.not_understood(declarator, "a variable without a value")
    written = context.spell(parameters[0])
    found = context.variables.find(written)
    if found is None:
        raise CxxError(f"`{written}` is not known here", span_of(parameters[0]))
    value = copied(context.program, found.cell.value)
    context.variables.values[context.spell(name)] = Variable(Cell(value), const)


# --- Objects of bound classes ---------------------------------------------------------------------


def _is_object(context: Context, statement: Node, declarator: Node, name: Node) -> bool:
    # `at::NoGradGuard guard;` and `X x(a, b);`: an object of a bound class, whose end is noted.
    value = declarator.child_by_field_name("value")
    plain = declarator.type == "identifier" or (
        declarator.type == "init_declarator"
        and child(declarator, "declarator").type == "identifier"
        and value is not None
        and value.type in ("argument_list", "initializer_list")
    )
    type_node = statement.child_by_field_name("type")
    of = object_class(context.program, type_node, context.place) if plain else None
    if of is None or of.construct is None:
        return False
    if value is None:
        made = refusals_at(span_of(statement), [], of.construct)
    else:
        listed = of.from_list if value.type == "initializer_list" else None
        made = call_bound(context, declarator, listed or of.construct, value)
    _keep_object(context, statement, name, made)
    return True


def _is_object_of_names(context: Context, statement: Node, declarator: Node) -> bool:
    # `X x(A::a, b);` is such a declaration too, with parameters of the types `A::a` and `b`.
    type_node = statement.child_by_field_name("type")
    of = object_class(context.program, type_node, context.place)
    name = declared_name(declarator.child_by_field_name("declarator"))
    if of is None or of.construct is None or name is None:
        return False
    assert context.variables is not None
    parameters = child(declarator, "parameters").named_children
    nodes = [child(p, "type") for p in parameters if p.type == "parameter_declaration"]
    variables = [context.variables.find(context.spell(node)) for node in nodes]
    if len(nodes) == 1 and variables[0] is not None:
        return False  # a copy
    values = [
        evaluate(context, node) if found is None else found.cell.value
        for node, found in zip(nodes, variables, strict=True)
    ]
    spans = [span_of(node) for node in nodes]
    made = refusals_at(span_of(declarator), spans, of.construct, *values)
    _keep_object(context, statement, name, made)
    return True


def _keep_object(context: Context, statement: Node, name: Node, made: object) -> None:
    # Its destructor, if it has one, runs where the block ends.
    assert context.variables is not None
    variable = Variable(Cell(made), is_const(statement))
    context.variables.values[context.program.source.spell(name)] = variable
    end = context.program.bindings.destructors.get(type(made))
    if end is not None:
        context.variables.ends.append(partial(end, made))
