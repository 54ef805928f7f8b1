"""The value that a name stands for: an enumerator, a static member, a function.

A registrar names the same instances again and again, so what a name meant is remembered, as long as it
can't mean anything else further down.
"""

from __future__ import annotations

from bisect import bisect
from enum import Enum

from tree_sitter import Node

from registry_runtime.cxx.bindings import Class, ClassTemplate, Function
from registry_runtime.cxx.context import Place
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.inherited import inherited_member
from registry_runtime.cxx.lookup import Found, look_up, unknown_name
from registry_runtime.cxx.members import bound_value
from registry_runtime.cxx.names import QualifiedName, qualified_name
from registry_runtime.cxx.overloads import overload
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import aliased, template_arguments
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.specialisations import static_member
from registry_runtime.cxx.types import NamedType


def id_expression(program: Program, node: Node, place: Place) -> object:
    """The value that a name stands for: an enumerator, a static member, a function.

    A function template that the text doesn't declare gives a `CxxFunction` without a type, so that
    a registration can be read without the header of its kernel. Any other unknown name is a
    CxxError.
    """
    spelling = program.source.spell(node)
    program.running.looked_up += 1
    if place.template_parameters:
        return _id_expression(program, node, place)
    if "<" not in spelling:
        return _plain_name(program, node, place, spelling)
    # A registrar spells the same instance seven times. It means the same each time, as long as no
    # further function was declared in between: one of that name, if no other stands inside.
    positions = program.declarations.function_positions
    if "&" not in spelling:
        last = spelling.partition("<")[0].rpartition("::")[2].strip()
        positions = program.declarations.positions_by_name.get(last, [])
    declared = bisect(positions, node.start_byte)
    key = (spelling, place.scope, declared)
    if key not in program.instances:
        program.instances[key] = _id_expression(program, node, place)
    return program.instances[key]


def _plain_name(program: Program, node: Node, place: Place, spelling: str) -> object:
    # `::phi::RegType::INNER` means the same wherever nothing can come between: at global scope,
    # in a text without `using namespace`, a bound name is found at once.
    if place.scope or program.declarations.directives:
        return _here(program, node, place)
    key = ("bound", spelling)
    if key in program.instances:
        return program.instances[key]
    value = _id_expression(program, node, place)
    if spelling.removeprefix("::").rpartition("::")[0] in program.bindings.names:
        program.instances[key] = value
    return value


def _here(program: Program, node: Node, place: Place) -> object:
    # A body may run often, and what it calls has the same name each time. A variable's value may not
    # be known yet.
    key = ("named", node.start_byte, node.end_byte, place.scope)
    if key in program.instances:
        return program.instances[key]
    value = _id_expression(program, node, place)
    if isinstance(value, CxxFunction | Function | Class | Enum):
        program.instances[key] = value
    return value


def _id_expression(program: Program, node: Node, place: Place) -> object:
    name = qualified_name(program.source, node)
    found = look_up(program, name, place.scope)
    if found is None:
        if name.parts[-1].arguments is None:
            raise unknown_name(program, name, place.scope)
        program.unknown.add(str(name))
        arguments = template_arguments(program, name.parts[-1], place)
        return CxxFunction(str(name), arguments, None, name.span, (), program)
    if found.alias is not None:
        found = _through_alias(program, found, place, name)
    if found.variable is not None and not found.rest:
        return program.initial_value(program, found.path, found.variable)
    if found.functions and not found.rest:
        return overload(program, found, place, name)
    if found.is_class and found.rest:
        arguments = template_arguments(program, found.part, place)
        member = static_member(program, found, arguments, name.span)
        inherited = member or inherited_member(program, found, arguments, name.span)
        if inherited is not None:
            return inherited
    return bound_value(found, name, lambda part: template_arguments(program, part, place))


def _through_alias(program: Program, found: Found, place: Place, name: QualifiedName) -> Found:
    assert found.alias is not None
    type = aliased(program, found.alias, place)
    binding = program.bindings.names.get(type.name) if isinstance(type, NamedType) else None
    if binding is None:
        raise CxxError(f"`{found.path}` is a type, not a value", name.span)
    return Found(str(type), found.part, found.rest, binding=binding)


def is_value(program: Program, node: Node, place: Place) -> bool:
    """Whether a name names a value: not a type, and not something unknown."""
    try:
        found = look_up(program, qualified_name(program.source, node), place.scope)
    except CxxError:
        return True  # known further down, which is for id_expression to say
    if found is None:
        return False
    is_static = isinstance(found.binding, ClassTemplate) and bool(found.rest)
    return is_static or found.is_value
