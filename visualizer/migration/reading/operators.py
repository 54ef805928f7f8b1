"""Which operators there are to migrate, and what belongs to each: makers, kernels, shapes."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from visualizer.migration.reading.attributes import can_be_one, data_type_attributes, pairs
from visualizer.migration.reading.declarations import (
    Class,
    Fluid,
    KernelRegistration,
    Maker,
    OperatorRegistration,
)
from visualizer.migration.reading.fluid_text import FluidText
from visualizer.migration.reading.functions import (
    ATTRIBUTES,
    OUTPUTS,
    TENSORS,
    is_selected_rows,
    reads_of,
)
from visualizer.migration.reading.handing import Handed, functions_below, handed_by
from visualizer.migration.reading.names import camel_case
from visualizer.migration.reading.signature import Kind, Signature, of_forward, of_gradient, of_use


@dataclass(frozen=True, slots=True)
class FluidOperator:
    """An operator with a kernel. `kernels` are the registrations of it, one for each backend;
    `infer` is the class whose InferShape it has. `kept_apart`: attributes that stay beside their
    tensor. `unnamed`: what a maker adds under a name that isn't known before it runs. `handed`: what
    the functions read that its kernels hand their context to."""

    op_type: str
    signature: Signature
    kernels: tuple[KernelRegistration, ...]
    registration: OperatorRegistration | None
    infer: Class | None
    kept_apart: dict[str, str]
    unnamed: tuple[tuple[FluidText, Node], ...]
    handed: Handed

    def class_for(self, fluid: Fluid, registration: KernelRegistration) -> Class | None:
        """The class that is registered there; None if it is in no file, or if there are several."""
        found = {
            one.key: one
            for c in registration.classes
            if (one := fluid.kernel(registration.source, c)) is not None
        }
        alone = len({c.name for c in registration.classes}) == len(found) == 1
        return next(iter(found.values())) if alone else None

    def function_name(self) -> str:
        """`TraceKernel`: the class's name where one fits all backends, else the operator's."""
        names = {_without_device(c.name) for r in self.kernels for c in r.classes}
        own = camel_case(self.signature.name) + "Kernel"
        if len(names) == 1:
            return names.pop()
        return own


_DEVICES = ("CPU", "CUDA", "GPU", "XPU")


def _without_device(name: str) -> str:
    """`DeQuantOpCUDAKernel` is DeQuantKernel: in PHI the backend is no part of the name."""
    stem = name.removesuffix("Kernel")
    for word in _DEVICES:
        if stem != word:
            stem = stem.removesuffix(word)
    gradient = "Grad" if stem.endswith("OpGrad") else ""
    return stem.removesuffix("OpGrad").removesuffix("Op") + gradient + "Kernel"


def operators(fluid: Fluid) -> list[FluidOperator]:
    """All that have a kernel in these files, in the order of their registrations."""
    by_type: dict[str, list[KernelRegistration]] = {}
    for registration in fluid.kernel_registrations:
        by_type.setdefault(registration.op_type, []).append(registration)
    return [_operator(fluid, op_type, tuple(found)) for op_type, found in by_type.items()]


def _operator(fluid: Fluid, op_type: str, kernels: tuple[KernelRegistration, ...]) -> FluidOperator:
    registration = next((r for r in fluid.operator_registrations if r.op_type == op_type), None)
    named = registration.names if registration is not None else ()
    maker = registration.maker(fluid) if registration is not None else None
    classes = classes_of(fluid, kernels)
    computes = [(c.source, c.compute) for c in classes if c.compute is not None]
    infer = next((fluid.operators[n] for n in named if n in fluid.operators), None)
    grad, forward = _grad_maker(fluid, op_type)
    asked_in = [f for compute in computes for f in functions_below(fluid, compute)]
    asking = asked_in[:]
    asking += [(fluid.source_of(m), m) for m in infer.methods.values()] if infer else []
    listed = [a for m in (maker, forward) if m is not None for a in m.attributes]
    data_types = data_type_attributes(fluid, asking, listed)
    kept_apart: dict[str, str] = {}
    if maker is not None:
        together: dict[str, str] = {}
        elsewhere = _names(fluid, [f for f in asked_in if f not in computes])
        for attribute, tensor in pairs(maker).items():
            is_one = can_be_one(fluid, computes, attribute, tensor)
            is_one = is_one and not elsewhere & {attribute, tensor}
            (together if is_one else kept_apart)[attribute] = tensor
        signature = of_forward(op_type, maker, _names(fluid, asked_in), together, data_types)
    elif grad is not None and forward is not None:
        types = {
            r.name: r.type
            for s, f in asked_in
            for r in reads_of(fluid, s, f)
            if r.name is not None and r.method in ATTRIBUTES
        }
        signature = of_gradient(op_type, grad, forward, types, data_types)
    else:
        signature = of_use(op_type, _used(fluid, asked_in), data_types)
    signature = signature.with_rows(_rows(fluid, asked_in))
    makers = (maker,) if maker is not None else (grad,) if grad is not None else ()
    unnamed = tuple((m.source, node) for m in makers for node in m.unnamed)
    handed = handed_by(fluid, computes, signature)
    return FluidOperator(
        op_type, signature, kernels, registration, infer, kept_apart, unnamed, handed
    )


def _names(fluid: Fluid, functions: list[tuple[FluidText, Node]]) -> set[str]:
    """What they ask a context for."""
    return {r.name for s, f in functions for r in reads_of(fluid, s, f) if r.name is not None}


def _rows(fluid: Fluid, computes: list[tuple[FluidText, Node]]) -> set[str]:
    """The names under which kernels ask for SelectedRows and nothing else."""
    asked = [
        read
        for source, function in computes
        for read in reads_of(fluid, source, function)
        if read.name is not None and read.method in (*TENSORS, *OUTPUTS)
    ]
    others = {read.name for read in asked if not is_selected_rows(read)}
    return {read.name for read in asked if read.name is not None} - others


def classes_of(fluid: Fluid, kernels: tuple[KernelRegistration, ...]) -> list[Class]:
    """The classes that are registered and are in these files."""
    found = (fluid.kernel(r.source, c) for r in kernels for c in r.classes)
    return list({one.key: one for one in found if one is not None}.values())


def _grad_maker(fluid: Fluid, op_type: str) -> tuple[Maker | None, Maker | None]:
    """The grad op maker that makes calls of `op_type`, and the maker of the forward operator."""
    for name, grad in fluid.grad_makers.items():
        for registration in fluid.operator_registrations:
            made = registration.op_type + grad.suffix if grad.suffix else grad.op_type
            if made != op_type:
                continue
            forward = registration.maker(fluid) if name in registration.names else None
            if forward is not None:
                return grad, forward
    return None, None


def _used(
    fluid: Fluid, computes: list[tuple[FluidText, Node]]
) -> list[tuple[Kind, str, str, bool]]:
    found: list[tuple[Kind, str, str, bool]] = []
    for source, function in computes:
        for read in reads_of(fluid, source, function):
            if read.name is None:
                continue
            if read.method in TENSORS:
                found.append(("input", read.name, "", TENSORS[read.method]))
            elif read.method in OUTPUTS:
                found.append(("output", read.name, "", OUTPUTS[read.method]))
            elif read.method in ("InputVar", "OutputVar"):
                kind: Kind = "input" if read.method == "InputVar" else "output"
                found.append((kind, read.name, "", False))
            elif read.method in ATTRIBUTES:
                found.append(("attribute", read.name, read.type or "int", False))
    return found
