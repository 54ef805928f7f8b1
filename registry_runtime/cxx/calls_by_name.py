"""Which names a body hands to functions: `context.Input<Tensor>("X")`, without running anything.

Some frameworks find everything by strings, and a wrong one is met when the program runs, if then. A
reader can find them before: each call that has a string for an argument, or a list with strings, or a
call around a string, as `GradVarName("Out")`, whose value can be told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from registry_runtime.cxx.classes import CxxClass
from registry_runtime.cxx.context import Context, Place, argument_nodes, child, inside
from registry_runtime.cxx.definitions import definition
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.literals import LITERALS
from registry_runtime.cxx.parse import Source
from registry_runtime.cxx.span import CxxError, Span


@dataclass(frozen=True, slots=True)
class CallByName:
    """`function` is called with the string `name` in place `argument`; `span` is that argument."""

    function: str
    name: str
    argument: int
    span: Span


def calls_by_name(of: CxxClass | CxxFunction) -> Iterator[CallByName]:
    """Every such call in the definition of a class or of a function, in the order of the text."""
    whole, scope = _definition(of)
    if whole is None or whole.has_error:
        return
    context = Context(of.program, Place(scope))
    for node in inside(whole):
        if node.type != "call_expression":
            continue
        function = called_name(of.program.source, node.child_by_field_name("function"))
        arguments = node.child_by_field_name("arguments")
        for index, argument in enumerate(argument_nodes(arguments) if arguments else ()):
            is_list = argument.type == "initializer_list"
            for part in argument_nodes(argument) if is_list else (argument,):
                name = _text(context, part)
                if function and name is not None:
                    yield CallByName(function, name, index, of.program.source.span(part))


def count_calls(function: CxxFunction, names: Collection[str]) -> int:
    """How often the body of a function calls member functions of these names, as it is written."""
    whole, _ = _definition(function)
    return sum(
        node.type == "call_expression"
        and (callee := child(node, "function")).type == "field_expression"
        and called_name(function.program.source, callee) in names
        for node in (inside(whole) if whole is not None else ())
    )


def _definition(of: CxxClass | CxxFunction) -> tuple[Node | None, str]:
    if isinstance(of, CxxClass):
        return (of.definition.node if of.definition else None), of.name
    try:
        declaration = definition(of)
    except CxxError:
        return None, ""
    return declaration.node, declaration.scope


def called_name(source: Source, node: Node | None) -> str:
    """The last part of what is called: `Input` of `context.template Input<T>` and `this->Input`."""
    while node is not None:
        if node.type == "dependent_name":  # template Input<T>
            node = node.named_children[-1]
        inner = node.child_by_field_name("field") or node.child_by_field_name("name")
        if inner is None:
            return source.spell(node)
        node = inner
    return ""


def _text(context: Context, node: Node) -> str | None:
    if node.type == "call_expression":
        inner = node.child_by_field_name("arguments")
        nodes = argument_nodes(inner) if inner is not None else []
        if len(nodes) != 1 or nodes[0].type not in LITERALS:
            return None
    elif node.type not in LITERALS:
        return None
    try:
        value = context.evaluate(node)
    except CxxError:
        return None
    return value if isinstance(value, str) else None
