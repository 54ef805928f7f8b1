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
    """`out->mutable_data<T>(…)`: for memory that is there, or of a place, or of new dims, too; and
    with the type as an argument instead of `<T>`."""
    types = template_arguments(named) if named is not None else []
    type_parts: tuple[Part, ...] = ("<", span_of(types[0]), ">") if types else ()
    if not arguments:
        rewriter.put(call, *object_of(call, receiver), "data", *type_parts, "()", rule="data")
    elif not types:
        _allocate_dtype(rewriter, call, receiver, arguments)
    elif len(arguments) == 2 and device_for(rewriter, arguments[0]) is None:
        allocation = _allocation(rewriter, call, receiver, type_parts, arguments[1])
        if allocation is not None:
            _resize_first(rewriter, call, receiver, arguments[0], allocation)
    elif len(arguments) == 1:
        allocation = _allocation(rewriter, call, receiver, type_parts, arguments[0])
        if allocation is not None:
            rewriter.put(call, *allocation, rule="alloc")
    else:
        rewriter.note(call, "alloc", _WHOSE)


_WHOSE = "whose memory is this? ask that context's Alloc for it"


def _allocate_dtype(rewriter: Rewriter, call: Node, receiver: Node, arguments: list[Node]) -> None:
    """`out->mutable_data(place, dtype)`."""
    device = device_for(rewriter, arguments[0])
    if len(arguments) != 2 or device is None:
        reason = "say of which type the memory is, and ask dev_ctx for it"
        rewriter.note(call, "alloc_dtype", reason)
        return
    given = (*_address(call, receiver), ", ", span_of(arguments[1]))
    rewriter.put(call, *device, "Alloc(", *given, ")", rule="alloc_dtype")


def _allocation(
    rewriter: Rewriter, call: Node, receiver: Node, types: tuple[Part, ...], place: Node
) -> tuple[Part, ...] | None:
    """`dev_ctx.template Alloc<T>(out)`; None, and a note, if nobody knows whose memory it is."""
    device = device_for(rewriter, place)
    if device is None:
        rewriter.note(call, "alloc", _WHOSE)
        return None
    is_cpu = place.type == "call_expression" and rewriter.called(place) == "platform::CPUPlace"
    method = "HostAlloc" if is_cpu else "Alloc"
    return (*device, f"template {method}", *types, "(", *_address(call, receiver), ")")


def _resize_first(
    rewriter: Rewriter, call: Node, receiver: Node, dims: Node, allocation: tuple[Part, ...]
) -> None:
    """`out->Resize(dims);` as a statement of its own, before the one that allocates."""
    statement = enclosing_statement(call)
    if statement.parent is None or statement.parent.type != "compound_statement":
        rewriter.note(call, "resize_alloc", "Resize first, and then Alloc: two statements")
        return
    line = rewriter.source.text.rfind("\n", 0, statement.start_byte) + 1
    indent = rewriter.source.text[line : statement.start_byte]
    gap = f"\n{indent[rewriter.shift :]}" if not indent.strip() else " "
    resize = (*object_of(call, receiver), "Resize(", span_of(dims), ");", gap)
    before = Span(statement.start_byte, statement.start_byte)
    rewriter.edits.add(Edit(before, resize, RULES["resize_alloc"], "", "", span_of(dims)))
    rewriter.put(call, *allocation, rule="resize_alloc")


def _address(call: Node, receiver: Node) -> tuple[Part, ...]:
    """The pointer to what a method is called on."""
    return (span_of(receiver),) if member_operator(call) == "->" else ("&", span_of(receiver))
