"""A call, taken apart: who is asked, which method, with which arguments.

Fluid finds everything by strings, so the first argument of most calls is a name. It is a literal,
or the name of the gradient of one: `framework::GradVarName("Out")` is "Out@GRAD".
"""

from __future__ import annotations

from tree_sitter import Node

from visualizer.migration.fluid_names import GRAD_VAR_NAME
from visualizer.migration.fluid_text import FluidText
from visualizer.migration.names import Aliases, qualified


def parts_of_call(node: Node) -> tuple[Node | None, list[Node]]:
    """What is called, and with what."""
    listed = node.child_by_field_name("arguments")
    arguments = [] if listed is None else [a for a in listed.named_children if a.type != "comment"]
    return node.child_by_field_name("function"), arguments


def method_of_call(source: FluidText, node: Node) -> tuple[Node | None, str, Node | None]:
    """Of `a->b<T>(…)`: a, "b", and the name with its `<…>`. A plain call has None for a."""
    function, _ = parts_of_call(node)
    if function is None:
        return None, "", None
    if function.type == "field_expression":
        field_node = function.child_by_field_name("field")
        if field_node is None:
            return None, "", None
        return function.child_by_field_name("argument"), _plain(source, field_node), field_node
    if function.type in ("identifier", "template_function"):
        return None, _plain(source, function), function
    return None, "", None


def _plain(source: FluidText, node: Node) -> str:
    while node.type in ("dependent_name", "template_method", "template_function"):
        inner = node.child_by_field_name("name")
        node = inner if inner is not None else node.named_children[0]
    return source.spell(node)


def name_in(source: FluidText, aliases: Aliases, node: Node | None) -> str | None:
    """The name that `"Out"` or `framework::GradVarName("Out")` gives, or None for anything else."""
    if node is None:
        return None
    if node.type == "string_literal":
        return source.spell(node)[1:-1]
    if node.type == "call_expression":
        function, arguments = parts_of_call(node)
        if function is None or not arguments:
            return None
        if function.type in ("qualified_identifier", "identifier"):
            parts = aliases.in_full(qualified(source, function).parts)
            inner = name_in(source, aliases, arguments[0])
            if parts[-1] == GRAD_VAR_NAME.rpartition("::")[2] and inner is not None:
                return f"{inner}@GRAD"
    return None
