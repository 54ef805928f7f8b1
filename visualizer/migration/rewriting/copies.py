"""Copies between tensors, and questions about where a tensor is."""

from __future__ import annotations

from tree_sitter import Node

from visualizer.migration import fluid_names
from visualizer.migration.fluid_text import span_of
from visualizer.migration.rewriting.devices import device_or_note
from visualizer.migration.rewriting.rewriter import Part, Rewriter


def copy(rewriter: Rewriter, call: Node, name: str, arguments: list[Node]) -> None:
    """`framework::TensorCopy(x, place, out)`; phi::Copy wants the context, too."""
    device = device_or_note(rewriter, call, "copy")
    if not device:
        return
    if len(arguments) not in (3, 4):
        rewriter.note(call, "copy", "phi::Copy takes a context, source, place, blocking and target")
        return
    given = [span_of(a) for a in arguments]
    context: Part = given[2] if len(arguments) == 4 else _dereferenced(device)
    rewriter.headers.add("paddle/phi/core/tensor_utils.h")
    rewriter.put(
        call,
        "phi::Copy(",
        context,
        ", ",
        given[0],
        ", ",
        given[1],
        f", {fluid_names.COPIES[name]}, ",
        given[-1],
        ")",
        rule="copy",
    )


def ask_place(rewriter: Rewriter, call: Node, name: str, place: Node) -> None:
    """`platform::is_cpu_place(place)`: a comparison, in parentheses where it needs them."""
    simple = place.type in ("identifier", "call_expression", "field_expression")
    question: tuple[Part, ...] = (span_of(place),) if simple else ("(", span_of(place), ")")
    text = f".GetType() == phi::AllocationType::{fluid_names.ALLOCATION_TYPES[name]}"
    outer = call.parent
    alone = outer is not None and outer.type in (
        "condition_clause",
        "parenthesized_expression",
        "argument_list",
        "init_declarator",
        "return_statement",
        "expression_statement",
        "assignment_expression",
    )
    parts = (*question, text) if alone else ("(", *question, text, ")")
    rewriter.put(call, *parts, rule="is_place")


def _dereferenced(device: str) -> str:
    return device[:-1] if device.endswith(".") else f"*{device[:-2]}"
