"""What stays of the operator in Fluid: its class, its makers, its registration.

Programs on disk name operators, their inputs and their attributes, so those stay. Kernels, what
they call and their registrations go, and they go altogether: Paddle's build finds a registration in
a comment, too. An InferShape whose InferMeta is there gives way to a functor that calls it.
"""

from __future__ import annotations

from pathlib import Path

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.edits import Edit, Edits
from visualizer.migration.fluid_text import FluidText, span_of, walk
from visualizer.migration.layout import Layout
from visualizer.migration.operators import Operator
from visualizer.migration.pieces.drafts import Drafts
from visualizer.migration.pieces.infer_meta import InferMeta
from visualizer.migration.pieces.infer_shape_left import edit_shapes
from visualizer.migration.pieces.remaining_includes import edit_includes, path_of
from visualizer.migration.pieces.shared_functions import Sharing, is_alias_of_known
from visualizer.migration.reading.comments import comment_above
from visualizer.migration.reading.declarations import Fluid, KernelRegistration
from visualizer.migration.table import RULES


def write_remains(
    drafts: Drafts,
    fluid: Fluid,
    operators: list[Operator],
    sharing: Sharing,
    metas: dict[str, InferMeta],
) -> tuple[Path, ...]:
    """The files of which something stays; returns those of which nothing does."""
    left = _edits(fluid, operators, sharing, metas, drafts.layout)
    for source in fluid.sources:
        if source.index in left:
            draft = drafts.at(path_of(fluid, source))
            draft.copy(source, Span(0, len(source.text)), left[source.index])
    return tuple(source.path for source in fluid.sources if source.index not in left)


def _edits(
    fluid: Fluid,
    operators: list[Operator],
    sharing: Sharing,
    metas: dict[str, InferMeta],
    layout: Layout,
) -> dict[int, Edits]:
    """The edits of each file that stays. A file that isn't there has nothing to keep."""
    staying = {s.index for s in fluid.sources if _stays(fluid, s)}
    result: dict[int, Edits] = {}
    for source in fluid.sources:
        if source.index not in staying:
            continue
        edits = result[source.index] = Edits()
        for kernel in fluid.kernels.values():
            if kernel.source is source and _migrated(kernel.name, operators):
                _take_out(edits, source, kernel.item)
        for declared in sharing.moved:
            if declared.source is source:
                _take_out(edits, source, declared.item)
        for registration in fluid.kernel_registrations:
            if registration.source is source and _is_known(fluid, registration):
                _take_out(edits, source, span_of(registration.statement), "deleted")
        edit_shapes(fluid, source, edits, operators, metas)
        _aliases(fluid, source, edits, staying)
        edit_includes(fluid, source, edits, staying, metas, layout)
    return result


def _migrated(name: str, operators: list[Operator]) -> bool:
    return any(c.name == name for o in operators for r in o.kernels for c in r.classes)


def _is_known(fluid: Fluid, registration: KernelRegistration) -> bool:
    """Whether the kernel is in these files; if not, its registration stays with it."""
    return all(c.name in fluid.kernels for c in registration.classes)


def _stays(fluid: Fluid, source: FluidText) -> bool:
    """Whether a file holds more than kernels and what they call."""
    if any(r.source is source for r in fluid.operator_registrations):
        return True
    if any(r.source is source and not _is_known(fluid, r) for r in fluid.kernel_registrations):
        return True
    if any(c.source is source for c in fluid.operators.values()):
        return True
    return any(m.source is source for m in (*fluid.makers.values(), *fluid.grad_makers.values()))


def _take_out(edits: Edits, source: FluidText, item: Span, rule: str = "") -> None:
    """A declaration with the comments above it and the empty line below it."""
    above = comment_above(source, item)
    start = above.start if above is not None else item.start
    end = item.end
    while source.text[end : end + 1] == "\n" and end - item.end < 2:
        end += 1
    edits.add(Edit(Span(start, end), (), RULES[rule] if rule else None, "", "", item))


def _aliases(fluid: Fluid, source: FluidText, edits: Edits, staying: set[int]) -> None:
    """`using Tensor = framework::Tensor;` of a header that goes, where the rest still says
    Tensor."""
    of_headers = [
        h
        for h in fluid.declarations
        if h.source.index not in staying and is_alias_of_known(fluid, h)
    ]
    first = next(
        (n for n in walk(source.root) if n.type in ("class_specifier", "template_declaration")),
        None,
    )
    if first is None:
        return
    used = {
        source.spell(n)
        for n in walk(source.root)
        if n.type == "type_identifier" and not edits.covers(span_of(n)) and not _is_qualified(n)
    }
    lines = dict.fromkeys(f"{h.source.cut(h.item)}\n" for h in of_headers if h.name in used)
    if lines:
        above = comment_above(source, span_of(first))
        at = above.start if above is not None else first.start_byte
        edits.add(Edit(Span(at, at), ("".join(lines) + "\n",), RULES["include"]))


def _is_qualified(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "qualified_identifier"
