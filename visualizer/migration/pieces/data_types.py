"""Element types: those that a kernel was registered for, and those of the outputs that differ."""

from __future__ import annotations

from tree_sitter import Node

from visualizer.migration.fluid_names import NAMES
from visualizer.migration.fluid_text import FluidText
from visualizer.migration.names import qualified, template_arguments
from visualizer.migration.pieces.kernel_class import Kernel
from visualizer.migration.reading.calls import method_of_call
from visualizer.migration.reading.context_reads import OUTPUTS, context_of, reads
from visualizer.migration.reading.declarations import Class, Fluid, KernelRegistration
from visualizer.migration.reading.scopes import locals_of
from visualizer.migration.signature import Signature

_DATA_TYPES = {
    "bool": "BOOL", "int8_t": "INT8", "uint8_t": "UINT8", "int16_t": "INT16", "int": "INT32",
    "int32_t": "INT32", "int64_t": "INT64", "float": "FLOAT32", "double": "FLOAT64",
}  # fmt: skip


def dtypes(fluid: Fluid, registration: KernelRegistration, found: Class, name: str) -> list[str]:
    """What was registered, as PHI spells it outside of its namespace."""
    listed: list[str] = []
    index = found.template.index(name) if name in found.template else None
    for registered in registration.classes:
        if index is not None and index < len(registered.arguments):
            listed.append(global_type(fluid, registration.source, registered.arguments[index]))
        elif found.base_arguments:
            listed.append(found.base_arguments[0])
    return list(dict.fromkeys(listed))


def global_type(fluid: Fluid, source: FluidText, node: Node) -> str:
    """`plat::complex<float>` is phi::dtype::complex<float>."""
    inner = node.named_children[0] if node.type == "type_descriptor" else node
    if inner.type != "qualified_identifier":
        return source.spell(node)
    parts = fluid.aliases[source.index].in_full(qualified(source, inner).parts)
    row = NAMES.get("::".join(parts))
    if row is None:
        return source.spell(node)
    arguments = ", ".join(global_type(fluid, source, a) for a in template_arguments(inner))
    return f"phi::{row.phi.removeprefix('phi::')}" + (f"<{arguments}>" if arguments else "")


def output_types(fluid: Fluid, signature: Signature, kernel: Kernel) -> dict[int, tuple[str, Node]]:
    """Outputs that are of another type than T: which, its DataType, and the allocation that says
    so.

    UNDEFINED where that is known only when the kernel runs.
    """
    found = kernel.found
    compute = found.compute
    if compute is None:
        return {}
    source = found.source
    variables = locals_of(source, compute)
    context = context_of(source, variables)
    if context is None:
        return {}
    asked = [r for r in reads(fluid, source, context) if r.method in OUTPUTS]
    has_data_type = any(p.cxx_type == "DataType" for p in signature.of("attribute"))
    result: dict[int, tuple[str, Node]] = {}
    for index, output in enumerate(signature.of("output")):
        calls = [r.call for r in asked if r.name == output.fluid_name]
        holders = [v for v in variables if any(v.value == c for c in calls)]
        holders += [v for v in variables if any(_is_set(u, calls) for u in v.uses)]
        allocated = [
            a for v in holders for u in v.uses if (a := _allocation(source, u)) is not None
        ]
        types = {source.spell(t[0]): t[1] for t in allocated}
        if not types and has_data_type and calls:
            result[index] = ("UNDEFINED", calls[0])
        elif types and kernel.type_parameter not in types:
            spelled, node = next(iter(types.items()))
            result[index] = (
                _DATA_TYPES.get(spelled, "UNDEFINED") if len(types) == 1 else "UNDEFINED",
                node,
            )
    return result


def _is_set(use: Node, calls: list[Node]) -> bool:
    outer = use.parent
    if outer is None or outer.type != "assignment_expression":
        return False
    return outer.child_by_field_name("left") == use and outer.child_by_field_name("right") in calls


def _allocation(source: FluidText, use: Node) -> tuple[Node, Node] | None:
    """The type and the call, of `use->mutable_data<T>(…)`."""
    member = use.parent
    call = member.parent if member is not None and member.type == "field_expression" else None
    if call is None or call.type != "call_expression":
        return None
    _, method, named = method_of_call(source, call)
    types = template_arguments(named) if named is not None else []
    return (types[0], call) if method == "mutable_data" and types else None
