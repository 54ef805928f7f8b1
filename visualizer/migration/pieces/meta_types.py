"""The type that an InferMeta gives an output: said by the kernel, by an attribute, or by an input."""

from __future__ import annotations

from visualizer.migration.operators import Operator
from visualizer.migration.reading.context_reads import reads_of
from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.signature import Parameter, Signature


def type_of_output(
    fluid: Fluid, operator: Operator, index: int, types: dict[int, str]
) -> tuple[str, str]:
    """The expression that gives it, and ""; or "" and what a person has to say. `types` are those
    that differ from the kernel's, by the outputs' places."""
    signature = operator.signature
    output = signature.of("output")[index].name
    attribute = said_by(signature)
    inputs = sorted(signature.of("input"), key=lambda p: p.optional)
    given = inputs[0] if inputs else None
    known = types.get(index, "")
    if known not in ("", "UNDEFINED"):
        return f"phi::DataType::{known}", ""
    if attribute is not None and (known or "UNDEFINED" not in types.values()):
        return _by(fluid, operator, attribute, output, given if not known else None)
    if known or given is None:
        return "", f"say of which type {output} is: set_dtype"
    if given.optional:
        return "", f"{given.name} may be missing: say of which type {output} is: set_dtype"
    return (f"{given.name}[0]->dtype()" if given.many else f"{given.name}.dtype()"), ""


def said_by(signature: Signature) -> Parameter | None:
    """The attribute that is the type of an output."""
    found = {p.fluid_name: p for p in signature.of("attribute") if p.cxx_type == "DataType"}
    found.pop("in_dtype", None)
    return found.get("out_dtype") or found.get("dtype") or next(iter(found.values()), None)


def _by(
    fluid: Fluid, operator: Operator, attribute: Parameter, output: str, given: Parameter | None
) -> tuple[str, str]:
    """By an attribute, unless it may be unset, or unless the type may as well be `given`'s."""
    if given is not None and not _is_the_kernels_type(fluid, operator, attribute):
        either = f"{attribute.name} or that of {given.name}"
        return "", f"say whether the type of {output} is {either}: set_dtype"
    if _may_be_unset(attribute):
        return "", f"{attribute.name} may be unset: say of which type {output} is then: set_dtype"
    return attribute.name, ""


def _is_the_kernels_type(fluid: Fluid, operator: Operator, attribute: Parameter) -> bool:
    """Whether the kernel was chosen by it, so that T is this type."""
    infer = operator.infer
    function = infer.methods.get("GetExpectedKernelType") if infer is not None else None
    if infer is None or function is None:
        return False
    return any(r.name == attribute.fluid_name for r in reads_of(fluid, infer.source, function))


def _may_be_unset(attribute: Parameter) -> bool:
    """`.SetDefault(-1)`, which is no type's number."""
    if attribute.node is None or attribute.source is None:
        return False
    statement = attribute.node
    while statement.parent is not None and statement.type != "expression_statement":
        statement = statement.parent
    return "SetDefault(-1)" in "".join(attribute.source.spell(statement).split())
