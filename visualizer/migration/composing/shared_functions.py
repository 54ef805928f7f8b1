"""What kernels call: functions, functors and constants of the same files.

What one kernel alone uses stands beside it; what several use, or an InferMeta, gets a header of its
own in funcs. What none of them uses stays where it is, with the operator; and so does what the rest
of the operator calls, once more.

A file of CUDA's, `x_op.cu`, is compiled for the GPU and for nothing else; so what stands in it goes
into the GPU's files alone, and what `x_op.cc` has into none of these. Both may have what their header
has: that is compiled with either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.messages import N_
from visualizer.migration.composing.drafts import Drafts, PieceDraft
from visualizer.migration.composing.infer_meta import InferMeta
from visualizer.migration.composing.kernels import rewrite_parameters
from visualizer.migration.fluid_names import NAMES
from visualizer.migration.reading.conditionals import directives_around
from visualizer.migration.reading.declarations import (
    Class,
    Declaration,
    Fluid,
    Key,
    type_parameters,
)
from visualizer.migration.reading.fluid_text import FluidText, is_inside, line_start, walk
from visualizer.migration.reading.functions import Local
from visualizer.migration.reading.handing import Handed, bodies
from visualizer.migration.reading.names import qualified, snake_case
from visualizer.migration.reading.operators import FluidOperator, classes_of
from visualizer.migration.reading.signature import Signature
from visualizer.migration.rewriting.body import FunctionBody
from visualizer.migration.rewriting.edits import Edits, Rewriter, align, shift_left
from visualizer.migration.rewriting.idioms import rewrite_idioms
from visualizer.migration.rewriting.methods import rewrite_body

_OF_A_GPU = ("GPU", "GPUDNN")


def is_for(source: FluidText, backend: str) -> bool:
    """Whether a file that is no header is compiled for this backend."""
    return _is_cuda_file(source) == (backend in _OF_A_GPU)


@dataclass(frozen=True, slots=True)
class Sharing:
    """Which declaration goes with which operator's kernel, and which into `shared_path`, or, out of a
    file of CUDA's, into `shared_cuda_path`. `metas_of_shared`: of which operators the InferMeta calls
    something there. `handed`: what those need that are handed a context."""

    by_operator: dict[str, tuple[Declaration, ...]]
    shared: tuple[Declaration, ...]
    users_of_shared: frozenset[str]
    metas_of_shared: frozenset[str]
    shared_path: str
    handed: Handed

    @property
    def shared_cuda_path(self) -> str:
        """`phi/kernels/funcs/pad.cu.h`, as PHI calls what only CUDA's compiler can read."""
        return f"{self.shared_path.removesuffix('.h')}.cu.h"

    def own(self, fluid: Fluid, operator: FluidOperator, found: Class) -> tuple[Declaration, ...]:
        """What only this operator's kernels use, and this class of them does."""
        names = _reached(fluid, [_Root(found.source, found.node)])
        return tuple(d for d in self.by_operator.get(operator.op_type, ()) if d.key in names)

    def shared_for(self, operator: FluidOperator, backend: str) -> dict[str, list[Declaration]]:
        """What its kernels need of the shared headers, by the header."""
        found: dict[str, list[Declaration]] = {}
        of_gpu = backend in _OF_A_GPU
        for declared in self.shared if operator.op_type in self.users_of_shared else ():
            if not _is_cuda(declared):
                if of_gpu and declared.source.path.suffix != ".h":
                    continue  # what stands in a .cc, no .cu has ever seen
                found.setdefault(self.shared_path, []).append(declared)
            elif of_gpu:
                found.setdefault(self.shared_cuda_path, []).append(declared)
        return found

    def headers_for_meta(self, op_type: str) -> tuple[str, ...]:
        """What its InferMeta includes of them."""
        return (self.shared_path,) if op_type in self.metas_of_shared else ()

    @property
    def moved(self) -> tuple[Declaration, ...]:
        """All that goes to PHI."""
        return (*(h for those in self.by_operator.values() for h in those), *self.shared)


def _is_cuda(declared: Declaration) -> bool:
    return _is_cuda_file(declared.source)


def _is_cuda_file(source: FluidText) -> bool:
    return ".cu" in source.path.suffixes


