"""The data members that a class of the text declares, each with what stands behind it."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from registry_runtime.cxx.classes import member_nodes
from registry_runtime.cxx.declarators import declared_name, function_declarator
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import NotUnderstood


def data_members(program: Program, owner: str) -> Iterator[tuple[Node, Node, Node | None]]:
    """Each declaration with the name that it declares, and what stands behind that."""
    definition = program.declarations.class_definitions[owner]
    for node in member_nodes(definition, "field_declaration"):
        if is_static(program, node):
            continue
        for index, child in enumerate(node.children):
            if node.field_name_for_child(index) != "declarator":
                continue
            if function_declarator(child) is not None:
                continue
            name = declared_name(child)
            if name is None or child.type != "field_identifier":
                what = f"the data member `{program.source.spell(child)}`"
                raise NotUnderstood(what, program.source.span(child))
            yield node, name, _behind(node, index + 1)


def is_static(program: Program, member: Node) -> bool:
    """Whether a member belongs to the class, and not to its objects."""
    return any(program.source.spell(child) == "static" for child in member.children)


def _behind(node: Node, index: int) -> Node | None:
    # `= 3` and `{3}`, before the next comma.
    for at in range(index, node.child_count):
        child = node.children[at]
        if child.type in (",", ";"):
            return None
        if node.field_name_for_child(at) == "default_value":
            return child
    return None
