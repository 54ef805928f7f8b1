"""The operator's InferShape: a functor in its place where there is an InferMeta, or else it stays."""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.edits import Edit, Edits
from visualizer.migration.fluid_text import FluidText, span_of
from visualizer.migration.names import camel_case
from visualizer.migration.operators import Operator
from visualizer.migration.pieces.infer_meta import InferMeta, unanswered
from visualizer.migration.reading.calls import parts_of_call
from visualizer.migration.reading.comments import comment_above
from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.reading.open_shapes import open_shapes
from visualizer.migration.rewriting.rewriter import COMMENT, enclosing_statement
from visualizer.migration.table import RULES

_LINE = 97  # what may stand in a line before `);`


def edit_shapes(
    fluid: Fluid,
    source: FluidText,
    edits: Edits,
    operators: list[Operator],
    metas: dict[str, InferMeta],
) -> None:
    """What becomes of the class's InferShape, in the file that keeps the class."""
    kept = {o.infer.name for o in operators if o.infer is not None and o.op_type not in metas} | {
        name for r in fluid.operator_registrations if r.op_type not in metas for name in r.classes
    }
    for operator in operators:
        meta = metas.get(operator.op_type)
        infer = operator.infer
        if infer is None:
            continue
        if meta is None:
            _stays_for_now(fluid, edits, source, operator)
            continue
        if meta.source is source and infer.name not in kept:
            _take_out_method(edits, source, meta.function)
        registration = operator.registration
        if registration is not None and registration.source is source:
            _functor(edits, source, registration.statement, operator, meta)


def _stays_for_now(fluid: Fluid, edits: Edits, source: FluidText, operator: Operator) -> None:
    infer = operator.infer
    function = infer.methods.get("InferShape") if infer is not None else None
    if infer is None or function is None or infer.source is not source:
        return
    for edit in unanswered(fluid, operator):
        shown = edit.idiom or edit.span
        asking = source.root.named_descendant_for_byte_range(shown.start, shown.end)
        where = enclosing_statement(asking) if asking is not None else function
        reason = f"{edit.reason}; this InferShape may stay, since no output is UNDEFINED"
        _comment(source, edits, where, "infer_meta", reason, shown)
    outputs = [output.fluid_name for output in operator.signature.of("output")]
    for found in open_shapes(fluid, source, function, outputs):
        where = enclosing_statement(found.at)
        _comment(source, edits, where, "open_shape", found.reason, span_of(found.at))


def _comment(
    source: FluidText, edits: Edits, before: Node, rule: str, reason: str, shown: Span
) -> None:
    """Above the statement, or before it where that has no line of its own."""
    start = before.start_byte
    line = source.text.rfind("\n", 0, start) + 1
    indent = source.text[line:start]
    text = f"/* {COMMENT[3:]}{reason} */ " if indent.strip() else f"{COMMENT}{reason}\n{indent}"
    edits.add(Edit(Span(start, start), (text,), RULES[rule], reason, "", shown))


def _take_out_method(edits: Edits, source: FluidText, function: Node) -> None:
    start, end = function.start_byte, function.end_byte
    above = comment_above(source, Span(start, end))
    start = above.start if above is not None else start
    start = source.text.rfind("\n", 0, start) + 1
    before = len(source.text[:start]) - len(source.text[:start].rstrip())
    blank_above = before > 1
    while source.text[end : end + 1] == "\n" and end - function.end_byte < (
        2 if blank_above else 1
    ):
        end += 1
    if blank_above and source.text[end : end + 1] == "}":
        start -= 1
    edits.add(Edit(Span(start, end), (), None, "", "", span_of(function)))


def _functor(
    edits: Edits, source: FluidText, statement: Node, operator: Operator, meta: InferMeta
) -> None:
    name = f"{camel_case(operator.op_type)}InferShapeFunctor"
    at = statement.start_byte
    opening = "DECLARE_INFER_SHAPE_FUNCTOR("
    indent = ",\n" + " " * len(opening)
    arguments = indent.join([operator.op_type, name, f"PD_INFER_META(phi::{meta.name})"])
    text = f"{opening}{arguments});\n"
    shown = span_of(meta.function)
    head = (
        Span(shown.start, source.text.find("{", shown.start) - 1)
        if meta.source is source
        else shown
    )
    edits.add(Edit(Span(at, at), (text,), RULES["functor"], "", "", head))
    call = statement.named_children[0]
    arguments_of = parts_of_call(call)[1]
    if not arguments_of:
        return
    last = arguments_of[-1]
    line = source.text.rfind("\n", 0, last.start_byte) + 1
    before = source.text[line : last.start_byte]
    column = call.start_byte - source.text.rfind("\n", 0, call.start_byte) - 1
    after_macro = column + source.text[call.start_byte : call.end_byte].index("(") + 1
    gap = f",\n{before}" if not before.strip() else ", "
    if len(before) + (last.end_byte - last.start_byte) + len(gap + name) > _LINE:
        gap = ",\n" + " " * after_macro
    edits.add(Edit(Span(last.end_byte, last.end_byte), (gap + name,), None))
