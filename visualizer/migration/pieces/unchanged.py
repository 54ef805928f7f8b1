"""Whether an InferShape does no more than PHI's UnchangedInferMeta: one shape, copied."""

from __future__ import annotations

from tree_sitter import Node

from visualizer.migration.fluid_text import FluidText
from visualizer.migration.reading.calls import method_of_call, name_in, parts_of_call
from visualizer.migration.reading.context_reads import reads_of
from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.signature import Signature


def only_copies(fluid: Fluid, signature: Signature, source: FluidText, function: Node) -> bool:
    """Whether it gives the first output the first input's shape, and does nothing else."""
    if not signature.of("input") or len(signature.of("output")) != 1:
        return False
    body = function.child_by_field_name("body")
    first, out = signature.of("input")[0], signature.of("output")[0]
    if first.many or out.many:
        return False
    copies = False
    for statement in body.named_children if body is not None else ():
        if statement.type == "comment":
            continue
        call = statement.named_children[0] if statement.named_children else None
        if statement.type != "expression_statement" or call is None:
            return False
        if call.type != "call_expression":
            return False
        _, method, _ = method_of_call(source, call)
        arguments = parts_of_call(call)[1]
        if method.startswith("PADDLE_ENFORCE") or method == "OP_INOUT_CHECK":
            asked = source.spell(arguments[0]).rpartition(">")[2] if arguments else ""
            if not asked.startswith(("HasInput", "HasOutput")):
                return False
            continue
        names = [name_in(source, fluid.aliases[source.index], a) for a in arguments]
        if method in ("ShareDim", "ShareLoD") and names == [first.fluid_name, out.fluid_name]:
            copies = copies or method == "ShareDim"
            continue
        if method != "SetOutputDim" or names[0] != out.fluid_name:
            return False
        asked = [r for r in reads_of(fluid, source, function) if r.call == arguments[1]]
        if not asked or asked[0].method != "GetInputDim" or asked[0].name != first.fluid_name:
            return False
        copies = True
    return copies
