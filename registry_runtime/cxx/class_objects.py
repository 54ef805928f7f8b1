"""Objects of a class that the text itself defines, over a bound one: how they come to be.

`structured_add_out op(out);` makes an object of what the framework's own base is in Python, and gives
it the data members of each class, from the base to the last: from the constructor's list, or from what
stands behind the member, [class.base.init]. Then the constructor's body runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from tree_sitter import Node

from registry_runtime.cxx.bindings import refusals_at
from registry_runtime.cxx.calls import call_bound
from registry_runtime.cxx.class_parts import data_members
from registry_runtime.cxx.classes import CxxClass, CxxObject
from registry_runtime.cxx.constructors import declared_constructors
from registry_runtime.cxx.context import Context, Place, argument_nodes, span_of
from registry_runtime.cxx.declarators import function_declarator, is_const
from registry_runtime.cxx.declared import (
    bind_reference,
    initialise_object,
    is_read,
    type_in,
    unread,
)
from registry_runtime.cxx.evaluate import evaluate
from registry_runtime.cxx.member_functions import bound_base, chain, check_class, takes
from registry_runtime.cxx.objects import object_class
from registry_runtime.cxx.parameters import bind_parameters
from registry_runtime.cxx.parse import no_syntax_errors
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError, NotUnderstood
from registry_runtime.cxx.statements import Return, run_block
from registry_runtime.cxx.types import ReferenceType
from registry_runtime.cxx.variables import Cell, Variable, Variables


def construct(of: CxxClass, values: Sequence[object]) -> CxxObject:
    """An object of the class, from a constructor's arguments. Raises CxxError."""
    base, program = bound_base(of), of.program
    assert base is not None
    check_class(of)
    made = refusals_at(of.span, [], base.make, of)
    assert isinstance(made, CxxObject)
    program.running.depth += 1
    try:
        for owner in reversed(chain(of)[:-1]):
            _initialise(made, owner, values if owner == of.name else ())
    finally:
        program.running.depth -= 1
    return made


def _initialise(made: CxxObject, owner: str, values: Sequence[object]) -> None:
    of, program = made.cxx_class, made.cxx_class.program
    place = Place(owner, depth=3 * program.running.depth)
    context = Context(program, place, Variables({}), made)
    key = ("constructor", owner, len(values))
    how: _Constructor = program.once(key, lambda: _constructor(of, owner, len(values)))
    if how.declarator is not None:
        bind_parameters(context, owner, how.declarator, values)
    for name, member, declarator, value in how.members:
        made.data[name] = _member(context, member, declarator, value)
    if how.body is not None:
        with suppress(Return):
            run_block(context, how.body)


def _member(context: Context, member: Node, declarator: Node, value: Node | None) -> Variable:
    type_node = member.child_by_field_name("type")
    of = object_class(context.program, type_node, context.place)
    const = is_const(member)
    in_list = value is not None and value.type == "initializer_list"
    if (
        of is not None
        and of.construct is not None
        and (value is None or in_list or _is_call(value))
    ):
        make = of.from_list if in_list and of.from_list else of.construct
        if value is None:
            return Variable(Cell(refusals_at(span_of(member), [], make)), const)
        return Variable(Cell(call_bound(context, value, make, value)), const)
    type = type_in(context, member, declarator)
    if value is not None and value.type in ("initializer_list", "argument_list"):
        values = argument_nodes(value)
        value = values[0] if len(values) == 1 else None
    if value is None:
        raise context.not_understood(declarator, "a data member without a value")
    if isinstance(type, ReferenceType):
        return bind_reference(context, type, context.reach(value), value, const)
    if not is_read(context.program, type):
        raise unread(context, type, member)
    given = evaluate(context, value)
    return Variable(Cell(initialise_object(context, type, given, value, in_braces=in_list)), const)


def _is_call(value: Node) -> bool:
    return value.type == "argument_list"


# --- What the class says --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Constructor:
    """How a class makes its part of an object: `members` are its data members, each with what it is
    initialised with. One that nobody wrote has no `declarator`; a body that does nothing is None."""

    declarator: Node | None
    members: Sequence[tuple[str, Node, Node, Node | None]]
    body: Node | None = None


def _constructor(of: CxxClass, owner: str, count: int) -> _Constructor:
    program = of.program
    no_syntax_errors(program.source, program.declarations.class_definitions[owner].node)
    node = _written(of, owner, count)
    listed = _listed(program, owner, node) if node is not None else {}
    members = [
        (name, member, declarator, listed.get(name, default))
        for member, declarator, default in data_members(program, owner)
        for name in (program.source.spell(declarator),)
    ]
    if node is None:
        return _Constructor(None, members)
    body = node.child_by_field_name("body")
    does = body is not None and body.named_child_count > 0
    declarator = function_declarator(node.child_by_field_name("declarator"))
    return _Constructor(declarator, members, body if does else None)


def _written(of: CxxClass, owner: str, count: int) -> Node | None:
    """The constructor that takes so many arguments; None where the class has none, and needs none."""
    program = of.program
    found = declared_constructors(program, owner)
    for node, declarator in found:
        if takes(declarator, count):
            if any(child.type == "default_method_clause" for child in node.children):
                return None
            if node.child_by_field_name("body") is None:
                said = f"this constructor of `{owner}`, which has no body here"
                raise NotUnderstood(said, program.source.span(node))
            return node
    if found or count:
        given = f"{count} argument{'' if count == 1 else 's'}"
        raise CxxError(f"no constructor of `{owner}` takes {given}", of.span)
    return None


def _listed(program: Program, owner: str, constructor: Node) -> Mapping[str, Node]:
    """By data member, what the constructor's list initialises it with."""
    members = {program.source.spell(name) for _, name, _ in data_members(program, owner)}
    found: dict[str, Node] = {}
    for child in constructor.named_children:
        for one in child.named_children if child.type == "field_initializer_list" else ():
            if one.type == "comment":
                continue
            name, value = one.named_children[0], one.named_children[-1]
            spelled = program.source.spell(name)
            if spelled not in members:
                raise NotUnderstood(f"`{program.source.spell(one)}`", program.source.span(one))
            found[spelled] = value
    return found
