"""`ctx.InputVar("X")`: a framework::Variable, which may hold anything. PHI's kernels get what is in it.

A kernel that asks a variable only for its dense tensor, once or through a local variable, can do
without: `var->Get<LoDTensor>()` is the parameter. One that looks what there is in the variable was
several kernels in one, and becomes several in PHI: another one is registered for SelectedRows.
"""

from __future__ import annotations

from dataclasses import replace

from tree_sitter import Node

from visualizer.migration.bodies.body import Body, anchor_of
from visualizer.migration.bodies.variables import kept_in, put_parameter
from visualizer.migration.fluid_text import FluidText
from visualizer.migration.names import Aliases, qualified, template_arguments
from visualizer.migration.reading.calls import method_of_call
from visualizer.migration.reading.context_reads import Read, call_on
from visualizer.migration.reading.scopes import Local, locals_of
from visualizer.migration.signature import Parameter

_DENSE = frozenset({"framework::Tensor", "framework::LoDTensor", "phi::DenseTensor"})
_NO_VARIABLES = "a PHI kernel is given tensors and no variables: one kernel for each type of tensor"


def ask_variable(body: Body, read: Read, parameter: Parameter) -> None:
    """Everything that is asked of the variable, or else a note."""
    local = kept_in(body, read.call)
    holders = holders_of(body.rewriter.locals, read.call)
    asked = [dense_tensor_of(body.rewriter.source, body.rewriter.aliases, h) for h in holders]
    if parameter.optional and holders == [read.call] and asked == [None]:
        body.rewriter.put(read.call, f"{parameter.name}.get_ptr()", rule="variable")
        return
    if parameter.many or None in asked:
        body.cannot(read, _NO_VARIABLES)
        return
    if local is not None and local.declaration is not None:
        body.take_out(local.declaration, "variable", anchor_of(parameter))
    for call in asked:
        if call is not None:
            _put_tensor(body, replace(read, call=call), parameter)


def _put_tensor(body: Body, read: Read, parameter: Parameter) -> None:
    _, method, _ = method_of_call(body.rewriter.source, read.call)
    name = f"{parameter.name}.get()" if parameter.optional else parameter.name
    if method == "IsType":
        body.rewriter.put(read.call, "true", rule="variable", anchor=anchor_of(parameter))
    elif method == "Get" and parameter.kind == "output":
        body.rewriter.put(read.call, f"(*{name})", rule="variable", anchor=anchor_of(parameter))
    else:
        put_parameter(body, read, parameter, "=", name, "variable")


def holders_of(variables: list[Local], call: Node) -> list[Node]:
    """Where the variable that a call gives is used: there, or wherever what keeps it is."""
    kept = next((v for v in variables if v.value is not None and v.value == call), None)
    return kept.uses if kept is not None and goes_alone(kept) else [call]


def goes_alone(local: Local) -> bool:
    """Whether a variable's declaration can be taken out."""
    statement = local.declaration
    return local.alone and statement is not None and statement.type == "declaration"


def dense_tensor_of(source: FluidText, aliases: Aliases, variable: Node) -> Node | None:
    """`variable->Get<LoDTensor>()` or a sister of it, around `variable`; None for all else."""
    call = call_on(variable)
    if call is None:
        return None
    _, method, named = method_of_call(source, call)
    types = template_arguments(named) if named is not None else []
    if method not in ("Get", "GetMutable", "IsType") or len(types) != 1:
        return None
    inner = types[0].named_children[0] if types[0].named_children else types[0]
    full = "::".join(aliases.in_full(qualified(source, inner).parts))
    return call if full in _DENSE or full in ("Tensor", "LoDTensor") else None


def taken_out(source: FluidText, aliases: Aliases, function: Node) -> list[Node]:
    """The declarations of variables that a kernel can do without."""
    found: list[Node] = []
    for local in locals_of(source, function):
        if local.value is None or local.value.type != "call_expression" or not goes_alone(local):
            continue
        _, method, _ = method_of_call(source, local.value)
        plain = all(dense_tensor_of(source, aliases, use) is not None for use in local.uses)
        if method in ("InputVar", "OutputVar") and plain and local.declaration is not None:
            found.append(local.declaration)
    return found
