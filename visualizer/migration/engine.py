"""From the files of a Fluid operator to its PHI form.

The order is that of the guide: the kernels as functions, where each goes, the registrations, the
mapping, the shapes, and at last what is left of the operator in Fluid: its class, its makers, their
registration.
"""

from __future__ import annotations

from pathlib import Path

from visualizer.expansion import InputError
from visualizer.migration.fluid_text import FluidText, read, source_at
from visualizer.migration.layout import Layout
from visualizer.migration.migration import Migration
from visualizer.migration.operators import operators
from visualizer.migration.pieces.assembly import assemble
from visualizer.migration.pieces.drafts import Drafts
from visualizer.migration.pieces.infer_meta_files import write_infer_metas
from visualizer.migration.pieces.kernel_class import rewrite_kernels
from visualizer.migration.pieces.kernel_files import write_kernels
from visualizer.migration.pieces.mapping import write_mappings
from visualizer.migration.pieces.remains import write_remains
from visualizer.migration.pieces.shared_functions import share, write_shared
from visualizer.migration.reading.understand import understand

_SUFFIXES = (".h", ".cc", ".cu", ".cu.cc")


def migrate(path: Path) -> Migration:
    """The PHI form of the operators in `path` and in the files beside it that belong to it:
    `x_op.h`, `x_op.cc`, `x_op.cu`. Nothing is written.

    Raises InputError where a file can't be read, isn't C++, or has no kernel of Fluid's.
    """
    sources = tuple(read(file, index) for index, file in enumerate(family(path)))
    return migrate_texts(sources)


def migrate_texts(sources: tuple[FluidText, ...]) -> Migration:
    """The same for files that are parsed already; the first one is the one that was named."""
    fluid = understand(sources)
    found = operators(fluid)
    if not found:
        named = sources[0]
        raise InputError(
            "no kernel is registered here that Fluid would know",
            source_at(named.path, named.text, 0),
            "name a file with REGISTER_OP_CPU_KERNEL or REGISTER_OP_CUDA_KERNEL in it",
        )
    drafts = Drafts(Layout(any('#include "paddle/' in s.text for s in sources)), sources[0])
    sharing = share(fluid, found)
    kernels = {o.op_type: rewrite_kernels(fluid, o) for o in found}
    for operator in found:
        write_kernels(drafts, fluid, operator, kernels[operator.op_type], sharing)
    write_shared(drafts, fluid, sharing)
    write_mappings(drafts, fluid, found)
    metas = write_infer_metas(drafts, fluid, found, kernels)
    superseded = write_remains(drafts, fluid, found, sharing, metas)
    return assemble(drafts, fluid, superseded)


def family(path: Path) -> list[Path]:
    """The named file, and those of its name beside it: x_op.h, x_op.cc, x_op.cu, x_op.cu.cc."""
    name = path.name
    for suffix in (".cu.cc", ".cc", ".cu", ".h"):
        if name.endswith(suffix):
            name = name.removesuffix(suffix)
            break
    beside = [path.with_name(name + suffix) for suffix in _SUFFIXES]
    return [path, *(b for b in beside if b != path and b.is_file())]
