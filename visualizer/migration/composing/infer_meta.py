"""InferShape as InferMeta: the same function of shapes, which must also say the types.

InferShape set shapes and left the type to whoever allocated. PHI's registration says that an output
has the type T, or another, or that it isn't known; then InferMeta must tell. The functions stand in
the files where PHI has them, counted by tensors that come in; one that would only copy a shape isn't
written, for PHI has UnchangedInferMeta.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.messages import N_
from visualizer.migration.composing.destinations import infer_meta_file
from visualizer.migration.composing.drafts import Drafts, PieceDraft, Placed
from visualizer.migration.composing.element_types import (
    UNSEEN,
    output_types,
    type_of_output,
)
from visualizer.migration.composing.kernels import Kernel
from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.reading.fluid_text import FluidText, line_start, span_of, walk
from visualizer.migration.reading.functions import ContextCall, reads_of
from visualizer.migration.reading.names import camel_case, method_of_call, name_in, parts_of_call
from visualizer.migration.reading.operators import FluidOperator
from visualizer.migration.reading.signature import Parameter, Signature, headers
from visualizer.migration.rewriting.body import FunctionBody
from visualizer.migration.rewriting.edits import COMMENT, Edit, Edits, Rewriter, align, shift_left
from visualizer.migration.rewriting.methods import rewrite_body
from visualizer.migration.rewriting.shapes import open_shapes
from visualizer.migration.table import RULES

Kernels = Mapping[str, Mapping[str, Kernel]]  # by op type, and by the class's name
Shared = Mapping[str, Collection[str]]


def infer_metas(
    fluid: Fluid, operators: list[FluidOperator], kernels: Kernels
) -> dict[str, InferMeta]:
    """The InferMeta of each operator that gets one, by its op type."""
    metas: dict[str, InferMeta] = {}
    for operator in operators:
        types = _other_types(fluid, operator, kernels[operator.op_type])
        meta = _rewrite_infer_shape(fluid, operator, types)
        if meta is None or (meta.left_over and "UNDEFINED" not in types.values()):
            continue  # an InferShape may stay, as long as no type waits for it
        metas[operator.op_type] = meta
    return metas


def write_infer_metas(drafts: Drafts, metas: Mapping[str, InferMeta], shared: Shared) -> None:
    """All of them. `shared` are the headers of what an InferMeta calls, by the op type."""
    by_file: dict[str, list[InferMeta]] = {}
    for meta in metas.values():
        if meta.edits is not None:
            by_file.setdefault(infer_meta_file(meta.operator.signature), []).append(meta)
    unchanged = any(m.edits is None for m in metas.values()) and not drafts.layout.in_paddle
    if unchanged:
        by_file.setdefault("unary", [])  # which Paddle's has there already
    for name, those in by_file.items():
        those.sort(key=lambda m: m.name)
        _write_header(drafts, name, those)
        if those:
            _write_definitions(drafts, name, those, shared)


def _other_types(
    fluid: Fluid, operator: FluidOperator, kernels: Mapping[str, Kernel]
) -> dict[int, str]:
    """The outputs that are of another type than the kernels."""
    found: dict[int, str] = {}
    unseen: list[set[int]] = []
    for kernel in kernels.values():
        types = output_types(fluid, operator.signature, kernel)
        found |= {i: data_type for i, (data_type, _) in types.items() if data_type != UNSEEN}
        unseen.append({i for i, (data_type, _) in types.items() if data_type == UNSEEN})
    nowhere = set.intersection(*unseen) if unseen else set[int]()
    return {**dict.fromkeys(nowhere, UNSEEN), **found}


def _write_header(drafts: Drafts, name: str, metas: list[InferMeta]) -> None:
    draft = drafts.at(f"phi/infermeta/{name}.h", N_("InferMeta header"), is_shared=True)
    draft.write("#pragma once\n\n")
    wanted = {"paddle/phi/core/meta_tensor.h"}
    wanted |= {h for m in metas for h in headers(m.operator.signature)}
    draft.write_sorted(drafts.include(h) for h in wanted)
    with draft.namespace("phi"):
        if name == "unary" and not drafts.layout.in_paddle:
            draft.write(f"void {_UNCHANGED}(const MetaTensor& x, MetaTensor* out);\n\n")
        for meta in metas:
            _declare(draft, meta)
            draft.write("\n")


def _write_definitions(drafts: Drafts, name: str, metas: list[InferMeta], shared: Shared) -> None:
    draft = drafts.at(f"phi/infermeta/{name}.cc", "InferMeta", is_shared=True)
    draft.write(drafts.include_piece(draft, f"phi/infermeta/{name}.h"))
    wanted = {h for m in metas for h in m.headers} - {f"paddle/phi/infermeta/{name}.h"}
    if any("PADDLE_ENFORCE" in m.source.cut(span_of(m.function)) for m in metas):
        wanted.add("paddle/phi/core/enforce.h")
    found = {line for h in wanted if (line := drafts.include(h))}
    called = {path for m in metas for path in shared.get(m.operator.op_type, ())}
    lines = sorted(found | {drafts.include_piece(draft, path) for path in called})
    draft.write("".join(["\n", *lines]) if lines else "")
    with draft.namespace("phi"):
        for meta in metas:
            _define(draft, meta)
            draft.write("\n")


# --- One of them ----------------------------------------------------------------------------------


_UNCHANGED = "UnchangedInferMeta"


@dataclass(frozen=True, slots=True)
class InferMeta:
    """`name` is the function's, in phi. function: the InferShape that it was, with its edits; None
    where a function of PHI's does the same. left_over: whether something in it needs a person."""

    operator: FluidOperator
    name: str
    function: Node
    source: FluidText
    edits: Edits | None
    needs_config: bool
    headers: frozenset[str]
    left_over: bool


