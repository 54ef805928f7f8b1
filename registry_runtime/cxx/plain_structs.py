"""The types that a text defines and that bodies compute with: its enumerations and plain structs.

A class with a constructor, a base, a private or a virtual member, or a member of a type that nobody
reads is no plain struct: an object of that is refused, as ever.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from tree_sitter import Node

from registry_runtime.cxx.class_parts import data_members
from registry_runtime.cxx.context import Context, Place, argument_nodes
from registry_runtime.cxx.conversions import arithmetic_type, zero
from registry_runtime.cxx.declarations import ClassDefinition
from registry_runtime.cxx.declarators import declared_name, function_declarator, is_const
from registry_runtime.cxx.declared import initialise_object
from registry_runtime.cxx.enumerations import read_enumeration
from registry_runtime.cxx.evaluate import evaluate
from registry_runtime.cxx.own_types import EnumType, Member, OwnType, PlainType
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import declared_type
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import ConstType, NamedType, Type


def own_type(program: Program, name: str) -> OwnType | None:
    """The type that the text defines by this full name, if bodies compute with it. None inside of
    itself: a struct may hold a pointer to its like."""
    key = ("own type", name)
    if key not in program.instances:
        program.instances[key] = None
        enumeration = program.declarations.enumerations.get(name)
        definition = program.declarations.class_definitions.get(name)
        with suppress(CxxError):
            if enumeration is not None:
                program.instances[key] = read_enumeration(program, name, enumeration)
            elif definition is not None and _looks_plain(program, name, definition):
                program.instances[key] = _read(program, name)
    return program.instances[key]  # type: ignore[return-value]


def _looks_plain(program: Program, name: str, definition: ClassDefinition) -> bool:
    node = definition.node
    body = node.child_by_field_name("body")
    if node.type != "struct_specifier" or node.has_error or body is None:
        return False
    if name in program.declarations.bases or definition.template_parameters is not None:
        return False
    if any(child.type == "base_class_clause" for child in node.children):
        return False
    return all(_is_plain(program, child) for child in body.named_children)


def _is_plain(program: Program, node: Node) -> bool:
    if node.type == "comment":
        return True
    if node.type not in ("field_declaration", "function_definition"):
        return False  # what is inside, a template, a friend, `private:`
    words = {program.source.spell(child) for child in node.children if not child.children}
    if node.child_by_field_name("type") is None or words & {"static", "virtual", "mutable"}:
        return False
    declarator = function_declarator(node.child_by_field_name("declarator"))
    if node.type == "field_declaration":
        is_bit_field = any(child.type == "bitfield_clause" for child in node.children)
        return declarator is None and not is_bit_field
    named = declared_name(declarator)
    return named is not None and named.type == "field_identifier"


def _read(program: Program, name: str) -> PlainType | None:
    members: dict[str, Member] = {}
    context = Context(program, Place(name))
    for declaration, named, value in data_members(program, name):
        type = declared_type(program, declaration, None, context.place)
        bare = type.of if isinstance(type, ConstType) else type
        if not _is_read(bare) or program.source.spell(named) in members:
            return None
        default = partial(_default, context, bare, value) if value is not None else None
        members[program.source.spell(named)] = Member(bare, is_const(declaration), default)
    return PlainType(name, (), members) if members else None


def _is_read(type: Type) -> bool:
    own = isinstance(type, EnumType | PlainType)
    return own or arithmetic_type(type) is not None or type == NamedType("std::string")


def _default(context: Context, type: Type, value: Node) -> object:
    if value.type != "initializer_list":
        return initialise_object(context, type, evaluate(context, value), value)
    listed = argument_nodes(value)
    if isinstance(type, PlainType):
        return initialise_object(context, type, evaluate(context, value), value)
    if not listed:
        return zero(type)
    given = evaluate(context, listed[0])
    return initialise_object(context, type, given, listed[0], in_braces=True)
