"""What a Fluid operator's files declare, and what registers it.

Fluid says everything with classes, and their base tells what each is for: OpKernel computes,
OperatorWithKernel infers shapes, OpProtoAndCheckerMaker lists names, SingleGradOpMaker says how the
gradient's call is made. The registrations at the end say which of them belong to which operator.
Everything else is a declaration like any other: what kernels call.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.fluid_text import FluidText
from visualizer.migration.names import Aliases


@dataclass(frozen=True, slots=True)
class Class:
    """A class of Fluid's: `item` is the whole declaration, with its template and its semicolon."""

    source: FluidText
    name: str
    item: Span
    node: Node
    template: tuple[str, ...]  # its type parameters' names
    base: str
    base_arguments: tuple[str, ...]
    methods: dict[str, Node]  # function_definition by name, in the class or outside of it

    @property
    def compute(self) -> Node | None:
        """What a kernel does when it runs."""
        return self.methods.get("Compute") or self.methods.get("operator()")


@dataclass(frozen=True, slots=True)
class Variable:
    """An input or an output, as the op maker or the grad op maker adds it. `node` is the call."""

    name: str
    node: Node
    source: FluidText
    flags: frozenset[str] = frozenset()
    came_from: tuple[str, str] = ("", "")  # ("OutputGrad", "Out"), for a grad op's
    in_an_if: bool = False


@dataclass(frozen=True, slots=True)
class Attribute:
    name: str
    type: str
    node: Node
    source: FluidText
    flags: frozenset[str] = frozenset()


@dataclass(slots=True)
class Maker:
    """The names of an operator, in the order of its maker. `all_attributes`: the forward's, too."""

    node: Node
    source: FluidText
    inputs: list[Variable] = field(default_factory=list)
    outputs: list[Variable] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)
    all_attributes: bool = False
    op_type: str = ""
    unnamed: list[Node] = field(default_factory=list)  # adds something under no plain name


@dataclass(frozen=True, slots=True)
class RegisteredClass:
    name: str
    arguments: tuple[Node, ...]
    node: Node


@dataclass(frozen=True, slots=True)
class KernelRegistration:
    """`REGISTER_OP_CPU_KERNEL(trace, …)`: `statement` has its semicolon."""

    op_type: str
    backend: str
    layout: str
    classes: tuple[RegisteredClass, ...]
    source: FluidText
    statement: Node


@dataclass(frozen=True, slots=True)
class OperatorRegistration:
    op_type: str
    classes: tuple[str, ...]
    source: FluidText
    statement: Node


@dataclass(frozen=True, slots=True)
class Declaration:
    """What is none of the classes above. `name` is "" for what declares no name."""

    name: str
    item: Span
    node: Node
    source: FluidText


@dataclass(slots=True)
class Fluid:
    """All that the files of an operator hold."""

    sources: tuple[FluidText, ...]
    aliases: tuple[Aliases, ...]
    kernels: dict[str, Class] = field(default_factory=dict)
    operators: dict[str, Class] = field(default_factory=dict)
    makers: dict[str, Maker] = field(default_factory=dict)
    grad_makers: dict[str, Maker] = field(default_factory=dict)
    declarations: list[Declaration] = field(default_factory=list)
    kernel_registrations: list[KernelRegistration] = field(default_factory=list)
    operator_registrations: list[OperatorRegistration] = field(default_factory=list)
