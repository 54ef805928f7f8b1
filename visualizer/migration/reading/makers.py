"""The names that an operator has: from its op maker, and from the maker of its gradient's call.

An op maker adds each name by a call, and says more of it by calls on what that returns:
`AddInput("Bias", "…").AsDispensable()`. A grad op maker copies names from the forward's call:
`SetInput("X", this->Input("X"))`, now and then only if something is so.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from visualizer.migration.fluid_text import FluidText, walk
from visualizer.migration.names import template_arguments
from visualizer.migration.reading.calls import method_of_call, name_in, parts_of_call
from visualizer.migration.reading.declarations import Attribute, Class, Fluid, Maker, Variable


def op_maker(fluid: Fluid, make: Node) -> Maker:
    """What `Make` adds."""
    source = _source_of(fluid, make)
    maker = Maker(make, source)
    for node in walk(make):
        if node.type != "call_expression":
            continue
        receiver, method, named = method_of_call(source, node)
        if receiver is not None or method not in ("AddInput", "AddOutput", "AddAttr"):
            continue
        arguments = parts_of_call(node)[1]
        name = name_in(source, fluid.aliases[source.index], arguments[0] if arguments else None)
        if name is None:
            maker.unnamed.append(node)
            continue
        flags = frozenset(_flags(source, node))
        if method == "AddAttr":
            types = template_arguments(named) if named is not None else []
            spelled = source.spell(types[0]) if types else "int"
            maker.attributes.append(Attribute(name, spelled, node, source, flags))
        else:
            listed = maker.inputs if method == "AddInput" else maker.outputs
            listed.append(Variable(name, node, source, flags))
    return maker


def _flags(source: FluidText, node: Node) -> Iterator[str]:
    """What is chained to a call: `.AsDispensable().AsExtra()`."""
    while (outer := node.parent) is not None and outer.type == "field_expression":
        chained = outer.child_by_field_name("field")
        if chained is not None:
            yield source.spell(chained)
        if outer.parent is None:
            return
        node = outer.parent


def grad_maker(fluid: Fluid, found: Class) -> Maker:
    """What `Apply` sets on the gradient's call."""
    apply = found.methods["Apply"]
    source = _source_of(fluid, apply)
    maker = Maker(found.node, source)
    for node in walk(apply):
        if node.type != "call_expression":
            continue
        _, method, _ = method_of_call(source, node)
        arguments = parts_of_call(node)[1]
        first = name_in(source, fluid.aliases[source.index], arguments[0] if arguments else None)
        if method == "SetType":
            maker.op_type = first or ""
        elif method == "SetAttrMap":
            maker.all_attributes = True
        elif method in ("SetInput", "SetOutput") and len(arguments) == 2:
            if first is None:
                maker.unnamed.append(node)
                continue
            listed = maker.inputs if method == "SetInput" else maker.outputs
            came_from = _asked_of_the_call(fluid, source, arguments[1])
            variable = Variable(
                first, node, source, frozenset(), came_from, _is_inside_an_if(node, apply)
            )
            if all(v.name != first for v in listed):
                listed.append(variable)
        elif method == "SetAttr" and first is not None:
            maker.attributes.append(Attribute(first, "", node, source))
    return maker


def _asked_of_the_call(fluid: Fluid, source: FluidText, node: Node) -> tuple[str, str]:
    for below in walk(node):
        if below.type == "call_expression":
            _, method, _ = method_of_call(source, below)
            arguments = parts_of_call(below)[1]
            name = name_in(source, fluid.aliases[source.index], arguments[0] if arguments else None)
            if method in ("Input", "Output", "InputGrad", "OutputGrad") and name is not None:
                return method, name
    return "", ""


def _is_inside_an_if(node: Node, function: Node) -> bool:
    here: Node | None = node
    while here is not None and here.id != function.id:
        if here.type in ("if_statement", "conditional_expression", "switch_statement"):
            return True
        here = here.parent
    return False


def _source_of(fluid: Fluid, node: Node) -> FluidText:
    """The file in which a node stands: a method may be defined in another than its class."""
    root = node
    while root.parent is not None:
        root = root.parent
    return next(source for source in fluid.sources if source.root.id == root.id)
