"""Which device is meant: Fluid says it with a place, PHI with the context that owns the memory."""

from __future__ import annotations

from tree_sitter import Node

from visualizer.migration.fluid_text import span_of
from visualizer.migration.reading.calls import method_of_call
from visualizer.migration.reading.scopes import Local
from visualizer.migration.rewriting.rewriter import Part, Rewriter


def device_here(rewriter: Rewriter) -> str:
    """`dev_ctx.` or `ctx->`: a context that is in scope; "" if there is none."""
    if rewriter.device:
        return f"{rewriter.device}."
    for local in rewriter.locals:
        if _type_of(rewriter, local).endswith(("DeviceContext", "Context")):
            return f"{local.name}{'->' if local.kind == '*' else '.'}"
    return ""


def device_or_note(rewriter: Rewriter, node: Node, rule: str) -> str:
    """The same; and a note at `node` if there is none."""
    device = device_here(rewriter)
    if not device:
        rewriter.note(node, rule, "there is no device context here: give the function one")
    return device


def device_for(rewriter: Rewriter, place: Node) -> tuple[Part, ...] | None:
    """Whose Alloc is meant by a place: `dev_ctx.`, or None if that isn't seen."""
    if place.type == "call_expression":
        receiver, method, _ = method_of_call(rewriter.source, place)
        if method == "GetPlace" and receiver is not None:
            if rewriter.is_fluid_context(receiver):
                return (f"{rewriter.device}.",) if rewriter.device else None
            return object_of(place, receiver)
        if rewriter.called(place).startswith("platform::") and rewriter.called(place).endswith(
            "Place"
        ):
            device = device_here(rewriter)
            return (device,) if device else None
    if place.type == "identifier":
        local = rewriter.local_of(place)
        if local is not None and local.value is not None:
            return device_for(rewriter, local.value)
        is_place = local is not None and _type_of(rewriter, local).endswith("Place")
        device = device_here(rewriter) if is_place else ""
        return (device,) if device else None
    return None


def _type_of(rewriter: Rewriter, local: Local) -> str:
    return rewriter.source.spell(local.type_node) if local.type_node is not None else ""


def object_of(call: Node, receiver: Node) -> tuple[Part, ...]:
    """`out->` of `out->mutable_data<T>(…)`."""
    return span_of(receiver), member_operator(call)


def member_operator(call: Node) -> str:
    """`->` or `.`, as the call has it."""
    function = call.child_by_field_name("function")
    operator = function.child_by_field_name("operator") if function is not None else None
    return operator.type if operator is not None else "."
