"""Why a person must look at a kernel as a whole: what no statement of its body is to blame for."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from registry_runtime.cxx import Span
from visualizer.migration.fluid_text import FluidText, span_of
from visualizer.migration.operators import Operator
from visualizer.migration.reading.declarations import Class
from visualizer.migration.signature import scalar_type


@dataclass(frozen=True, slots=True)
class Reason:
    """A comment above the kernel, and where in the old files it comes from."""

    rule: str
    text: str
    source: FluidText
    span: Span


def reasons_of(
    operator: Operator, found: Class, parameters: Collection[str], has_members: bool
) -> Iterator[Reason]:
    """`parameters` are those of the template's that PHI has as well; has_members: whether the class
    has functions beside Compute."""
    head = head_of(found)

    def of_the_class(rule: str, text: str) -> Reason:
        return Reason(rule, text, found.source, head)

    if not operator.signature.by_maker:
        text = "no op maker in these files lists the names: check the parameters' order"
        yield of_the_class("order", text)
    for source, node in operator.unnamed:
        text = "the maker adds a name here that nobody knows before it runs: add its parameter"
        yield Reason("order", text, source, span_of(node))
    others = ", ".join(name for name in found.template if name not in parameters)
    if others:
        text = f"a PHI kernel is a template over T and Context, not {others}"
        yield of_the_class("kernel", text)
    for attribute, tensor in operator.kept_apart.items():
        known = operator.signature.find("attribute", attribute)
        one = scalar_type(known.cxx_type if known is not None else "")
        text = f"{attribute} and {tensor} could be one {one}, if the body let go of {tensor}"
        yield of_the_class("scalar", text)
    if found.compute is None:
        yield of_the_class("kernel", f"{found.name} has no Compute in these files")
    if has_members:
        text = "functions of the class are functions of their own now: look over"
        yield of_the_class("kernel", text)


def stays_in_fluid(found: Class, names: Collection[str]) -> Reason:
    """The kernel can't move, for it uses these names."""
    listed = ", ".join(sorted(names)) or "what it uses"
    text = f"{listed} can't move to PHI, so this kernel stays in Fluid"
    return Reason("dependency", text, found.source, head_of(found))


def head_of(found: Class) -> Span:
    """`template <…> class TraceKernel : public framework::OpKernel<T>`."""
    body = found.node.child_by_field_name("body")
    end = body.start_byte if body is not None else found.item.end
    text = found.source.text[found.item.start : end]
    return Span(found.item.start, found.item.start + len(text.rstrip()))
