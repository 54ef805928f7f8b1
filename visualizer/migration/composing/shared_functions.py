"""What kernels call: functions, functors and constants of the same files.

What one kernel alone uses stands beside it; what several use gets a header of its own in funcs.
What no kernel uses stays where it is, with the operator.

A file of CUDA's, `x_op.cu`, is compiled for the GPU and for nothing else; so what stands in it goes
into the GPU's files alone, and what `x_op.cc` has into none of these. Both may have what their header
has: that is compiled with either.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from registry_runtime.cxx import Span
from visualizer.migration.composing.drafts import Drafts, PieceDraft
from visualizer.migration.composing.kernels import rewrite_parameters
from visualizer.migration.fluid_names import NAMES
from visualizer.migration.reading.declarations import Class, Declaration, Fluid, type_parameters
from visualizer.migration.reading.fluid_text import FluidText, line_start, walk
from visualizer.migration.reading.functions import Local
from visualizer.migration.reading.names import snake_case
from visualizer.migration.reading.operators import FluidOperator, classes_of
from visualizer.migration.rewriting.body import FunctionBody
from visualizer.migration.rewriting.edits import Edits, Rewriter, align
from visualizer.migration.rewriting.idioms import rewrite_idioms
from visualizer.migration.rewriting.methods import rewrite_body

_OF_A_GPU = ("GPU", "GPUDNN")


def is_for(source: FluidText, backend: str) -> bool:
    """Whether a file that is no header is compiled for this backend."""
    return (".cu" in source.path.suffixes) == (backend in _OF_A_GPU)


@dataclass(frozen=True, slots=True)
class Sharing:
    """Which declaration goes with which operator's kernel, and which into `shared_path`, or, out of a
    file of CUDA's, into `shared_cuda_path`."""

    by_operator: dict[str, tuple[Declaration, ...]]
    shared: tuple[Declaration, ...]
    users_of_shared: frozenset[str]
    shared_path: str

    @property
    def shared_cuda_path(self) -> str:
        """`phi/kernels/funcs/pad.cu.h`, as PHI calls what only CUDA's compiler can read."""
        return f"{self.shared_path.removesuffix('.h')}.cu.h"

    def own(self, fluid: Fluid, operator: FluidOperator, found: Class) -> tuple[Declaration, ...]:
        """What only this operator's kernels use, and this class of them does."""
        names = _reached(fluid, [found])
        return tuple(d for d in self.by_operator.get(operator.op_type, ()) if d.name in names)

    def shared_for(self, operator: FluidOperator, backend: str) -> dict[str, list[Declaration]]:
        """What its kernels need of the shared headers, by the header."""
        found: dict[str, list[Declaration]] = {}
        for declared in self.shared if operator.op_type in self.users_of_shared else ():
            if not _is_cuda(declared):
                found.setdefault(self.shared_path, []).append(declared)
            elif backend in _OF_A_GPU:
                found.setdefault(self.shared_cuda_path, []).append(declared)
        return found

    @property
    def moved(self) -> tuple[Declaration, ...]:
        """All that goes to PHI."""
        return (*(h for those in self.by_operator.values() for h in those), *self.shared)


def _is_cuda(declared: Declaration) -> bool:
    return ".cu" in declared.source.path.suffixes


def share(fluid: Fluid, operators: list[FluidOperator]) -> Sharing:
    """Which kernels use what, found by following names."""
    users: dict[str, list[str]] = {}
    for operator in operators:
        for name in _reached(fluid, classes_of(fluid, operator.kernels)):
            users.setdefault(name, []).append(operator.op_type)
    used = [d for d in fluid.declarations if d.name in users and not is_alias_of_known(fluid, d)]
    shared = tuple(d for d in used if len(users[d.name]) > 1)
    called = next((d for d in shared if d.node.type != "alias_declaration"), None)
    name = snake_case(called.name) if called is not None else "shared"
    by_operator = {
        operator.op_type: tuple(d for d in used if users[d.name] == [operator.op_type])
        for operator in operators
    }
    users_of_shared = frozenset(op_type for d in shared for op_type in users[d.name])
    return Sharing(by_operator, shared, users_of_shared, f"phi/kernels/funcs/{name}.h")


def is_alias_of_known(fluid: Fluid, declared: Declaration) -> bool:
    """`using Tensor = framework::Tensor;`: nobody needs it, since its uses are rewritten."""
    if declared.node.type in ("template_declaration", "alias_declaration", "using_declaration"):
        names = fluid.aliases[declared.source.index]
        return declared.name in names.names and "::".join(names.in_full((declared.name,))) in NAMES
    return False


def _reached(fluid: Fluid, classes: Iterable[Class]) -> set[str]:
    """The names that kernels use, and what those use, and so on."""
    declared: dict[str, list[Declaration]] = {}
    for declaration in fluid.declarations:
        if declaration.name:
            declared.setdefault(declaration.name, []).append(declaration)
    pending = [(found.source, found.node) for found in classes]
    reached: set[str] = set()
    while pending:
        source, node = pending.pop()
        for below in walk(node):
            if below.type not in ("identifier", "type_identifier", "field_identifier"):
                continue
            name = source.spell(below)
            if name in declared and name not in reached:
                reached.add(name)
                pending += [(d.source, d.node) for d in declared[name]]
    return reached


def write_declaration(
    draft: PieceDraft, fluid: Fluid, declared: Declaration, stays_in_fluid: bool
) -> None:
    """A declaration with the comments above it, rewritten."""
    draft.copy_comment_above(declared.source, declared.item)
    text, start = declared.source.text, declared.item.start
    line = line_start(text, start)
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
            rewrite_body(FunctionBody(rewriter, None), node)
            everywhere += rewriter.locals
        elif node.type == "function_declarator":
            rewrite_parameters(rewriter, node)
    rewriter.locals = everywhere
    rewrite_idioms(rewriter, declared.node)
    align(rewriter, declared.node)
    return rewriter


def write_shared(drafts: Drafts, fluid: Fluid, sharing: Sharing) -> None:
    """The headers of what several kernels use, if there is such a thing."""
    for path, is_cuda in ((sharing.shared_path, False), (sharing.shared_cuda_path, True)):
        held = [declared for declared in sharing.shared if _is_cuda(declared) is is_cuda]
        if not held:
            continue
        draft = drafts.at(path, "what kernels call")
        draft.write("#pragma once\n\n")
        wanted = {"paddle/phi/core/dense_tensor.h"}
        for declared in held:
            wanted |= headers_of(fluid, declared)
        lines = {drafts.include(header) for header in wanted}
        if is_cuda and len(held) < len(sharing.shared):
            lines.add(drafts.include_piece(draft, sharing.shared_path))
        draft.write_sorted(lines)
        with draft.namespace("phi"):
            for declared in held:
                write_declaration(draft, fluid, declared, False)
                draft.write("\n")
