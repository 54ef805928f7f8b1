"""What is done with a value where it stands: is it assigned, changed, looked through, asked for?"""

from __future__ import annotations

from tree_sitter import Node


def stands_alone(node: Node) -> bool:
    """Whether a comparison may take the place of `node` without parentheses."""
    outer = node.parent
    return outer is not None and outer.type in (
        "condition_clause",
        "parenthesized_expression",
        "argument_list",
        "init_declarator",
    )


def is_dereference(node: Node) -> bool:
    """`*x`, and not `&x`, which has the same node type."""
    return node.type == "pointer_expression" and (node.text or b"").startswith(b"*")


def is_asked_for(outer: Node) -> bool:
    """Whether `outer` wants to know if a pointer in it is null."""
    if outer.type in ("condition_clause", "unary_expression", "conditional_expression"):
        return True
    return outer.type == "binary_expression" and any(
        c.type == "null" or (c.text or b"") == b"NULL" for c in outer.named_children
    )


_MUTATORS = frozenset(
    [
        "push_back",
        "emplace_back",
        "pop_back",
        "erase",
        "insert",
        "clear",
        "resize",
        "assign",
        "swap",
        "append",
        "reserve",
    ]
)


def is_changed(use: Node) -> bool:
    """Whether a variable is changed here, as far as one sees."""
    if is_assigned(use):
        return True
    outer = use.parent
    if outer is not None and outer.type == "subscript_expression":
        return is_assigned(outer)
    if outer is not None and outer.type == "field_expression":
        method = outer.child_by_field_name("field")
        return method is not None and (method.text or b"").decode() in _MUTATORS
    if outer is not None and outer.type == "pointer_expression":
        return (outer.text or b"").startswith(b"&")
    return False


def is_assigned(use: Node) -> bool:
    """Whether it gets a new value here: `x = …`, `x += …`, `++x`."""
    outer = use.parent
    if outer is None:
        return False
    if outer.type == "assignment_expression":
        return outer.child_by_field_name("left") == use
    return outer.type == "update_expression"
