"""A class as it is declared: its template, its base, its methods, and where all of it stands."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.fluid_text import FluidText, walk
from visualizer.migration.names import qualified, template_arguments
from visualizer.migration.reading.declarations import Class


def read_class(source: FluidText, item: Node, node: Node) -> Class | None:
    """A class by its declaration: `item` is all of it, `node` the class in its template. None if it
    has no name."""
    name = node.child_by_field_name("name")
    if name is None:
        return None
    base = ""
    arguments: tuple[str, ...] = ()
    clause = next((c for c in node.children if c.type == "base_class_clause"), None)
    if clause is not None:
        bases = [c for c in clause.named_children if c.type != "access_specifier"]
        if bases:
            base = qualified(source, bases[0]).parts[-1]
            arguments = tuple(source.spell(a) for a in template_arguments(bases[0]))
    return Class(
        source,
        source.spell(name),
        with_semicolon(item),
        node,
        type_parameters(source, item),
        base,
        arguments,
        dict(_methods(source, node)),
    )


def type_parameters(source: FluidText, item: Node) -> tuple[str, ...]:
    """The names of a template's parameters."""
    listed = item.child_by_field_name("parameters") if item.type == "template_declaration" else None
    found: list[str] = []
    for parameter in listed.named_children if listed is not None else ():
        names = [n for n in walk(parameter) if n.type in ("type_identifier", "identifier")]
        if names:
            found.append(source.spell(names[-1]))
    return tuple(found)


def _methods(source: FluidText, node: Node) -> Iterator[tuple[str, Node]]:
    body = node.child_by_field_name("body")
    for member in body.named_children if body is not None else ():
        function = inside_template(member)
        if function.type != "function_definition":
            continue
        declarator = function.child_by_field_name("declarator")
        while declarator is not None and declarator.type != "function_declarator":
            declarator = declarator.named_children[-1] if declarator.named_children else None
        name = declarator.child_by_field_name("declarator") if declarator is not None else None
        if name is not None:
            yield source.spell(name), function


def is_functor(found: Class) -> bool:
    """A class that is called with an ExecutionContext: for kernels to which types are all one."""
    call = found.methods.get("operator()")
    head = call.child_by_field_name("declarator") if call is not None else None
    return not found.base and head is not None and b"ExecutionContext" in (head.text or b"")


def inside_template(node: Node) -> Node:
    """What a template declares, or the node itself."""
    while node.type == "template_declaration":
        node = node.named_children[-1]
    return node


def declared_name(node: Node) -> Node | None:
    """The name in a declaration, whatever pointers and parameters stand around it."""
    here = node.child_by_field_name("declarator")
    while here is not None and here.type not in ("identifier", "qualified_identifier"):
        here = here.child_by_field_name("declarator") or (
            here.named_children[-1] if here.named_children else None
        )
    return here


def with_semicolon(node: Node) -> Span:
    """A declaration's whole stretch."""
    after = node.next_sibling
    return Span(node.start_byte, after.end_byte if after and after.type == ";" else node.end_byte)
