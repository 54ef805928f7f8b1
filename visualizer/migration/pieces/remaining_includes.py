"""The operator's own file: where it is in Paddle, and what it includes when its header is gone."""

from __future__ import annotations

from registry_runtime.cxx import Span
from visualizer.migration.edits import Edit, Edits
from visualizer.migration.fluid_text import FluidText, span_of, walk
from visualizer.migration.layout import Layout, infer_meta_file
from visualizer.migration.operators import Operator
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
    operators: list[Operator],
    metas: dict[str, InferMeta],
    layout: Layout,
) -> None:
    """A header that goes is replaced by what it included of Fluid's."""
    piece = layout.path(path_of(fluid, source))
    files = sorted(
        {infer_meta_file(m.operator.signature) if m.edits else "unary" for m in metas.values()}
    )
    more = [layout.include_piece(piece, layout.path(f"phi/infermeta/{name}.h")) for name in files]
    if metas:
        more.append(layout.include(piece, "paddle/fluid/framework/infershape_utils.h"))
    gone = {s.path.name: s for s in fluid.sources if s.index not in staying}
    lines = [n for n in walk(source.root) if n.type == "preproc_include"]
    done = False
    for node in lines:
        path = node.child_by_field_name("path")
        name = source.spell(path).strip('"') if path is not None else ""
        header = gone.get(name.rpartition("/")[2])
        if header is None:
            continue
        inner = [
            header.text[n.start_byte : n.end_byte].rstrip("\n") + "\n"
            for n in walk(header.root)
            if n.type == "preproc_include" and '"' in header.text[n.start_byte : n.end_byte]
        ]
        added = [line for line in (*inner, *more) if line not in source.text]
        text = "".join(dict.fromkeys(added))
        edits.add(Edit(span_of(node), (text,), RULES["include"]))
        done = True
    if not done and more and lines:
        at = lines[-1].end_byte
        edits.add(Edit(Span(at, at), ("".join(dict.fromkeys(more)),), RULES["functor"]))
