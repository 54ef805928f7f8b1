"""Whether a body can be run at all: does it call, or construct, anything that has no meaning here?

Nothing is run to find out. Forms that the reader has no meaning for count too, a `goto` say. What a
member function of some object does isn't looked into; a function of the text that the body calls is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from registry_runtime.cxx.context import Place, inside, span_of
from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.declarators import declared_name
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.lambdas import Lambda
from registry_runtime.cxx.lookup import look_up
from registry_runtime.cxx.names import NAMES, qualified_name
from registry_runtime.cxx.objects import object_class
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError, Span


def unknown_call(function: CxxFunction | Lambda, this: object = None) -> Span | None:
    """The first thing in the body, or in one that it calls, that can't be run; None if all can.

    A function without a body is unknown itself. `this` is the object for a member function.
    """
    if isinstance(function, Lambda):
        context = function.context
        return _first(context.program, function.node, context.place.scope, set())
    everywhere = function.program.declarations.functions.get(function.name, ())
    if function.arguments:
        return function.span
    members = function.program.bindings.method_names(this) if this is not None else []
    return _in_functions(function.program, everywhere, function.span, set(), members)


def unknown_part(function: CxxFunction | Lambda, this: object = None) -> str | None:
    """How that is spelled in a body; None too where there is no body at all."""
    found = unknown_call(function, this)
    if found is None or found == function.span:
        return None
    program = function.program if isinstance(function, CxxFunction) else function.context.program
    return program.source.text[found.start : found.end]


def _in_functions(
    program: Program,
    declarations: Sequence[FunctionDeclaration],
    call: Span,
    seen: set[int],
    members: Sequence[str] = (),
) -> Span | None:
    bodies = [d for d in declarations if d.body is not None and d.template_parameters is None]
    if not bodies:
        linked = any(program.bindings.link(d.name) is not None for d in declarations)
        return None if linked else call
    for declaration in bodies:
        assert declaration.body is not None
        if declaration.position not in seen:
            seen.add(declaration.position)
            unknown = _first(program, declaration.body, declaration.scope, seen, members)
            if unknown is not None:
                return unknown
    return None


def _first(
    program: Program, body: Node, scope: str, seen: set[int], members: Sequence[str] = ()
) -> Span | None:
    if body.has_error:
        return span_of(body)
    local = {*members, *(program.source.spell(name) for name in _local_names(body))}
    for node in inside(body):
        if node.type == "call_expression":
            callee = node.child_by_field_name("function")
            if callee is None or callee.type not in NAMES or program.source.spell(callee) in local:
                continue
            unknown = _unknown_name(program, callee, scope, seen)
        elif node.type == "declaration":
            unknown = _unknown_object(program, node, scope)
        elif node.type in _NEVER_RUN:
            return span_of(node)
        else:
            continue
        if unknown is not None:
            return unknown
    return None


# Statements and expressions that neither `statements` nor `evaluate` takes.
_NEVER_RUN = (
    *("goto_statement", "labeled_statement", "try_statement", "seh_try_statement"),
    *("co_return_statement", "co_yield_statement", "co_await_expression"),
    *("new_expression", "delete_expression", "gnu_asm_expression"),
)
_CASTS = ("static_cast", "const_cast", "reinterpret_cast")


def _unknown_name(program: Program, callee: Node, scope: str, seen: set[int]) -> Span | None:
    try:
        name = qualified_name(program.source, callee)
        if name.parts[-1].name in _CASTS:
            return None
        found = look_up(program, name, scope)
    except CxxError:
        return span_of(callee)
    if found is None or found.is_class:
        return span_of(callee)
    if found.functions:
        return _in_functions(program, found.functions, span_of(callee), seen)
    return None


def _unknown_object(program: Program, declaration: Node, scope: str) -> Span | None:
    declarator = declaration.child_by_field_name("declarator")
    type_node = declaration.child_by_field_name("type")
    if declarator is None or declarator.type != "identifier":
        return None
    try:
        known = object_class(program, type_node, Place(scope)) is not None
    except CxxError:
        known = False
    return None if known else span_of(declaration)


def _local_names(body: Node) -> Iterator[Node]:
    for node in inside(body):
        if node.type in ("declaration", "parameter_declaration", "for_range_loop"):
            for declarator in node.children_by_field_name("declarator"):
                name = declared_name(declarator)
                if name is not None:
                    yield name