def share(
    fluid: Fluid,
    operators: list[FluidOperator],
    metas: Mapping[str, InferMeta],
    handed: Handed,
) -> Sharing:
    """Which kernels and InferMetas use what, found by following names."""
    users: dict[Key, list[str]] = {}
    of_metas: dict[Key, list[str]] = {}
    for operator in operators:
        classes = classes_of(fluid, operator.kernels)
        for key in _reached(fluid, [_Root(c.source, c.node) for c in classes]):
            users.setdefault(key, []).append(operator.op_type)
        meta = metas.get(operator.op_type)
        if meta is not None and meta.edits is not None:
            owner = operator.infer.name if operator.infer is not None else ""
            for key in _reached(fluid, [_Root(meta.source, meta.function, owner)]):
                of_metas.setdefault(key, []).append(operator.op_type)
    used = [
        d
        for d in fluid.declarations
        if (d.key in users or d.key in of_metas) and not is_alias_of_known(fluid, d)
    ]
    shared = tuple(d for d in used if d.key in of_metas or len(users[d.key]) > 1)
    called = next((d for d in shared if d.node.type != "alias_declaration"), None)
    name = snake_case(called.name) if called is not None else "shared"
    by_operator = {
        operator.op_type: tuple(
            d for d in used if d.key not in of_metas and users[d.key] == [operator.op_type]
        )
        for operator in operators
    }
    users_of_shared = frozenset(o for d in shared for o in users.get(d.key, ()))
    metas_of_shared = frozenset(o for d in shared for o in of_metas.get(d.key, ()))
    path = f"phi/kernels/funcs/{name}.h"
    return Sharing(by_operator, shared, users_of_shared, metas_of_shared, path, handed)


def is_alias_of_known(fluid: Fluid, declared: Declaration) -> bool:
    """`using Tensor = framework::Tensor;`: nobody needs it, since its uses are rewritten."""
    if declared.node.type in ("template_declaration", "alias_declaration", "using_declaration"):
        names = fluid.aliases[declared.source.index]
        return declared.name in names.names and "::".join(names.in_full((declared.name,))) in NAMES
    return False


@dataclass(frozen=True, slots=True)
class _Root:
    """What uses names: in a function of the class `owner`, its members by their mere names. `but`
    are stretches that count as gone."""

    source: FluidText
    node: Node
    owner: str = ""
    but: tuple[Span, ...] = ()


def _reached(fluid: Fluid, roots: Iterable[_Root]) -> set[Key]:
    """The declarations that something uses, and what those use, and so on."""
    declared: dict[Key, list[Declaration]] = {}
    for declaration in fluid.declarations:
        if declaration.name:
            declared.setdefault(declaration.key, []).append(declaration)
    pending = list(roots)
    found: set[Key] = set()
    while pending:
        root = pending.pop()
        for below in walk(root.node):
            if below.type not in ("identifier", "type_identifier", "field_identifier"):
                continue
            if any(is_inside(below, span) for span in root.but):
                continue
            for key in _meant(root, below):
                if key in declared and key not in found:
                    found.add(key)
                    pending += [_Root(d.source, d.node, d.owner) for d in declared[key]]
    return found


def _meant(root: _Root, node: Node) -> Iterator[Key]:
    """What a name may mean: a declaration, or a member of an operator's class."""
    name = root.source.spell(node)
    yield "", name
    outer = node.parent
    if outer is not None and outer.type == "qualified_identifier":
        scope = outer.child_by_field_name("scope")
        if scope is not None and scope.id != node.id:
            yield root.source.spell(scope).rpartition("::")[2], name
    elif root.owner:
        yield root.owner, name


def needed_by(fluid: Fluid, found: Class, infer: Class | None = None) -> list[Declaration]:
    """The declarations that a kernel's class uses, and those that the InferShape of `infer` does, in
    the order of the files; without those that only another compiler reads."""
    roots = [_Root(found.source, found.node)]
    if infer is not None:
        function = infer.methods["InferShape"]
        roots.append(_Root(fluid.source_of(function), function, infer.name))
    names = _reached(fluid, roots)
    cuda = _is_cuda_file(found.source)
    seen = (d for d in fluid.declarations if cuda or not _is_cuda(d))
    return [d for d in seen if d.key in names]


def needed_in_fluid(fluid: Fluid, roots: Iterable[tuple[FluidText, Iterable[Span]]]) -> set[Key]:
    """The declarations that the rest of a file uses, without the stretches that go."""
    return _reached(fluid, [_Root(s, s.root, "", tuple(gone)) for s, gone in roots])


def write_declaration(
    draft: PieceDraft, fluid: Fluid, declared: Declaration, stays_in_fluid: bool, handed: Handed
) -> None:
    """A declaration with the comments above it, rewritten; where it stood in an `#if`, in one again."""
    around = directives_around(declared.source, declared.node)
    draft.write("".join(f"{line}\n" for line in around))
    draft.copy_comment_above(declared.source, declared.item)
    text, start = declared.source.text, declared.item.start
    line = line_start(text, start)
    inside = bool(declared.owner) or bool(text[line:start].strip())
    whole = Span(start if inside else line, declared.item.end)
    if draft.path.endswith(".h") and _is_defined_once(declared):
        draft.write("inline ")  # several files include this one
    draft.copy(declared.source, whole, _rewriter(fluid, declared, not stays_in_fluid, handed).edits)
    draft.write("\n" + "#endif\n" * len(around))


