"""Attributes that are the number of an element type: `AddAttr<int>("out_dtype")`.

Fluid has no attribute of that kind, so its makers say int, and whoever reads the attribute casts it
to a VarType::Type. PHI has: the parameter is a DataType.
"""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from visualizer.migration.fluid_text import FluidText
from visualizer.migration.reading.context_reads import (
    ATTRIBUTES,
    Read,
    context_of,
    is_type_cast,
    reads,
    with_cast,
)
from visualizer.migration.reading.declarations import Attribute, Fluid
from visualizer.migration.reading.scopes import Local, locals_of

# What Fluid's operators call them, so that no cast needs to be found.
_NAMES = ("dtype", "out_dtype", "in_dtype")


def data_type_attributes(
    fluid: Fluid, functions: list[tuple[FluidText, Node]], listed: Iterable[Attribute]
) -> set[str]:
    """The attributes that are an element type, by what `functions` do with them, or by the names
    that the makers list."""
    found = {a.name for a in listed if a.type == "int" and a.name in _NAMES}
    for source, function in functions:
        variables = locals_of(source, function)
        context = context_of(source, variables)
        for read in reads(fluid, source, context) if context is not None else ():
            if read.method not in ATTRIBUTES or read.name is None:
                continue
            kept = [v for v in variables if v.value is not None and v.value == read.call]
            uses = [use for v in kept for use in v.uses]
            if with_cast(source, read) != read.call or any(is_type_cast(source, u) for u in uses):
                found.add(read.name)
    return found


def as_numbers(source: FluidText, read: Read, kept: Local | None) -> list[Node]:
    """Where such an attribute is used without a cast to a type: as the number that it was."""
    if with_cast(source, read) != read.call:
        return []
    if kept is None:
        return [read.call]
    return [use for use in kept.uses if not is_type_cast(source, use)]
