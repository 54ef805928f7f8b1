"""The argument mapping: which of the operator's names goes to which place of the kernel.

Where the maker lists its names in the kernel's order, Fluid makes the signature itself. It leaves
out dispensable inputs, so a kernel that has one needs a mapping; and a gradient has no maker's list
at all.
"""

from __future__ import annotations

from registry_runtime.cxx import Span
from registry_runtime.phi.op_utils import deprecated_op_names
from visualizer.messages import N_
from visualizer.migration.composing.drafts import Drafts, PieceDraft, Placed
from visualizer.migration.composing.kernels import IN_ORDER_OF_USE
from visualizer.migration.migration import GUESS
from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.reading.fluid_text import span_of
from visualizer.migration.reading.names import camel_case
from visualizer.migration.reading.operators import FluidOperator
from visualizer.migration.reading.signature import Parameter, Signature
from visualizer.migration.rewriting.edits import COMMENT, Edit
from visualizer.migration.table import RULES


def write_mappings(drafts: Drafts, fluid: Fluid, operators: list[FluidOperator]) -> None:
    """An operator and its gradient share a file, ops/compat/trace_sig.cc."""
    by_file: dict[str, list[FluidOperator]] = {}
    for operator in _with_a_kernel(fluid, operators):
        name = operator.signature.name
        if _needed(operator.signature) or name != operator.op_type:
            path = f"phi/ops/compat/{name.removesuffix('_grad')}_sig.cc"
            by_file.setdefault(path, []).append(operator)
    for path, those in by_file.items():
        draft = drafts.at(path, N_("argument mapping"))
        draft.write(drafts.include("paddle/phi/core/compat/op_utils.h"))
        with draft.namespace("phi"):
            for operator in those:
                if _needed(operator.signature):
                    _write(draft, operator)
                    draft.write("\n")
        draft.write("\n")
        for operator in those:
            _register(draft, operator)


def _needed(signature: Signature) -> bool:
    return not signature.default_fits


def _write(draft: PieceDraft, operator: FluidOperator) -> None:
    """The function; its registration stands outside of the namespace."""
    signature = operator.signature
    start = draft.length
    name = f"{camel_case(signature.op_type)}OpArgumentMapping"
    if not signature.by_maker:
        kernel, reason = operator.kernels[0], f"{GUESS}{IN_ORDER_OF_USE}"
        shown = span_of(kernel.statement)
        draft.instead(kernel.source, shown, f"{COMMENT}{reason}\n", "order", reason)
        start = draft.length
    draft.write(f"KernelSignature {name}(const ArgumentMappingContext& ctx) {{\n")
    dynamic = [p for p in signature.of("attribute") if p.dynamic]
    for parameter in dynamic:
        draft.write(
            f'  const char* {parameter.name} =\n      ctx.HasInput("{parameter.dynamic}")'
            f' ? "{parameter.dynamic}" : "{parameter.fluid_name}";\n'
        )
    indent = " " * len("  return KernelSignature(")
    lists = [_names(signature.of(kind)) for kind in ("input", "attribute", "output")]
    draft.write(f'  return KernelSignature("{signature.name}",\n')
    draft.write(",\n".join(indent + listed for listed in lists) + ");\n}\n")
    registration = operator.registration or operator.kernels[0]
    new = draft.text[start:]
    edit = Edit(span_of(registration.statement), (new,), RULES["mapping"])
    draft.placed.append(Placed(edit, registration.source, Span(start, draft.length)))


def _register(draft: PieceDraft, operator: FluidOperator) -> None:
    """`PD_REGISTER_ARG_MAPPING_FN(trace_grad, phi::TraceGradOpArgumentMapping);`"""
    op_type, name = operator.op_type, operator.signature.name
    if name != op_type:
        if name not in deprecated_op_names:
            kernel = operator.kernels[0]
            reason = f"if Fluid has an operator {name} too, list it in deprecated_op_names"
            comment = f"{COMMENT}{reason}\n"
            draft.instead(kernel.source, span_of(kernel.statement), comment, "v2", reason)
        draft.write(f"PD_REGISTER_BASE_KERNEL_NAME({op_type}, {name});\n")
    if _needed(operator.signature):
        function = f"phi::{camel_case(op_type)}OpArgumentMapping"
        draft.write(f"PD_REGISTER_ARG_MAPPING_FN({op_type}, {function});\n")


def _names(parameters: tuple[Parameter, ...]) -> str:
    listed = [p.name if p.dynamic else f'"{p.fluid_name}"' for p in parameters]
    return "{" + ", ".join(listed) + "}"


def _with_a_kernel(fluid: Fluid, operators: list[FluidOperator]) -> list[FluidOperator]:
    return [o for o in operators if any(o.class_for(fluid, r) is not None for r in o.kernels)]
