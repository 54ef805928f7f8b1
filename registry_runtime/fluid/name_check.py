"""Names that an operator doesn't have, found before anything runs.

The maker lists an operator's names; its kernels, its InferShape and its grad op maker ask for them,
each in a string of its own. C++ compares none of them. A kernel that asks for "Inputs" where the
maker says "Input" compiles, registers, and fails in its first call, or gets a null pointer where the
input might have been missing anyhow.

A gradient has no maker. Its names are those that the forward operator's grad op maker sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast

from registry_runtime.cxx import CallByName, CxxClass, CxxFunction, Span
from registry_runtime.cxx.calls_by_name import calls_by_name
from registry_runtime.cxx.program import Program as Text
from registry_runtime.diagnostic import Diagnostic
from registry_runtime.fluid.op_info import OpInfo
from registry_runtime.fluid.op_kernel_type import ClassKernel
from registry_runtime.fluid.op_proto import OF_EVERY_OPERATOR
from registry_runtime.fluid.registered import Registration
from registry_runtime.fluid.world import World
from registry_runtime.near import nearest


@dataclass(frozen=True, slots=True)
class Names:
    """An operator's names. `said_by` is the class that they are from, `forward` the operator whose
    gradient this is, empty for one with a maker of its own."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attrs: tuple[str, ...]
    said_by: str
    forward: str = ""


# Which functions of the contexts and of the grad op makers take which kind of name, and where.
_INPUTS = {
    **dict.fromkeys(("Input", "MultiInput", "InputVar", "MultiInputVar", "InputSize"), 0),
    **dict.fromkeys(("InputName", "InputNames", "HasInput", "HasInputs", "Inputs"), 0),
    **dict.fromkeys(("GetInputDim", "GetInputsDim", "InputGrad", "ShareLoD", "ShareDim"), 0),
    "IndicateVarDataType": 1,
}
_OUTPUTS = {
    **dict.fromkeys(("Output", "MultiOutput", "OutputVar", "MultiOutputVar", "OutputSize"), 0),
    **dict.fromkeys(("OutputName", "OutputNames", "HasOutput", "HasOutputs", "Outputs"), 0),
    **dict.fromkeys(("SetOutputDim", "SetOutputsDim", "GetOutputDim", "OutputGrad"), 0),
    **dict.fromkeys(("ShareLoD", "ShareDim"), 1),
}
_ATTRS = {"Attr": 0, "Get": 0, "GetAttr": 0}


def unknown_names(world: World, registrations: Iterable[Registration]) -> Iterator[Diagnostic]:
    """Where the classes of these registrations ask for what their operator doesn't have."""
    told: set[tuple[str, Span]] = set()
    for registration in registrations:
        names = operator_names(world, registration.op_type)
        if names is None:
            continue
        for of in _classes(registration):
            for found in _unknown(registration.op_type, names, of):
                if (of.name, found.span) not in told:
                    told.add((of.name, found.span))
                    yield found


def missing_reads(world: World, op_type: str, of: CxxClass) -> Iterator[tuple[str, CallByName]]:
    """What a kernel's class reads from its context and the operator hasn't: `input`, `output` or
    `attribute`, and the call. A class that only asks whether there is such a name reads nothing."""
    names = operator_names(world, op_type)
    if names is None:
        return
    known = {"input": names.inputs, "output": names.outputs, "attribute": names.attrs}
    for kind, call in _reads(of.name, of.program):
        if call.name not in known[kind]:
            yield kind, call


def _reads(name: str, program: Text) -> tuple[tuple[str, CallByName], ...]:
    # Asked in every call of the operator, and always the same.
    key = ("names read", name)
    if key not in program.instances:
        of = CxxClass(name, (), Span(0, 0), program)
        found = asked_names(of)
        program.instances[key] = tuple((kind, c) for kind, c in found if c.function in _READS)
    return cast("tuple[tuple[str, CallByName], ...]", program.instances[key])


