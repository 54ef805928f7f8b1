"""Statements that PHI has no need of, and the empty lines that they would leave behind."""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.bodies.body import Body, anchor_of
from visualizer.migration.reading.calls import method_of_call, parts_of_call
from visualizer.migration.reading.context_reads import Read, tensor_block
from visualizer.migration.rewriting.rewriter import enclosing_statement


def drop_tensor_blocks(body: Body, found: list[Read]) -> None:
    """`if (ctx.HasInput("AxisTensor")) { … axis = …; }`: a Scalar knows where it comes from."""
    for read in found:
        if body.signature is None or read.name is None:
            continue
        parameter = body.signature.dynamic_for(read.name)
        statement = tensor_block(read) if parameter is not None else None
        if parameter is not None and statement is not None and not body.is_gone(statement):
            rule = "int_array" if "vector" in parameter.cxx_type else "scalar"
            body.take_out(statement, rule, anchor_of(parameter))


def drop_checks(body: Body, found: list[Read]) -> None:
    """`PADDLE_ENFORCE(ctx->HasInput("X"), …)`: a reference is always there."""
    for read in found:
        if read.method not in ("HasInput", "HasInputs", "HasOutput", "HasOutputs"):
            continue
        statement = enclosing_statement(read.call)
        call = statement.named_children[0] if statement.named_children else None
        if call is None or call.type != "call_expression" or body.is_gone(statement):
            continue
        _, macro, _ = method_of_call(body.rewriter.source, call)
        is_check = macro.startswith("PADDLE_ENFORCE") or macro == "OP_INOUT_CHECK"
        parameter = body.parameter_of(read)
        first = parts_of_call(call)[1][:1]
        if is_check and first == [read.call] and parameter is not None and not parameter.optional:
            body.take_out(statement, "checked")


def close_gaps(body: Body, block: Node) -> None:
    """Of two empty lines around statements that went, or one below a brace, none is
    left over."""
    text = body.rewriter.source.text
    gone = sorted(body.gone, key=lambda s: s.start)
    for index, span in enumerate(gone):
        after = text.find("\n", span.end) + 1
        following = gone[index + 1].start if index + 1 < len(gone) else block.end_byte
        if not text[after:following].strip() and index + 1 < len(gone):
            for at in range(after, following):  # the next statement goes as well
                if text[at] == "\n" and text[at - 1] == "\n":
                    body.rewriter.put(Span(at, at + 1))
            continue
        first = index
        while first and not text[gone[first - 1].end : gone[first].start].strip():
            first -= 1
        line = text.rfind("\n", 0, gone[first].start) + 1
        above = text[:line].removesuffix("\n")
        if above.endswith(("{", "\n")) and text[after : after + 1] == "\n":
            body.rewriter.put(Span(after, after + 1))
