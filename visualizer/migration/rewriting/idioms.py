"""Every idiom that needs no context: one walk over a stretch of C++, and PHI's form for each node.

Most are names of Fluid's, each replaced by PHI's: qualified ones, shorter ones that an alias made,
aliases. A name in one of Fluid's namespaces that no row knows is noted, unless these files declare
it.
"""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.fluid_names import (
    ALLOCATION_TYPES,
    COPIES,
    FLUID_NAMESPACES,
    GENERATOR,
    GRAD_VAR_NAME,
    NAMES,
    OF_EIGEN,
    STAYS_IN_FLUID,
    NewName,
)
from visualizer.migration.reading.fluid_text import is_inside, span_of, walk
from visualizer.migration.reading.names import method_of_call, name_in, parts_of_call, qualified
from visualizer.migration.rewriting.edits import Rewriter
from visualizer.migration.rewriting.memory import allocate, ask_place, copy, device_or_note


def rewrite_idioms(rewriter: Rewriter, node: Node, but: Iterable[Span] = ()) -> None:
    """All idioms below `node`, outside of the stretches `but`."""
    left_out = list(but)
    for below in walk(node):
        if any(is_inside(below, span) for span in left_out):
            continue
        if below.type == "call_expression":
            _call(rewriter, below)
        elif below.type == "qualified_identifier":
            if below.parent is None or below.parent.type != "qualified_identifier":
                _rename(rewriter, below)
        elif below.type in ("type_identifier", "identifier"):
            _rename_short(rewriter, below)
        elif below.type == "alias_declaration" or below.type == "using_declaration":
            _drop_alias(rewriter, below)


_LOGS = ("VLOG", "LOG", "CHECK", "CHECK_EQ", "CHECK_NE", "CHECK_LT", "CHECK_LE", "CHECK_GT")


def _call(rewriter: Rewriter, call: Node) -> None:
    function, arguments = parts_of_call(call)
    receiver, method, named = method_of_call(rewriter.source, call)
    if method == "mutable_data" and receiver is not None:
        allocate(rewriter, call, receiver, named, arguments)
        return
    if function is None or function.type not in ("qualified_identifier", "identifier"):
        return
    name = "::".join(rewriter.full_name(function))
    if name == GRAD_VAR_NAME and rewriter.in_namespace_phi:  # left in a message, as a rule
        of = name_in(rewriter.source, rewriter.aliases, call)
        if of is None:
            rewriter.note(
                call, "unknown", "the gradient of what name, is only known when this runs"
            )
        else:
            rewriter.put(call, f'"{of}"', rule="unknown")
        return
    if name in _LOGS:
        rewriter.headers.add("glog/logging.h")
    if name in ("TensorCopy", "TensorCopySync"):  # found by their arguments' namespace
        name = f"framework::{name}"
    if name in COPIES:
        copy(rewriter, call, name, arguments)
    elif name in ALLOCATION_TYPES and len(arguments) == 1:
        ask_place(rewriter, call, name, arguments[0])
    elif name == GENERATOR:
        device = device_or_note(rewriter, call, "generator")
        if device:
            rewriter.put(call, f"{device}GetGenerator()", rule="generator")
    elif name == "framework::vectorize2int":
        rewriter.put(function, "phi::vectorize<int>", rule="ddim")


# --- Names ----------------------------------------------------------------------------------------


def _rename(rewriter: Rewriter, node: Node) -> None:
    """A qualified name: the longest part of it that has a row is replaced."""
    whole = qualified(rewriter.source, node)
    parts = rewriter.aliases.in_full(whole.parts)
    if len(parts) > 1 and _is_a_member(rewriter, *parts[-2:]):
        start = whole.ends[-1] - len(whole.parts[-1])
        rewriter.put(Span(node.start_byte, start), rule="function")
        return
    if len(parts) > 1 and any(c.name == parts[-2] for c in rewriter.fluid.kernels.values()):
        reason = f"{parts[-2]} is no class any more: say what its {parts[-1]} has become"
        rewriter.note(node, "function", reason)
    for count in range(len(parts), 0, -1):
        row = NAMES.get("::".join(parts[:count]))
        if row is not None:
            dropped = len(parts) - count  # parts behind the name: `…::Type`
            end = whole.ends[len(whole.ends) - dropped - 1]
            _replace(rewriter, Span(node.start_byte, end), row)
            return
    name = "::".join(parts)
    if name in COPIES or name in ALLOCATION_TYPES or name == GENERATOR:
        return
    if name == GRAD_VAR_NAME or _is_a_parameters_type(node, name):
        return
    if not parts or parts[0] not in FLUID_NAMESPACES:
        return
    if not _is_declared_here(rewriter, parts):
        _unknown(rewriter, node, "::".join(parts))
    elif rewriter.in_namespace_phi:  # it comes along, into this namespace
        start = whole.ends[-1] - len(whole.parts[-1])
        rewriter.put(Span(node.start_byte, start), rule="function")


