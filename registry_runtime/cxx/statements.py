"""Statements: what the braces of a registration are made of.

Calls and `if` are what Paddle's own registrations use; loops, `switch`, variables and local `using`
are there for those who write a line for every input. Loops are bounded, so that every body ends.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx.bindings import refusals_at
from registry_runtime.cxx.declarations import declare_in_block, declared_name
from registry_runtime.cxx.evaluate import (
    Context,
    argument_nodes,
    child,
    condition,
    copied,
    evaluate,
    named_variable,
    span_of,
)
from registry_runtime.cxx.names import join
from registry_runtime.cxx.operators import binary
from registry_runtime.cxx.resolve import Place
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.variables import Cell, Variable, Variables


class Return(Exception):
    """`return value;`"""

    def __init__(self, value: object) -> None:
        self.value = value


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


_LOCAL_NAMES = (
    "using_declaration",
    "alias_declaration",
    "type_definition",
    "namespace_alias_definition",
)


def run_block(context: Context, block: Node) -> None:
    """Run the statements of `{ … }`, whose variables live as long as the block."""
    inner = _block(context, block)
    for statement in block.named_children:
        run(inner, statement)


def _block(context: Context, node: Node) -> Context:
    place = context.place.deeper(node)
    declared = [child for child in node.named_children if child.type in _LOCAL_NAMES]
    if declared:
        # The block is a namespace of its own, whose name nobody can write.
        scope = join(place.scope, f"{{{node.start_byte}}}")
        place = Place(scope, place.template_parameters, place.depth)
        declare_in_block(context.program.source, context.program.declarations, declared, scope)
    return Context(context.program, place, Variables({}, context.variables))


def run(context: Context, statement: Node) -> None:
    """Run one statement. Raises CxxError for what is wrong or not understood."""
    match statement.type:
        case "expression_statement":
            for expression in argument_nodes(statement):
                evaluate(context, expression)
        case "compound_statement":
            run_block(context, statement)
        case "if_statement":
            _run_if(context, statement)
        case "declaration":
            _declare_variables(context, statement)
        case "return_statement":
            values = [evaluate(context, node) for node in argument_nodes(statement)]
            raise Return(values[0] if values else None)
        case "for_statement":
            _run_for(context, statement)
        case "for_range_loop":
            _run_range(context, statement)
        case "while_statement" | "do_statement":
            _run_while(context, statement)
        case "switch_statement":
            _run_switch(context, statement)
        case "break_statement":
            raise _Break
        case "continue_statement":
            raise _Continue
        case "comment" | "attributed_statement" | "static_assert_declaration":
            pass
        case kind if kind in _LOCAL_NAMES:
            pass  # declared where the block was entered
        case kind:
            what = f"a `{kind.replace('_', ' ')}` in a body that registers"
            raise context.not_understood(statement, what)


# --- Branches -------------------------------------------------------------------------------------


def _run_if(context: Context, statement: Node) -> None:
    # else if … else if … is a chain as long as its author likes: walk it instead of recursing.
    context = Context(context.program, context.place, Variables({}, context.variables))
    while True:
        if _holds(context, child(statement, "condition")):
            return run(context.deeper(statement), child(statement, "consequence"))
        alternative = statement.child_by_field_name("alternative")
        if alternative is None:
            return None
        otherwise = argument_nodes(alternative)[0]
        if otherwise.type != "if_statement":
            return run(context.deeper(statement), otherwise)
        statement = otherwise


def _holds(context: Context, clause: Node) -> bool:
    initializer = clause.child_by_field_name("initializer")
    for node in argument_nodes(initializer) if initializer is not None else ():
        run(context, node)
    value = clause.child_by_field_name("value")
    if value is None:
        return condition(context, clause)  # (…) of a do … while
    if value.type == "declaration":
        raise context.not_understood(value, "a variable as a condition")
    return condition(context, value)


def _run_switch(context: Context, statement: Node) -> None:
    chosen = evaluate(context, child(child(statement, "condition"), "value"))
    inner = _block(context, child(statement, "body"))
    cases = [c for c in child(statement, "body").named_children if c.type == "case_statement"]
    start = None
    for index, case in enumerate(cases):
        label = case.child_by_field_name("value")
        if label is None:
            start = index if start is None else start
            continue
        value = evaluate(inner, label)
        if refusals_at(span_of(label), [], binary, "==", chosen, value):
            start = index
            break
    try:
        for case in cases[start:] if start is not None else ():
            label = case.child_by_field_name("value")
            for node in case.named_children:
                if label is None or node.start_byte != label.start_byte:
                    run(inner, node)
    except _Break:
        pass


# --- Loops ----------------------------------------------------------------------------------------


def _round(context: Context, loop: Node, body: Node) -> bool:
    # One round of a loop; whether the loop goes on.
    context.program.running.count(span_of(loop.children[0]))
    try:
        run(context.deeper(loop), body)
    except _Continue:
        return True
    except _Break:
        return False
    return True


def _run_for(context: Context, loop: Node) -> None:
    inner = Context(context.program, context.place, Variables({}, context.variables))
    initializer, update = (loop.child_by_field_name(part) for part in ("initializer", "update"))
    until = loop.child_by_field_name("condition")
    if initializer is not None and initializer.type == "declaration":
        run(inner, initializer)
    elif initializer is not None:
        evaluate(inner, initializer)
    while until is None or condition(inner, until):
        if not _round(inner, loop, child(loop, "body")):
            return
        if update is not None:
            evaluate(inner, update)


def _run_range(context: Context, loop: Node) -> None:
    right, declarator = child(loop, "right"), child(loop, "declarator")
    if loop.child_by_field_name("initializer") is not None:
        raise context.not_understood(loop)
    sequence = evaluate(context, right)
    name = declared_name(declarator)
    if not isinstance(sequence, list | tuple) or name is None or name.type != "identifier":
        raise context.not_understood(right, f"a loop over `{context.spell(right)}`")
    is_reference = declarator.type == "reference_declarator"
    for value in tuple(sequence):
        kept = value if is_reference else copied(context.program, value)
        variables = Variables({}, context.variables)
        variables.values[context.spell(name)] = Variable(Cell(kept), is_const(loop))
        inner = Context(context.program, context.place, variables)
        if not _round(inner, loop, child(loop, "body")):
            return


def _run_while(context: Context, loop: Node) -> None:
    clause, body = child(loop, "condition"), child(loop, "body")
    if loop.type == "do_statement" and not _round(context, loop, body):
        return
    while _holds(context, clause):
        if not _round(context, loop, body):
            return


# --- Variables ------------------------------------------------------------------------------------


def is_const(declaration: Node) -> bool:
    """Whether a declaration says `const` or `constexpr`."""
    qualifiers = (c for c in declaration.children if c.type == "type_qualifier")
    return any(c.child(0).type in ("const", "constexpr") for c in qualifiers if c.child(0))


def _declare_variables(context: Context, statement: Node) -> None:
    assert context.variables is not None
    for declarator in statement.children_by_field_name("declarator"):
        name = declared_name(declarator)
        value = declarator.child_by_field_name("value")
        if declarator.type != "init_declarator" or name is None or value is None:
            if declarator.type == "function_declarator":
                _declare_from_names(context, declarator, is_const(statement))
                continue
            raise context.not_understood(declarator, "a variable without a value")
        inner = child(declarator, "declarator").type
        const = is_const(statement) and inner != "pointer_declarator"
        is_list = inner == "array_declarator" or _is_list(context, statement, declarator)
        context.variables.values[context.program.source.spell(name)] = _variable(
            context, inner, value, const, is_list
        )


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
