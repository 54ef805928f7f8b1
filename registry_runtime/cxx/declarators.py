"""Declarators: the `*x`, `f(int)` or `x = 1` behind the type of a declaration.

C++ writes a declaration as the name is used, wrapped in whatever makes something else of its type. To
find the name, or the `f(…)`, is to unwrap it.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx.names import NAMES


def declared_name(declarator: Node | None) -> Node | None:
    """The identifier that a declarator (`*x`, `&x`, `x = 1`) declares."""
    while declarator is not None and declarator.type not in NAMES:
        declarator = inner_declarator(declarator)
    return declarator


def bound_names(declarator: Node | None) -> list[Node]:
    """The names of `[a, b]`, and of `&[a, b]`; none of another declarator."""
    while declarator is not None and declarator.type in ("init_declarator", "reference_declarator"):
        declarator = inner_declarator(declarator)
    if declarator is None or declarator.type != "structured_binding_declarator":
        return []
    return [child for child in declarator.named_children if child.type == "identifier"]


def inner_declarator(declarator: Node) -> Node | None:
    """What a `*`, `&`, `(…)` or `[…]` of a declarator applies to; None if it names nothing."""
    inner = declarator.child_by_field_name("declarator")
    if inner is not None:
        return inner
    for child in declarator.named_children:
        if child.type.endswith("declarator") or child.type in NAMES:
            return child
    return None


_AROUND_FUNCTIONS = (
    "pointer_declarator",
    "reference_declarator",
    "attributed_declarator",
    "init_declarator",  # around an unfinished body
)


def function_declarator(node: Node | None) -> Node | None:
    """The `f(…)` in the declarator of a function, past the `*` and `&` of its return type.

    None if something else than a function is declared: a pointer to one, for instance.
    """
    while node is not None:
        if node.type == "function_declarator":
            inner = node.child_by_field_name("declarator")
            return None if inner is not None and inner.type == "parenthesized_declarator" else node
        if node.type not in _AROUND_FUNCTIONS:
            return None
        node = inner_declarator(node)
    return None


def names_alone(declaration: Node) -> list[Node]:
    """The `a` and `N::b` of `X r(a, N::b);`, or nothing if anything else stands there.

    The grammar takes this for a function with two unnamed parameters. What it is depends on whether
    the names are types or values, which isn't known before the whole text has been read.
    """
    declarator = declaration.child_by_field_name("declarator")
    if declarator is None or declarator.type != "function_declarator":
        return []
    listed = declarator.child_by_field_name("parameters")
    parameters = [n for n in listed.named_children if n.type != "comment"] if listed else []
    names = [p.child_by_field_name("type") for p in parameters if p.named_child_count == 1]
    found = [name for name in names if name is not None and name.type in NAMES]
    return found if len(found) == len(parameters) else []


def is_const(declaration: Node) -> bool:
    """Whether a declaration says `const` or `constexpr`."""
    qualifiers = (c for c in declaration.children if c.type == "type_qualifier")
    return any(c.child(0).type in ("const", "constexpr") for c in qualifiers if c.child(0))


def is_const_object(declaration: Node, declarator: Node | None) -> bool:
    """Whether what a declarator declares is const, or names what is: `int* const p`, and `const int n`,
    but not `const int* p`."""
    innermost = None
    while declarator is not None:
        innermost = declarator if declarator.type == "pointer_declarator" else innermost
        declarator = inner_declarator(declarator)
    return is_const(declaration if innermost is None else innermost)
