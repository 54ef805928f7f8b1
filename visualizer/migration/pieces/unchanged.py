"""Whether an InferShape does no more than PHI's UnchangedInferMeta: one shape, copied."""

from __future__ import annotations

from tree_sitter import Node

from visualizer.migration.fluid_text import FluidText
from visualizer.migration.reading.calls import method_of_call, name_in, parts_of_call
from visualizer.migration.reading.context_reads import Read, reads_of
from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.signature import Signature


def only_copies(fluid: Fluid, signature: Signature, source: FluidText, function: Node) -> bool:
    """Whether it gives the only output the first input's shape, and does nothing else."""
    inputs, outputs = signature.of("input"), signature.of("output")
    body = function.child_by_field_name("body")
    if not inputs or len(outputs) != 1 or inputs[0].many or outputs[0].many or body is None:
        return False
    first, out = inputs[0].fluid_name, outputs[0].fluid_name
    copies = {r.call.id for r in reads_of(fluid, source, function) if _asks_dims(r, first)}
    done: set[str] = set()
    for statement in body.named_children:
        if statement.type != "comment":
            done.add(_what_it_does(fluid, source, statement, (first, out), copies))
    return "copies" in done and done <= {"copies", "shares LoD", "checks"}


def _asks_dims(read: Read, name: str) -> bool:
    return read.method == "GetInputDim" and read.name == name


def _what_it_does(
    fluid: Fluid, source: FluidText, statement: Node, names: tuple[str, str], dims: set[int]
) -> str:
    """ "" for anything that is more than one of the three. `dims` are calls that give the input's."""
    call = statement.named_children[0] if statement.named_children else None
    if statement.type != "expression_statement" or call is None or call.type != "call_expression":
        return ""
    _, method, _ = method_of_call(source, call)
    arguments = parts_of_call(call)[1]
    if method.startswith("PADDLE_ENFORCE") or method == "OP_INOUT_CHECK":
        asked = source.spell(arguments[0]).rpartition(">")[2] if arguments else ""
        return "checks" if asked.startswith(("HasInput", "HasOutput")) else ""
    named = tuple(name_in(source, fluid.aliases[source.index], a) for a in arguments)
    if method in ("ShareDim", "ShareLoD") and named == names:
        return "copies" if method == "ShareDim" else "shares LoD"
    if method == "SetOutputDim" and named[:1] == names[1:] and arguments[1:2]:
        return "copies" if arguments[1].id in dims else ""
    return ""
