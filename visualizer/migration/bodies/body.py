"""A body while it is rewritten: what it is given, and what has gone from it so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.fluid_text import span_of
from visualizer.migration.reading.context_reads import ATTRIBUTES, Read
from visualizer.migration.rewriting.rewriter import Rewriter
from visualizer.migration.signature import Parameter, Signature


@dataclass(slots=True)
class Body:
    """One function's body. `signature` is None for what a kernel calls, which has no parameters to
    get; is_meta: an InferShape and not a Compute.

    gone: statements that were taken out. pointers: variables that are still pointers.
    needs_config: whether something asks if the program runs or is being built.
    """

    rewriter: Rewriter
    signature: Signature | None
    is_meta: bool = False
    needs_config: bool = False
    gone: list[Span] = field(default_factory=list)
    pointers: set[str] = field(default_factory=set)

    @property
    def taken(self) -> set[str]:
        """Names that the parameters have, so that no variable may have them."""
        parameters = self.signature.parameters if self.signature is not None else ()
        return {"dev_ctx", *(p.name for p in parameters)}

    def take_out(self, statement: Node, rule: str, anchor: str = "") -> None:
        """A whole statement goes."""
        self.gone.append(span_of(statement))
        self.rewriter.take_out(statement, rule, anchor)

    def is_gone(self, node: Node) -> bool:
        """Whether it stands in a statement that was taken out."""
        return any(s.start <= node.start_byte and node.end_byte <= s.end for s in self.gone)

    def parameter_of(self, read: Read) -> Parameter | None:
        """What stands for the name that is read."""
        if self.signature is None or read.name is None:
            return None
        if read.method in ATTRIBUTES or read.method == "HasAttr":
            return self.signature.find("attribute", read.name)
        if "Output" in read.method:
            return self.signature.find("output", read.name)
        return self.signature.find("input", read.name)

    def cannot(self, read: Read, reason: str) -> None:
        """A person must see to this read."""
        self.rewriter.note(read.call, "unknown", reason)


def anchor_of(parameter: Parameter) -> str:
    """The name under which a draft knows where the parameter stands in the function's head."""
    return f"{parameter.kind} {parameter.fluid_name}"


def rule_of(parameter: Parameter) -> str:
    """The row by which an input or an output became this parameter."""
    if parameter.many:
        return "duplicable"
    if parameter.in_an_if:
        return "in_an_if"
    if parameter.optional:
        return "dispensable"
    return parameter.kind
