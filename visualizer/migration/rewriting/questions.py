"""What is asked of the context under a name, and the parameter that answers it.

The hard question is `ctx.InputVar("X")`: a framework::Variable, which may hold anything. PHI's
kernels get what is in it. A kernel that asks a variable only for its dense tensor, once or through a
local variable, can do without: `var->Get<LoDTensor>()` is the parameter. One that looks what there is
in the variable was several kernels in one, and becomes several in PHI: another one is registered for
SelectedRows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from tree_sitter import Node

from visualizer.migration.reading.attributes import as_numbers
from visualizer.migration.reading.fluid_text import FluidText
from visualizer.migration.reading.functions import (
    ATTRIBUTES,
    OUTPUTS,
    TENSORS,
    ContextCall,
    Local,
    call_on,
    is_selected_rows,
    kept_in,
    locals_of,
)
from visualizer.migration.reading.names import (
    Aliases,
    method_of_call,
    qualified,
    template_arguments,
)
from visualizer.migration.reading.signature import Parameter
from visualizer.migration.rewriting.body import (
    FunctionBody,
    put_parameter,
    put_value,
    rule_of,
    stands_alone,
)

_DENSE = frozenset({"framework::Tensor", "framework::LoDTensor", "phi::DenseTensor"})
_NO_VARIABLES = "a PHI kernel is given tensors and no variables: one kernel for each type of tensor"


def _ask_variable(body: FunctionBody, read: ContextCall, parameter: Parameter) -> None:
    """Everything that is asked of the variable, or else a note."""
    local = kept_in(body.rewriter.locals, read.call)
    holders = holders_of(body.rewriter.locals, read.call)
    asked = [dense_tensor_of(body.rewriter.source, body.rewriter.aliases, h) for h in holders]
    if parameter.optional and holders == [read.call] and asked == [None]:
        body.rewriter.put(read.call, f"{parameter.name}.get_ptr()", rule="variable")
        return
    if parameter.many or None in asked:
        body.cannot(read, _NO_VARIABLES)
        return
    if local is not None and local.declaration is not None:
        body.take_out(local.declaration, "variable", parameter.anchor)
    for call in asked:
        if call is not None:
            _put_tensor(body, replace(read, call=call), parameter)


def _put_tensor(body: FunctionBody, read: ContextCall, parameter: Parameter) -> None:
    _, method, _ = method_of_call(body.rewriter.source, read.call)
    name = f"{parameter.name}.get()" if parameter.optional else parameter.name
    if method == "IsType":
        body.rewriter.put(read.call, "true", rule="variable", anchor=parameter.anchor)
    elif method == "Get" and parameter.kind == "output":
        body.rewriter.put(read.call, f"(*{name})", rule="variable", anchor=parameter.anchor)
    else:
        put_parameter(body, read, parameter, "=", name, "variable")


def holders_of(variables: list[Local], call: Node) -> list[Node]:
    """Where the variable that a call gives is used: there, or wherever what keeps it is."""
    kept = kept_in(variables, call)
    return kept.uses if kept is not None and _goes_alone(kept) else [call]


def _goes_alone(local: Local) -> bool:
    """Whether a variable's declaration can be taken out."""
    statement = local.declaration
    return local.alone and statement is not None and statement.type == "declaration"


def dense_tensor_of(source: FluidText, aliases: Aliases, variable: Node) -> Node | None:
    """`variable->Get<LoDTensor>()` or a sister of it, around `variable`; None for all else."""
    call = call_on(variable)
    if call is None:
        return None
    _, method, named = method_of_call(source, call)
    types = template_arguments(named)
    if method not in ("Get", "GetMutable", "IsType") or len(types) != 1:
        return None
    inner = types[0].named_children[0] if types[0].named_children else types[0]
    full = "::".join(aliases.in_full(qualified(source, inner).parts))
    return call if full in _DENSE or full in ("Tensor", "LoDTensor") else None


def taken_out(source: FluidText, aliases: Aliases, function: Node) -> list[Node]:
    """The declarations of variables that a kernel can do without."""
    found: list[Node] = []
    for local in locals_of(source, function):
        if local.value is None or local.value.type != "call_expression" or not _goes_alone(local):
            continue
        _, method, _ = method_of_call(source, local.value)
        plain = all(dense_tensor_of(source, aliases, use) is not None for use in local.uses)
        if method in ("InputVar", "OutputVar") and plain and local.declaration is not None:
            found.append(local.declaration)
    return found


# --- The answers ----------------------------------------------------------------------------------


def _has_input(body: FunctionBody, read: ContextCall, parameter: Parameter) -> None:
    is_meta_tensor = body.is_meta and not parameter.many
    present = ".initialized()" if is_meta_tensor else ".get_ptr() != nullptr"
    _present(body, read, parameter, f"{parameter.name}{present}" if parameter.optional else "true")


