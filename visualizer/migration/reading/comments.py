"""Comments that belong to what stands below them, or to the whole file."""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.fluid_text import FluidText


def comment_above(source: FluidText, item: Span) -> Span | None:
    """The comments that stand directly above a declaration."""
    node = source.root.named_descendant_for_byte_range(item.start, item.start + 1)
    while node is not None and node.parent is not None and node.parent.start_byte == item.start:
        node = node.parent
    if node is None:
        return None
    first: Node | None = None
    here = node.prev_sibling
    while here is not None and here.type == "comment":
        below = first.start_byte if first is not None else item.start
        if source.text[here.end_byte : below].count("\n") != 1:
            break
        first, here = here, here.prev_sibling
    if first is None:
        return None
    return Span(first.start_byte, len(source.text[: item.start].rstrip()))


def license_of(source: FluidText) -> str:
    """The comment that a file begins with, if it is about whose the file is."""
    first = source.root.children[0] if source.root.children else None
    if first is None or first.type != "comment":
        return ""
    last = first
    while last.next_sibling is not None and last.next_sibling.type == "comment":
        if source.text[last.end_byte : last.next_sibling.start_byte].count("\n") > 1:
            break
        last = last.next_sibling
    text = source.text[first.start_byte : last.end_byte]
    return f"{text}\n\n" if "Copyright" in text else ""
