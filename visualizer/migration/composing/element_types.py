"""Element types: those that a kernel was registered for, and those of the outputs.

A registration says which outputs have another type than T, or one that is known only when the kernel
runs. Then the InferMeta must tell, by an attribute or by an input.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from visualizer.migration.composing.kernels import Kernel
from visualizer.migration.fluid_names import NAMES
from visualizer.migration.migration import GUESS
from visualizer.migration.reading.declarations import Class, Fluid, KernelRegistration
from visualizer.migration.reading.fluid_text import FluidText, walk
from visualizer.migration.reading.functions import (
    OUTPUTS,
    TENSORS,
    Local,
    context_of,
    locals_of,
    reads,
    reads_of,
)
from visualizer.migration.reading.handing import bodies, call_with, functions_below, name_of
from visualizer.migration.reading.names import (
    method_of_call,
    name_in,
    parts_of_call,
    qualified,
    template_arguments,
)
from visualizer.migration.reading.operators import FluidOperator
from visualizer.migration.reading.signature import Parameter, Signature
from visualizer.migration.rewriting.questions import dense_tensor_of, holders_of

_DATA_TYPES = {
    "bool": "BOOL", "int8_t": "INT8", "uint8_t": "UINT8", "int16_t": "INT16", "int": "INT32",
    "int32_t": "INT32", "int64_t": "INT64", "float": "FLOAT32", "double": "FLOAT64",
}  # fmt: skip


def dtypes(fluid: Fluid, registration: KernelRegistration, found: Class, name: str) -> list[str]:
    """What was registered, as PHI spells it outside of its namespace."""
    listed: list[str] = []
    index = found.arguments.index(name) if name in found.arguments else None
    for registered in registration.classes:
        if index is not None and index < len(registered.arguments):
            listed.append(_global_type(fluid, registration.source, registered.arguments[index]))
        elif found.base_arguments:
            listed.append(found.base_arguments[0])
    first: dict[str, str] = {}
    for spelled in listed:
        first.setdefault(
            "int" if spelled == "int32_t" else spelled, spelled
        )  # two names of one type
    return list(first.values())


def _global_type(fluid: Fluid, source: FluidText, node: Node) -> str:
    """`plat::complex<float>` is phi::dtype::complex<float>."""
    inner = node.named_children[0] if node.type == "type_descriptor" else node
    if inner.type != "qualified_identifier":
        return source.spell(node)
    parts = fluid.aliases[source.index].in_full(qualified(source, inner).parts)
    row = NAMES.get("::".join(parts))
    if row is None:
        return source.spell(node)
    arguments = ", ".join(_global_type(fluid, source, a) for a in template_arguments(inner))
    return f"phi::{row.phi.removeprefix('phi::')}" + (f"<{arguments}>" if arguments else "")


UNSEEN = "?"  # allocated by something that isn't in these files


def output_types(fluid: Fluid, signature: Signature, kernel: Kernel) -> dict[int, tuple[str, Node]]:
    """Outputs that are of another type than T: which, its DataType, and the allocation that says
    so, in the kernel or in what it hands the output on to.

    UNDEFINED where that is known only when the kernel runs, UNSEEN where nobody can see it here.
    """
    found = kernel.found
    compute = found.compute
    if compute is None:
        return {}
    result: dict[int, tuple[str, Node]] = {}
    for text, function in functions_below(fluid, (found.source, compute)):
        for index, said in _types_in(fluid, signature, kernel, text, function):
            result.setdefault(index, said)
    return result


def _types_in(
    fluid: Fluid, signature: Signature, kernel: Kernel, source: FluidText, function: Node
) -> Iterator[tuple[int, tuple[str, Node]]]:
    """The same of one function that has the context."""
    variables = locals_of(source, function)
    context = context_of(source, variables)
    if context is None:
        return
    given = list(_tensors_given(fluid, source, context, variables))
    has_data_type = any(p.cxx_type == "DataType" for p in signature.of("attribute"))
    for index, output in enumerate(signature.of("output")):
        calls = [call for name, call in given if name == output.fluid_name]
        types = {
            source.spell(named): call for named, call in _allocations(source, variables, calls)
        }
        handed_on = list(_handed_on(fluid, source, variables, calls)) if not types else []
        types |= {spelled: node for spelled, node in handed_on if spelled}
        if not types and has_data_type and calls:
            yield index, ("UNDEFINED", calls[0])
        elif not types and (handed_on or calls):
            yield index, (UNSEEN, handed_on[0][1] if handed_on else calls[0])
        elif types and kernel.type_parameter not in types:
            spelled, node = next(iter(types.items()))
            known = _DATA_TYPES.get(spelled, "UNDEFINED") if len(types) == 1 else "UNDEFINED"
            yield index, (known, node)


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


def _handed_on(
    fluid: Fluid, source: FluidText, variables: list[Local], calls: list[Node]
) -> Iterator[tuple[str, Node]]:
    """Of each function and functor that is given one of these tensors: the type that it allocates,
    and where; "" for what is in no file here."""
    holders = [v for v in variables if any(v.value == call for call in calls)]
    given = [*calls, *(use for holder in holders for use in holder.uses)]
    yield from _allocated_by_callees(fluid, source, given, 0)


def _allocated_by_callees(
    fluid: Fluid, source: FluidText, given: list[Node], depth: int
) -> Iterator[tuple[str, Node]]:
    for argument in given:
        call = call_with(argument)
        if call is None:
            continue
        called, arguments = parts_of_call(call)
        name = name_of(source, called)
        if not name or name in _NO_ALLOCATIONS:
            continue
        index = arguments.index(argument)
        found_bodies = list(bodies(fluid, name))
        if not found_bodies or depth == _DEEPEST:
            yield "", call
        for text, function in found_bodies:
            inside = [v for v in locals_of(text, function) if v.declaration is not None]
            parameters = [v for v in inside if _is_parameter(v)]
            uses = parameters[index].uses if index < len(parameters) else []
            found = [made for use in uses if (made := _allocation(text, use)) is not None]
            yield from ((text.spell(named), node) for named, node in found)
            if not found:
                yield from _allocated_by_callees(fluid, text, uses, depth + 1)


# Which write into memory that is there, or allocate what they copy from.
_NO_ALLOCATIONS = ("TensorCopy", "TensorCopySync", "From", "Flatten", "Reshape")
_DEEPEST = 3


def _is_parameter(local: Local) -> bool:
    declaration = local.declaration
    return declaration is not None and "parameter" in declaration.type


def _is_set(use: Node, calls: list[Node]) -> bool:
    outer = use.parent
    if outer is None or outer.type != "assignment_expression":
        return False
    return outer.child_by_field_name("left") == use and outer.child_by_field_name("right") in calls


def _allocation(source: FluidText, use: Node) -> tuple[Node, Node] | None:
    """The type and the call, of `use->mutable_data<T>(…)` or `use[0]->mutable_data<T>(…)`."""
    if use.parent is not None and use.parent.type == "subscript_expression":
        use = use.parent  # one of several
    if (asked := _asked_of_a_context(source, use)) is not None:
        return asked
    member = use.parent
    call = member.parent if member is not None and member.type == "field_expression" else None
    if call is None or call.type != "call_expression":
        return None
    _, method, named = method_of_call(source, call)
    types = template_arguments(named)
    return (types[0], call) if method == "mutable_data" and types else None


def _asked_of_a_context(source: FluidText, use: Node) -> tuple[Node, Node] | None:
    """The same of `dev_ctx.template Alloc<T>(use)`."""
    call = call_with(use)
    if call is None:
        return None
    _, method, named = method_of_call(source, call)
    types = template_arguments(named)
    asked = method in ("Alloc", "HostAlloc") and types and parts_of_call(call)[1][0] == use
    return (types[0], call) if asked else None


# --- What an InferMeta says -----------------------------------------------------------------------


def type_of_output(
    fluid: Fluid, operator: FluidOperator, index: int, types: dict[int, str]
) -> tuple[str, str]:
    """The expression that gives it, and "", or what it rests on; or "" and what a person has to say.
    `types` are those that differ from the kernel's, by the outputs' places."""
    signature = operator.signature
    output = signature.of("output")[index].name
    attribute = said_by(signature)
    given, doubt = kernels_input(fluid, operator)
    own = signature.find("input", signature.of("output")[index].fluid_name.removesuffix("@GRAD"))
    if signature.is_gradient and own is not None and not own.optional:
        given, doubt = own, ""  # a gradient is of the type of what it is the gradient of
    known = types.get(index, "")
    if known == UNSEEN:
        value, reason = type_of_output(fluid, operator, index, {**types, index: ""})
        rests = (
            f"nothing here shows of which type {output} is allocated: look what is given {output}"
        )
        return value, reason or f"{GUESS}{rests}"
    if known not in ("", "UNDEFINED"):
        return f"phi::DataType::{known}", ""
    if attribute is not None and (known or "UNDEFINED" not in types.values()):
        return _by(fluid, operator, attribute, output, given if not known else None)
    if known or given is None:
        return "", f"say of which type {output} is: set_dtype"
    if given.optional:
        return "", f"{given.name} may be missing: say of which type {output} is: set_dtype"
    value = f"{given.name}[0]->dtype()" if given.many else f"{given.name}.dtype()"
    return value, f"{GUESS}{output} is taken to be of {given.name}'s type: {doubt}" if doubt else ""


def kernels_input(fluid: Fluid, operator: FluidOperator) -> tuple[Parameter | None, str]:
    """The input whose type is the kernel's, and what makes that doubtful, if anything does.

    Fluid took the type that all inputs have, unless the operator's class says which one counts."""
    inputs = sorted(operator.signature.of("input"), key=lambda p: p.optional)
    first = inputs[0] if inputs else None
    infer = operator.infer
    function = infer.methods.get("GetExpectedKernelType") if infer is not None else None
    if infer is None or function is None:
        return first, ""
    source = fluid.source_of(function)
    named = {
        r.name for r in reads_of(fluid, source, function) if r.method in (*TENSORS, "InputVar")
    }
    for node in walk(function):
        if node.type == "call_expression":
            called, arguments = parts_of_call(node)
            if name_of(source, called) == "IndicateVarDataType" and len(arguments) == 2:
                named.add(name_in(source, fluid.aliases[source.index], arguments[1]))
    told = next(iter(named)) if len(named) == 1 else None
    known = operator.signature.find("input", told) if told is not None else None
    doubt = "" if known is not None else "look in GetExpectedKernelType, which names no one input"
    return known or first, doubt


