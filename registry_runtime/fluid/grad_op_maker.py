"""A grad op maker, run: from a call of an operator, the call of its gradient.

Calls are OpDescs: an operator's name, and under each of its names the variables of the program that
go in or come out. `Apply` fills the gradient's. It gets at the forward call by `this`: `Input("X")` are
the variables that went in as X, `InputGrad("X")` the names of their gradients, or nothing for those
that nobody wants a gradient of. A name that the call doesn't have is an error only now, when the
maker is run.

Source: `paddle/fluid/framework/grad_op_desc_maker.h`, `op_desc.cc`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from registry_runtime.cxx import (
    CxxClass,
    CxxObject,
    FunctionTemplate,
    Method,
    Pointer,
    PointerType,
    TemplateArgument,
)
from registry_runtime.fluid.attribute import get_const
from registry_runtime.phi.enforce import InvalidArgument, NotFound
from registry_runtime.phi.op_utils import GradVarName

EMPTY_VAR_NAME = "@EMPTY@"

# The bases of a maker, by what kind of program it is for.
GRAD_OP_MAKERS = ("SingleGradOpMaker", "DefaultGradOpMaker", "EmptyGradOpMaker")


@dataclass
class OpDesc:
    """`framework::OpDesc`: one call of an operator. A name may have several variables."""

    type: str = ""
    inputs: dict[str, list[str]] = field(default_factory=dict)
    outputs: dict[str, list[str]] = field(default_factory=dict)
    attrs: dict[str, Any] = field(default_factory=dict)

    def Input(self, name: str) -> list[str]:
        """Raises NotFound."""
        return self._slot("Input", self.inputs, name)

    def Output(self, name: str) -> list[str]:
        """Raises NotFound."""
        return self._slot("Output", self.outputs, name)

    def SetType(self, type: str) -> None:
        self.type = type

    def SetInput(self, param: str, args: Sequence[str]) -> None:
        self.inputs[param] = _names(args)

    def SetOutput(self, param: str, args: Sequence[str]) -> None:
        self.outputs[param] = _names(args)

    def SetAttrMap(self, attrs: Mapping[str, Any]) -> None:
        if not isinstance(attrs, Mapping):
            raise InvalidArgument("the attributes are wanted here: this->Attrs()", argument=0)
        self.attrs = dict(attrs)

    def SetAttr(self, name: str, value: object) -> None:
        self.attrs[name] = value

    def _slot(self, kind: str, slots: Mapping[str, list[str]], name: str) -> list[str]:
        if name not in slots:
            there = ", ".join(slots) or "none"
            raise NotFound(
                f"{kind} {name} cannot be found in operator {self.type}.",
                hint=f"{self.type}'s {kind.lower()}s are {there}",
                argument=0,
            )
        return slots[name]


def _names(args: object) -> list[str]:
    if isinstance(args, list | tuple) and all(isinstance(arg, str) for arg in args):
        return list(args)
    raise InvalidArgument("a list of variables is wanted here", argument=1)


@dataclass
class GradOpDescMaker(CxxObject):
    """`framework::GradOpDescMakerBase`: the object that `Apply` is run on.

    `grad_to_var` notes of which variable each gradient is, as the program wants to know later.
    """

    fwd_op: OpDesc
    no_grad_set: frozenset[str] = frozenset()
    grad_to_var: dict[str, str] = field(default_factory=dict)

    def Input(self, name: str) -> list[str]:
        return list(self.fwd_op.Input(name))

    def Output(self, name: str) -> list[str]:
        return list(self.fwd_op.Output(name))

    def InputGrad(self, name: str, drop_empty_grad: bool = True) -> list[str]:
        """Raises InvalidArgument for a name with several variables, unless told to keep the empty."""
        variables = self.fwd_op.Input(name)
        made = [self._gradient(variable) for variable in variables]
        if not drop_empty_grad:
            return made
        if len(variables) > 1:
            raise InvalidArgument(
                "BUG from operator developer: for input argument with a list of variables, "
                "drop_empty_grad is not allowed because it makes the correspondence between a "
                "variable and its gradient ambiguous.",
                hint=f'write this->InputGrad("{name}", false)',
            )
        return [gradient for gradient in made if gradient != EMPTY_VAR_NAME]

    def _gradient(self, variable: str) -> str:
        gradient = GradVarName(variable)
        if gradient in self.no_grad_set:
            return EMPTY_VAR_NAME
        self.grad_to_var[gradient] = variable
        return gradient

    def OutputGrad(self, name: str) -> list[str]:
        gradients = {GradVarName(v): v for v in self.fwd_op.Output(name)}
        self.grad_to_var |= gradients
        return list(gradients)

    def HasInput(self, name: str) -> bool:
        return name in self.fwd_op.inputs

    def HasOutput(self, name: str) -> bool:
        return name in self.fwd_op.outputs

    def InputNames(self) -> list[str]:
        return list(self.fwd_op.inputs)

    def OutputNames(self) -> list[str]:
        return list(self.fwd_op.outputs)

    def Attrs(self) -> Mapping[str, Any]:
        return self.fwd_op.attrs

    def HasAttr(self, name: str) -> bool:
        return name in self.fwd_op.attrs

    def GetAttr(self, name: str) -> Any:
        if name not in self.fwd_op.attrs:
            raise NotFound(f"Cannot find attribute [{name}].", argument=0)
        return self.fwd_op.attrs[name]

    def ForwardOpType(self) -> str:
        return self.fwd_op.type


def run_grad_op_maker(
    maker: CxxClass, fwd_op: OpDesc, no_grad_set: Sequence[str] = ()
) -> list[OpDesc]:
    """The gradient's calls, of one call of the forward operator.

    `no_grad_set` are gradients that nobody wants: `X@GRAD`. Raises InvalidArgument for a maker of a
    kind that is not run here, and the CxxError of what its body holds.
    """
    this = GradOpDescMaker(maker, fwd_op, frozenset(no_grad_set))
    kind = kind_of_maker(maker)
    if kind == "EmptyGradOpMaker":
        return []
    op = OpDesc()
    if kind == "DefaultGradOpMaker":
        _apply_default(this, op)
        return [op]
    apply = maker.method("Apply")
    if apply is None:
        raise InvalidArgument(
            f"{maker} has no Apply",
            hint="a grad op maker overrides `void Apply(GradOpPtr<T> op) const override`",
        )
    # GradOpPtr<T> is a pointer, and doesn't look like one.
    by_pointer = apply.type is not None and any(
        isinstance(p.type, PointerType) for p in apply.type.parameters
    )
    apply.call_on(this, op if by_pointer else Pointer(op))
    return [op]


def kind_of_maker(maker: CxxClass) -> str:
    """Which of Fluid's templates the maker is, or is derived from; empty for another one."""
    names = [maker.name, *(base.name for base in maker.bases())]
    found = (name.removeprefix("paddle::framework::") for name in names)
    return next((name for name in found if name in GRAD_OP_MAKERS), "")


