"""What the old files include, and what the new ones include for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.fluid_names import HEADERS
from visualizer.migration.fluid_text import FluidText, walk
from visualizer.migration.reading.declarations import Fluid


@dataclass(frozen=True, slots=True)
class Included:
    """system: whole lines. headers: PHI's, for Fluid's that are known. unknown: the others, which
    are Fluid's own, with the name and the place of each line."""

    system: tuple[str, ...]
    headers: tuple[str, ...]
    unknown: tuple[tuple[FluidText, str, Span], ...]


def includes(fluid: Fluid, indices: Iterable[int]) -> Included:
    """What those files and their own headers include."""
    wanted = set(indices) | {s.index for s in fluid.sources if s.path.suffix == ".h"}
    own = {source.path.name for source in fluid.sources}
    system: dict[str, None] = {}
    found: dict[str, None] = {}
    unknown: dict[str, tuple[FluidText, str, Span]] = {}
    for source in fluid.sources:
        if source.index not in wanted:
            continue
        for node in walk(source.root):
            if node.type != "preproc_include":
                continue
            path = node.child_by_field_name("path")
            spelled = source.spell(path) if path is not None else ""
            if spelled.startswith("<"):
                around = _condition(source, node)
                system[f"#include {spelled}" if around is None else around] = None
                continue
            name = spelled.strip('"')
            if name.rpartition("/")[2] in own:
                continue
            known = HEADERS.get(name, None)
            if known is not None:
                found[known] = None
            elif name.startswith("paddle/fluid/"):
                unknown[name] = (source, name, Span(node.start_byte, node.end_byte))
            elif name.startswith("paddle/"):
                found[name] = None
    listed = tuple(h for h in found if h)
    return Included(tuple(system), listed, tuple(unknown.values()))


def _condition(source: FluidText, include: Node) -> str | None:
    """The whole #if around an #include, where it holds nothing but such lines."""
    outermost: Node | None = None
    here = include.parent
    while here is not None and here.type.startswith("preproc_"):
        outermost, here = here, here.parent
    if outermost is None or outermost.type not in ("preproc_if", "preproc_ifdef"):
        return None
    text = source.text[outermost.start_byte : outermost.end_byte].rstrip("\n")
    only_includes = all(not line.strip() or line.lstrip()[0] == "#" for line in text.split("\n"))
    return text if only_includes and "#define" not in text else None
