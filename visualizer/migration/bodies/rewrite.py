"""The body of a Compute or of an InferShape, in which names become parameters.

First goes what PHI has no need of, then each read of the context is answered by a parameter, then
the variables that stay get out of the parameters' way. Last come the idioms that have nothing to do
with the context.
"""

from __future__ import annotations

from tree_sitter import Node

from visualizer.migration.bodies.body import Body
from visualizer.migration.bodies.contexts import device_context, handed_on
from visualizer.migration.bodies.output_reads import note_output_reads
from visualizer.migration.bodies.questions import ANSWERS
from visualizer.migration.bodies.shapes import SETTERS
from visualizer.migration.bodies.superfluous import close_gaps, drop_checks, drop_tensor_blocks
from visualizer.migration.bodies.variables import make_room
from visualizer.migration.reading.context_reads import Read, context_of, reads
from visualizer.migration.rewriting.idioms import rewrite_idioms


def rewrite_body(body: Body, function: Node) -> None:
    """Collect the edits for a function_definition's body."""
    rewriter = body.rewriter
    block = function.child_by_field_name("body")
    rewriter.function(function)
    if block is None:
        return
    context = context_of(rewriter.source, rewriter.locals)
    if context is not None:
        found = list(reads(rewriter.fluid, rewriter.source, context))
        drop_tensor_blocks(body, found)
        drop_checks(body, found)
        answered: set[int] = set()
        for read in found:
            if not body.is_gone(read.call):
                answered.add(read.use.id)
                _answer(body, read)
        make_room(body)
        for use in context.uses:
            if use.id not in answered and not body.is_gone(use):
                handed_on(body, use)
        if body.signature is not None and not body.is_meta:
            note_output_reads(body, block)
    rewrite_idioms(rewriter, block, body.gone)
    close_gaps(body, block)


def _answer(body: Body, read: Read) -> None:
    method = read.method
    known = method in ANSWERS or (body.is_meta and method in SETTERS)
    parameter = body.parameter_of(read)
    if method in ("device_context", "cuda_device_context"):
        device_context(body, read)
    elif method == "GetPlace":
        body.rewriter.put(read.call, "dev_ctx.GetPlace()", rule="get_place")
    elif method == "IsRuntime" and body.is_meta:
        body.needs_config = True
        body.rewriter.put(read.call, "config.is_runtime", rule="is_runtime")
    elif body.signature is None:
        body.cannot(read, "only a kernel can read the context: hand this function what it needs")
    elif known and read.name is None:
        body.cannot(read, "which name is meant is only known when this runs")
    elif known and parameter is None:
        body.cannot(read, f'"{read.name}" is no name of the operator\'s maker')
    elif method in ANSWERS and parameter is not None:
        ANSWERS[method](body, read, parameter)
    elif known:
        SETTERS[method](body, read)
    else:
        kind = "InferShapeContext" if body.is_meta else "ExecutionContext"
        body.cannot(read, f"{kind}::{method} has no row in the table")
