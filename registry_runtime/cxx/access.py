"""What of a class may be named from outside: [class.access].

A member behind `private:` or `protected:`, and what a `class` declares before any of them, is for the
class and its friends; so is a base behind no `public`. Who names it is told by the place where that
stands: in the class, or in what is defined of it further down.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx.classes import CxxClass
from registry_runtime.cxx.declarators import function_declarator
from registry_runtime.cxx.member_functions import chain, declared
from registry_runtime.cxx.names import qualified_name
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError, Span

_CLASSES = ("class_specifier", "struct_specifier", "union_specifier")


def check_access(program: Program, of: Node, member: Node, name: str, span: Span) -> None:
    """Raises CxxError where what stands at `span` may not name this member of the class `of`."""
    access = _access(program, of, member)
    if access == "public" or _is_within(program, of, span):
        return
    owner = of.child_by_field_name("name")
    of_class = f" in `{program.source.spell(owner)}`" if owner is not None else ""
    said = f"`{name}` is {access}{of_class}"
    raise CxxError(said, span, "write `public:` before it, if it is meant to be used here")


def check_publicly_derived(of: CxxClass) -> None:
    """Raises CxxError where not everybody may use an object of this class as one of its bases."""
    bases = of.program.declarations.bases
    for name in (of.name, *(base.name for base in of.bases())):
        if name in bases and not bases[name].is_public:
            hint = "write `public` before its base: a class says `private` where it says nothing"
            raise CxxError(f"`{of}` is privately derived", of.span, hint)


def has_public(of: CxxClass, name: str) -> bool:
    """Whether the nearest class that declares a member function of this name has it for everybody."""
    definitions = of.program.declarations.class_definitions
    for owner in chain(of):
        for one in declared(of.program, owner, name):
            return _access(of.program, definitions[owner].node, one.node) == "public"
    return True


def _access(program: Program, of: Node, member: Node) -> str:
    body = of.child_by_field_name("body")
    access = "private" if of.type == "class_specifier" else "public"
    for child in body.named_children if body is not None else ():
        if child.start_byte >= member.start_byte:
            break
        if child.type == "access_specifier":
            access = program.source.spell(child)
    return access


def _is_within(program: Program, of: Node, span: Span) -> bool:
    """Whether it stands in the class, in one that is derived from another, which may be this one, in
    a definition of a member out of its class, or in what may be a friend."""
    friends = _has_friends(of)
    node: Node | None = program.source.root.descendant_for_byte_range(span.start, span.end)
    while node is not None:
        if (node.start_byte, node.end_byte) == (of.start_byte, of.end_byte):
            return True
        if friends and node.type in ("function_definition", *_CLASSES):
            return True
        if node.type in _CLASSES and any(c.type == "base_class_clause" for c in node.children):
            return True
        if node.type in ("function_definition", "declaration") and _is_qualified(program, node):
            return True
        node = node.parent
    return False


def _is_qualified(program: Program, node: Node) -> bool:
    declarator = node.child_by_field_name("declarator")
    inner = function_declarator(declarator) or declarator
    named = inner.child_by_field_name("declarator") if inner is not None else None
    one = named if named is not None else inner
    return (
        one is not None
        and one.type == "qualified_identifier"
        and bool(qualified_name(program.source, one).owner.parts)
    )


def _has_friends(of: Node) -> bool:
    body = of.child_by_field_name("body")
    return body is not None and any(c.type == "friend_declaration" for c in body.named_children)