def _has_output(body: FunctionBody, read: ContextCall, parameter: Parameter) -> None:
    name = parameter.name
    _present(body, read, parameter, f"!{name}.empty()" if parameter.many else f"{name} != nullptr")


def _present(body: FunctionBody, read: ContextCall, parameter: Parameter, answer: str) -> None:
    if " " in answer and not stands_alone(read.call):
        answer = f"({answer})"
    body.rewriter.put(read.call, answer, rule="present", anchor=parameter.anchor)


def _has_attribute(body: FunctionBody, read: ContextCall, parameter: Parameter) -> None:
    _present(body, read, parameter, "true")


def _dims(body: FunctionBody, read: ContextCall, parameter: Parameter) -> None:
    put_value(body, read, parameter, f"{parameter.name}.dims()", "dims")


def _all_dims(body: FunctionBody, read: ContextCall, parameter: Parameter) -> None:
    body.rewriter.headers.add("paddle/phi/infermeta/multiary.h")
    dims = f"phi::GetMetaTensorsDim({parameter.several})"
    value = _if_there(read, parameter, dims, "std::vector<phi::DDim>()")
    put_value(body, read, parameter, value, "dims")


def _if_there(read: ContextCall, parameter: Parameter, value: str, nothing: str) -> str:
    """A list that may be missing was an empty one in Fluid; PHI's throws where it is asked for."""
    if not parameter.optional:
        return value
    either = f"{parameter.name} ? {value} : {nothing}"
    return either if stands_alone(read.call) else f"({either})"


def _how_many(body: FunctionBody, read: ContextCall, parameter: Parameter) -> None:
    if parameter.many:
        value = _if_there(read, parameter, f"{parameter.several}.size()", "size_t(0)")
        put_value(body, read, parameter, value, "duplicable")
    else:
        body.cannot(read, f"{parameter.name} is one tensor, by its maker: how many is no question")


def _attribute(body: FunctionBody, read: ContextCall, parameter: Parameter) -> None:
    if parameter.cxx_type == "DataType":
        for use in as_numbers(body.rewriter.source, read, kept_in(body.rewriter.locals, read.call)):
            reason = f"{parameter.name} is a DataType now, and was an int: see what takes it here"
            body.rewriter.note(use, "data_type", reason)
    if not parameter.dynamic:
        put_parameter(body, read, parameter, "=", parameter.name, "attribute")
    elif "vector" in parameter.cxx_type:
        put_value(body, read, parameter, f"{parameter.name}.GetData()", "int_array")
    else:
        value = f"{parameter.name}.to<{parameter.cxx_type}>()"
        put_value(body, read, parameter, value, "scalar")


def _tensor(body: FunctionBody, read: ContextCall, parameter: Parameter) -> None:
    name, rule = parameter.name, rule_of(parameter)
    if is_selected_rows(read) and not body.is_meta:
        body.rewriter.note(read.call, "selected_rows", _in_rows(body, parameter))
    if parameter.many and parameter.optional:
        tensors = "std::vector<const DenseTensor*>()"
        if not body.rewriter.in_namespace_phi:
            tensors = tensors.replace("Dense", "phi::Dense")
        put_value(
            body, read, parameter, _if_there(read, parameter, parameter.several, tensors), rule
        )
    elif parameter.many:
        put_parameter(body, read, parameter, "=", name, rule)
    elif parameter.optional:
        kept = kept_in(body.rewriter.locals, read.call)
        body.pointers |= {kept.name} if kept is not None else set()
        put_value(body, read, parameter, f"{name}.get_ptr()", rule)
    elif parameter.kind == "output":
        put_parameter(body, read, parameter, "=", name, "output")
    else:
        put_parameter(body, read, parameter, "&", name, "input")


def _in_rows(body: FunctionBody, parameter: Parameter) -> str:
    name = body.signature.name if body.signature is not None else "the kernel"
    where = f"{name}_sr in phi/kernels/selected_rows, chosen by IsSelectedRows"
    which = "Output" if parameter.kind == "output" else "Input"
    return f'{parameter.name} is SelectedRows: make this {where}{which}("{parameter.fluid_name}")'


# By the method of an ExecutionContext or an InferShapeContext that asks.
ANSWERS: Mapping[str, Callable[[FunctionBody, ContextCall, Parameter], None]] = {
    **dict.fromkeys(("HasInput", "HasInputs"), _has_input),
    **dict.fromkeys(("HasOutput", "HasOutputs"), _has_output),
    "HasAttr": _has_attribute,
    "GetInputDim": _dims,
    "GetInputsDim": _all_dims,
    **dict.fromkeys(("InputSize", "OutputSize"), _how_many),
    **dict.fromkeys(("InputVar", "OutputVar"), _ask_variable),
    **dict.fromkeys(ATTRIBUTES, _attribute),
    **dict.fromkeys((*TENSORS, *OUTPUTS), _tensor),
}
