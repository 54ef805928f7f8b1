"""Element types: those that a kernel was registered for, and those of the outputs that differ."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from visualizer.migration.bodies.fluid_variables import dense_tensor_of, holders_of
from visualizer.migration.fluid_names import NAMES
from visualizer.migration.fluid_text import FluidText
from visualizer.migration.names import qualified, template_arguments
from visualizer.migration.pieces.kernel_class import Kernel
from visualizer.migration.reading.calls import method_of_call
from visualizer.migration.reading.context_reads import OUTPUTS, context_of, reads
from visualizer.migration.reading.declarations import Class, Fluid, KernelRegistration
from visualizer.migration.reading.scopes import Local, locals_of
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
    given = list(_tensors_given(fluid, source, context, variables))
    has_data_type = any(p.cxx_type == "DataType" for p in signature.of("attribute"))
    result: dict[int, tuple[str, Node]] = {}
    for index, output in enumerate(signature.of("output")):
        calls = [call for name, call in given if name == output.fluid_name]
        types = {
            source.spell(named): call for named, call in _allocations(source, variables, calls)
        }
        if not types and has_data_type and calls:
            result[index] = ("UNDEFINED", calls[0])
        elif types and kernel.type_parameter not in types:
            spelled, node = next(iter(types.items()))
            known = _DATA_TYPES.get(spelled, "UNDEFINED") if len(types) == 1 else "UNDEFINED"
            result[index] = (known, node)
    return result


def _tensors_given(
    fluid: Fluid, source: FluidText, context: Local, variables: list[Local]
) -> Iterator[tuple[str | None, Node]]:
    """Outputs by name, with the call that gives the tensor, itself or out of a variable."""
    for read in reads(fluid, source, context):
        if read.method in OUTPUTS:
            yield read.name, read.call
        elif read.method == "OutputVar":
            for holder in holders_of(variables, read.call):
                call = dense_tensor_of(source, fluid.aliases[source.index], holder)
                if call is not None:
                    yield read.name, call


def _allocations(
    source: FluidText, variables: list[Local], calls: list[Node]
) -> Iterator[tuple[Node, Node]]:
    """Type and call of each `mutable_data<T>` on one of these tensors, or on what keeps it."""
    holders = [v for v in variables if any(v.value == call for call in calls)]
    holders += [v for v in variables if any(_is_set(use, calls) for use in v.uses)]
    for node in (*calls, *(use for holder in holders for use in holder.uses)):
        allocation = _allocation(source, node)
        if allocation is not None:
            yield allocation


def _is_set(use: Node, calls: list[Node]) -> bool:
    outer = use.parent
    if outer is None or outer.type != "assignment_expression":
        return False
    return outer.child_by_field_name("left") == use and outer.child_by_field_name("right") in calls


def _allocation(source: FluidText, use: Node) -> tuple[Node, Node] | None:
    """The type and the call, of `use->mutable_data<T>(…)` or `use[0]->mutable_data<T>(…)`."""
    if use.parent is not None and use.parent.type == "subscript_expression":
        use = use.parent  # one of several
    member = use.parent
    call = member.parent if member is not None and member.type == "field_expression" else None
    if call is None or call.type != "call_expression":
        return None
    _, method, named = method_of_call(source, call)
    types = template_arguments(named) if named is not None else []
    return (types[0], call) if method == "mutable_data" and types else None