def said_by(signature: Signature) -> Parameter | None:
    """The attribute that is the type of an output."""
    found = {p.fluid_name: p for p in signature.of("attribute") if p.cxx_type == "DataType"}
    found.pop("in_dtype", None)
    return found.get("out_dtype") or found.get("dtype") or next(iter(found.values()), None)


def _by(
    fluid: Fluid,
    operator: FluidOperator,
    attribute: Parameter,
    output: str,
    given: Parameter | None,
) -> tuple[str, str]:
    """By an attribute, unless it may be unset, or unless the type may as well be `given`'s."""
    if given is not None and not _is_the_kernels_type(fluid, operator, attribute):
        either = f"{attribute.name} or that of {given.name}"
        return "", f"say whether the type of {output} is {either}: set_dtype"
    if _may_be_unset(attribute):
        return "", f"{attribute.name} may be unset: say of which type {output} is then: set_dtype"
    return attribute.name, ""


def _is_the_kernels_type(fluid: Fluid, operator: FluidOperator, attribute: Parameter) -> bool:
    """Whether the kernel was chosen by it, so that T is this type."""
    infer = operator.infer
    function = infer.methods.get("GetExpectedKernelType") if infer is not None else None
    if infer is None or function is None:
        return False
    return any(
        r.name == attribute.fluid_name for r in reads_of(fluid, fluid.source_of(function), function)
    )


def _may_be_unset(attribute: Parameter) -> bool:
    """`.SetDefault(-1)`, which is no type's number."""
    if attribute.node is None or attribute.source is None:
        return False
    statement = attribute.node
    while statement.parent is not None and statement.type != "expression_statement":
        statement = statement.parent
    return "SetDefault(-1)" in "".join(attribute.source.spell(statement).split())