def _rewrite_infer_shape(
    fluid: Fluid, operator: FluidOperator, types: dict[int, str]
) -> InferMeta | None:
    """None if the operator's class has no InferShape in these files. `types`: of the outputs that
    are of another type than the kernel's, by their places."""
    if operator.infer is None or "InferShape" not in operator.infer.methods:
        return None
    function = operator.infer.methods["InferShape"]
    source = fluid.source_of(function)  # which may be another than the class's
    copies = _only_copies(fluid, operator.signature, source, function)
    if copies and not types and _is_of_the_firsts_type(fluid, operator):
        return InferMeta(operator, _UNCHANGED, function, source, None, False, frozenset(), False)
    edits = Edits()
    rewriter = Rewriter(fluid, source, edits)
    body = FunctionBody(rewriter, operator.signature, is_meta=True)
    block = function.child_by_field_name("body")
    if block is not None:
        shift_left(rewriter, block, 2)
        rewrite_body(body, function)
        _note_open(rewriter, operator.signature, function, block)
        _types(body, operator, function, block, types)
        align(rewriter, block)
    name = camel_case(operator.signature.name) + "InferMeta"
    everything = edits.within(span_of(function))
    left_over = any(_is_unanswered(e) for e in everything)
    headers = frozenset(rewriter.headers)
    return InferMeta(operator, name, function, source, edits, body.needs_config, headers, left_over)


def _is_of_the_firsts_type(fluid: Fluid, operator: FluidOperator) -> bool:
    """Whether the only output is of the first input's type for certain."""
    first = operator.signature.of("input")[0]
    value, reason = type_of_output(fluid, operator, 0, {})
    return (value, reason) == (f"{first.name}.dtype()", "")


def unanswered(fluid: Fluid, operator: FluidOperator) -> list[Edit]:
    """Notes on what in the operator's InferShape has no counterpart in an InferMeta."""
    meta = _rewrite_infer_shape(fluid, operator, {})
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


def _types(
    body: FunctionBody,
    operator: FluidOperator,
    function: Node,
    block: Node,
    types: dict[int, str],
) -> None:
    """`out->set_dtype(x.dtype());` at the end, or before anything if there is a return on the
    way."""
    rewriter = body.rewriter
    maybe = {
        read.name
        for read in reads_of(rewriter.fluid, rewriter.source, function)
        if read.method in ("HasOutput", "HasOutputs") and not body.is_gone(read.call)
    }
    old, signature = rewriter.source.text, operator.signature
    returns = any(n.type == "return_statement" for n in walk(block))
    at = _first_line(old, block) if returns else line_start(old, block.end_byte - 1)
    lines: list[str] = []
    for index, output in enumerate(signature.of("output")):
        value, reason = type_of_output(rewriter.fluid, operator, index, types)
        asked = output.fluid_name in maybe
        said = f"  {_set_dtype(signature, output, value, asked)}\n" if value else ""
        if reason:
            text = f"  {COMMENT}{reason}\n{said}"
            rewriter.edits.add(Edit(Span(at, at), (text,), RULES["set_dtype"], reason))
        elif said:
            lines.append(said)
    if lines:
        rewriter.edits.add(Edit(Span(at, at), ("".join(lines),), RULES["set_dtype"]))


