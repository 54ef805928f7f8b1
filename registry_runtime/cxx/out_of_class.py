"""Member functions that are defined out of their class: each is declared in it, [class.mfct].

A type that can't be read may be any, and then nothing is said; nor of a class of which the text has no
body, or a damaged one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import ARITHMETIC
from registry_runtime.cxx.context import Place
from registry_runtime.cxx.declarations import ClassDefinition, FunctionDeclaration
from registry_runtime.cxx.declarators import function_declarator
from registry_runtime.cxx.lookup import certainly_unknown, look_up, namespace
from registry_runtime.cxx.names import qualified_name
from registry_runtime.cxx.parse import is_damaged, is_the_compilers
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import read_type
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import (
    ConstType,
    FunctionType,
    NamedType,
    PointerType,
    ReferenceType,
    Type,
)


def undeclared_members(program: Program) -> Iterator[CxxError]:
    """One error for each that no declaration in the class matches, at its name, or of no class."""
    for full, functions in [*program.declarations.functions.items()]:
        owner, _, short = full.rpartition("::")
        of = program.declarations.class_definitions.get(owner)
        if owner and of is None and not is_the_compilers(owner):
            yield from _of_no_class(program, functions)
        if of is None or of.template_parameters is not None or is_the_compilers(owner):
            continue
        if (
            is_damaged(program.source, of.node)
            or not short.isidentifier()
            or short == owner.rpartition("::")[2]
        ):
            continue
        members = [*_members(program, of, short)]
        for function in functions:
            if not _stands_out_of(of, function) or is_damaged(program.source, function.node):
                continue
            if not any(_may_be(program, owner, function, member) for member in members):
                yield _error(program, owner, short, function, members)


def _of_no_class(program: Program, functions: Sequence[FunctionDeclaration]) -> Iterator[CxxError]:
    for function in functions:
        named = function.declarator.child_by_field_name("declarator")
        if (
            named is None
            or named.type != "qualified_identifier"
            or is_damaged(program.source, function.node)
        ):
            continue
        if (error := unknown_owner(program, named, function.scope)) is not None:
            yield error


def unknown_owner(program: Program, named: Node, scope: str) -> CxxError | None:
    """The error for what is declared as a member of something that certainly nothing declares."""
    owner = qualified_name(program.source, named).owner
    spaces = program.declarations.namespaces
    if not owner.parts or namespace(program, owner, scope) in spaces:
        return None
    inline = rf"\binline\s+namespace\s+({'|'.join(part.name for part in owner.parts)})\b"
    try:
        if look_up(program, owner, scope) or re.search(inline, program.source.text):
            return None
    except CxxError as error:  # it is declared further down
        return None if program.elsewhere(owner.parts[-1].name) else error
    return certainly_unknown(program, owner, scope)


def _stands_out_of(of: ClassDefinition, function: FunctionDeclaration) -> bool:
    named = function.declarator.child_by_field_name("declarator")
    return (
        function.template_parameters is None
        and named is not None
        and named.type == "qualified_identifier"
        and not of.node.start_byte <= function.node.start_byte < of.node.end_byte
    )


def _members(program: Program, of: ClassDefinition, name: str) -> Iterator[Node]:
    """The declarations of that name in the class; of a template, the whole of it."""
    body = of.node.child_by_field_name("body")
    for node in body.named_children if body is not None else ():
        declared = node.named_children[-1] if node.type == "template_declaration" else node
        declarator = function_declarator(declared.child_by_field_name("declarator"))
        named = declarator.child_by_field_name("declarator") if declarator is not None else None
        if named is not None and program.source.spell(named) == name:
            yield node


def _may_be(program: Program, owner: str, function: FunctionDeclaration, member: Node) -> bool:
    """Whether the function may be the one that is declared so."""
    if member.type == "template_declaration":
        return True
    declarator = function_declarator(member.child_by_field_name("declarator"))
    assert declarator is not None
    if _behind(program, declarator) != _behind(program, function.declarator):
        return False
    try:
        one = read_type(program, member, Place(owner))
        other = read_type(program, function.node, Place(owner))
    except CxxError:
        return True
    if not (isinstance(one, FunctionType) and isinstance(other, FunctionType)):
        return True
    if len(one.parameters) != len(other.parameters):
        return False
    pairs = zip(one.parameters, other.parameters, strict=True)
    return not any(_differ(program, owner, a.type, b.type) for a, b in pairs)


def _behind(program: Program, declarator: Node) -> list[str]:
    """`const`, `&&`: what stands behind the parameters and belongs to the function's type."""
    kinds = ("type_qualifier", "ref_qualifier")
    return [program.source.spell(n) for n in declarator.named_children if n.type in kinds]


def _differ(program: Program, owner: str, one: Type, other: Type) -> bool:
    """Whether they are certainly two types."""
    if one == other:
        return False
    for kind in (ReferenceType, PointerType):
        if isinstance(one, kind) and isinstance(other, kind):
            return _differ(program, owner, one.to, other.to)
    if isinstance(one, ConstType) and isinstance(other, ConstType):
        return _differ(program, owner, one.of, other.of)
    return _is_known(program, owner, one) and _is_known(program, owner, other)


def _is_known(program: Program, owner: str, type: Type) -> bool:
    """Whether it is no other name for what a header may say."""
    if isinstance(type, PointerType | ReferenceType):
        return _is_known(program, owner, type.to)
    if isinstance(type, ConstType):
        return _is_known(program, owner, type.of)
    if not isinstance(type, NamedType) or type.arguments:
        return False
    classes, bound = program.declarations.class_definitions, program.bindings.types.values()
    if type.name in ARITHMETIC or type.name in classes or type in bound:
        return True
    inside_a_class = rf"\b(?:using|typedef|struct|class|enum|union)\b[^;{{]*\b{type.name}\b"
    return (
        type.name.isidentifier()
        and not program.elsewhere(type.name)
        and not re.search(inside_a_class, program.source.text)
    )


def _error(
    program: Program, owner: str, short: str, function: FunctionDeclaration, members: list[Node]
) -> CxxError:
    named = function.declarator.child_by_field_name("declarator")
    span = program.source.span(named or function.declarator)
    if not members:
        return CxxError(f"`{owner}` declares no `{short}`", span)
    declared = " ".join(program.source.spell(members[0]).split())
    return CxxError(
        f"no declaration of `{short}` in `{owner}` is this one's", span, f"there is `{declared}`"
    )
