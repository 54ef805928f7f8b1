"""What stays of the operator in Fluid: its class, its makers, its registration.

Programs on disk name operators, their inputs and their attributes, so those stay. Kernels, what
they call and their registrations go, and they go altogether: Paddle's build finds a registration in
a comment, too. An InferShape whose InferMeta is there gives way to a functor that calls it; another
one stays, and says what is in its way. What a header that goes included is included by the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.messages import N_
from visualizer.migration.composing.destinations import SourceTree, infer_meta_file
from visualizer.migration.composing.drafts import Drafts
from visualizer.migration.composing.infer_meta import InferMeta, unanswered
from visualizer.migration.composing.shared_functions import (
    Sharing,
    is_alias_of_known,
    needed_in_fluid,
)
from visualizer.migration.reading.declarations import (
    Class,
    Declaration,
    Fluid,
    KernelRegistration,
)
from visualizer.migration.reading.fluid_text import (
    FluidText,
    comment_above,
    includes_of,
    line_start,
    span_of,
    walk,
)
from visualizer.migration.reading.names import camel_case, parts_of_call
from visualizer.migration.reading.operators import FluidOperator
from visualizer.migration.rewriting.edits import Edit, Edits, Rewriter
from visualizer.migration.rewriting.shapes import open_shapes
from visualizer.migration.table import RULES


def write_remains(
    drafts: Drafts,
    fluid: Fluid,
    operators: list[FluidOperator],
    sharing: Sharing,
    metas: dict[str, InferMeta],
) -> tuple[Path, ...]:
    """The files of which something stays; returns those of which nothing does."""
    left = _edits(fluid, operators, sharing, metas, drafts.layout)
    for source in fluid.sources:
        if source.index in left:
            draft = drafts.at(_path_of(fluid, source), N_("what stays Fluid's"))
            draft.copy(source, Span(0, len(source.text)), left[source.index])
    return tuple(source.path for source in fluid.sources if source.index not in left)


def _edits(
    fluid: Fluid,
    operators: list[FluidOperator],
    sharing: Sharing,
    metas: dict[str, InferMeta],
    layout: SourceTree,
) -> dict[int, Edits]:
    """The edits of each file that stays. A file that isn't there has nothing to keep."""
    staying = {s.index for s in fluid.sources if _stays(fluid, s)}
    result: dict[int, Edits] = {}
    for source in fluid.sources:
        edits = result[source.index] = Edits()
        for kernel in fluid.kernels.values():
            if kernel.source is source and _migrated(kernel.name, operators):
                _take_out(edits, source, kernel.item)
        for registration in fluid.kernel_registrations:
            if registration.source is source and _is_known(fluid, registration):
                _take_out(edits, source, span_of(registration.statement), "deleted")
        _edit_shapes(fluid, source, edits, operators, metas)
    _take_out_helpers(fluid, sharing, staying, result)
    for source in fluid.sources:
        if source.index not in staying:
            del result[source.index]
            continue
        edits = result[source.index]
        _aliases(fluid, source, edits, staying)
        _edit_includes(fluid, source, edits, staying, metas, layout)
    return result


def _take_out_helpers(
    fluid: Fluid, sharing: Sharing, staying: set[int], result: dict[int, Edits]
) -> None:
    """What went to PHI and is needed there alone; a file that holds some of the rest stays, too."""
    moved = {d.key for d in sharing.moved}
    rest = [d for d in fluid.declarations if d.key in moved]
    names = {d.name for d in sharing.moved}
    for source in fluid.sources:
        for node in _instantiations(source, names):
            _take_out(result[source.index], source, span_of(node))
    gone = {s.index: result[s.index].taken_out() for s in fluid.sources}
    for declared in rest:
        gone[declared.source.index].append(declared.item)
    roots = [(s, gone[s.index]) for s in fluid.sources if s.index in staying]
    needed = needed_in_fluid(fluid, roots)
    for declared in sharing.moved:
        if declared.key in needed or _is_declared_in_class(declared):
            staying.add(declared.source.index)
        else:
            _take_out(result[declared.source.index], declared.source, declared.item)


def _instantiations(source: FluidText, names: set[str]) -> Iterator[Node]:
    """`template struct Fill<phi::CPUContext, float>;` of what has gone: its kernels instantiate it."""
    for node in walk(source.root):
        if node.type == "template_instantiation":
            first = next(
                (n for n in walk(node) if n.type in ("type_identifier", "identifier")), None
            )
            if first is not None and source.spell(first) in names:
                yield node


def _is_declared_in_class(declared: Declaration) -> bool:
    """Whether a member is defined outside of its class, which stays and still declares it."""
    parent = declared.node.parent
    return bool(declared.owner) and (parent is None or parent.type != "field_declaration_list")


