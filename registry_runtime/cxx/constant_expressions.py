"""What has to be known before anything runs: `case n:`, `if constexpr (n)`, `static_assert(n)`, and
what initialises a `constexpr int n`. [expr.const]

A local variable is known then if it is constexpr, or a const integer that something known initialises.
"""

from __future__ import annotations

from contextlib import suppress

from tree_sitter import Node

from registry_runtime.cxx.context import span_of
from registry_runtime.cxx.conversions import arithmetic_type
from registry_runtime.cxx.operand_types import NULL, kind_of
from registry_runtime.cxx.scopes import At
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import Type

# What names no variable, or only its type; a lambda's own ones are its own matter.
_OTHERS = (
    *("sizeof_expression", "alignof_expression", "decltype", "lambda_expression"),
    "qualified_identifier",
)


def constant(at: At, node: Node) -> None:
    """Raises CxxError for an expression that certainly isn't constant."""
    if node.type in _OTHERS:
        return
    if node.type in ("assignment_expression", "update_expression"):
        raise CxxError(f"`{at.spell(node)}` changes something, and isn't constant", span_of(node))
    if node.type == "identifier":
        local = None
        with suppress(CxxError):  # what is constant needn't be captured
            local = at.find(at.spell(node), node)
        if local is not None and not (local.is_enumerator or local.is_constant):
            raise CxxError(f"`{at.spell(node)}` isn't constant", span_of(node), "make it constexpr")
    called = node.child_by_field_name("function")
    for inner in node.named_children:
        if inner != called:
            constant(at, inner)


def makes_constant(at: At, type: Type | None, value: Node) -> bool:
    """Whether a const variable of this type is known before anything runs, if this initialises it."""
    number = arithmetic_type(type)
    if kind_of(type or NULL) != "enum" and (number is None or number.is_floating):
        return False
    with suppress(CxxError):
        constant(at, value)
        return True
    return False
