"""Statements: what the braces of a registration are made of.

Calls and `if` are what Paddle's own registrations use; loops, `switch`, variables and local `using`
are there for those who write a line for every input. Loops are bounded, so that every body ends.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from registry_runtime.cxx.bindings import refusals_at
from registry_runtime.cxx.collect import declare_in_block
from registry_runtime.cxx.context import Context, Place, argument_nodes, child, span_of
from registry_runtime.cxx.declarators import declared_name, is_const
from registry_runtime.cxx.declared import bind_reference, initialise_object, type_in
from registry_runtime.cxx.evaluate import condition, evaluate
from registry_runtime.cxx.local_variables import declare_variables
from registry_runtime.cxx.member_access import lvalue
from registry_runtime.cxx.names import join
from registry_runtime.cxx.operators import Literal, binary
from registry_runtime.cxx.span import CxxError, Refusal
from registry_runtime.cxx.strings import characters
from registry_runtime.cxx.types import ReferenceType
from registry_runtime.cxx.variables import Cell, Element, Variable


class Return(Exception):
    """`return value;`: the value, and the expression that it came from."""

    def __init__(self, value: object, node: Node | None) -> None:
        self.value, self.node = value, node


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
    assert inner.variables is not None
    try:
        for statement in block.named_children:
            try:
                run(inner, statement)
            except CxxError as error:
                context.program.running.keep(error)
    finally:
        for end in reversed(inner.variables.ends):
            end()


def _block(context: Context, node: Node) -> Context:
    place = context.place.deeper(node)
    declared = [child for child in node.named_children if child.type in _LOCAL_NAMES]
    if declared:
        # The block is a namespace of its own, whose name nobody can write.
        scope = join(place.scope, f"{{{node.start_byte}}}")
        place = Place(scope, place.template_parameters, place.depth)
        declare_in_block(context.program.source, context.program.declarations, declared, scope)
    return context.block(place)


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
            declare_variables(context, statement)
        case "return_statement":
            returned = next(iter(argument_nodes(statement)), None)
            raise Return(evaluate(context, returned) if returned is not None else None, returned)
        case "for_statement":
            _run_for(context, statement)
        case "for_range_loop":
            _run_range(context, statement)
        case "while_statement" | "do_statement":
            _run_while(context, statement)
        case "switch_statement":
            _run_switch(context, statement)
        case "throw_statement":
            _throw(context, statement)
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


def _throw(context: Context, statement: Node) -> None:
    thrown = [evaluate(context, node) for node in argument_nodes(statement)]
    if len(thrown) == 1 and isinstance(thrown[0], Refusal):
        said = thrown[0]
        raise CxxError(said.message, span_of(statement), said.hint, said.code) from said
    raise context.not_understood(statement, "a `throw statement` of something else than an error")


# --- Branches -------------------------------------------------------------------------------------


def _run_if(context: Context, statement: Node) -> None:
    # else if … else if … is a chain as long as its author likes: walk it instead of recursing.
    context = context.block()
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
    condition = child(child(statement, "condition"), "value")
    chosen = evaluate(context, condition)
    if isinstance(chosen, float):
        raise CxxError("a switch takes an integer or an enumeration", span_of(condition))
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
    inner = context.block()
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
    name = declared_name(declarator)
    if loop.child_by_field_name("initializer") is not None or name is None:
        raise context.not_understood(loop)
    type, const = type_in(context, loop, declarator), is_const(loop)
    for element in _elements(context, right):
        inner = context.block()
        assert inner.variables is not None
        value = element.cell.value
        if isinstance(type, ReferenceType):
            variable = bind_reference(inner, type, element, value, right, const)
        else:
            variable = Variable(Cell(initialise_object(inner, type, value, right)), const)
        inner.variables.values[context.spell(name)] = variable
        if not _round(inner, loop, child(loop, "body")):
            return


def _elements(context: Context, right: Node) -> Iterator[Variable]:
    named = lvalue(context, right)
    sequence = evaluate(context, right) if named is None else named.cell.value
    if isinstance(sequence, str) and not isinstance(sequence, Literal):
        sequence = tuple(refusals_at(span_of(right), [], characters, sequence))
    if not isinstance(sequence, list | tuple):
        raise context.not_understood(right, f"a loop over `{context.spell(right)}`")
    count = len(sequence)
    for index in range(count):
        if isinstance(sequence, tuple):
            yield Variable(Cell(sequence[index]), is_const=True)
            continue
        if len(sequence) != count:
            raise CxxError(f"`{context.spell(right)}` changes inside of its loop", span_of(right))
        yield Variable(Element(sequence, index), named is not None and named.is_const)


def _run_while(context: Context, loop: Node) -> None:
    clause, body = child(loop, "condition"), child(loop, "body")
    if loop.type == "do_statement" and not _round(context, loop, body):
        return
    while _holds(context, clause):
        if not _round(context, loop, body):
            return