def _migrated(name: str, operators: list[FluidOperator]) -> bool:
    return any(c.name == name for o in operators for r in o.kernels for c in r.classes)


def _is_known(fluid: Fluid, registration: KernelRegistration) -> bool:
    """Whether the kernel is in these files; if not, its registration stays with it."""
    return all(fluid.kernel(registration.source, c) for c in registration.classes)


def _stays(fluid: Fluid, source: FluidText) -> bool:
    """Whether a file holds more than kernels and what they call."""
    if any(r.source is source for r in fluid.operator_registrations):
        return True
    if any(r.source is source and not _is_known(fluid, r) for r in fluid.kernel_registrations):
        return True
    if any(c.source is source for c in fluid.operators.values()):
        return True
    return any(m.source is source for m in (*fluid.makers.values(), *fluid.grad_makers.values()))


def _take_out(edits: Edits, source: FluidText, item: Span, rule: str = "") -> None:
    """A declaration with the comments above it and the empty line below it."""
    above = comment_above(source, item)
    start = above.start if above is not None else item.start
    end = item.end
    while source.text[end : end + 1] == "\n" and end - item.end < 2:
        end += 1
    edits.add(Edit(Span(start, end), (), RULES[rule] if rule else None, "", "", item))


def _aliases(fluid: Fluid, source: FluidText, edits: Edits, staying: set[int]) -> None:
    """`using Tensor = framework::Tensor;` of a header that goes, where the rest still says
    Tensor."""
    of_headers = [
        h
        for h in fluid.declarations
        if h.source.index not in staying and is_alias_of_known(fluid, h)
    ]
    first = next(
        (n for n in walk(source.root) if n.type in ("class_specifier", "template_declaration")),
        None,
    )
    if first is None:
        return
    used = {
        source.spell(n)
        for n in walk(source.root)
        if n.type == "type_identifier" and not edits.covers(span_of(n)) and not _is_qualified(n)
    }
    lines = dict.fromkeys(f"{h.source.cut(h.item)}\n" for h in of_headers if h.name in used)
    if lines:
        above = comment_above(source, span_of(first))
        at = above.start if above is not None else first.start_byte
        edits.add(Edit(Span(at, at), ("".join(lines) + "\n",), RULES["include"]))


