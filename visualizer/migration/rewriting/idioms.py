"""Every idiom that needs no context: one walk over a stretch of C++, and for each node the module
that knows what became of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration import fluid_names
from visualizer.migration.fluid_text import walk
from visualizer.migration.reading.calls import method_of_call, parts_of_call
from visualizer.migration.rewriting.allocation import allocate
from visualizer.migration.rewriting.copies import ask_place, copy
from visualizer.migration.rewriting.devices import device_or_note
from visualizer.migration.rewriting.renames import drop_alias, rename, rename_short
from visualizer.migration.rewriting.rewriter import Rewriter


def rewrite_idioms(rewriter: Rewriter, node: Node, but: Iterable[Span] = ()) -> None:
    """All idioms below `node`, outside of the stretches `but`."""
    left_out = list(but)
    for below in walk(node):
        if any(s.start <= below.start_byte and below.end_byte <= s.end for s in left_out):
            continue
        if below.type == "call_expression":
            _call(rewriter, below)
        elif below.type == "qualified_identifier":
            if below.parent is None or below.parent.type != "qualified_identifier":
                rename(rewriter, below)
        elif below.type in ("type_identifier", "identifier"):
            rename_short(rewriter, below)
        elif below.type == "alias_declaration" or below.type == "using_declaration":
            drop_alias(rewriter, below)


def _call(rewriter: Rewriter, call: Node) -> None:
    function, arguments = parts_of_call(call)
    receiver, method, named = method_of_call(rewriter.source, call)
    if method == "mutable_data" and receiver is not None:
        allocate(rewriter, call, receiver, named, arguments)
        return
    if function is None or function.type not in ("qualified_identifier", "identifier"):
        return
    name = "::".join(rewriter.full_name(function))
    if name in ("TensorCopy", "TensorCopySync"):  # found by their arguments' namespace
        name = f"framework::{name}"
    if name in fluid_names.COPIES:
        copy(rewriter, call, name, arguments)
    elif name in fluid_names.ALLOCATION_TYPES and len(arguments) == 1:
        ask_place(rewriter, call, name, arguments[0])
    elif name == fluid_names.GENERATOR:
        device = device_or_note(rewriter, call, "generator")
        if device:
            rewriter.put(call, f"{device}GetGenerator()", rule="generator")
    elif name == "framework::vectorize2int":
        rewriter.put(function, "phi::vectorize<int>", rule="ddim")
