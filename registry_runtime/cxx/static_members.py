"""Static data members that are defined out of their class: [class.static.data], [temp.expl.spec].

`int S<int>::m = 3;` means nothing by itself: the class declares `m`, static and of that type, a member
of a template that gets a value for some arguments has `template <>` before it, and one value is enough.
A type that can't be read may be any, and then nothing is said; nor of a class of which the text has no
body, or a damaged one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from tree_sitter import Node

from registry_runtime.cxx.collect import says, template_parameters
from registry_runtime.cxx.context import Place
from registry_runtime.cxx.declarations import MemberDefinition
from registry_runtime.cxx.declarators import declared_name, function_declarator, is_const_object
from registry_runtime.cxx.names import NamePart, QualifiedName, join, qualified_name
from registry_runtime.cxx.out_of_class import unknown_owner
from registry_runtime.cxx.parse import is_damaged, is_the_compilers
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import declared_type, template_arguments
from registry_runtime.cxx.redeclared import differ
from registry_runtime.cxx.signatures import words
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.specialisations import ClassOf, class_for
from registry_runtime.cxx.types import NamedType, Type, const, substitute


def wrongly_defined_members(program: Program) -> Iterator[CxxError]:
    """One error for each that its class doesn't declare so, or that is defined twice, at its name."""
    defined: set[tuple[str, str]] = set()
    for definition in program.declarations.member_definitions:
        with suppress(CxxError):
            name = qualified_name(program.source, definition.name)
            owner = join(definition.scope, str(name.owner))
            if is_damaged(program.source, definition.node) or is_the_compilers(owner):
                continue
            if error := unknown_owner(program, definition.name, definition.scope):
                yield error
                continue
            said, key = _against(program, definition, name, owner), _key(program, definition, owner)
            if not said and key in defined:
                said = f"`{owner}::{name.parts[-1].name}` is defined twice"
            if definition.value is not None or not _is_explicit(definition.template):
                defined.add(key)
            if said:
                yield CxxError(said, program.source.span(definition.name))


def _key(program: Program, definition: MemberDefinition, owner: str) -> tuple[str, str]:
    name, template = definition.name, definition.template
    parameters = template_parameters(program.source, template) if template is not None else ()
    return owner, words(program.source, name.start_byte, name.end_byte, None, parameters)


def _is_explicit(template: Node | None) -> bool:
    """Whether it is a `template <>`."""
    parameters = template.child_by_field_name("parameters") if template is not None else None
    return parameters is not None and not parameters.named_children


def _against(
    program: Program, definition: MemberDefinition, name: QualifiedName, owner: str
) -> str:
    """What is to be said of one, if anything is wrong with it."""
    *_, part, member = name.parts
    of = _class(program, definition, part, owner)
    if (
        of is None
        or is_damaged(program.source, of.node)
        or of.node.start_byte > definition.node.start_byte
    ):
        return ""
    head = of.node.parent
    template = head if head is not None and head.type == "template_declaration" else None
    if template is not None and part.arguments is None:
        return f"`{owner}` is a template, and stands here without its arguments"
    declared = _declared(program, of, member.name)
    if declared is None:
        is_named = re.search(rf"\b{re.escape(member.name)}\b", program.source.spell(of.node))
        return "" if is_named else f"`{owner}` declares no `{member.name}`"
    if not says(program.source, declared.node, "static") or declared.is_function:
        return f"`{member.name}` is no static data member of `{owner}`"
    if says(program.source, definition.node, "static"):
        return "`static` is said of a member in its class, and not here"
    if template is not None and definition.template is None and not _is_explicit(template):
        return f"`{owner}` is a template: a value for some arguments has `template <>` before it"
    if _is_of_another_type(program, definition, declared, of):
        return f"`{member.name}` is of another type in `{owner}`"
    is_inline = says(program.source, declared.node, "inline") and definition.template is None
    if is_inline or (declared.has_value and definition.value is not None):
        return f"`{member.name}` has its value in `{owner}`"
    return ""


def _class(
    program: Program, definition: MemberDefinition, part: NamePart, owner: str
) -> ClassOf | None:
    """The class that holds the member, for the arguments that it is named with."""
    if part.arguments is None:
        node = _plain_class(program, owner)
        return ClassOf(node, Place(owner), {}) if node is not None else None
    arguments = template_arguments(program, part, _place(program, definition))
    of_text = program.declarations.class_definitions.keys() | program.declarations.specialised
    return class_for(program, NamedType(owner, arguments), part.span) if owner in of_text else None


def _plain_class(program: Program, owner: str) -> Node | None:
    """The class of this name, which may be a member of another one."""
    of = program.declarations.class_definitions.get(owner)
    if of is not None:
        return of.node
    around, _, last = owner.rpartition("::")
    outer = _plain_class(program, around) if around else None
    body = outer.child_by_field_name("body") if outer is not None else None
    for member in body.named_children if body is not None else ():
        inner = member.child_by_field_name("type") or member
        name = inner.child_by_field_name("name")
        is_defined = inner.child_by_field_name("body") is not None
        if is_defined and name is not None and program.source.spell(name) == last:
            return inner
    return None


def _place(program: Program, definition: MemberDefinition) -> Place:
    template = definition.template
    listed = template_parameters(program.source, template) if template is not None else ()
    names = frozenset(parameter.name for parameter in listed)
    return Place(definition.scope, names)


# --- What the class declares ----------------------------------------------------------------------


class _Declared(NamedTuple):
    node: Node
    declarator: Node
    is_function: bool
    has_value: bool


def _declared(program: Program, of: ClassOf, name: str) -> _Declared | None:
    body = of.node.child_by_field_name("body")
    for node in body.named_children if body is not None else ():
        for declarator in node.children_by_field_name("declarator"):
            named = declared_name(declarator)
            if named is not None and program.source.spell(named) == name:
                behind = declarator.next_sibling
                has_value = behind is not None and behind.type in ("=", "initializer_list")
                is_function = function_declarator(declarator) is not None
                return _Declared(node, declarator, is_function, has_value)
    return None


def _is_of_another_type(
    program: Program, definition: MemberDefinition, declared: _Declared, of: ClassOf
) -> bool:
    """Whether the two types certainly differ, or the sizes of two arrays."""
    sizes = {
        program.source.spell(size)
        for declarator in (declared.declarator, definition.declarator)
        if (size := declarator.child_by_field_name("size")) is not None
    }
    if len(sizes) == 2 and all(map(str.isdigit, sizes)):
        return True
    in_class = _type(program, declared.node, declared.declarator, of.place)
    place = _place(program, definition)
    out_of_class = _type(program, definition.node, definition.declarator, place)
    by_place = {name: NamedType(f"${name}") for name in place.template_parameters}
    types = substitute(in_class, of.packs), out_of_class
    return differ(*(substitute(type, by_place) for type in types))


def _type(program: Program, node: Node, declarator: Node, place: Place) -> Type:
    type = declared_type(program, node, declarator, place)
    return const(type) if is_const_object(node, declarator) else type