def _is_qualified(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "qualified_identifier"


# --- The InferShape -------------------------------------------------------------------------------


_LINE = 97  # what may stand in a line before `);`


def _edit_shapes(
    fluid: Fluid,
    source: FluidText,
    edits: Edits,
    operators: list[FluidOperator],
    metas: dict[str, InferMeta],
) -> None:
    """What becomes of the class's InferShape, in the file that keeps the class."""
    kept = {o.infer.name for o in operators if o.infer is not None and o.op_type not in metas} | {
        name for r in fluid.operator_registrations if r.op_type not in metas for name in r.names
    }
    for operator in operators:
        meta = metas.get(operator.op_type)
        infer = operator.infer
        if infer is None:
            continue
        if meta is None:
            _stays_for_now(fluid, edits, source, operator)
            continue
        if infer.name not in kept:
            if meta.source is source:
                _take_out_method(edits, source, meta.function)
            if (
                infer.source is source
                and (declared := _declared_in(infer, "InferShape")) is not None
            ):
                _take_out_method(edits, source, declared)
        registration = operator.registration
        if registration is not None and registration.source is source:
            _functor(edits, source, registration.statement, operator, meta)


def _declared_in(infer: Class, name: str) -> Node | None:
    """Where a class only declares a method, which is defined elsewhere."""
    body = infer.node.child_by_field_name("body")
    for member in body.named_children if body is not None else ():
        head = (
            member.child_by_field_name("declarator") if member.type == "field_declaration" else None
        )
        named = head.child_by_field_name("declarator") if head is not None else None
        if named is not None and (named.text or b"").decode() == name:
            return member
    return None


def _stays_for_now(fluid: Fluid, edits: Edits, source: FluidText, operator: FluidOperator) -> None:
    infer = operator.infer
    function = infer.methods.get("InferShape") if infer is not None else None
    if infer is None or function is None or fluid.source_of(function) is not source:
        return
    rewriter = Rewriter(fluid, source, edits)
    for edit in unanswered(fluid, operator):
        shown = edit.idiom or edit.span
        asking = source.root.named_descendant_for_byte_range(shown.start, shown.end)
        reason = f"{edit.reason}; this InferShape may stay, since no output is UNDEFINED"
        rewriter.note(asking or function, "infer_meta", reason)
    outputs = [output.fluid_name for output in operator.signature.of("output")]
    for found in open_shapes(fluid, source, function, outputs):
        rewriter.note(found.at, "open_shape", found.reason)


def _take_out_method(edits: Edits, source: FluidText, function: Node) -> None:
    start, end = function.start_byte, function.end_byte
    above = comment_above(source, Span(start, end))
    start = above.start if above is not None else start
    start = line_start(source.text, start)
    before = len(source.text[:start]) - len(source.text[:start].rstrip())
    blank_above = before > 1
    while source.text[end : end + 1] == "\n" and end - function.end_byte < (
        2 if blank_above else 1
    ):
        end += 1
    if blank_above and source.text[end : end + 1] == "}":
        start -= 1
    edits.add(Edit(Span(start, end), (), None, "", "", span_of(function)))


def _functor(
    edits: Edits, source: FluidText, statement: Node, operator: FluidOperator, meta: InferMeta
) -> None:
    name = f"{camel_case(operator.op_type)}InferShapeFunctor"
    at = statement.start_byte
    opening = "DECLARE_INFER_SHAPE_FUNCTOR("
    indent = ",\n" + " " * len(opening)
    arguments = indent.join([operator.op_type, name, f"PD_INFER_META(phi::{meta.name})"])
    text = f"{opening}{arguments});\n"
    shown = span_of(meta.function)
    head = (
        Span(shown.start, source.text.find("{", shown.start) - 1)
        if meta.source is source
        else shown
    )
    edits.add(Edit(Span(at, at), (text,), RULES["functor"], "", "", head))
    call = statement.named_children[0]
    arguments_of = parts_of_call(call)[1]
    if not arguments_of:
        return
    last = arguments_of[-1]
    line = line_start(source.text, last.start_byte)
    before = source.text[line : last.start_byte]
    column = call.start_byte - line_start(source.text, call.start_byte)
    after_macro = column + source.text[call.start_byte : call.end_byte].index("(") + 1
    gap = f",\n{before}" if not before.strip() else ", "
    if len(before) + (last.end_byte - last.start_byte) + len(gap + name) > _LINE:
        gap = ",\n" + " " * after_macro
    edits.add(Edit(Span(last.end_byte, last.end_byte), (gap + name,), None))


# --- The file, and what it includes ---------------------------------------------------------------


_OPERATORS = "fluid/operators"


def path_in_paddle(path: Path) -> str:
    """Where a file is in Paddle, as its own path says; as a rule, among the operators."""
    return _said_by(path) or f"{_OPERATORS}/{path.name}"


def _said_by(path: Path) -> str:
    """The same, if the path does say it; else nothing."""
    parts = path.absolute().parts
    for index in range(len(parts) - 2):
        if parts[index : index + 2] == ("fluid", "operators"):
            return "/".join(parts[index:])
    return ""


def _path_of(fluid: Fluid, source: FluidText) -> str:
    """Where the file is in Paddle: as its own path says, or the line that includes its header."""
    if told := _said_by(source.path):
        return told
    own = {s.path.name for s in fluid.sources}
    for other in fluid.sources:
        for _, spelled in includes_of(other):
            folder, _, last = spelled.strip('"').rpartition("/")
            if last in own and folder.startswith(f"paddle/{_OPERATORS}"):
                return f"{folder.removeprefix('paddle/')}/{source.path.name}"
    return path_in_paddle(source.path)


def _edit_includes(
    fluid: Fluid,
    source: FluidText,
    edits: Edits,
    staying: set[int],
    metas: dict[str, InferMeta],
    layout: SourceTree,
) -> None:
    """A header that goes is replaced by what it included of Fluid's; what calls an InferMeta includes
    the header that declares it."""
    more = _for_functors(layout, layout.path(_path_of(fluid, source)), metas)
    gone = {s.path.name: s for s in fluid.sources if s.index not in staying}
    lines = includes_of(source)
    named = [(node, spelled.strip('"').rpartition("/")[2]) for node, spelled in lines]
    replaced = [(node, gone[name]) for node, name in named if name in gone]
    for node, header in replaced:
        inner = [header.spell(n).rstrip("\n") + "\n" for n, _ in includes_of(header)]
        own = [line for line in inner if '"' in line]
        added = [line for line in (*own, *more) if line not in source.text]
        edits.add(Edit(span_of(node), ("".join(dict.fromkeys(added)),), RULES["include"]))
    if more and lines and not replaced:
        at = lines[-1][0].end_byte
        edits.add(Edit(Span(at, at), ("".join(dict.fromkeys(more)),), RULES["functor"]))


def _for_functors(layout: SourceTree, piece: str, metas: dict[str, InferMeta]) -> list[str]:
    """The lines that DECLARE_INFER_SHAPE_FUNCTOR needs."""
    if not metas:
        return []
    files = {infer_meta_file(m.operator.signature) if m.edits else "unary" for m in metas.values()}
    paths = [layout.path(f"phi/infermeta/{name}.h") for name in sorted(files)]
    functor = layout.include("paddle/fluid/framework/infershape_utils.h")
    return [*(layout.include_piece(piece, path) for path in paths), functor]
