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
