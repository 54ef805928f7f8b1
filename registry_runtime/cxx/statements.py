"""Statements: what the braces of a registration are made of.

Calls and `if` are what Paddle's own registrations use; loops, `switch`, variables and local `using`
are there for those who write a line for every input. Loops are bounded, so that every body ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress

from tree_sitter import Node

from registry_runtime.cxx.bindings import refusals_at
from registry_runtime.cxx.context import Context, Place, argument_nodes, child, span_of
from registry_runtime.cxx.conversions import AUTO
from registry_runtime.cxx.declarators import bound_names, declared_name, is_const
from registry_runtime.cxx.declared import bind_reference, initialise_object, no_proxy, type_in
from registry_runtime.cxx.declared_names import LOCAL_NAMES, place_in_block, statements_of
from registry_runtime.cxx.evaluate import condition, evaluate, is_true
from registry_runtime.cxx.local_variables import (
    bind_parts,
    declare_condition,
    declare_own_type,
    declare_variables,
)
from registry_runtime.cxx.operators import Literal, binary
from registry_runtime.cxx.parse import no_syntax_errors
from registry_runtime.cxx.span import CxxError, Refusal
from registry_runtime.cxx.strings import characters
from registry_runtime.cxx.types import ReferenceType, without_reference_and_const
from registry_runtime.cxx.variables import BuiltInArray, Cell, Element, Variable, version_of


class Return(Exception):
    """`return value;`: the object, what it holds, and the expression that it came from."""

    def __init__(self, found: Variable | None, node: Node | None) -> None:
        self.found, self.node = found, node
        self.value = found.cell.held if found is not None else None


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


IN_WORDS = {
    "struct_specifier": "this struct inside a body",
    "class_specifier": "a class defined inside a body",
    "enum_specifier": "this enumeration inside a body",
    "union_specifier": "a union defined inside a body",
    "function_definition": "a function defined inside a body",
    "template_declaration": "a template declared inside a body",
    "goto_statement": "a `goto`",
    "labeled_statement": "a label to jump to",
    "case_statement": "a `case` outside of a `switch`",
    "try_statement": "`try` and `catch`",
    "co_return_statement": "a coroutine's `co_return`",
    "co_yield_statement": "a coroutine's `co_yield`",
}


def run_block(context: Context, block: Node) -> None:
    """Run the statements of `{ … }`, whose variables live as long as the block."""
    with _block(context, block) as inner:
        for statement in statements_of(context.program, block):
            try:
                if statement.has_error:
                    no_syntax_errors(context.program.source, statement)
                run(inner, statement)
            except CxxError as error:
                context.program.running.keep(error)


@contextmanager
def _inside(context: Context, place: Place | None = None) -> Iterator[Context]:
    """A block inside; behind it, what was made in it is gone."""
    inner = context.block(place)
    assert inner.variables is not None
    try:
        yield inner
    finally:
        inner.variables.end()


def _block(context: Context, node: Node) -> AbstractContextManager[Context]:
    return _inside(context, place_in_block(context.program, context.place.deeper(node), node))


def run(context: Context, statement: Node) -> None:
    """Run one statement. Raises CxxError for what is wrong or not understood."""
    running = context.program.running
    before = running.temporaries
    try:
        _run(context, statement)
    except Refusal as refusal:
        raise CxxError(refusal.message, span_of(statement), refusal.hint, refusal.code) from refusal
    finally:
        running.end_temporaries(before)


def _run(context: Context, statement: Node) -> None:
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
            raise Return(context.reach(returned) if returned is not None else None, returned)
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
        case "static_assert_declaration":
            _assert(context, statement)
        case "comment" | "attributed_statement":
            pass
        case kind if kind in IN_WORDS and kind in LOCAL_NAMES:
            declare_own_type(context, statement, IN_WORDS[kind])
        case kind if kind in LOCAL_NAMES:
            pass  # declared where the block was entered
        case kind:
            raise context.not_understood(statement, IN_WORDS.get(kind, ""))


def _assert(context: Context, statement: Node) -> None:
    holds = True
    with suppress(CxxError):  # of types and traits little is known, and a compiler looks at them
        holds = condition(context, child(statement, "condition"))
    if not holds:
        raise CxxError("a static_assert fails", span_of(statement))


def _throw(context: Context, statement: Node) -> None:
    thrown = [evaluate(context, node) for node in argument_nodes(statement)]
    if len(thrown) == 1 and isinstance(thrown[0], Refusal):
        said = thrown[0]
        raise CxxError(said.message, span_of(statement), said.hint, said.code) from said
    raise context.not_understood(statement, "a `throw` of something else than an error")


# --- Branches -------------------------------------------------------------------------------------


def _run_if(context: Context, statement: Node) -> None:
    # else if … else if … is a chain as long as its author likes: walk it instead of recursing.
    with ExitStack() as blocks:
        inner = context
        while True:
            inner = blocks.enter_context(_inside(inner))
            if _holds(inner, child(statement, "condition")):
                return run(inner.deeper(statement), child(statement, "consequence"))
            alternative = statement.child_by_field_name("alternative")
            if alternative is None:
                return None
            otherwise = argument_nodes(alternative)[0]
            if otherwise.type != "if_statement":
                return run(inner.deeper(statement), otherwise)
            statement = otherwise


def _holds(context: Context, clause: Node) -> bool:
    initializer = clause.child_by_field_name("initializer")
    for node in argument_nodes(initializer) if initializer is not None else ():
        run(context, node)
    value = clause.child_by_field_name("value")
    if value is None:
        return condition(context, clause)  # (…) of a do … while
    if value.type == "declaration":
        return is_true(context, span_of(value), declare_condition(context, value))
    return condition(context, value)


def _run_switch(context: Context, statement: Node) -> None:
    condition = child(child(statement, "condition"), "value")
    chosen = evaluate(context, condition)
    if isinstance(chosen, float):
        raise CxxError("a switch takes an integer or an enumeration", span_of(condition))
    with _block(context, child(statement, "body")) as inner:
        _run_cases(inner, statement, chosen)


def _run_cases(inner: Context, statement: Node, chosen: object) -> None:
    cases = [
        c
        for c in statements_of(inner.program, child(statement, "body"))
        if c.type == "case_statement"
    ]
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
    with _inside(context) as inner:
        _run_rounds(inner, loop)


def _run_rounds(inner: Context, loop: Node) -> None:
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
    names = bound_names(declarator)
    type, const = AUTO if names else type_in(context, loop, declarator), is_const(loop)
    for element in _elements(context, right):
        with _inside(context) as inner:
            assert inner.variables is not None
            values, spelling = inner.variables.values, context.spell(name)
            if names:
                bind_parts(inner, loop, declarator, names, element, right)
            elif isinstance(type, ReferenceType):
                values[spelling] = bind_reference(inner, type, element, right, const)
            else:
                if without_reference_and_const(type) == AUTO:
                    refusals_at(span_of(right), [], no_proxy, element)
                made = initialise_object(inner, type, element.cell.value, right)
                values[spelling] = Variable(inner.variables.keep(made), const)
            if not _round(inner, loop, child(loop, "body")):
                return


def _elements(context: Context, right: Node) -> Iterator[Variable]:
    over = context.reach(right)
    given = sequence = over.cell.value
    if isinstance(sequence, str) and not isinstance(sequence, Literal):
        sequence = tuple(refusals_at(span_of(right), [], characters, sequence))
    if not isinstance(sequence, list | tuple):
        raise context.not_understood(right, f"a loop over `{context.spell(right)}`")
    const = over.is_const or (isinstance(sequence, BuiltInArray) and sequence.is_const)
    count, version = len(sequence), version_of(sequence)
    for index in range(count):
        if (len(sequence), version_of(sequence)) != (count, version) or over.cell.held is not given:
            raise CxxError(f"`{context.spell(right)}` changes inside of its loop", span_of(right))
        if isinstance(sequence, tuple):
            yield Variable(Cell(sequence[index]), is_const=True)
        else:
            yield Variable(Element(sequence, index), const)


def _run_while(context: Context, loop: Node) -> None:
    clause, body = child(loop, "condition"), child(loop, "body")
    if loop.type == "do_statement" and not _round(context, loop, body):
        return
    while True:
        with _inside(context) as inner:  # what the head declares is declared in each round
            if not _holds(inner, clause) or not _round(inner, loop, body):
                return
