"""The operator's own file: where it is in Paddle, and what it includes when its header is gone."""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.edits import Edit, Edits
from visualizer.migration.fluid_text import FluidText, span_of, walk
from visualizer.migration.layout import Layout, infer_meta_file
from visualizer.migration.pieces.infer_meta import InferMeta
from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.table import RULES


def path_of(fluid: Fluid, source: FluidText) -> str:
    """Where the file is in Paddle: as its own path says, or the line that includes its header."""
    parts = source.path.absolute().parts
    for index in range(len(parts) - 2):
        if parts[index : index + 2] == ("fluid", "operators"):
            return "/".join(parts[index:])
    own = {s.path.name for s in fluid.sources}
    for other in fluid.sources:
        for node in walk(other.root):
            path = node.child_by_field_name("path") if node.type == "preproc_include" else None
            name = other.spell(path).strip('"') if path is not None else ""
            folder, _, last = name.rpartition("/")
            if last in own and folder.startswith("paddle/fluid/operators"):
                return f"{folder.removeprefix('paddle/')}/{source.path.name}"
    return f"fluid/operators/{source.path.name}"


def edit_includes(
    fluid: Fluid,
    source: FluidText,
    edits: Edits,
    staying: set[int],
    metas: dict[str, InferMeta],
    layout: Layout,
) -> None:
    """A header that goes is replaced by what it included of Fluid's; what calls an InferMeta includes
    the header that declares it."""
    more = _for_functors(layout, layout.path(path_of(fluid, source)), metas)
    gone = {s.path.name: s for s in fluid.sources if s.index not in staying}
    lines = _includes_in(source)
    replaced = [(n, gone[name]) for n in lines if (name := _last_part(source, n)) in gone]
    for node, header in replaced:
        inner = [header.spell(n).rstrip("\n") + "\n" for n in _includes_in(header)]
        own = [line for line in inner if '"' in line]
        added = [line for line in (*own, *more) if line not in source.text]
        edits.add(Edit(span_of(node), ("".join(dict.fromkeys(added)),), RULES["include"]))
    if more and lines and not replaced:
        at = lines[-1].end_byte
        edits.add(Edit(Span(at, at), ("".join(dict.fromkeys(more)),), RULES["functor"]))


def _for_functors(layout: Layout, piece: str, metas: dict[str, InferMeta]) -> list[str]:
    """The lines that DECLARE_INFER_SHAPE_FUNCTOR needs."""
    if not metas:
        return []
    files = {infer_meta_file(m.operator.signature) if m.edits else "unary" for m in metas.values()}
    paths = [layout.path(f"phi/infermeta/{name}.h") for name in sorted(files)]
    functor = layout.include("paddle/fluid/framework/infershape_utils.h")
    return [*(layout.include_piece(piece, path) for path in paths), functor]


def _includes_in(source: FluidText) -> list[Node]:
    return [node for node in walk(source.root) if node.type == "preproc_include"]


def _last_part(source: FluidText, include: Node) -> str:
    """`trace_op.h` of `#include "paddle/fluid/operators/trace_op.h"`."""
    path = include.child_by_field_name("path")
    return source.spell(path).strip('"').rpartition("/")[2] if path is not None else ""
