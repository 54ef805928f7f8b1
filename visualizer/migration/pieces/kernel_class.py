"""A kernel's class, rewritten: its Compute, the functions beside it, and what a person must look at."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from visualizer.migration.bodies.body import Body
from visualizer.migration.bodies.fluid_variables import taken_out
from visualizer.migration.bodies.rewrite import rewrite_body
from visualizer.migration.edits import Edits
from visualizer.migration.fluid_names import STAYS_IN_FLUID
from visualizer.migration.fluid_text import walk
from visualizer.migration.names import qualified
from visualizer.migration.operators import Operator
from visualizer.migration.pieces.kernel_reasons import Reason, reasons_of, stays_in_fluid
from visualizer.migration.reading.calls import method_of_call
from visualizer.migration.reading.context_reads import reads_of
from visualizer.migration.reading.declarations import Class, Fluid
from visualizer.migration.rewriting.idioms import rewrite_idioms
from visualizer.migration.rewriting.indentation import align, shift_left
from visualizer.migration.rewriting.rewriter import Rewriter

_DEVICE_NAMES = ("DeviceContext", "Context", "DeviceContextT")


@dataclass(frozen=True, slots=True)
class Kernel:
    """A class kernel, rewritten for one operator. `type_parameter` is "" for one over Context
    alone."""

    found: Class
    type_parameter: str
    edits: Edits
    headers: frozenset[str]
    reasons: tuple[Reason, ...]
    stays_in_fluid: bool
    members: tuple[Node, ...]


def needs_fluid(fluid: Fluid, found: Class) -> bool:
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


def device_parameters(found: Class) -> frozenset[str]:
    """What the template calls its device context."""
    return frozenset(name for name in found.template if name in _DEVICE_NAMES)


def rewrite_kernels(fluid: Fluid, operator: Operator) -> dict[str, Kernel]:
    """All classes that are registered as the operator's kernels, by their names."""
    classes = [operator.class_for(fluid, registration) for registration in operator.kernels]
    return {c.name: _rewrite(fluid, operator, c) for c in classes if c is not None}


def _rewrite(fluid: Fluid, operator: Operator, found: Class) -> Kernel:
    """All that changes in a class kernel."""
    stays, compute = needs_fluid(fluid, found), found.compute
    edits, devices, type_parameter = Edits(), device_parameters(found), _type_parameter(found)
    rewriter = Rewriter(fluid, found.source, edits, devices, "dev_ctx", not stays)
    members = tuple(
        node for name, node in found.methods.items() if node is not compute and name != found.name
    )
    body = compute.child_by_field_name("body") if compute is not None else None
    if compute is not None and body is not None:
        shift_left(rewriter, body, 2)
        rewrite_body(Body(rewriter, operator.signature), compute)
        _member_calls(rewriter, body, found, type_parameter)
        align(rewriter, body)
    for member in members:
        _member(rewriter, member)
    reasons = list(reasons_of(operator, found, {type_parameter, *devices}, bool(members)))
    if stays:
        reasons.append(stays_in_fluid(found, {*rewriter.stays_in_fluid}))
    headers = frozenset(rewriter.headers)
    return Kernel(found, type_parameter, edits, headers, tuple(reasons), stays, members)


def _type_parameter(found: Class) -> str:
    if found.base != "OpKernel":
        return ""
    named = found.base_arguments[0] if found.base_arguments else "T"
    return named if named in found.template else "T"


def _member(rewriter: Rewriter, member: Node) -> None:
    """A function of the class: the same body rules, and a device context for the whole one."""
    shift_left(rewriter, member, 2)
    rewrite_body(Body(rewriter, None), member)
    declarator = member.child_by_field_name("declarator")
    if declarator is not None:
        rewrite_parameters(rewriter, declarator)
        rewrite_idioms(rewriter, declarator)


def rewrite_parameters(rewriter: Rewriter, declarator: Node) -> None:
    """`const framework::ExecutionContext& context` is `const Context& dev_ctx` for what it calls."""
    for node in walk(declarator):
        if node.type != "parameter_declaration":
            continue
        type_node = node.child_by_field_name("type")
        if type_node is not None and rewriter.source.spell(type_node).endswith("ExecutionContext"):
            new = "Context" if rewriter.device_types else "phi::DeviceContext"
            rewriter.put(node, f"const {new}& dev_ctx", rule="device_context")


def _member_calls(rewriter: Rewriter, body: Node, found: Class, type_parameter: str) -> None:
    for node in walk(body):
        if node.type == "call_expression":
            receiver, called, named = method_of_call(rewriter.source, node)
            own = called in found.methods and named is not None and named.type == "identifier"
            if own and receiver is None and named is not None:
                listed = f"{called}<{type_parameter}, Context>" if type_parameter else called
                rewriter.put(named, listed, rule="kernel")
