"""What a class kernel gets: one box that has everything, under names.

PHI's kernels are functions, and a function's type says what it takes. `OpKernel<T>::Compute` takes an
`ExecutionContext` whatever the operator is, and the body asks that for its inputs, its outputs and its
attributes by name. Nothing outside of the body knows what it will ask for, and that is why Paddle
could not plan a program's transfers and data types before it ran: a registration has a class in its
hands, and of its tensors nothing.

A name may hold several tensors, where the operator's maker said `AsDuplicable`.

Source: `paddle/fluid/framework/operator.h` and `operator.cc`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from registry_runtime.fluid.attribute import AttributeMap, get_const
from registry_runtime.phi.contexts import DeviceContext
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import EnforceNotMet, InvalidArgument, NotFound
from registry_runtime.phi.place import Place

VariableMap = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class RuntimeContext:
    """`framework::RuntimeContext` and the operator's own facts: the variables of one call, by name.

    An output is a tensor without memory; None stands for one that nobody wants. `attrs` has the
    maker's defaults already, and `attr_types` says of which C++ types they are, as far as a maker does.
    """

    op_type: str
    inputs: VariableMap
    outputs: VariableMap
    attrs: AttributeMap
    attr_types: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExecutionContext:
    """`framework::ExecutionContext`. What raises, raises as Paddle: NotFound and InvalidArgument.

    `Input(name, SelectedRows)` is C++'s `Input<phi::SelectedRows>(name)`, and `Attr(name, "int")` its
    `Attr<int>(name)`.
    """

    call: RuntimeContext
    dev_ctx: DeviceContext

    # --- Questions ---

    def Type(self) -> str:
        return self.call.op_type

    def HasInput(self, name: str) -> bool:
        return self._one("input", self.call.inputs, name) is not None

    def HasInputs(self, name: str) -> bool:
        found = self.call.inputs.get(name, ())
        return bool(found) and all(variable is not None for variable in found)

    def HasOutput(self, name: str) -> bool:
        return self._one("output", self.call.outputs, name) is not None

    def HasAttr(self, name: str) -> bool:
        return name in self.call.attrs

    def InputSize(self, name: str) -> int:
        return len(self._all("input", self.call.inputs, name))

    def OutputSize(self, name: str) -> int:
        return len(self._all("output", self.call.outputs, name))

    def InNameList(self) -> list[str]:
        return list(self.call.inputs)

    def InputName(self, name: str) -> str:
        """The variable's name in the program; a call from Python has none but the slot's own."""
        self._all("input", self.call.inputs, name)
        return name

    def OutputName(self, name: str) -> str:
        self._all("output", self.call.outputs, name)
        return name

    # --- What stands under a name ---

    def InputVar(self, name: str) -> Any:
        return self._one("input", self.call.inputs, name)

    def OutputVar(self, name: str) -> Any:
        return self._one("output", self.call.outputs, name)

    def Input(self, name: str, of: type = DenseTensor) -> Any:
        """The tensor, of the class `of`; None where the call has none of this name."""
        return _as(of, self.InputVar(name))

    def Output(self, name: str, of: type = DenseTensor) -> Any:
        """The tensor to fill, which has dims by now and no memory; None where nobody wants it."""
        return _as(of, self.OutputVar(name))

    def MultiInput(self, name: str, of: type = DenseTensor) -> list[Any]:
        return [_as(of, variable) for variable in self.call.inputs.get(name, ())]

    def MultiOutput(self, name: str, of: type = DenseTensor) -> list[Any]:
        return [_as(of, variable) for variable in self.call.outputs.get(name, ())]

    def Attr(self, name: str, cpp_type: str) -> Any:
        return get_const(self.call.attrs, name, cpp_type, self.call.attr_types.get(name))

    def Attrs(self) -> AttributeMap:
        return self.call.attrs

    # --- Where it computes ---

    def GetPlace(self) -> Place:
        return self.dev_ctx.GetPlace()

    def device_context(self) -> DeviceContext:
        return self.dev_ctx

    def _one(self, kind: str, slots: VariableMap, name: str) -> Any:
        found = slots.get(name, ())
        if len(found) > 1:
            raise InvalidArgument(
                f"Operator {self.call.op_type}'s {kind} {name} should contain only one variable.",
                hint=f"read all of them by Multi{kind.capitalize()}",
                argument=0,
            )
        return found[0] if found else None

    def _all(self, kind: str, slots: VariableMap, name: str) -> Sequence[Any]:
        if name not in slots:
            raise no_such_name(self.call.op_type, kind, name, slots)
        return slots[name]


def no_such_name(
    op_type: str, kind: str, name: str, slots: VariableMap, argument: int = 0
) -> EnforceNotMet:
    """The error for an operator that has no input, or no output, of this name."""
    called = f"the input {name}" if kind == "input" else f"an output called {name}"
    there = f"there are {', '.join(slots)}" if slots else f"the call has no {kind}s"
    return NotFound(f"Operator {op_type} does not have {called}.", hint=there, argument=argument)


def _as(of: type, variable: Any) -> Any:
    if variable is None or isinstance(variable, of):
        return variable
    raise InvalidArgument(
        f"The Variable type must be {of.__name__}, but the type it holds is "
        f"{type(variable).__name__}."
    )