_READS = ("Input", "MultiInput", "InputVar", "Output", "MultiOutput", "OutputVar", "Attr")


def unknown_names_in_mapping(
    world: World, op_type: str, mapping: CxxFunction
) -> Iterator[Diagnostic]:
    """Where an argument mapping's signatures name what the operator doesn't have. In the list of
    attributes an input may stand, for a number that comes as a tensor."""
    names = operator_names(world, op_type)
    if names is None:
        return
    lists = {
        1: ("input", names.inputs),
        2: ("attribute", (*names.attrs, *names.inputs)),
        3: ("output", names.outputs),
    }
    for call in calls_by_name(mapping):
        if call.function == "KernelSignature" and call.argument in lists:
            kind, known = lists[call.argument]
            if call.name not in known:
                yield _diagnostic(op_type, kind, names, known, call)


def operator_names(world: World, op_type: str) -> Names | None:
    """By the operator's maker, or by the maker of the gradient that it is; None if neither is here."""
    info = world.op_info_map.GetNullable(op_type)
    if info is not None and info.proto is not None:
        proto = info.proto
        return Names(
            tuple(var.name for var in proto.inputs),
            tuple(var.name for var in proto.outputs),
            tuple(attr.name for attr in proto.attrs),
            f"{op_type}'s maker",
        )
    for forward, other in world.op_info_map.map().items():
        if other.grad_op_maker is not None and other.proto is not None:
            names = _gradient_names(forward, op_type, other, other.grad_op_maker)
            if names is not None:
                return names
    return None


def _gradient_names(
    forward: str, op_type: str, info: OpInfo, grad_op_maker: CxxClass
) -> Names | None:
    calls = list(calls_by_name(grad_op_maker))
    if op_type not in _given(calls, "SetType"):
        return None
    assert info.proto is not None
    attrs = (*(attr.name for attr in info.proto.attrs), *_given(calls, "SetAttr"))
    said_by = f"the grad op maker of {forward}"
    return Names(_given(calls, "SetInput"), _given(calls, "SetOutput"), attrs, said_by, forward)


def _given(calls: Iterable[CallByName], function: str) -> tuple[str, ...]:
    return tuple(c.name for c in calls if c.function == function and c.argument == 0)


def _classes(registration: Registration) -> Iterator[CxxClass]:
    entered = registration.entered
    if isinstance(entered, ClassKernel):
        yield entered.kernel_type
        return
    for of in (entered.op_class, entered.grad_op_maker):
        if of is not None:
            yield of


def asked_names(of: CxxClass) -> Iterator[tuple[str, CallByName]]:
    """What the bodies of a class ask for: `input`, `output` or `attribute`, and the call."""
    for call in calls_by_name(of):
        for kind, functions in _KINDS:
            if functions.get(call.function) == call.argument:
                yield kind, call


_KINDS = (("input", _INPUTS), ("output", _OUTPUTS), ("attribute", _ATTRS))


def _unknown(op_type: str, names: Names, of: CxxClass) -> Iterator[Diagnostic]:
    known = {"input": names.inputs, "output": names.outputs, "attribute": names.attrs}
    for kind, call in asked_names(of):
        if call.name not in known[kind]:
            yield _diagnostic(op_type, kind, names, known[kind], call)


def _diagnostic(
    op_type: str, kind: str, names: Names, known: tuple[str, ...], call: CallByName
) -> Diagnostic:
    message = f"{op_type} has no {kind} `{call.name}`, and this will fail when it runs"
    near = nearest(call.name, known, 0.6)
    if near:
        hint = f"did you mean `{near}`, as {names.said_by} has it?"
    else:
        there = {"input": names.inputs, "output": names.outputs, "attribute": names.attrs}[kind]
        own = [name for name in there if name not in OF_EVERY_OPERATOR]
        hint = f"the {kind}s of {names.said_by} are {', '.join(own) or 'none'}"
    return Diagnostic(message, call.span, hint, "warning")
