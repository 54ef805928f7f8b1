"""Calls of functions and lambdas of the text: the braces that a programmer writes after a registration.

Such a body adjusts what the registration recorded, kernel by kernel: it looks at the key, and sets
a dtype here and a backend there. The statements themselves are run by `statements`.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx.bindings import Class, refusals_at
from registry_runtime.cxx.context import Context, Place, argument_nodes, child, span_of
from registry_runtime.cxx.conversions import arithmetic_type
from registry_runtime.cxx.declarators import declared_name, is_const
from registry_runtime.cxx.declared import (
    bind_reference,
    initialise_object,
    is_read,
    type_in,
    unread,
)
from registry_runtime.cxx.definitions import definition
from registry_runtime.cxx.evaluate import evaluate
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.lambdas import Lambda
from registry_runtime.cxx.parse import missing_semicolon, no_syntax_errors
from registry_runtime.cxx.span import CxxError, NotUnderstood
from registry_runtime.cxx.statements import Return, run_block
from registry_runtime.cxx.types import ReferenceType, Type
from registry_runtime.cxx.variables import Cell, Pointer, Variable, Variables


def call_function(callee: object, values: tuple[object, ...], this: object = None) -> object:
    """Run the body of a function or a lambda of the text; of a member function, on `this`.

    A value is a Python one, given by pointer where the parameter is a pointer; or a `Variable`, for
    a call from the text itself, to which a reference parameter is bound. Raises UndefinedFunction
    and RedefinedFunction, and CxxError for whatever in the body is wrong or not understood.
    """
    if isinstance(callee, Lambda):
        body, listed = child(callee.node, "body"), callee.node.child_by_field_name("declarator")
        program, around, place = callee.context.program, callee.context.variables, Place("")
        scope, name = callee.context.place.scope, "operator()"
        this = callee.context.this
    else:
        assert isinstance(callee, CxxFunction)
        program, around, name = callee.program, None, callee.name
        declaration = definition(callee)
        if declaration.template_parameters is not None:
            raise NotUnderstood(f"a call of the template `{callee}`", callee.span)
        assert declaration.body is not None
        if declaration.body.type == "initializer_list":
            if not declaration.body.named_child_count:
                return None  # `void f() {};`: the grammar takes the braces for a value
            raise missing_semicolon(program.source, declaration.body)
        body, listed, scope = declaration.body, declaration.declarator, declaration.scope
    no_syntax_errors(program.source, body)
    running = program.running
    if running.depth == 0:
        running.steps = 0
    place = Place(scope, depth=3 * running.depth)
    running.depth += 1
    try:
        context = Context(program, place, Variables({}, around), this)
        _bind_parameters(context, name, listed or body, values)
        run_block(context, body)
    except Return as returned:
        return _returned(context, callee, returned)
    finally:
        running.depth -= 1
    if arithmetic_type(_returns(callee)) is not None:
        raise CxxError(f"`{name}` ends without a `return`", span_of(body.children[-1]))
    return None


def _returns(callee: CxxFunction | Lambda) -> Type | None:
    if isinstance(callee, Lambda):
        return callee.trailing
    return callee.type.returns if callee.type is not None else None


def _returned(context: Context, callee: CxxFunction | Lambda, returned: Return) -> object:
    value, type, node = returned.value, _returns(callee), returned.node
    if isinstance(value, tuple) and type is not None:
        # `return {a, b};` makes an object of the class that is returned.
        of = context.program.bindings.names.get(str(type))
        if isinstance(of, Class):
            return refusals_at(callee.span, [], of.from_list or of.construct, *value)
    if node is None or type is None:
        return value
    in_braces = node.type == "initializer_list" and isinstance(value, tuple) and len(value) == 1
    if in_braces and isinstance(value, tuple) and arithmetic_type(type) is not None:
        value, node = value[0], argument_nodes(node)[0]
    return initialise_object(context, type, value, node, in_braces=in_braces)


def _bind_parameters(
    context: Context, name: str, declarator: Node, values: tuple[object, ...]
) -> None:
    program, variables = context.program, context.variables
    assert variables is not None
    listed = declarator.child_by_field_name("parameters")
    nodes = [n for n in argument_nodes(listed) if n.type in _PARAMETERS] if listed else []
    nodes = [n for n in nodes if program.source.spell(n) != "void"]
    defaults = [n.child_by_field_name("default_value") for n in nodes[len(values) :]]
    if len(nodes) < len(values) or not all(defaults):
        shown = "this lambda" if name == "operator()" else f"`{name}`"
        raise CxxError(
            f"{shown} has {len(nodes)} parameters and is called with {len(values)}",
            span_of(listed or declarator),
        )
    given = (*values, *(evaluate(context, node) for node in defaults if node is not None))
    for node, value in zip(nodes, given, strict=True):
        parameter = node.child_by_field_name("declarator")
        named = declared_name(parameter)
        if named is not None:
            spelling = program.source.spell(named)
            variables.values[spelling] = _parameter(context, node, parameter, value)
    variables.values.setdefault("__func__", Variable(Cell(name.rpartition("::")[2]), is_const=True))


_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration")


def _parameter(context: Context, node: Node, declarator: Node | None, value: object) -> Variable:
    kind = declarator.type if declarator is not None else ""
    const = is_const(node) and kind != "pointer_declarator"
    type = type_in(context, node, declarator)
    if not isinstance(value, Variable):
        given = Pointer(value) if kind == "pointer_declarator" else value
        return Variable(Cell(initialise_object(context, type, given, node)), const)
    if isinstance(type, ReferenceType):
        return bind_reference(context, type, value, value.cell.value, node, const)
    if not is_read(context.program, type):
        raise unread(context, type, node)
    return Variable(Cell(initialise_object(context, type, value.cell.value, node)), const)