def _set_dtype(signature: Signature, output: Parameter, value: str, is_asked_for: bool) -> str:
    """An output that nobody wants is a nullptr: a gradient, or one that is asked for elsewhere."""
    is_one_of_several = signature.is_gradient and len(signature.of("output")) > 1
    if output.many:
        guard = "if (each) " if signature.is_gradient or is_asked_for else ""
        return f"for (auto* each : {output.name}) {guard}each->set_dtype({value});"
    guard = f"if ({output.name}) " if is_one_of_several or is_asked_for else ""
    return f"{guard}{output.name}->set_dtype({value});"


def _parameters(meta: InferMeta, indent: int) -> str:
    """Those of the kernel without the context, with MetaTensors."""
    listed = [p.declared("MetaTensor") for p in meta.operator.signature.parameters]
    return (",\n" + " " * indent).join(listed)


def _declare(draft: PieceDraft, meta: InferMeta) -> None:
    """`void TraceInferMeta(…);`"""
    opening = f"void {meta.name}("
    draft.write(opening + _parameters(meta, len(opening)))
    if meta.needs_config:
        draft.write(",\n" + " " * len(opening) + "MetaConfig config = MetaConfig()")
    draft.write(");\n")


def _define(draft: PieceDraft, meta: InferMeta) -> None:
    """The function, whose body was the InferShape's."""
    assert meta.edits is not None
    start = draft.length
    opening = f"void {meta.name}("
    draft.write(opening)
    for index, parameter in enumerate(meta.operator.signature.parameters):
        draft.write((",\n" + " " * len(opening)) if index else "")
        draft.write(parameter.declared("MetaTensor"), parameter.anchor)
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


# --- One that only copies -------------------------------------------------------------------------


def _only_copies(fluid: Fluid, signature: Signature, source: FluidText, function: Node) -> bool:
    """Whether it gives the only output the first input's shape, and does nothing else."""
    inputs, outputs = signature.of("input"), signature.of("output")
    body = function.child_by_field_name("body")
    if not inputs or len(outputs) != 1 or inputs[0].many or outputs[0].many or body is None:
        return False
    first, out = inputs[0].fluid_name, outputs[0].fluid_name
    copies = {r.call.id for r in reads_of(fluid, source, function) if _asks_dims(r, first)}
    done: set[str] = set()
    for statement in body.named_children:
        if statement.type != "comment":
            done.add(_what_it_does(fluid, source, statement, (first, out), copies))
    return "copies" in done and done <= {"copies", "shares LoD", "checks"}


def _asks_dims(read: ContextCall, name: str) -> bool:
    return read.method == "GetInputDim" and read.name == name


def _what_it_does(
    fluid: Fluid, source: FluidText, statement: Node, names: tuple[str, str], dims: set[int]
) -> str:
    """ "" for anything that is more than one of the three. `dims` are calls that give the input's."""
    call = statement.named_children[0] if statement.named_children else None
    if statement.type != "expression_statement" or call is None or call.type != "call_expression":
        return ""
    _, method, _ = method_of_call(source, call)
    arguments = parts_of_call(call)[1]
    if method.startswith("PADDLE_ENFORCE") or method == "OP_INOUT_CHECK":
        asked = source.spell(arguments[0]).rpartition(">")[2] if arguments else ""
        return "checks" if asked.startswith(("HasInput", "HasOutput")) else ""
    named = tuple(name_in(source, fluid.aliases[source.index], a) for a in arguments)
    if method in ("ShareDim", "ShareLoD") and named == names:
        return "copies" if method == "ShareDim" else "shares LoD"
    if method == "SetOutputDim" and named[:1] == names[1:] and arguments[1:2]:
        return "copies" if arguments[1].id in dims else ""
    return ""
