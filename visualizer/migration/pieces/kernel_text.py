"""A kernel as a function: its head, a parameter to a line, and the body that was the class's."""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.edits import Edit
from visualizer.migration.fluid_text import span_of, walk
from visualizer.migration.pieces.drafts import Draft, Placed
from visualizer.migration.pieces.kernel_class import Kernel
from visualizer.migration.pieces.kernel_reasons import head_of
from visualizer.migration.reading.classes import type_parameters
from visualizer.migration.reading.comments import comment_above
from visualizer.migration.rewriting.rewriter import COMMENT
from visualizer.migration.signature import Signature
from visualizer.migration.table import RULES


def template_line(type_parameter: str, more: tuple[str, ...] = ()) -> str:
    """`template <typename T, typename Context>`, and what a member function is a template over."""
    names = [name for name in (type_parameter, "Context", *more) if name]
    return f"template <{', '.join(f'typename {name}' for name in names)}>\n"


def write_head(draft: Draft, signature: Signature, name: str, tensor: str, kept: bool) -> Span:
    """`void TraceKernel(const Context& dev_ctx, …)`, a parameter to a line."""
    start = draft.length
    opening = f"void {name}("
    draft.write(opening)
    draft.write("const Context& dev_ctx", "dev_ctx" if kept else "")
    for parameter in signature.parameters:
        draft.write(",\n" + " " * len(opening))
        anchor = f"{parameter.kind} {parameter.fluid_name}" if kept else ""
        draft.write(parameter.declared(tensor), anchor)
    draft.write(")")
    return Span(start, draft.length)


def write_kernel(draft: Draft, kernel: Kernel, signature: Signature, name: str) -> None:
    """The comments above the class, then the function."""
    found = kernel.found
    source = found.source
    for reason in kernel.reasons:
        comment = f"{COMMENT}{reason.text}\n"
        draft.instead(reason.source, reason.span, comment, reason.rule, reason.text)
    for member in kernel.members:
        own = type_parameters(source, member.parent) if member.parent is not None else ()
        draft.write(template_line(kernel.type_parameter, own))
        draft.copy(source, _without_const(member), kernel.edits)
        body = member.child_by_field_name("body")
        if body is not None:
            draft.write(" ")
            draft.copy(source, span_of(body), kernel.edits)
        draft.write("\n\n")
    above = comment_above(source, found.item)
    if above is not None:
        draft.write(source.cut(above) + "\n")
    start = draft.length
    draft.write(template_line(kernel.type_parameter))
    tensor = "phi::DenseTensor" if kernel.stays_in_fluid else "DenseTensor"
    write_head(draft, signature, name, tensor, kept=True)
    new = Span(start, draft.length)
    rule = "kernel" if kernel.type_parameter else "context_alone"
    edit = Edit(head_of(found), (draft.text[new.start : new.end],), RULES[rule])
    draft.placed.append(Placed(edit, source, new))
    compute = found.compute
    body = compute.child_by_field_name("body") if compute is not None else None
    if body is None:
        draft.write(";\n")
        return
    draft.write(" ")
    draft.copy(source, span_of(body), kernel.edits)
    draft.write("\n")


def _without_const(member: Node) -> Span:
    """The head of a member function, to its closing parenthesis."""
    for node in walk(member):
        if node.type == "parameter_list":
            return Span(member.start_byte, node.end_byte)
    return span_of(member)
