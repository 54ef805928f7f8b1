"""The grammar of C++: what parses a text, and the way through its tree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import tree_sitter_cpp
from tree_sitter import Language, Node


@cache
def language() -> Language:
    return Language(tree_sitter_cpp.language())


def families(root: Node) -> Iterator[tuple[Node, list[Node]]]:
    """Each node from this one down that holds others, and those of them that have names in the grammar.
    A query would find some of them no sooner, and to compile one takes longer than to go through most
    texts."""
    pending = [root]
    while pending:
        around = pending.pop()
        if inside := around.named_children:
            pending += inside
            yield around, inside


def without_parentheses(node: Node) -> Node:
    """The expression that stands in parentheses, in however many."""
    while node.type == "parenthesized_expression":
        inside = [each for each in node.named_children if each.type != "comment"]
        node = inside[0]
    return node


def operator_of(node: Node) -> str:
    """The operator of an expression, by its first spelling: `and` is `&&`. [lex.digraph]"""
    found = node.child_by_field_name("operator")
    spelled = found.text.decode() if found is not None and found.text else ""
    return _ALTERNATIVES.get(spelled, spelled)


_ALTERNATIVES = {
    "and": "&&", "and_eq": "&=", "bitand": "&", "bitor": "|", "compl": "~", "not": "!",
    "not_eq": "!=", "or": "||", "or_eq": "|=", "xor": "^", "xor_eq": "^=",
}  # fmt: skip


def assigned_as_a_whole(assignment: Node) -> str:
    """What is assigned to, where a compiler doesn't take for it what the grammar does: `--n = 0` and
    `a + b = 0` are read as `--(n = 0)` and `a + (b = 0)`, `(a ? b : c = 0)` as `((a ? b : c) = 0)`.
    Otherwise empty. [expr.ass], [expr.unary], [expr.cond]"""
    around, left = assignment.parent, assignment.child_by_field_name("left")
    if around is None or left is None:
        return ""
    if left.type == "conditional_expression":
        around = left
    elif around.type not in _BIND_TIGHTER:
        return ""
    whole = around.text or b""
    return whole[: left.end_byte - around.start_byte].decode(errors="replace")


_BIND_TIGHTER = frozenset(
    f"{form}_expression"
    for form in ("update", "unary", "pointer", "binary", "cast", "sizeof", "delete", "co_await")
)