def _apply_default(this: GradOpDescMaker, op: OpDesc) -> None:
    # The gradient takes whatever there is, as nobody said what it needs.
    op.type = f"{this.ForwardOpType()}_grad"
    for name in this.InputNames():
        op.inputs[name] = this.Input(name)
        op.outputs[GradVarName(name)] = this.InputGrad(name, len(this.Input(name)) == 1)
    for name in this.OutputNames():
        op.inputs[name] = this.Output(name)
        op.inputs[GradVarName(name)] = this.OutputGrad(name)
    op.attrs = dict(this.Attrs())


def _attr(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    if len(arguments) != 1:
        raise InvalidArgument("one type is wanted between `<` and `>`")
    return lambda this, name: get_const(this.fwd_op.attrs, name, str(arguments[0]))


_NONE: Method = lambda this: []  # noqa: E731

METHODS: Mapping[type, Mapping[str, Method]] = {
    OpDesc: {
        name: getattr(OpDesc, name)
        for name in ("SetType", "SetInput", "SetOutput", "SetAttrMap", "SetAttr")
    },
    GradOpDescMaker: {
        **{
            name: member
            for name, member in vars(GradOpDescMaker).items()
            if name[0].isupper() and callable(member)
        },
        "Attr": FunctionTemplate(_attr),
        **dict.fromkeys(("EmptyInput", "EmptyOutput", "EmptyInputGrad", "EmptyOutputGrad"), _NONE),
    },
}
