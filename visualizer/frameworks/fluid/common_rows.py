"""Rows that operators' and kernels' entries have in common: a label and text, names, places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from visualizer.frameworks.fluid.story import Asked, ProtoRow
from visualizer.layout.rows import ACCENT, QUIET, STRONG, labelled
from visualizer.layout.words import Parts

if TYPE_CHECKING:
    from registry_runtime.cxx import Span
    from visualizer.expansion.tokens import Source
    from visualizer.workbench.bench import Workbench


def names(asked: Asked, width: int) -> Iterator[Parts]:
    """What a body asks for, a labelled row or several for each kind of name."""
    for what, listed in (
        ("inputs", asked.inputs),
        ("outputs", asked.outputs),
        ("attributes", asked.attrs),
    ):
        if listed:
            yield from labelled(what, ", ".join(listed), width)


def line_of(bench: Workbench, span: Span | None) -> str:
    """`line 12` for a place in the open file, `trace_op.h:12` for another; empty for none."""
    where = _where(bench, span)
    if where is None:
        return ""
    return f"line {where.line}" if where.file == bench.trace.file else _spelled(where)


def place(bench: Workbench, span: Span) -> str:
    """`trace_op.h:12`"""
    where = _where(bench, span)
    return _spelled(where) if where else ""


def _where(bench: Workbench, span: Span | None) -> Source | None:
    return None if span is None else bench.written_at(span)


def _spelled(where: Source) -> str:
    return f"{where.file.rpartition('/')[2]}:{where.line}"


def declared(row: ProtoRow) -> Parts:
    """`int axis1 = 0  dispensable`"""
    parts: Parts = [(f"{row.type} ", ())] if row.type else []
    parts.append((row.name, STRONG))
    if row.default:
        parts.append((f" = {row.default}", ()))
    elif row.kind == "attr":
        parts.append((" must be given", QUIET))
    if row.flags:
        parts.append((f"  {', '.join(row.flags)}", ACCENT))
    return parts
