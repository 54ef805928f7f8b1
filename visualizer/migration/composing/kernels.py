"""A kernel's class as a function: what changes in it, why a person must look at it, and its text.

The body is the class's Compute, under a head with a parameter to a line. The functions beside it in
the class become functions of their own, above it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from registry_runtime.cxx import Span
from registry_runtime.phi.op_utils import deprecated_op_names
from visualizer.migration.composing.drafts import PieceDraft, Placed
from visualizer.migration.fluid_names import STAYS_IN_FLUID
from visualizer.migration.migration import GUESS
from visualizer.migration.reading.declarations import (
    Class,
    Fluid,
    type_parameters,
    with_semicolon,
)
from visualizer.migration.reading.fluid_text import FluidText, span_of, walk
from visualizer.migration.reading.functions import context_of, locals_of, reads_of
from visualizer.migration.reading.handing import Handed
from visualizer.migration.reading.names import method_of_call, qualified
from visualizer.migration.reading.operators import FluidOperator
from visualizer.migration.reading.signature import Signature, scalar_type
from visualizer.migration.rewriting.body import FunctionBody
from visualizer.migration.rewriting.edits import COMMENT, Edit, Edits, Rewriter, align, shift_left
from visualizer.migration.rewriting.idioms import rewrite_idioms
from visualizer.migration.rewriting.methods import rewrite_body
from visualizer.migration.rewriting.questions import taken_out
from visualizer.migration.table import RULES

IN_ORDER_OF_USE = (
    "no op maker in these files lists the names, so they stand in the order of their use: look for "
    "the maker, or for the operator in phi/api/yaml"
)
DEVICE_NAMES = ("DeviceContext", "Context", "DeviceContextT")


@dataclass(frozen=True, slots=True)
class Kernel:
    """A class kernel, rewritten for one operator. `type_parameter` is "" for one over Context
    alone. `members` are the functions beside Compute, `types` what else the class declares."""

    found: Class
    type_parameter: str
    edits: Edits
    headers: frozenset[str]
    reasons: tuple[Reason, ...]
    stays_in_fluid: bool
    members: tuple[Node, ...]
    types: tuple[Node, ...]


def _needs_fluid(fluid: Fluid, found: Class) -> bool:
    """Whether it uses what only Fluid has: scopes, programs, variables that it can't do without."""
    names, compute = fluid.aliases[found.source.index], found.compute
    gone = set[int]()
    if compute is not None:
        if any(read.method == "scope" for read in reads_of(fluid, found.source, compute)):
            return True
        dropped = taken_out(found.source, names, compute)
        gone = {node.id for declaration in dropped for node in walk(declaration)}
    return any(
        "::".join(names.in_full(qualified(found.source, node).parts)) in STAYS_IN_FLUID
        for node in walk(found.node)
        if node.type == "qualified_identifier" and node.id not in gone
    )


def _device_parameters(found: Class) -> frozenset[str]:
    """What the template calls its device context."""
    return frozenset(name for name in found.template if name in DEVICE_NAMES)


def rewrite_kernels(fluid: Fluid, operator: FluidOperator, handed: Handed) -> dict[str, Kernel]:
    """All classes that are registered as the operator's kernels, by their keys."""
    classes = [operator.class_for(fluid, registration) for registration in operator.kernels]
    return {c.key: _rewrite(fluid, operator, c, handed) for c in classes if c is not None}


def _rewrite(fluid: Fluid, operator: FluidOperator, found: Class, handed: Handed) -> Kernel:
    """All that changes in a class kernel."""
    stays, compute = _needs_fluid(fluid, found), found.compute
    edits, devices, type_parameter = Edits(), _device_parameters(found), _type_parameter(found)
    rewriter = Rewriter(fluid, found.source, edits, devices, "dev_ctx", not stays)
    members = tuple(
        node for name, node in found.methods.items() if node is not compute and name != found.name
    )
    body = compute.child_by_field_name("body") if compute is not None else None
    if compute is not None and body is not None:
        shift_left(rewriter, body, 2)
        rewrite_body(FunctionBody(rewriter, operator.signature, handed=handed), compute)
        _member_calls(rewriter, body, found, type_parameter)
        align(rewriter, body)
    for member in members:
        _member(rewriter, member, handed)
    types = tuple(_types_of(found))
    for node in types:
        shift_left(rewriter, node, 2)
        rewrite_idioms(rewriter, node)
    reasons = list(_reasons_of(operator, found, {type_parameter, *devices}, bool(members)))
    reasons += _of_the_class_alone(found, types, type_parameter)
    if stays:
        reasons.append(_cannot_move(found, {*rewriter.stays_in_fluid}))
    headers = frozenset(rewriter.headers)
    return Kernel(found, type_parameter, edits, headers, tuple(reasons), stays, members, types)