def _is_defined_once(declared: Declaration) -> bool:
    """Whether it is a function that a program may have no second definition of."""
    node = declared.node
    if node.type != "function_definition":
        return False
    body = node.child_by_field_name("body")
    end = body.start_byte if body is not None else node.end_byte
    start = min(declared.item.start, line_start(declared.source.text, node.start_byte))
    head = declared.source.text[start:end]
    return not set(head.split()) & {"static", "inline", "constexpr", "INLINE", "__global__"}


def headers_of(fluid: Fluid, declared: Declaration, handed: Handed) -> set[str]:
    """The headers of PHI's that it will need."""
    return _rewriter(fluid, declared, True, handed).headers


def _rewriter(fluid: Fluid, declared: Declaration, in_phi: bool, handed: Handed) -> Rewriter:
    source = declared.source
    devices = frozenset(
        name
        for node in walk(declared.node)
        if node.type == "template_declaration"
        for name in type_parameters(source, node)
        if name in ("DeviceContext", "Context")
    )
    rewriter = Rewriter(fluid, source, Edits(), devices, "", in_phi)
    if declared.owner:
        _out_of_the_class(rewriter, declared.node)
    everywhere: list[Local] = []
    for node in walk(declared.node):
        if node.type == "function_definition":
            signature = handed.get(node.id)
            rewrite_body(FunctionBody(rewriter, signature, is_called=True, handed=handed), node)
            everywhere += rewriter.locals
        elif node.type == "function_declarator":
            rewrite_parameters(rewriter, node, _what_it_reads(fluid, declared, node, handed))
    rewriter.locals = everywhere
    rewrite_idioms(rewriter, declared.node)
    align(rewriter, declared.node)
    return rewriter


def _what_it_reads(
    fluid: Fluid, declared: Declaration, head: Node, handed: Handed
) -> Signature | None:
    """Of the function that is defined or declared here."""
    definition = head.parent
    while definition is not None and definition.type != "function_definition":
        definition = definition.parent
    if definition is not None:
        return handed.get(definition.id)
    return next((s for _, n in bodies(fluid, declared.name) if (s := handed.get(n.id))), None)


def _out_of_the_class(rewriter: Rewriter, member: Node) -> None:
    """A member of a class as a function of its own."""
    if any(_holds(member.parent)):
        shift_left(rewriter, member, 2)
    function = next(n for n in walk(member) if n.type == "function_definition")
    head = next((n for n in walk(function) if n.type == "function_declarator"), None)
    for node in (*function.children, *(head.children if head is not None else ())):
        text = rewriter.source.text
        if node.type == "virtual" or rewriter.source.spell(node) == "virtual":
            rewriter.put(Span(node.start_byte, node.end_byte + 1), rule="function")
        elif node.parent == head and node.type in ("type_qualifier", "virtual_specifier"):
            blank = text[node.start_byte - 1] == " "
            rewriter.put(Span(node.start_byte - blank, node.end_byte), rule="function")
    name = head.child_by_field_name("declarator") if head is not None else None
    if name is not None and name.type == "qualified_identifier":
        last = qualified(rewriter.source, name)
        end = last.ends[-1] - len(last.parts[-1])
        rewriter.put(Span(name.start_byte, end), rule="function")
    for node in walk(member):
        if node.type == "this":
            reason = "there is no object any more: hand on what is needed of it"
            rewriter.note(node, "function", reason)


def _holds(node: Node | None) -> Iterator[bool]:
    while node is not None:
        yield node.type == "field_declaration_list"
        node = node.parent


def write_shared(drafts: Drafts, fluid: Fluid, sharing: Sharing) -> None:
    """The headers of what several kernels use, if there is such a thing."""
    for path, is_cuda in ((sharing.shared_path, False), (sharing.shared_cuda_path, True)):
        held = [declared for declared in sharing.shared if _is_cuda(declared) is is_cuda]
        if not held:
            continue
        draft = drafts.at(path, N_("what kernels call"))
        draft.write("#pragma once\n\n")
        wanted = {"paddle/phi/core/dense_tensor.h"}
        for declared in held:
            wanted |= headers_of(fluid, declared, sharing.handed)
        lines = {drafts.include(header) for header in wanted}
        if is_cuda and any(d.source.path.suffix == ".h" for d in sharing.shared):
            lines.add(drafts.include_piece(draft, sharing.shared_path))
        draft.write_sorted(lines)
        with draft.namespace("phi"):
            for declared in held:
                write_declaration(draft, fluid, declared, False, sharing.handed)
                draft.write("\n")
