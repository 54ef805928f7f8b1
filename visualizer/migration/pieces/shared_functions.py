"""What kernels call: functions, functors and constants of the same files.

What one kernel alone uses stands beside it; what several use gets a header of its own in funcs.
What no kernel uses stays where it is, with the operator.
"""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.bodies.body import Body
from visualizer.migration.bodies.rewrite import rewrite_body
from visualizer.migration.edits import Edits
from visualizer.migration.fluid_names import NAMES
from visualizer.migration.fluid_text import FluidText, walk
from visualizer.migration.names import snake_case
from visualizer.migration.operators import Operator
from visualizer.migration.pieces.drafts import Draft, Drafts
from visualizer.migration.pieces.kernel_class import rewrite_parameters
from visualizer.migration.reading.classes import type_parameters
from visualizer.migration.reading.comments import comment_above
from visualizer.migration.reading.declarations import Declaration, Fluid
from visualizer.migration.reading.scopes import Local
from visualizer.migration.rewriting.idioms import rewrite_idioms
from visualizer.migration.rewriting.indentation import align
from visualizer.migration.rewriting.rewriter import Rewriter


@dataclass(frozen=True, slots=True)
class Sharing:
    """Which declaration goes with which operator's kernel, and which into `shared_path`."""

    by_operator: dict[str, tuple[Declaration, ...]]
    shared: tuple[Declaration, ...]
    users_of_shared: frozenset[str]
    shared_path: str

    def own(self, operator: Operator) -> tuple[Declaration, ...]:
        return self.by_operator.get(operator.op_type, ())

    def has_shared(self, operator: Operator) -> bool:
        return operator.op_type in self.users_of_shared

    @property
    def moved(self) -> tuple[Declaration, ...]:
        return (*(h for those in self.by_operator.values() for h in those), *self.shared)


def share(fluid: Fluid, operators: list[Operator]) -> Sharing:
    used: dict[str, set[str]] = {}
    first = ""
    for operator in operators:
        names = {c.name for r in operator.kernels for c in r.classes}
        nodes = [
            (fluid.kernels[n].source, fluid.kernels[n].node)
            for n in sorted(names & {*fluid.kernels})
        ]
        reached = _reached(fluid, nodes)
        for declared in fluid.declarations:
            if declared.name in reached:
                used.setdefault(declared.name, set()).add(operator.op_type)
                if len(used[declared.name]) > 1:
                    first = first or declared.name
    by_operator: dict[str, list[Declaration]] = {}
    shared: list[Declaration] = []
    for declared in fluid.declarations:
        users = used.get(declared.name, set())
        if is_alias_of_known(fluid, declared):
            continue
        if len(users) == 1:
            by_operator.setdefault(next(iter(users)), []).append(declared)
        elif users:
            shared.append(declared)
    called = next((h for h in shared if h.node.type != "alias_declaration"), None)
    name = snake_case(called.name) if called is not None else "shared"
    return Sharing(
        {op_type: tuple(those) for op_type, those in by_operator.items()},
        tuple(shared),
        frozenset(u for h in shared for u in used[h.name]),
        f"phi/kernels/funcs/{name}.h",
    )


def is_alias_of_known(fluid: Fluid, declared: Declaration) -> bool:
    """`using Tensor = framework::Tensor;`: nobody needs it, since its uses are rewritten."""
    if declared.node.type in ("template_declaration", "alias_declaration", "using_declaration"):
        names = fluid.aliases[declared.source.index]
        return declared.name in names.names and "::".join(names.in_full((declared.name,))) in NAMES
    return False


def _reached(fluid: Fluid, nodes: list[tuple[FluidText, Node]]) -> set[str]:
    named = {h.name: h for h in fluid.declarations if h.name}
    every: dict[str, list[Declaration]] = {}
    for declared in fluid.declarations:
        every.setdefault(declared.name, []).append(declared)
    reached: set[str] = set()
    pending = list(nodes)
    while pending:
        source, node = pending.pop()
        for below in walk(node):
            if below.type in ("identifier", "type_identifier", "field_identifier"):
                name = source.spell(below)
                if name in named and name not in reached:
                    reached.add(name)
                    pending += [(h.source, h.node) for h in every[name]]
    return reached


def write_declaration(
    draft: Draft, fluid: Fluid, declared: Declaration, stays_in_fluid: bool
) -> None:
    """A declaration with the comments above it, rewritten."""
    above = comment_above(declared.source, declared.item)
    if above is not None:
        draft.write(declared.source.cut(above) + "\n")
    text, start = declared.source.text, declared.item.start
    line = text.rfind("\n", 0, start) + 1
    whole = Span(start if text[line:start].strip() else line, declared.item.end)
    draft.copy(declared.source, whole, _rewriter(fluid, declared, not stays_in_fluid).edits)
    draft.write("\n")


def headers_of(fluid: Fluid, declared: Declaration) -> set[str]:
    """The headers of PHI's that it will need."""
    return _rewriter(fluid, declared, True).headers


def _rewriter(fluid: Fluid, declared: Declaration, in_phi: bool) -> Rewriter:
    source = declared.source
    devices = frozenset(
        name
        for node in walk(declared.node)
        if node.type == "template_declaration"
        for name in type_parameters(source, node)
        if name in ("DeviceContext", "Context")
    )
    rewriter = Rewriter(fluid, source, Edits(), devices, "", in_phi)
    everywhere: list[Local] = []
    for node in walk(declared.node):
        if node.type == "function_definition":
            rewrite_body(Body(rewriter, None), node)
            everywhere += rewriter.locals
        elif node.type == "function_declarator":
            rewrite_parameters(rewriter, node)
    rewriter.locals = everywhere
    rewrite_idioms(rewriter, declared.node)
    align(rewriter, declared.node)
    return rewriter


def write_shared(drafts: Drafts, fluid: Fluid, sharing: Sharing) -> None:
    """The header of what several kernels use, if there is such a thing."""
    if not sharing.shared:
        return
    draft = drafts.at(sharing.shared_path)
    draft.write("#pragma once\n\n")
    wanted = {"paddle/phi/core/dense_tensor.h"}
    for declared in sharing.shared:
        wanted |= headers_of(fluid, declared)
    lines = {drafts.include(draft, header) for header in wanted}
    draft.write("".join(sorted(line for line in lines if line)))
    draft.write("\nnamespace phi {\n\n")
    for declared in sharing.shared:
        write_declaration(draft, fluid, declared, False)
        draft.write("\n")
    draft.write("}  // namespace phi\n")