_IN_A_CLASS = ("field_declaration", "alias_declaration", "type_definition", "template_declaration")


def _types_of(found: Class) -> Iterator[Node]:
    """What a class declares beside its functions: types, constants, fields."""
    body = found.node.child_by_field_name("body")
    for node in body.named_children if body is not None else ():
        is_function = any(n.type == "function_declarator" for n in node.children) or any(
            n.type == "function_definition" for n in node.children
        )
        if node.type in _IN_A_CLASS and not is_function:
            yield node


def _of_the_class_alone(
    found: Class, types: Iterable[Node], type_parameter: str
) -> Iterator[Reason]:
    """What of these is another thing outside of a class."""
    source = found.source
    for node in types:
        spelled = source.spell(node)
        name = next((source.spell(n) for n in walk(node) if n.type == "type_identifier"), "")
        if node.type == "field_declaration" and node.child_by_field_name("declarator") is not None:
            if not {"static", "constexpr"} & {*spelled.split()[:2]}:
                text = f"a function has no fields, and the class had `{' '.join(spelled.split())}`"
                yield Reason("kernel", text, source, span_of(node))
        elif type_parameter and _names(node, source, type_parameter):
            text = f"{name} is a template over {type_parameter} outside of its class: say of what"
            yield Reason("kernel", text, source, span_of(node))


def _names(node: Node, source: FluidText, name: str) -> bool:
    return any(n.type == "type_identifier" and source.spell(n) == name for n in walk(node))


def _type_parameter(found: Class) -> str:
    if found.base != "OpKernel":
        return ""
    named = found.base_arguments[0] if found.base_arguments else "T"
    return named if named in found.template else "T"


def _member(rewriter: Rewriter, member: Node, handed: Handed) -> None:
    """A function of the class: the same body rules, and for the whole context a device context and
    what it read."""
    shift_left(rewriter, member, 2)
    signature = handed.get(member.id)
    has_context = context_of(rewriter.source, locals_of(rewriter.source, member)) is not None
    rewriter.device = "dev_ctx" if has_context else ""
    rewrite_body(FunctionBody(rewriter, signature, is_called=True, handed=handed), member)
    declarator = member.child_by_field_name("declarator")
    if declarator is not None:
        rewrite_parameters(rewriter, declarator, signature)
        rewrite_idioms(rewriter, declarator)


def rewrite_parameters(
    rewriter: Rewriter, declarator: Node, signature: Signature | None = None
) -> None:
    """`const framework::ExecutionContext& context` is `const Context& dev_ctx` for what it calls,
    and the parameters of `signature`, which it read from the context."""
    tensor = "DenseTensor" if rewriter.in_namespace_phi else "phi::DenseTensor"
    more = signature.parameters if signature is not None else ()
    for node in walk(declarator):
        if node.type != "parameter_declaration":
            continue
        type_node = node.child_by_field_name("type")
        if type_node is not None and rewriter.source.spell(type_node).endswith("ExecutionContext"):
            new = "Context" if rewriter.device_types else "phi::DeviceContext"
            listed = [f"const {new}& dev_ctx", *(p.declared(tensor) for p in more)]
            rewriter.put(node, ", ".join(listed), rule="device_context")


def _member_calls(rewriter: Rewriter, body: Node, found: Class, type_parameter: str) -> None:
    for node in walk(body):
        if node.type == "call_expression":
            receiver, called, named = method_of_call(rewriter.source, node)
            own = called in found.methods and named is not None and named.type == "identifier"
            if own and receiver is None and named is not None:
                listed = f"{called}<{type_parameter}, Context>" if type_parameter else called
                rewriter.put(named, listed, rule="kernel")


# --- Why a person must look at it -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reason:
    """A comment above the kernel, and where in the old files it comes from."""

    rule: str
    text: str
    source: FluidText
    span: Span


