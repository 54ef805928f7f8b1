"""Function bodies: the braces that a programmer writes after a registration.

Such a body adjusts what the registration recorded, kernel by kernel: it looks at the key, and sets
a dtype here and a backend there. For that it needs calls, `if`, and a variable now and then; it does
not need loops, and without them every body ends.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx.declarations import FunctionDeclaration, declared_name
from registry_runtime.cxx.definitions import definition
from registry_runtime.cxx.evaluate import (
    Context,
    Variables,
    argument_nodes,
    child,
    condition,
    evaluate,
    span_of,
)
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.lookup import Program
from registry_runtime.cxx.operators import Pointer
from registry_runtime.cxx.parse import missing_semicolon
from registry_runtime.cxx.resolve import Place, no_syntax_errors
from registry_runtime.cxx.span import CxxError


class _Return(Exception):
    def __init__(self, value: object) -> None:
        self.value = value


def call_function(function: CxxFunction, values: tuple[object, ...]) -> object:
    """Run the body of a function of the text on Python values.

    A parameter of pointer type is given a pointer to its value. Raises UndefinedFunction and
    RedefinedFunction, and CxxError for whatever in the body is wrong or not understood.
    """
    program = function.program
    declaration = definition(function)
    body = declaration.body
    assert body is not None
    if declaration.template_parameters is not None:
        raise CxxError(f"not understood: a call of the template `{function}`", function.span)
    if body.type == "initializer_list":
        raise missing_semicolon(program.source, body)
    no_syntax_errors(program, body)
    variables = _bind_parameters(program, declaration, values)
    try:
        _run_block(Context(program, Place(declaration.scope), variables), body)
    except _Return as returned:
        return returned.value
    return None


def _bind_parameters(
    program: Program, declaration: FunctionDeclaration, values: tuple[object, ...]
) -> Variables:
    listed = declaration.declarator.child_by_field_name("parameters")
    nodes = (
        [n for n in argument_nodes(listed) if n.type == "parameter_declaration"] if listed else []
    )
    if len(nodes) != len(values):
        raise CxxError(
            f"`{declaration.name}` has {len(nodes)} parameters and is called with {len(values)}",
            span_of(listed or declaration.declarator),
        )
    variables = Variables()
    for node, value in zip(nodes, values, strict=True):
        declarator = node.child_by_field_name("declarator")
        name = declared_name(declarator)
        if name is not None:
            is_pointer = declarator is not None and declarator.type == "pointer_declarator"
            variables.values[program.source.spell(name)] = Pointer(value) if is_pointer else value
    return variables


def _run_block(context: Context, block: Node) -> None:
    inner = Context(context.program, context.place.deeper(block), Variables({}, context.variables))
    for statement in block.named_children:
        _run(inner, statement)


def _run(context: Context, statement: Node) -> None:
    match statement.type:
        case "expression_statement":
            for expression in argument_nodes(statement):
                evaluate(context, expression)
        case "compound_statement":
            _run_block(context, statement)
        case "if_statement":
            _run_if(context, statement)
        case "declaration":
            _declare_variables(context, statement)
        case "return_statement":
            values = [evaluate(context, node) for node in argument_nodes(statement)]
            raise _Return(values[0] if values else None)
        case "comment" | "attributed_statement":
            pass
        case kind:
            what = f"a `{kind.replace('_', ' ')}` in a body that registers"
            raise context.not_understood(statement, what)


def _run_if(context: Context, statement: Node) -> None:
    # else if … else if … is a chain as long as its author likes: walk it instead of recursing.
    while True:
        clause = child(statement, "condition")
        if clause.child_by_field_name("initializer") is not None:
            raise context.not_understood(clause)
        if condition(context, child(clause, "value")):
            return _run(context, child(statement, "consequence"))
        alternative = statement.child_by_field_name("alternative")
        if alternative is None:
            return None
        otherwise = argument_nodes(alternative)[0]
        if otherwise.type != "if_statement":
            return _run(context, otherwise)
        statement = otherwise


def _declare_variables(context: Context, statement: Node) -> None:
    assert context.variables is not None
    for declarator in statement.children_by_field_name("declarator"):
        name = declared_name(declarator)
        value = declarator.child_by_field_name("value")
        if declarator.type != "init_declarator" or name is None or value is None:
            raise context.not_understood(declarator, "a variable without a value")
        if value.type in ("argument_list", "initializer_list"):  # int i(3), int i{3}
            values = argument_nodes(value)
            if len(values) != 1:
                raise context.not_understood(declarator)
            value = values[0]
        context.variables.values[context.program.source.spell(name)] = evaluate(context, value)
