"""The variables of one call, made of what Python was given: arrays and numbers, under names.

A name that the operator doesn't have is refused here: its maker lists those that it has. It also says
which may be missing, and what an attribute is that nobody gives. An output becomes a tensor without
memory, for the kernel to fill.

Source: `OperatorBase::CheckAllInputOutputSet` in `paddle/fluid/framework/operator.cc`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from registry_runtime.fluid.attribute import attribute_type, extracted, holds
from registry_runtime.fluid.blame import told
from registry_runtime.fluid.execution_context import RuntimeContext, VariableMap
from registry_runtime.fluid.name_check import operator_names
from registry_runtime.fluid.op_info import OpInfo
from registry_runtime.fluid.op_proto import OF_EVERY_OPERATOR, Var
from registry_runtime.near import did_you_mean
from registry_runtime.phi.call.op_call import OpError, tensor_of
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.phi.place import CPU_PLACE, Place

if TYPE_CHECKING:
    from registry_runtime.fluid.runtime import Runtime

Wanted: TypeAlias = Sequence[str] | Mapping[str, int] | None
"""The names of the outputs that are wanted, or how many tensors under each name; None for all."""


def call_variables(
    fluid: Runtime,
    info: OpInfo,
    op_type: str,
    inputs: Mapping[str, Any],
    attrs: Mapping[str, Any],
    outputs: Wanted,
    *,
    meta: bool = False,
) -> RuntimeContext:
    """A call's variables by their names, the maker's defaults filled in; with `meta`, the outputs are
    MetaTensors. `outputs` as in `run_op`. Raises OpError."""
    slots = {name: _variables(op_type, name, given) for name, given in inputs.items()}
    if info.proto is not None:
        known = {var.name: _may_be_absent(var) for var in info.proto.inputs}
        _check_names(op_type, "input", slots, known)
        if outputs is not None:
            _check_names(
                op_type, "output", outputs, dict.fromkeys(_names(info.proto.outputs), True)
            )
    if info.proto is not None and info.checker is not None:
        _check_names(op_type, "attribute", attrs, {a.name: True for a in info.proto.attrs})
        with told(op_type, info.op_class):
            attrs = dict(info.checker.Check(attrs))
        for attr in info.proto.attrs:
            if attr.name in attrs and not holds(attr.type, attrs[attr.name]):
                made = extracted(attr.type, attrs[attr.name])
                if made is None:
                    held = attribute_type(attrs[attr.name])
                    raise OpError(
                        f"{op_type}: Cannot get attribute ({attr.name}) by type {attr.type}, its "
                        f"type is {held}: pass a {attr.type}"
                    )
                attrs[attr.name] = made
    wanted = outputs if outputs is not None else _all_outputs(fluid, info, op_type)
    counts = wanted if isinstance(wanted, Mapping) else dict.fromkeys(wanted, 1)
    make: Callable[[], Any] = MetaTensor if meta else DenseTensor
    made = {name: [make() for _ in range(count)] for name, count in counts.items()}
    return RuntimeContext(op_type, slots, made, attrs, _attr_types(fluid, info, op_type))


def _attr_types(fluid: Runtime, info: OpInfo, op_type: str) -> dict[str, str]:
    """A gradient's attributes are those of its forward operator."""
    proto = info.proto
    if proto is None and (names := operator_names(fluid.world, op_type)) is not None:
        forward = fluid.op_info_map.GetNullable(names.forward)
        proto = forward.proto if forward is not None else None
    return {attr.name: attr.type for attr in proto.attrs} if proto is not None else {}


def place_of(inputs: VariableMap) -> Place:
    """Where the first of a call's tensors is; the CPU for a call without any."""
    tensors = (one for found in inputs.values() for one in found)
    places = (getattr(tensor, "place", CPU_PLACE) for tensor in tensors)
    return next(places, CPU_PLACE)


def _may_be_absent(var: Var) -> bool:
    return var.dispensable or var.extra


def _names(variables: Sequence[Var]) -> list[str]:
    return [var.name for var in variables]


def _check_names(
    op_type: str,
    kind: str,
    given: Iterable[str],
    may_be_absent: Mapping[str, bool],
) -> None:
    for name in given:
        if name not in may_be_absent:
            own = [known for known in may_be_absent if known not in OF_EVERY_OPERATOR]
            listed = ", ".join(own) or f"no {kind}s"
            hint = did_you_mean(name, may_be_absent, f"its maker lists {listed}", 0.6)
            raise OpError(f"Operator {op_type} does not have the {kind} {name}; {hint}")
    for name, absent in may_be_absent.items():
        if name not in given and not absent:
            raise OpError(f"Operator {op_type}'s {kind} ({name}) is not set; pass {name}")


def _variables(op_type: str, name: str, given: Any) -> list[Any]:
    values = given if isinstance(given, list | tuple) else [given]
    return [
        value if isinstance(value, MetaTensor) else tensor_of(op_type, name, value)
        for value in values
        if value is not None
    ]


def _all_outputs(fluid: Runtime, info: OpInfo, op_type: str) -> Sequence[str]:
    if info.proto is not None:
        return [var.name for var in info.proto.outputs if not _may_be_absent(var)]
    names = operator_names(fluid.world, op_type)
    if names is None or not names.outputs:
        raise OpError(
            f"{op_type} has no maker that lists its outputs: say which you want, e.g. "
            'outputs=["Out"]'
        )
    return names.outputs