def _reasons_of(
    operator: FluidOperator, found: Class, parameters: Collection[str], has_members: bool
) -> Iterator[Reason]:
    """`parameters` are those of the template's that PHI has as well; has_members: whether the class
    has functions beside Compute."""
    head = _head_of(found)

    def of_the_class(rule: str, text: str) -> Reason:
        return Reason(rule, text, found.source, head)

    if not operator.signature.by_maker:
        text = f"{GUESS}{IN_ORDER_OF_USE}"
        yield of_the_class("order", text)
    for source, node in operator.unnamed:
        text = "the maker adds a name here that nobody knows before it runs: add its parameter"
        yield Reason("order", text, source, span_of(node))
    if operator.op_type == operator.signature.name and operator.op_type in deprecated_op_names:
        name = operator.op_type
        text = (
            f"PHI has a kernel {name} that is no kernel of this operator's, but of what came after it: "
            "deprecated_op_names lists it; give this one another name and map to that"
        )
        yield of_the_class("v2", text)
    others = ", ".join(name for name in found.template if name not in parameters)
    if others:
        text = f"a PHI kernel is a template over T and Context, not {others}"
        yield of_the_class("kernel", text)
    for attribute, tensor in operator.kept_apart.items():
        known = operator.signature.find("attribute", attribute)
        one = scalar_type(known.cxx_type if known is not None else "")
        text = (
            f"{GUESS}{attribute} and {tensor} stay two, since the body does more with {tensor} than "
            f"read {attribute} from it; PHI has one {one} for both: look what the body does"
        )
        yield of_the_class("scalar", text)
    for parameter in operator.signature.of("attribute"):
        if parameter.as_tensor and not parameter.dynamic:
            text = (
                f"{GUESS}{parameter.name} stays a {parameter.cxx_type}, which the kernel reads, "
                f"though its maker says SupportTensor: PHI has {scalar_type(parameter.cxx_type)} for "
                "what may come as a tensor"
            )
            yield of_the_class("scalar", text)
    if found.compute is None:
        yield of_the_class("kernel", f"{found.name} has no Compute in these files")
    if has_members:
        text = (
            f"{GUESS}functions of the class are functions of their own now, called with its T and "
            "Context: look what else they used of the class"
        )
        yield of_the_class("kernel", text)


def _cannot_move(found: Class, names: Collection[str]) -> Reason:
    """The kernel can't move, for it uses these names."""
    listed = ", ".join(sorted(names)) or "what it uses"
    text = f"{listed} can't move to PHI, so this kernel stays in Fluid"
    return Reason("dependency", text, found.source, _head_of(found))


def _head_of(found: Class) -> Span:
    """`template <…> class TraceKernel : public framework::OpKernel<T>`."""
    body = found.node.child_by_field_name("body")
    end = body.start_byte if body is not None else found.item.end
    text = found.source.text[found.item.start : end]
    return Span(found.item.start, found.item.start + len(text.rstrip()))


# --- Its text -------------------------------------------------------------------------------------


def template_line(type_parameter: str, more: tuple[str, ...] = ()) -> str:
    """`template <typename T, typename Context>`, and what a member function is a template over."""
    names = [name for name in (type_parameter, "Context", *more) if name]
    return f"template <{', '.join(f'typename {name}' for name in names)}>\n"


def write_head(draft: PieceDraft, signature: Signature, name: str, tensor: str, kept: bool) -> Span:
    """`void TraceKernel(const Context& dev_ctx, …)`, a parameter to a line."""
    start = draft.length
    opening = f"void {name}("
    draft.write(opening)
    draft.write("const Context& dev_ctx", "dev_ctx" if kept else "")
    for parameter in signature.parameters:
        draft.write(",\n" + " " * len(opening))
        draft.write(parameter.declared(tensor), parameter.anchor if kept else "")
    draft.write(")")
    return Span(start, draft.length)


def write_kernel(draft: PieceDraft, kernel: Kernel, signature: Signature, name: str) -> None:
    """The comments above the class, then the function."""
    found = kernel.found
    source = found.source
    for reason in kernel.reasons:
        comment = f"{COMMENT}{reason.text}\n"
        draft.instead(reason.source, reason.span, comment, reason.rule, reason.text)
    for node in kernel.types:
        if kernel.type_parameter and _names(node, source, kernel.type_parameter):
            draft.write(f"template <typename {kernel.type_parameter}>\n")
        draft.copy(source, with_semicolon(node), kernel.edits)
        draft.write("\n\n")
    for member in kernel.members:
        own = type_parameters(source, member.parent) if member.parent is not None else ()
        draft.write(template_line(kernel.type_parameter, own))
        draft.copy(source, _without_const(member), kernel.edits)
        body = member.child_by_field_name("body")
        if body is not None:
            draft.write(" ")
            draft.copy(source, span_of(body), kernel.edits)
        draft.write("\n\n")
    draft.copy_comment_above(source, found.item)
    start = draft.length
    draft.write(template_line(kernel.type_parameter))
    tensor = "phi::DenseTensor" if kernel.stays_in_fluid else "DenseTensor"
    write_head(draft, signature, name, tensor, kept=True)
    new = Span(start, draft.length)
    rule = "kernel" if kernel.type_parameter else "context_alone"
    edit = Edit(_head_of(found), (draft.text[new.start : new.end],), RULES[rule])
    draft.placed.append(Placed(edit, source, new))
    compute = found.compute
    body = compute.child_by_field_name("body") if compute is not None else None
    if body is None:
        draft.write(";\n")
        return
    draft.write(" ")
    draft.copy(source, span_of(body), kernel.edits)
    draft.write("\n")


def _without_const(member: Node) -> Span:
    """The head of a member function, to its closing parenthesis."""
    for node in walk(member):
        if node.type == "parameter_list":
            return Span(member.start_byte, node.end_byte)
    return span_of(member)
