"""What a function asks its context for: `ctx.Input<Tensor>("X")`, `ctx->Attrs().Get<int>("axis")`.

Every migration turns on these. A read is the call, the method, the name that it gives, and how the
result is kept: in a variable of its own, or used at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from visualizer.migration.fluid_text import FluidText
from visualizer.migration.names import template_arguments
from visualizer.migration.reading.calls import method_of_call, name_in, parts_of_call
from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.reading.scopes import Local, locals_of


@dataclass(frozen=True, slots=True)
class Read:
    """One call of a context's method. `name` is None where there is none, or it isn't a literal.

    use: the identifier of the context. type: what stands in `<…>`, if anything.
    """

    call: Node
    use: Node
    method: str
    name: str | None
    type: str
    arguments: tuple[Node, ...]


TENSORS = {"Input": False, "MultiInput": True, "Inputs": True}
OUTPUTS = {"Output": False, "MultiOutput": True, "Outputs": True}
ATTRIBUTES = ("Attr", "Get")


def context_of(source: FluidText, variables: list[Local]) -> Local | None:
    """The parameter that is an ExecutionContext or an InferShapeContext."""
    return next((v for v in variables if is_fluid_context(source, v)), None)


def is_fluid_context(source: FluidText, local: Local) -> bool:
    """Whether a variable is an ExecutionContext or an InferShapeContext."""
    spelled = source.spell(local.type_node) if local.type_node is not None else ""
    return spelled.endswith(("ExecutionContext", "InferShapeContext"))


def reads(fluid: Fluid, source: FluidText, context: Local) -> Iterator[Read]:
    """Every use of the context that is the call of a method."""
    for use in context.uses:
        call = call_on(use)
        if call is None:
            continue
        _, method, named = method_of_call(source, call)
        if method == "Attrs" and (outer := call_on(call)) is not None:  # ctx->Attrs().Get<T>(…)
            call = outer
            _, method, named = method_of_call(source, call)
        arguments = parts_of_call(call)[1]
        types = template_arguments(named) if named is not None else []
        yield Read(
            call,
            use,
            method,
            name_in(source, fluid.aliases[source.index], arguments[0] if arguments else None),
            source.spell(types[0]) if types else "",
            tuple(arguments),
        )


def call_on(receiver: Node) -> Node | None:
    """`receiver.method(…)`."""
    field = receiver.parent
    if field is None or field.type != "field_expression":
        return None
    if field.child_by_field_name("argument") != receiver:
        return None
    call = field.parent
    return call if call is not None and call.type == "call_expression" else None


def reads_of(fluid: Fluid, source: FluidText, function: Node) -> list[Read]:
    """The same for a function_definition, whose context is found first."""
    context = context_of(source, locals_of(source, function))
    return [] if context is None else list(reads(fluid, source, context))


def is_selected_rows(read: Read) -> bool:
    """`ctx.Input<framework::SelectedRows>("X")`"""
    return read.type.rpartition("::")[2] == "SelectedRows"


def is_type_cast(source: FluidText, value: Node) -> bool:
    """Whether a number is cast to an element type where it stands:
    `static_cast<framework::proto::VarType::Type>(dtype)`."""
    return _cast_around(source, value) is not None


def _cast_around(source: FluidText, call: Node) -> Node | None:
    listed = call.parent
    cast = listed.parent if listed is not None else None
    if cast is None or cast.type != "call_expression":
        return None
    function = cast.child_by_field_name("function")
    if function is None or function.type != "template_function":
        return None
    spelled = source.spell(function)
    return cast if spelled.startswith("static_cast") and "VarType::Type" in spelled else None


def with_cast(source: FluidText, read: Read) -> Node:
    """The read, or the cast to a VarType::Type around it."""
    return _cast_around(source, read.call) or read.call


def tensor_block(read: Read) -> Node | None:
    """`if (ctx.HasInput("AxisTensor")) { … }` around a question for the tensor, if it does nothing
    but set one variable of the function: all of that is what a Scalar does by itself."""
    if read.method not in ("HasInput", "HasInputs"):
        return None
    clause = read.call.parent
    statement = clause.parent if clause is not None else None
    if clause is None or clause.type != "condition_clause" or statement is None:
        return None
    if statement.type != "if_statement" or statement.child_by_field_name("alternative"):
        return None
    return statement
