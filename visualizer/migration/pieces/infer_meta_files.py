"""InferMeta functions in the files where PHI has them, counted by tensors that come in."""

from __future__ import annotations

from collections.abc import Mapping

from visualizer.migration.fluid_text import span_of
from visualizer.migration.layout import infer_meta_file
from visualizer.migration.operators import Operator
from visualizer.migration.pieces.data_types import output_types
from visualizer.migration.pieces.drafts import Drafts
from visualizer.migration.pieces.infer_meta import (
    UNCHANGED,
    InferMeta,
    declare,
    define,
    rewrite_infer_shape,
)
from visualizer.migration.pieces.kernel_class import Kernel
from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.signature import headers

Kernels = Mapping[str, Mapping[str, Kernel]]  # by op type, and by the class's name


def write_infer_metas(
    drafts: Drafts, fluid: Fluid, operators: list[Operator], kernels: Kernels
) -> dict[str, InferMeta]:
    """The InferMeta of each operator that gets one, by its op type."""
    metas: dict[str, InferMeta] = {}
    by_file: dict[str, list[InferMeta]] = {}
    for operator in operators:
        types = _types(fluid, operator, kernels[operator.op_type])
        meta = rewrite_infer_shape(fluid, operator, types)
        if meta is None or (meta.left_over and "UNDEFINED" not in types.values()):
            continue  # an InferShape may stay, as long as no type waits for it
        metas[operator.op_type] = meta
        if meta.edits is not None:
            by_file.setdefault(infer_meta_file(operator.signature), []).append(meta)
    unchanged = any(m.edits is None for m in metas.values()) and not drafts.layout.in_paddle
    if unchanged:
        by_file.setdefault("unary", [])  # which Paddle's has there already
    for name, those in by_file.items():
        those.sort(key=lambda m: m.name)
        _write_header(drafts, name, those)
        if those:
            _write_definitions(drafts, name, those)
    return metas


def _types(fluid: Fluid, operator: Operator, kernels: Mapping[str, Kernel]) -> dict[int, str]:
    """The outputs that are of another type than the kernels."""
    found: dict[int, str] = {}
    for kernel in kernels.values():
        types = output_types(fluid, operator.signature, kernel)
        found |= {index: data_type for index, (data_type, _) in types.items()}
    return found


def _write_header(drafts: Drafts, name: str, metas: list[InferMeta]) -> None:
    draft = drafts.at(f"phi/infermeta/{name}.h")
    draft.write("#pragma once\n\n")
    wanted = {"paddle/phi/core/meta_tensor.h"}
    wanted |= {h for m in metas for h in headers(m.operator.signature)}
    draft.write("".join(sorted(drafts.include(h) for h in wanted)))
    draft.write("\nnamespace phi {\n\n")
    if name == "unary" and not drafts.layout.in_paddle:
        draft.write(f"void {UNCHANGED}(const MetaTensor& x, MetaTensor* out);\n\n")
    for meta in metas:
        declare(draft, meta)
        draft.write("\n")
    draft.write("}  // namespace phi\n")


def _write_definitions(drafts: Drafts, name: str, metas: list[InferMeta]) -> None:
    draft = drafts.at(f"phi/infermeta/{name}.cc")
    draft.write(drafts.include_piece(draft, f"phi/infermeta/{name}.h"))
    wanted = {h for m in metas for h in m.headers} - {f"paddle/phi/infermeta/{name}.h"}
    if any("PADDLE_ENFORCE" in m.source.cut(span_of(m.function)) for m in metas):
        wanted.add("paddle/phi/core/enforce.h")
    lines = sorted(line for h in wanted if (line := drafts.include(h)))
    draft.write("".join(["\n", *lines]) if lines else "")
    draft.write("\nnamespace phi {\n\n")
    for meta in metas:
        define(draft, meta)
        draft.write("\n")
    draft.write("}  // namespace phi\n")
