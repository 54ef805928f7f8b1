"""What an operator's InferShape gets: the shapes of a call, under the operator's names.

It serves twice. While a program is being built nothing is computed, and a dim may be -1, not known
yet; then the variables are MetaTensors. When the program runs they are tensors, and what InferShape
sets is what the kernel will allocate by.

`shaped` are the outputs whose dims were set, so that one that was forgotten can be told from one that
has no dims.

Source: `RuntimeInferShapeContext` in `paddle/fluid/framework/operator.cc`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from registry_runtime.cxx import Refusal
from registry_runtime.fluid.attribute import AttrReader
from registry_runtime.fluid.execution_context import RuntimeContext, VariableMap, no_such_name
from registry_runtime.phi.arg_map_context import KernelSignature
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.ddim import DDim
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import (
    InvalidArgument,
    NotFound,
    PreconditionNotMet,
    Unimplemented,
)
from registry_runtime.phi.infermeta_context import InferMetaContext
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.phi.selected_rows import SelectedRows


@dataclass(frozen=True, slots=True)
class InferShapeContext:
    """`framework::InferShapeContext` over the variables of one call. Raises as Paddle does.

    `signature` makes the operator's KernelSignature, which only a functor asks for; `metas` are the
    outputs that it handed to an InferMeta, in one of the `boxes`.
    """

    call: RuntimeContext
    is_runtime: bool = True
    signature: Callable[[], KernelSignature] | None = None
    shaped: set[tuple[str, int]] = field(default_factory=set)
    metas: dict[tuple[str, int], MetaTensor] = field(default_factory=dict)
    boxes: list[InferMetaContext] = field(default_factory=list)

    # --- Questions ---

    def HasInput(self, name: str) -> bool:
        return _has_one("Input", self.call.inputs, name)

    def HasInputs(self, name: str) -> bool:
        found = self.call.inputs.get(name, ())
        return bool(found) and all(variable is not None for variable in found)

    def HasOutput(self, name: str) -> bool:
        return _has_one("Output", self.call.outputs, name)

    def HasOutputs(self, name: str, allow_null: bool = False) -> bool:
        found = self.call.outputs.get(name, ())
        there = any if allow_null else all
        return bool(found) and there(variable is not None for variable in found)

    def HasAttr(self, name: str) -> bool:
        return name in self.call.attrs

    def Attrs(self) -> AttrReader:
        return AttrReader(self.call.attrs)

    def Inputs(self, name: str) -> list[str]:
        """The variables' names in the program; a call from Python has none but the slot's own."""
        return [name] * len(self._slot("input", name))

    def Outputs(self, name: str) -> list[str]:
        return [name] * len(self._slot("output", name))

    def IsRuntime(self) -> bool:
        return self.is_runtime

    def IsRunMKLDNNKernel(self) -> bool:
        return False

    # --- Dims ---

    def GetInputDim(self, name: str) -> DDim:
        return dims_of(self._only("Input", name))

    def GetInputsDim(self, name: str) -> list[DDim]:
        return [dims_of(variable) for variable in self._slot("input", name)]

    def SetOutputDim(self, name: str, dim: Sequence[int]) -> None:
        _resize(self._only("Output", name), dim)
        self.shaped.add((name, 0))

    def SetOutputsDim(self, name: str, dims: Sequence[Sequence[int]]) -> None:
        variables = self._slot("output", name)
        if len(variables) != len(dims):
            raise InvalidArgument(
                "The number of input variables do not match the number of input dimensions, the "
                f"number of variables is {len(variables)}, the number of dimensions is {len(dims)}."
            )
        for index, (variable, dim) in enumerate(zip(variables, dims, strict=True)):
            if variable is not None:
                _resize(variable, dim)
            self.shaped.add((name, index))

    def ShareDim(self, in_: str, out: str, i: int = 0, j: int = 0) -> None:
        source, target = self._pair(in_, out, i, j)
        if type(source) is not type(target):
            raise InvalidArgument(f"The type of input ({in_}) and output ({out}) are inconsistent.")
        _resize(target, dims_of(source))
        self.shaped.add((out, j))

    def ShareLoD(self, in_: str, out: str, i: int = 0, j: int = 0) -> None:
        source, target = self._pair(in_, out, i, j)
        if isinstance(source, DenseTensor | MetaTensor):
            if not isinstance(target, type(source)):
                raise InvalidArgument(f"The {j}-th output of Output({out}) must be LoDTensor.")
            target.lod, target.layout = source.lod, source.layout

    def ShareAllLoD(self, in_: str, out: str) -> None:
        found = {"Input": self.call.inputs.get(in_), "Output": self.call.outputs.get(out)}
        for kind, name in (("Input", in_), ("Output", out)):
            if found[kind] is None:
                raise NotFound(f"{kind} [{name}] found error in Op [{self.call.op_type}]")
        inputs, outputs = found["Input"] or (), found["Output"] or ()
        if len(inputs) != len(outputs):
            raise PreconditionNotMet(
                f"Op [{self.call.op_type}]: Input var size should be equal with output var size"
            )
        for index in range(len(inputs)):
            self.ShareLoD(in_, out, index, index)

    # --- What was found ---

    def settle(self) -> None:
        """Give the variables what an InferMeta found out, which in C++ writes through to them."""
        for (name, index), meta in self.metas.items():
            variable = self.call.outputs[name][index]
            if meta.shaped:
                _resize(variable, meta.dims)
                self.shaped.add((name, index))
            variable.lod, variable.layout = meta.lod, meta.layout
            if isinstance(variable, MetaTensor):
                variable.set_dtype(meta.dtype)
            elif meta.dtype is not DataType.UNDEFINED:
                variable.declared = replace(variable.declared, dtype=meta.dtype)

    def forgotten(self) -> list[str]:
        """The outputs that somebody wants and whose dims nobody set: `Out`, or `Out[1]` of several."""
        return [
            name if len(variables) == 1 else f"{name}[{index}]"
            for name, variables in self.call.outputs.items()
            for index, variable in enumerate(variables)
            if variable is not None and (name, index) not in self.shaped
        ]

    # --- The slots ---

    def _slot(self, kind: str, name: str) -> Sequence[Any]:
        slots = self.call.inputs if kind == "input" else self.call.outputs
        if not isinstance(name, str):
            raise Refusal(f"the name of an {kind} is wanted here", argument=0)
        if name in slots:
            return slots[name]
        plural = "input" if kind == "input" else "outputs"
        made = no_such_name(self.call.op_type, kind, name, slots)
        raise NotFound(
            f"Operator ({self.call.op_type}) does not have the {plural} ({name}).",
            hint=made.hint,
            argument=0,
        )

    def _only(self, kind: str, name: str) -> Any:
        found = self._slot(kind.lower(), name)
        if len(found) != 1:
            raise InvalidArgument(
                f"{kind}({name}) should hold one element, but now it holds {len(found)} elements.",
                argument=0,
            )
        if found[0] is None:
            raise InvalidArgument(f"{kind} variable is nullptr.", argument=0)
        return found[0]

    def _pair(self, in_: str, out: str, i: int, j: int) -> tuple[Any, Any]:
        for kind, slots, name, index in (
            ("Input", self.call.inputs, in_, i),
            ("Output", self.call.outputs, out, j),
        ):
            argument = 0 if kind == "Input" else 1
            if name not in slots:
                raise NotFound(f"{kind} {name} does not exist.", argument=argument)
            if not 0 <= index < len(slots[name]):
                raise InvalidArgument(
                    f"The index of {kind.lower()} dimension is out of range, excepted index less "
                    f"than {len(slots[name])}, but received {index}.",
                    argument=argument,
                )
        return self.call.inputs[in_][i], self.call.outputs[out][j]


def _has_one(kind: str, slots: VariableMap, name: str) -> bool:
    found = slots.get(name, ())
    if len(found) > 1:
        raise InvalidArgument(
            f"{kind} {name} should not contain more than one {kind.lower()}s.", argument=0
        )
    return bool(found) and found[0] is not None


def dims_of(variable: Any) -> DDim:
    """A variable's dims. Raises InvalidArgument for one that has none."""
    if isinstance(variable, SelectedRows):
        return DDim(variable.GetCompleteDims())
    if isinstance(variable, DenseTensor | MetaTensor):
        return DDim(variable.dims)
    raise InvalidArgument(
        "Only LoDTensor or SelectedRows support 'GetDim', but input Variable's type is "
        f"{type(variable).__name__}."
    )


def _resize(variable: Any, dim: Sequence[int]) -> None:
    if isinstance(variable, MetaTensor):
        variable.set_dims(dim)
    elif isinstance(variable, DenseTensor):
        variable.declared = replace(variable.declared, dims=tuple(dim))
    else:
        raise Unimplemented(
            "Variable type error, expect LoDTensor or SelectedRows, but received "
            f"({type(variable).__name__})."
        )
