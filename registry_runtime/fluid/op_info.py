"""What Fluid knows of an operator: an OpInfo, in the OpInfoMap, under the operator's name.

REGISTER_OPERATOR is given classes in any order, and each goes to the place in the OpInfo that its base
class says. What Fluid keeps there are functions: one that makes the operator, one that infers shapes,
one that makes the gradient's call. Python finds operators here too, and that is why a program on disk
can name them: the map is all that stands between a name and code.

Source: `paddle/fluid/framework/op_info.h`, `details/op_registry.h`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from registry_runtime.cxx import CxxClass, CxxFunction, CxxObject
from registry_runtime.fluid.grad_op_maker import OpDesc, run_grad_op_maker
from registry_runtime.fluid.op_proto import OpAttrChecker, OpProto
from registry_runtime.near import nearest
from registry_runtime.phi.enforce import AlreadyExists, NotFound


@dataclass
class OperatorObject(CxxObject):
    """An operator made by its creator: `type` is its name. What its class overrides is found by
    `cxx_class.method`, and run by `call_on` on this object."""

    type: str


@dataclass(frozen=True, slots=True)
class MemberFunction:
    """A function that an OpInfo holds: a member function of a class, and the object to run it on."""

    this: CxxObject
    function: CxxFunction

    def __call__(self, *values: object) -> object:
        return self.function.call_on(self.this, *values)

    def __str__(self) -> str:
        return self.function.name


@dataclass
class OpInfo:
    """`framework::OpInfo`. None stands for what wasn't registered; see `details::OpInfoFiller`.

    `grad_op_maker` and `dygraph_grad_op_maker` are the classes, for the two kinds of programs.
    `no_need_buffer_vars` are the inputs of which only the shape is read.
    """

    op_class: CxxClass | None = None
    proto: OpProto | None = None
    checker: OpAttrChecker | None = None
    grad_op_maker: CxxClass | None = None
    dygraph_grad_op_maker: CxxClass | None = None
    infer_var_type: CxxClass | None = None
    infer_shape: MemberFunction | None = None
    infer_meta: MemberFunction | None = None
    infer_inplace: CxxClass | None = None
    no_need_buffer_vars: tuple[str, ...] | None = None
    use_default_grad_op_desc_maker: bool = False
    use_empty_grad_op_desc_maker: bool = False

    def Creator(self, op_type: str) -> OperatorObject:
        """The operator. Raises NotFound where no class was registered."""
        if self.op_class is None:
            raise NotFound("Operator's Creator has not been registered.")
        return OperatorObject(self.op_class, op_type)

    def Proto(self) -> OpProto:
        """Raises NotFound for an operator without a maker, as gradients are."""
        if self.proto is None:
            raise NotFound("Operator's Proto has not been registered")
        return self.proto

    def HasGradOpMaker(self) -> bool:
        return self.grad_op_maker is not None

    def HasNonEmptyGradOpMaker(self) -> bool:
        return self.HasGradOpMaker() and not self.use_empty_grad_op_desc_maker

    def GradOpMaker(self, op: OpDesc, no_grad_set: Sequence[str] = ()) -> list[OpDesc]:
        """The calls that make the gradient of this call. Raises NotFound where there is no maker, and
        CxxError for what is wrong in its body."""
        if self.grad_op_maker is None:
            type = self.proto.type if self.proto else "unknown"
            raise NotFound(
                f"Operator {type}'s GradOpMaker has not been registered.\n"
                f"Please check whether ({type}) operator has gradient operator.\n"
                "If not, please set stop_gradient to be True for its input and output variables "
                "using var.stop_gradient=True."
            )
        return run_grad_op_maker(self.grad_op_maker, op, no_grad_set)


class OpInfoMap:
    """`framework::OpInfoMap`."""

    def __init__(self) -> None:
        self._map: dict[str, OpInfo] = {}

    def Has(self, op_type: str) -> bool:
        return op_type in self._map

    def Insert(self, op_type: str, info: OpInfo) -> None:
        """Raises AlreadyExists."""
        if op_type in self._map:
            raise AlreadyExists(f"Operator ({op_type}) has been registered.")
        self._map[op_type] = info

    def Get(self, op_type: str) -> OpInfo:
        """Raises NotFound."""
        if op_type not in self._map:
            near = nearest(op_type, self._map)
            hint = f"did you mean `{near}`?" if near else ""
            raise NotFound(f"Operator ({op_type}) is not registered.", hint=hint)
        return self._map[op_type]

    def GetNullable(self, op_type: str) -> OpInfo | None:
        return self._map.get(op_type)

    def map(self) -> Mapping[str, OpInfo]:
        return self._map

    def clear(self) -> None:
        """Forget everything. Not in Fluid, where nothing is taken back."""
        self._map.clear()
