"""What one of Fluid's registrations did: an operator with all that describes it, or one kernel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, cast

from registry_runtime.cxx import Span
from registry_runtime.diagnostic import Diagnostic

if TYPE_CHECKING:
    from registry_runtime.fluid.op_info import OpInfo
    from registry_runtime.fluid.op_kernel_type import ClassKernel, OpKernelType
    from registry_runtime.fluid.world import World

Kind = Literal["operator", "kernel"]

# Fluid's own classes that others are derived from. No text has to define them.
FRAMEWORK_CLASSES = (
    *("framework::OperatorBase", "framework::OperatorWithKernel", "framework::OpKernelBase"),
    *("framework::OpKernel", "framework::OpProtoAndCheckerMaker", "framework::GradOpDescMakerBase"),
    *("framework::SingleGradOpMaker", "framework::DefaultGradOpMaker"),
    *("framework::EmptyGradOpMaker", "framework::VarTypeInference", "framework::InferShapeBase"),
    *("framework::InplaceOpInference", "framework::NoNeedBufferVarsInference"),
    "imperative::GradOpBaseMakerBase",
)


@dataclass(frozen=True, slots=True)
class Registration:
    """One thing that a text put into OpInfoMap or into AllOpKernels(), and where that happened.

    `kernel_name` is the operator's type. `key` is `operator`, or a kernel's OpKernelType. `args` are
    the registration's classes: of an operator all of them, as they were listed; of a kernel its own.
    `function` is the first of these. `replaced` says that a kernel's key had one before; of an
    operator there can't be two. `runnable` is False for a kernel that can't be called here. `span` is
    the static object's declaration; `body` the class that computes, or the operator's, None where the
    text doesn't define it.
    """

    framework: ClassVar[str] = "fluid"
    call: ClassVar[None] = None  # the static object registers, and no statement elsewhere
    kind: Kind
    kernel_name: str
    key: OpKernelType | Literal["operator"]
    args: tuple[str, ...]
    runnable: bool
    replaced: bool
    span: Span
    body: Span | None
    entered: OpInfo | ClassKernel = field(repr=False, compare=False)

    def enter(self, world: World) -> None:
        """Enter it, again: no such thing is in Fluid, where nothing was ever taken out."""
        if self.key == "operator":
            world.op_info_map.Insert(self.kernel_name, cast("OpInfo", self.entered))
        else:
            kernels = world.op_kernels.setdefault(self.kernel_name, {})
            kernels[self.key] = cast("ClassKernel", self.entered)

    @property
    def stood_in(self) -> None:
        """A class's body is interpreted."""
        return

    @property
    def linked(self) -> tuple[str, ...]:
        """The functions that a kernel's body hands on to, and that only Python has bodies for."""
        from registry_runtime.fluid.compute import linked

        return (
            () if self.key == "operator" else linked(cast("ClassKernel", self.entered).kernel_type)
        )

    @property
    def op_type(self) -> str:
        """Fluid's word for the name."""
        return self.kernel_name

    @property
    def function(self) -> str:
        """The class that computes, or the operator's own."""
        return self.args[0]


@dataclass(frozen=True, slots=True)
class Initialisation:
    """What running one text did: each tuple in the order of the text."""

    registrations: tuple[Registration, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
