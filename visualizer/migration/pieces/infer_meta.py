"""InferShape as InferMeta: the same function of shapes, which must also say the types.

InferShape set shapes and left the type to whoever allocated. PHI's registration says that an output
has the type T, or another, or that it isn't known; then InferMeta must tell.
"""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.bodies.body import Body
from visualizer.migration.bodies.rewrite import rewrite_body
from visualizer.migration.edits import Edit, Edits
from visualizer.migration.fluid_text import FluidText, span_of, walk
from visualizer.migration.names import camel_case
from visualizer.migration.operators import Operator
from visualizer.migration.pieces.drafts import Draft, Placed
from visualizer.migration.pieces.meta_types import said_by, type_of_output
from visualizer.migration.pieces.unchanged import only_copies
from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.reading.open_shapes import open_shapes
from visualizer.migration.rewriting.indentation import align, shift_left
from visualizer.migration.rewriting.rewriter import COMMENT, Rewriter
from visualizer.migration.signature import Parameter, Signature
from visualizer.migration.table import RULES

UNCHANGED = "UnchangedInferMeta"


@dataclass(frozen=True, slots=True)
class InferMeta:
    """`name` is the function's, in phi. function: the InferShape that it was, with its edits; None
    where a function of PHI's does the same. left_over: whether something in it needs a person."""

    operator: Operator
    name: str
    function: Node
    source: FluidText
    edits: Edits | None
    needs_config: bool
    headers: frozenset[str]
    left_over: bool


def rewrite_infer_shape(
    fluid: Fluid, operator: Operator, types: dict[int, str]
) -> InferMeta | None:
    """None if the operator's class has no InferShape in these files. `types`: of the outputs that
    are of another type than the kernel's, by their places."""
    if operator.infer is None or "InferShape" not in operator.infer.methods:
        return None
    function = operator.infer.methods["InferShape"]
    source = operator.infer.source
    copies = only_copies(fluid, operator.signature, source, function)
    if copies and not types and said_by(operator.signature) is None:
        return InferMeta(operator, UNCHANGED, function, source, None, False, frozenset(), False)
    edits = Edits()
    rewriter = Rewriter(fluid, source, edits)
    body = Body(rewriter, operator.signature, is_meta=True)
    block = function.child_by_field_name("body")
    if block is not None:
        shift_left(rewriter, block, 2)
        rewrite_body(body, function)
        _note_open(rewriter, operator.signature, function, block)
        _types(rewriter, operator, block, types)
        align(rewriter, block)
    name = camel_case(operator.signature.name) + "InferMeta"
    everything = edits.within(span_of(function))
    left_over = any(_is_unanswered(e) for e in everything)
    headers = frozenset(rewriter.headers)
    return InferMeta(operator, name, function, source, edits, body.needs_config, headers, left_over)


def unanswered(fluid: Fluid, operator: Operator) -> list[Edit]:
    """Notes on what in the operator's InferShape has no counterpart in an InferMeta."""
    meta = rewrite_infer_shape(fluid, operator, {})
    if meta is None or meta.edits is None:
        return []
    return [e for e in meta.edits.within(span_of(meta.function)) if _is_unanswered(e)]


def _is_unanswered(edit: Edit) -> bool:
    """A person must see to it; but what only isn't said yet may be said in the InferMeta."""
    return bool(edit.reason) and edit.rule not in (RULES["open_shape"], RULES["set_dtype"])


def _note_open(rewriter: Rewriter, signature: Signature, function: Node, block: Node) -> None:
    """A note for each output without dims; at the top where nothing in the body is to blame."""
    names = [output.fluid_name for output in signature.of("output")]
    for found in open_shapes(rewriter.fluid, rewriter.source, function, names):
        if block.start_byte <= found.at.start_byte:
            rewriter.note(found.at, "open_shape", found.reason)
        else:
            at = _first_line(rewriter.source.text, block)
            text = f"  {COMMENT}{found.reason}\n"
            row = RULES["open_shape"]
            shown = span_of(found.at)
            rewriter.edits.add(Edit(Span(at, at), (text,), row, found.reason, "", shown))


def _first_line(text: str, block: Node) -> int:
    at = block.start_byte + 1
    return at + text[at:].startswith("\n")


def _types(rewriter: Rewriter, operator: Operator, block: Node, types: dict[int, str]) -> None:
    """`out->set_dtype(x.dtype());` at the end, or before anything if there is a return on the
    way."""
    old, signature = rewriter.source.text, operator.signature
    returns = any(n.type == "return_statement" for n in walk(block))
    at = _first_line(old, block) if returns else old.rfind("\n", 0, block.end_byte - 1) + 1
    lines: list[str] = []
    for index, output in enumerate(signature.of("output")):
        value, reason = type_of_output(rewriter.fluid, operator, index, types)
        if value:
            lines.append(f"  {_set_dtype(signature, output, value)}\n")
        else:
            text = f"  {COMMENT}{reason}\n"
            rewriter.edits.add(Edit(Span(at, at), (text,), RULES["set_dtype"], reason))
    if lines:
        rewriter.edits.add(Edit(Span(at, at), ("".join(lines),), RULES["set_dtype"]))


def _set_dtype(signature: Signature, output: Parameter, value: str) -> str:
    """A gradient that nobody wants is a nullptr."""
    if output.many:
        return f"for (auto* each : {output.name}) each->set_dtype({value});"
    is_one_of_several = signature.is_gradient and len(signature.of("output")) > 1
    guard = f"if ({output.name}) " if is_one_of_several else ""
    return f"{guard}{output.name}->set_dtype({value});"


def parameters(meta: InferMeta, indent: int) -> str:
    """Those of the kernel without the context, with MetaTensors."""
    listed = [p.declared("MetaTensor") for p in meta.operator.signature.parameters]
    return (",\n" + " " * indent).join(listed)


def declare(draft: Draft, meta: InferMeta) -> None:
    """`void TraceInferMeta(…);`"""
    opening = f"void {meta.name}("
    draft.write(opening + parameters(meta, len(opening)))
    if meta.needs_config:
        draft.write(",\n" + " " * len(opening) + "MetaConfig config = MetaConfig()")
    draft.write(");\n")


def define(draft: Draft, meta: InferMeta) -> None:
    """The function, whose body was the InferShape's."""
    assert meta.edits is not None
    start = draft.length
    opening = f"void {meta.name}("
    draft.write(opening)
    for index, parameter in enumerate(meta.operator.signature.parameters):
        draft.write((",\n" + " " * len(opening)) if index else "")
        draft.write(parameter.declared("MetaTensor"), f"{parameter.kind} {parameter.fluid_name}")
    if meta.needs_config:
        draft.write(",\n" + " " * len(opening) + "MetaConfig config")
    draft.write(")")
    body = meta.function.child_by_field_name("body")
    assert body is not None
    head = Span(meta.function.start_byte, body.start_byte - 1)
    new = Span(start, draft.length)
    edit = Edit(head, (draft.text[start:],), RULES["infer_meta"])
    draft.placed.append(Placed(edit, meta.source, new))
    draft.write(" ")
    draft.copy(meta.source, span_of(body), meta.edits)
    draft.write("\n")
