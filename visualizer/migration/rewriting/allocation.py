"""Memory: a tensor of Fluid's allocated its own, in PHI the device context does it for the tensor."""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.edits import Edit
from visualizer.migration.fluid_text import span_of
from visualizer.migration.names import template_arguments
from visualizer.migration.rewriting.devices import device_for, member_operator, object_of
from visualizer.migration.rewriting.rewriter import Part, Rewriter, enclosing_statement
from visualizer.migration.table import RULES


def allocate(
    rewriter: Rewriter, call: Node, receiver: Node, named: Node | None, arguments: list[Node]
) -> None:
    types = template_arguments(named) if named is not None else []
    type_parts: tuple[Part, ...] = ("<", span_of(types[0]), ">") if types else ()
    if not arguments:
        rewriter.put(call, *object_of(call, receiver), "data", *type_parts, "()", rule="data")
        return
    place = arguments[0]
    if not types:
        if len(arguments) == 2:
            device = device_for(rewriter, place)
            if device is not None:
                parts = address_of(call, receiver)
                rewriter.put(
                    call,
                    *device,
                    "Alloc(",
                    *parts,
                    ", ",
                    span_of(arguments[1]),
                    ")",
                    rule="alloc_dtype",
                )
                return
        rewriter.note(
            call, "alloc_dtype", "say of which type the memory is, and ask dev_ctx for it"
        )
        return
    dims: Node | None = None
    if len(arguments) >= 2 and device_for(rewriter, place) is None:
        dims, place = arguments[0], arguments[1]
    device = device_for(rewriter, place)
    if device is None or len(arguments) > (2 if dims is not None else 1):
        rewriter.note(call, "alloc", "whose memory is this? ask that context's Alloc for it")
        return
    allocation: tuple[Part, ...] = (
        *device,
        f"template {_alloc_for(rewriter, place)}",
        *type_parts,
        "(",
        *address_of(call, receiver),
        ")",
    )
    if dims is None:
        rewriter.put(call, *allocation, rule="alloc")
        return
    statement = enclosing_statement(call)
    if statement.parent is None or statement.parent.type != "compound_statement":
        rewriter.note(call, "resize_alloc", "Resize first, and then Alloc: two statements")
        return
    resize: tuple[Part, ...] = (*object_of(call, receiver), "Resize(", span_of(dims), ");")
    line = rewriter.source.text.rfind("\n", 0, statement.start_byte) + 1
    indent = rewriter.source.text[line : statement.start_byte]
    before = Span(statement.start_byte, statement.start_byte)
    gap = f"\n{indent[rewriter.shift :]}" if not indent.strip() else " "
    rewriter.edits.add(Edit(before, (*resize, gap), RULES["resize_alloc"], "", "", span_of(dims)))
    rewriter.put(call, *allocation, rule="resize_alloc")


def _alloc_for(rewriter: Rewriter, place: Node) -> str:
    is_cpu = place.type == "call_expression" and rewriter.called(place) == "platform::CPUPlace"
    return "HostAlloc" if is_cpu else "Alloc"


def address_of(call: Node, receiver: Node) -> tuple[Part, ...]:
    """The pointer to what a method is called on."""
    return (span_of(receiver),) if member_operator(call) == "->" else ("&", span_of(receiver))