def _is_a_member(rewriter: Rewriter, owner: str, name: str) -> bool:
    """Whether it is a function of the operator's class, which is a function of its own in PHI."""
    return any(d.owner == owner and d.name == name for d in rewriter.fluid.declarations)


def _replace(rewriter: Rewriter, span: Span, row: NewName) -> None:
    if row.header:
        rewriter.headers.add(row.header)
    phi = row.phi
    if not rewriter.in_namespace_phi and not phi.startswith("phi::"):
        phi = f"phi::{phi}"
    if rewriter.source.cut(span) != phi:
        rewriter.put(span, phi, rule=row.rule)


def _is_declared_here(rewriter: Rewriter, parts: tuple[str, ...]) -> bool:
    return len(parts) == 2 and any(
        h.name == parts[1] and h.node.type != "using_declaration"
        for h in rewriter.fluid.declarations
    )


def _unknown(rewriter: Rewriter, node: Node, name: str) -> None:
    if name in STAYS_IN_FLUID:
        rewriter.stays_in_fluid.append(name)
        return
    if name.startswith(("math::", "operators::", "detail::", "memory::")):
        reason = f"{name} is Fluid's: move it to phi/kernels/funcs, or see whether it is there"
        rewriter.note(node, "dependency", reason)
        return
    rewriter.note(node, "unknown", f"no row of the table says what {name} is in PHI")


def _rename_short(rewriter: Rewriter, node: Node) -> None:
    """A name without a namespace: the DeviceContext of a template, or one that an alias made."""
    name = rewriter.source.spell(node)
    if _is_part_of_a_longer_name(node):
        return
    if name in rewriter.device_types and node.type == "type_identifier":
        if name != "Context":
            rewriter.put(node, "Context", rule="context")
        return
    if name in OF_EIGEN:
        _replace(rewriter, span_of(node), NAMES[name])
    if name not in rewriter.aliases.names:
        if name in ("Tensor", "LoDTensor") and node.type == "type_identifier":
            _replace(rewriter, span_of(node), NAMES[f"framework::{name}"])
        return
    if any(node.id == use.id for local in rewriter.locals for use in local.uses):
        return
    full = "::".join(rewriter.aliases.in_full((name,)))
    if full in NAMES:
        _replace(rewriter, span_of(node), NAMES[full])


def _drop_alias(rewriter: Rewriter, node: Node) -> None:
    """`using Tensor = framework::Tensor;`: what it named has a name of its own now."""
    if node.type == "using_declaration":
        names = [rewriter.source.spell(node.named_children[-1]).rpartition("::")[2]]
    else:
        named = node.child_by_field_name("name")
        names = [rewriter.source.spell(named)] if named is not None else []
    full = "::".join(rewriter.aliases.in_full((names[0],))) if names else ""
    if names and names[0] in rewriter.aliases.names and full in NAMES:
        rewriter.take_out(node, NAMES[full].rule)


def _is_part_of_a_longer_name(node: Node) -> bool:
    outer = node.parent
    while outer is not None and outer.type in ("template_type", "template_function"):
        if outer.child_by_field_name("name") != node:
            return False
        node, outer = outer, outer.parent
    if outer is None:
        return False
    if outer.type == "qualified_identifier":
        return True
    if outer.type in ("alias_declaration", "type_parameter_declaration"):
        return outer.type == "alias_declaration" and outer.child_by_field_name("name") == node
    return outer.type in ("using_declaration", "class_specifier", "struct_specifier")


def _is_a_parameters_type(node: Node, name: str) -> bool:
    """`const framework::ExecutionContext& ctx`: that is replaced as a whole."""
    outer = node.parent
    is_context = name in ("framework::ExecutionContext", "framework::InferShapeContext")
    return is_context and outer is not None and outer.type == "parameter_declaration"
