"""One call of an operator on what somebody chose, by names: for those who try it by hand.

An input is given by its shape and data type, or by its values in brackets; an attribute as it is
typed. What there is to fill in, the operator's maker says. A gradient has no maker: its inputs are
those that the forward operator's grad op maker sets, and its attributes the forward operator's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from registry_runtime.fluid.name_check import operator_names
from registry_runtime.fluid.op_proto import NO_DEFAULT
from registry_runtime.fluid.run_op import OpStory, infer_op, tell_op
from registry_runtime.lab.given import check_given, given_as
from registry_runtime.lab.values import (
    DTYPES,
    made_up,
    parse_attribute,
    parse_values,
    shown_attribute,
    shown_shape,
)
from registry_runtime.phi.call.op_call import OpError
from registry_runtime.phi.enforce import EnforceNotMet
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.op_utils import GradVarName

if TYPE_CHECKING:
    from registry_runtime.fluid.op_proto import Attr, OpProto
    from registry_runtime.fluid.runtime import Runtime

_SHAPE = (4, 5)


@dataclass(frozen=True, slots=True)
class Field:
    """One name of the operator: `text` stands there at first, `type` is an attribute's C++ type."""

    name: str
    kind: Literal["input", "attribute"]
    text: str
    type: str = ""


@dataclass(frozen=True)
class OpExperiment:
    """`texts` are what was typed, by name, `dtypes` those of inputs."""

    op_type: str
    texts: Mapping[str, str] = field(default_factory=dict)
    dtypes: Mapping[str, str] = field(default_factory=dict)

    def inputs(self, fluid: Runtime) -> dict[str, NDArray[Any]]:
        """Random arrays, the same in each call. An input whose field is empty is left out. Raises
        KernelError for what can't be read."""
        rng = np.random.default_rng(0)
        typed = ((f, self.texts.get(f.name, f.text)) for f in fields(fluid, self.op_type))
        return {
            f.name: self._array(f.name, text, rng)
            for f, text in typed
            if f.kind == "input" and text.strip()
        }

    def attrs(self, fluid: Runtime) -> dict[str, Any]:
        """All of them. Raises KernelError for what can't be read."""
        return {
            one.name: _attribute(one, self.texts.get(one.name, one.text))
            for one in fields(fluid, self.op_type)
            if one.kind == "attribute"
        }

    def call(self, fluid: Runtime) -> OpStory:
        """Make the call; an error of the operator's is part of the story. Raises KernelError."""
        return tell_op(fluid, self.op_type, self.inputs(fluid), self.attrs(fluid))

    def _array(self, name: str, text: str, rng: np.random.Generator) -> NDArray[Any]:
        chosen = self.dtypes.get(name, "")
        dtype = parse_attribute(chosen or DTYPES[0], "DataType")
        one = given_as(name, text)
        if chosen and (held := one.dtype(dtype)) is not dtype:
            raise KernelError(f"{name}: {one.file} holds {held}, not {dtype}: choose {held}")
        try:
            if one.values is not None:
                return one.values(dtype)
            return made_up(dtype.numpy, one.shape, rng, below=10)
        except (MemoryError, ValueError) as error:
            raise KernelError(f"{name}: {error}") from None


def fields(fluid: Runtime, op_type: str) -> Sequence[Field]:
    """What there is to fill in for an operator. Raises KernelError where nobody knows its names."""
    names = operator_names(fluid.world, op_type)
    if names is None:
        raise KernelError(f"nobody says which names {op_type} has: no file registers its maker")
    own = fluid.op_info_map.Get(op_type).proto
    proto = own or fluid.op_info_map.Get(names.forward).Proto()
    dims = {} if own is not None else _dims_of_forward(fluid, names.forward, proto)
    found = [_input(name, own, dims) for name in names.inputs]
    return [*found, *(_attr(a) for a in proto.attrs if not (a.extra or a.quant))]


def check_names(
    fluid: Runtime, op_type: str, inputs: Collection[str], attributes: Collection[str]
) -> None:
    """Raises KernelError for a name that no input, or no attribute, of the operator has."""
    if not (inputs or attributes):
        return
    there = fields(fluid, op_type)
    tensors = [one.name for one in there if one.kind == "input"]
    others = [one.name for one in there if one.kind == "attribute"]
    check_given(op_type, "input", inputs, tensors, others)
    check_given(op_type, "attribute", attributes, others, tensors)


def _input(name: str, own: OpProto | None, dims: Mapping[str, Sequence[int]]) -> Field:
    var = own.input(name) if own is not None else None
    absent = var is not None and (var.dispensable or var.extra)
    shape = tuple(dims.get(name, _SHAPE))
    return Field(name, "input", "" if absent else shown_shape(shape))


def _attr(attr: Attr) -> Field:
    text = "" if attr.default is NO_DEFAULT else shown_attribute(attr.default)
    return Field(attr.name, "attribute", text, attr.type)


def _dims_of_forward(fluid: Runtime, forward: str, proto: OpProto) -> dict[str, Sequence[int]]:
    """The dims that a gradient's inputs have, where those of the forward operator have `_SHAPE`."""
    inputs = {v.name: np.zeros(_SHAPE, "float32") for v in proto.inputs if not v.dispensable}
    try:
        outputs = infer_op(fluid, forward, inputs)
    except (OpError, EnforceNotMet):
        return {}
    dims: dict[str, Sequence[int]] = {}
    for name, meta in outputs.items():
        if not isinstance(meta, list):
            dims[name] = dims[GradVarName(name)] = tuple(meta.dims)
    return dims


def _attribute(one: Field, text: str) -> Any:
    if not text.strip():
        raise KernelError(f"{one.name}: write a value of the type {one.type}")
    try:
        if one.type.startswith("std::vector<int"):
            return parse_attribute(text, "const std::vector<int>&")
        if one.type.startswith("std::vector<"):
            listed = parse_values(text, parse_attribute("float64", "DataType")).tolist()
            return [bool(v) for v in listed] if "bool" in one.type else listed
        return parse_attribute(text, one.type)
    except ValueError as error:
        raise KernelError(f"{one.name}: {error}") from None
