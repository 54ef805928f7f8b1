"""What is asked of the context under a name, and the parameter that answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from visualizer.migration.bodies.body import Body, anchor_of, rule_of
from visualizer.migration.bodies.fluid_variables import ask_variable
from visualizer.migration.bodies.uses import stands_alone
from visualizer.migration.bodies.variables import kept_in, put_parameter, put_value
from visualizer.migration.reading.context_reads import (
    ATTRIBUTES,
    OUTPUTS,
    TENSORS,
    Read,
    is_selected_rows,
)
from visualizer.migration.reading.data_types import as_numbers
from visualizer.migration.signature import Parameter


def _has_input(body: Body, read: Read, parameter: Parameter) -> None:
    is_meta_tensor = body.is_meta and not parameter.many
    present = ".initialized()" if is_meta_tensor else ".get_ptr() != nullptr"
    _present(body, read, parameter, f"{parameter.name}{present}" if parameter.optional else "true")


def _has_output(body: Body, read: Read, parameter: Parameter) -> None:
    name = parameter.name
    _present(body, read, parameter, f"!{name}.empty()" if parameter.many else f"{name} != nullptr")


def _present(body: Body, read: Read, parameter: Parameter, answer: str) -> None:
    if " " in answer and not stands_alone(read.call):
        answer = f"({answer})"
    body.rewriter.put(read.call, answer, rule="present", anchor=anchor_of(parameter))


def _has_attribute(body: Body, read: Read, parameter: Parameter) -> None:
    _present(body, read, parameter, "true")


def _dims(body: Body, read: Read, parameter: Parameter) -> None:
    put_value(body, read, parameter, f"{parameter.name}.dims()", "dims")


def _all_dims(body: Body, read: Read, parameter: Parameter) -> None:
    body.rewriter.headers.add("paddle/phi/infermeta/multiary.h")
    put_value(body, read, parameter, f"phi::GetMetaTensorsDim({parameter.several})", "dims")


def _how_many(body: Body, read: Read, parameter: Parameter) -> None:
    if parameter.many:
        put_value(body, read, parameter, f"{parameter.several}.size()", "duplicable")
    else:
        body.cannot(read, f"{parameter.name} is one tensor, by its maker: how many is no question")


def _attribute(body: Body, read: Read, parameter: Parameter) -> None:
    if parameter.cxx_type == "DataType":
        for use in as_numbers(body.rewriter.source, read, kept_in(body, read.call)):
            reason = f"{parameter.name} is a DataType now, and was an int: see what takes it here"
            body.rewriter.note(use, "data_type", reason)
    if not parameter.dynamic:
        put_parameter(body, read, parameter, "=", parameter.name, "attribute")
    elif "vector" in parameter.cxx_type:
        put_value(body, read, parameter, f"{parameter.name}.GetData()", "int_array")
    else:
        value = f"{parameter.name}.to<{parameter.cxx_type}>()"
        put_value(body, read, parameter, value, "scalar")


def _tensor(body: Body, read: Read, parameter: Parameter) -> None:
    name, rule = parameter.name, rule_of(parameter)
    if is_selected_rows(read) and not body.is_meta:
        body.rewriter.note(read.call, "selected_rows", _in_rows(body, parameter))
    if parameter.many:
        put_parameter(body, read, parameter, "=", parameter.several, rule)
    elif parameter.optional:
        kept = kept_in(body, read.call)
        body.pointers |= {kept.name} if kept is not None else set()
        put_value(body, read, parameter, f"{name}.get_ptr()", rule)
    elif parameter.kind == "output":
        put_parameter(body, read, parameter, "=", name, "output")
    else:
        put_parameter(body, read, parameter, "&", name, "input")


def _in_rows(body: Body, parameter: Parameter) -> str:
    name = body.signature.name if body.signature is not None else "the kernel"
    where = f"{name}_sr in phi/kernels/selected_rows, chosen by IsSelectedRows"
    which = "Output" if parameter.kind == "output" else "Input"
    return f'{parameter.name} is SelectedRows: make this {where}{which}("{parameter.fluid_name}")'


# By the method of an ExecutionContext or an InferShapeContext that asks.
ANSWERS: Mapping[str, Callable[[Body, Read, Parameter], None]] = {
    **dict.fromkeys(("HasInput", "HasInputs"), _has_input),
    **dict.fromkeys(("HasOutput", "HasOutputs"), _has_output),
    "HasAttr": _has_attribute,
    "GetInputDim": _dims,
    "GetInputsDim": _all_dims,
    **dict.fromkeys(("InputSize", "OutputSize"), _how_many),
    **dict.fromkeys(("InputVar", "OutputVar"), ask_variable),
    **dict.fromkeys(ATTRIBUTES, _attribute),
    **dict.fromkeys((*TENSORS, *OUTPUTS), _tensor),
}
