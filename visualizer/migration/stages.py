"""From the files of a Fluid operator to its PHI form, stage by stage.

What is read is sorted and understood as operators; each class is rewritten; the pieces of the new
form are composed, and put together at the end. The order of the pieces is that of the guide: the
kernels as functions, where each goes, the registrations, the mapping, the shapes, and at last what
is left of the operator in Fluid: its class, its makers, their registration.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from registry_runtime.cxx import Span
from visualizer.expansion import InputError
from visualizer.expansion.source_files import display_path, not_utf8, read_exactly
from visualizer.migration.composing.destinations import SourceTree
from visualizer.migration.composing.drafts import Drafts, PieceDraft, Placed
from visualizer.migration.composing.infer_meta import infer_metas, write_infer_metas
from visualizer.migration.composing.kernel_files import write_kernels
from visualizer.migration.composing.kernels import rewrite_kernels
from visualizer.migration.composing.mapping import write_mappings
from visualizer.migration.composing.remains import path_in_paddle, write_remains
from visualizer.migration.composing.shared_functions import share, write_shared
from visualizer.migration.migration import (
    FileSpan,
    Mark,
    Migration,
    OldFile,
    Piece,
    line_begin,
    status_of,
)
from visualizer.migration.noting import noted
from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.reading.fluid_text import FluidText, read, source_at, syntax_error
from visualizer.migration.reading.handing import agreed
from visualizer.migration.reading.operators import operators
from visualizer.migration.reading.sorting import understand
from visualizer.migration.rewriting.edits import Edit
from visualizer.workbench.samples import samples_folder

_SUFFIXES = (".h", ".cc", ".cu", ".cu.cc")


def migrate(path: Path) -> Migration:
    """The PHI form of the operators in `path` and in the files beside it that belong to it:
    `x_op.h`, `x_op.cc`, `x_op.cu`. Nothing is written.

    Raises InputError where that file can't be read, isn't C++, or has no kernel of Fluid's. One beside
    it that isn't C++ to us stays as it is, and is left to a person.
    """
    sources: list[FluidText] = []
    unread: list[_Unread] = []
    for file in _family(path):
        try:
            sources.append(read(file, len(sources)))
        except InputError as error:
            if file == path or not_utf8(read_exactly(file), ""):
                raise
            unread.append(_Unread(file, error))
    return _with_unread(migrate_texts(tuple(sources)), unread)


@dataclass(frozen=True, slots=True)
class _Unread:
    """A file of the operator's that isn't C++ to us, and why."""

    path: Path
    error: InputError


def _with_unread(migration: Migration, unread: list[_Unread]) -> Migration:
    """The same, with each of these as a piece that is left to a person."""
    for one in unread:
        text = read_exactly(one.path)
        why = one.error.diagnostic
        line = why.where.line
        at = line_begin(text, line)
        reason = f"this file stays as it is, for here it isn't understood: {why.message}"
        path = SourceTree(migration.in_paddle).path(path_in_paddle(one.path))
        piece = Piece(path, text, "what stays Fluid's", False)
        migration = replace(
            migration,
            old=(*migration.old, OldFile(one.path, text)),
            pieces=(*migration.pieces, piece),
        )
        place = FileSpan(len(migration.old) - 1, Span(at, at))
        migration = noted(migration, len(migration.pieces) - 1, line, reason, place)
    return migration


def migrate_texts(sources: tuple[FluidText, ...]) -> Migration:
    """The same for files that are parsed already; the first one is the one that was named."""
    fluid = understand(sources)
    found = operators(fluid)
    if not found:
        named = sources[0]
        raise InputError(
            "no kernel is registered here that Fluid would know",
            source_at(named.path, named.text, 0),
            "name a file with REGISTER_OP_CPU_KERNEL, REGISTER_OP_CUDA_KERNEL or "
            "PD_REGISTER_STRUCT_KERNEL in it, "
            f"such as {display_path(samples_folder() / 'fluid' / 'trace_op.cc')}",
        )
    drafts = Drafts(SourceTree(any('#include "paddle/' in s.text for s in sources)), sources[0])
    handed = agreed(o.handed for o in found)
    kernels = {o.op_type: rewrite_kernels(fluid, o, handed) for o in found}
    metas = infer_metas(fluid, found, kernels)
    sharing = share(fluid, found, metas, handed)
    for operator in found:
        write_kernels(drafts, fluid, operator, kernels[operator.op_type], sharing)
    write_shared(drafts, fluid, sharing)
    write_mappings(drafts, fluid, found)
    write_infer_metas(drafts, metas, {o: sharing.headers_for_meta(o) for o in metas})
    superseded = write_remains(drafts, fluid, found, sharing, metas)
    return _assemble(drafts, fluid, superseded)


def _family(path: Path) -> list[Path]:
    """The named file, and those of its name beside it: x_op.h, x_op.cc, x_op.cu, x_op.cu.cc."""
    name = path.name
    for suffix in (".cu.cc", ".cc", ".cu", ".h"):
        if name.endswith(suffix):
            name = name.removesuffix(suffix)
            break
    beside = [path.with_name(name + suffix) for suffix in _SUFFIXES]
    return [path, *(b for b in beside if b != path and b.is_file())]


# --- Pieces and marks -----------------------------------------------------------------------------


def _assemble(drafts: Drafts, fluid: Fluid, superseded: tuple[Path, ...]) -> Migration:
    written = list(drafts.by_path.values())
    for draft in written:
        _mark_what_is_no_cxx(draft, fluid.sources[0])
    pieces = tuple(Piece(d.path, d.text.rstrip("\n") + "\n", d.role, d.is_shared) for d in written)
    marks: dict[tuple[int, int, int, str], Mark] = {}
    for number, draft in enumerate(written):
        for mark in _marks(draft, number):
            span = mark.old.span  # what went into two pieces is marked in the first
            marks.setdefault((mark.old.file, span.start, span.end, mark.reason), mark)
    order = sorted(marks.values(), key=lambda m: (m.old.file, m.old.span.start, m.old.span.end))
    old = tuple(OldFile(s.path, s.text) for s in fluid.sources)
    return Migration(old, pieces, tuple(order), superseded)


def _mark_what_is_no_cxx(draft: PieceDraft, first: FluidText) -> None:
    """A comment where the old text led to something that isn't C++: nobody is to find that out by
    compiling. It is for the place in the old text that comes last before."""
    error = syntax_error(draft.text)
    if error is None:
        return
    message, span = error
    before = [p for p in draft.placed if p.new.start <= span.start]
    nearest = max(before, key=lambda p: p.new.start, default=None)
    old, source = (nearest.edit.span, nearest.old) if nearest else (Span(0, 0), first)
    draft.note_above(span.start, source, old, f"from about here on this isn't C++: {message}")


def _marks(draft: PieceDraft, number: int) -> Iterator[Mark]:
    """What the edits of one piece say, but for those of mere layout."""
    text = draft.text
    for placed in draft.placed:
        if placed.edit.rule is not None:
            yield _mark(draft, text, number, placed, placed.edit)


def _mark(draft: PieceDraft, text: str, number: int, placed: Placed, edit: Edit) -> Mark:
    assert edit.rule is not None
    shown = edit.idiom or edit.span
    new = placed.new
    if edit.anchor in draft.anchors and new.start == new.end:
        new = draft.anchors[edit.anchor]
    return Mark(
        edit.rule,
        FileSpan(placed.old.index, shown),
        FileSpan(number, new) if new.start != new.end else None,
        placed.old.cut(shown),
        "" if edit.reason else text[new.start : new.end],
        status_of(edit.reason),
        edit.reason,
    )
