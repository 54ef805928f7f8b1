"""All of an operator's files, sorted: kernels, operator classes, makers, registrations, the rest.

A method may be defined outside of its class, and in another file; so first everything is collected,
and only then is each class filed by its base. Of a maker the names count that it adds, each by a
call, and what is said of them by calls on what that returns: `AddInput("Bias", "…").AsDispensable()`.
A grad op maker copies names from the forward's call: `SetInput("X", this->Input("X"))`, now and then
only if something is so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tree_sitter import Node

from visualizer.migration.reading.declarations import (
    Attribute,
    Class,
    Declaration,
    Fluid,
    Maker,
    Variable,
    declared_name,
    inside_template,
    is_functor,
    read_class,
    read_registration,
    with_semicolon,
)
from visualizer.migration.reading.fluid_text import FluidText, span_of, walk, with_words
from visualizer.migration.reading.names import (
    aliases,
    first_name,
    method_of_call,
    parts_of_call,
    qualified,
    template_arguments,
)

_KERNEL_BASES = ("OpKernel", "OpKernelBase")
_GRAD_MAKER_BASES = ("SingleGradOpMaker", "SingleGradOpDescMaker", "GradOpMakerBase")
# Classes that say more of an operator, and stay in Fluid with it.
_OF_THE_OPERATOR = (
    "VarTypeInference",
    "PassInDtypeAndVarTypeToOutput",
    "InferShapeBase",
    "OperatorBase",
    "OpProtoAndCheckerMaker",
    "NoNeedBufferVarsInference",
    "StaticGraphVarTypeInference",
)


@dataclass(frozen=True, slots=True)
class _Method:
    """A method that is defined outside of its class: `void TraceOpMaker::Make() { … }`."""

    class_name: str
    name: str
    node: Node
    source: FluidText


def understand(sources: tuple[FluidText, ...]) -> Fluid:
    """What stands in the files of one operator."""
    fluid = Fluid(sources, tuple(aliases(source) for source in sources))
    classes: list[Class] = []
    methods: list[_Method] = []
    for source in sources:
        for node in _items(source.root):
            if (found := _class_in(source, node)) is not None:
                classes.append(found)
            elif (method := _method_in(source, node)) is not None:
                methods.append(method)
            elif not read_registration(fluid, source, node):
                fluid.declarations += _declarations_in(source, node)
    for method in methods:
        _file_method(fluid, classes, method)
    for found in classes:
        _file_class(fluid, found)
    for operator in fluid.operators.values():
        fluid.declarations += _members(fluid, operator)
    return fluid


def _items(node: Node) -> Iterator[Node]:
    """What stands at namespace scope, whatever namespaces and conditions it is in."""
    for child in node.children:
        if child.type in ("namespace_definition", "linkage_specification"):
            body = child.child_by_field_name("body")
            if body is not None:
                yield from _items(body)
        elif child.type in ("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif"):
            yield from _items(child)
        elif child.is_named:
            yield child


def _class_in(source: FluidText, node: Node) -> Class | None:
    inner = inside_template(node)
    is_class = inner.type in ("class_specifier", "struct_specifier")
    if is_class and inner.child_by_field_name("body") is None and _is_of_a_framework(source, node):
        return None
    return read_class(source, node, inner) if is_class else None


def _is_of_a_framework(source: FluidText, node: Node) -> bool:
    """Whether a namespace around it is no operators': what is declared there is defined elsewhere."""
    here = node.parent
    while here is not None:
        if here.type == "namespace_definition":
            name = here.child_by_field_name("name")
            spelled = source.spell(name) if name is not None else ""
            return spelled.rpartition("::")[2] in ("framework", "platform", "phi", "imperative")
        here = here.parent
    return False


def _method_in(source: FluidText, node: Node) -> _Method | None:
    inner = inside_template(node)
    name = declared_name(inner) if inner.type == "function_definition" else None
    if name is None or name.type != "qualified_identifier":
        return None
    *_, class_name, method = qualified(source, name).parts
    return _Method(class_name, method, inner, source)


def _declarations_in(source: FluidText, node: Node) -> Iterator[Declaration]:
    """Functions, variables, macros, aliases and enumerations, by the names that they declare."""
    inner = inside_template(node)
    if inner.type in ("function_definition", "declaration"):
        name = declared_name(inner)
    elif node.type in ("preproc_def", "preproc_function_def"):
        name = node.child_by_field_name("name")
    elif inner.type in ("alias_declaration", "enum_specifier"):
        name = inner.child_by_field_name("name")
    elif node.type == "using_declaration" and node.named_children:
        name = node.named_children[-1]
        if name.type == "qualified_identifier":  # `using a::b;`, and not `using namespace a;`
            yield Declaration(qualified(source, name).parts[-1], span_of(node), node, source)
        return
    else:
        return
    whole = with_words(source, with_semicolon(node))
    yield Declaration(source.spell(name) if name else "", whole, node, source)


def _file_method(fluid: Fluid, classes: list[Class], method: _Method) -> None:
    owner = next((c for c in classes if c.name == method.class_name), None)
    if owner is not None:
        owner.methods.setdefault(method.name, method.node)
    elif method.name == "Make":  # whose class stands in a header of another name
        fluid.makers[method.class_name] = _op_maker(fluid, method.node)
    else:
        span = span_of(method.node)
        fluid.declarations.append(Declaration(method.name, span, method.node, method.source))


def _file_class(fluid: Fluid, found: Class) -> None:
    registered = (c.name for r in fluid.kernel_registrations for c in r.classes)
    if found.base in _KERNEL_BASES or (is_functor(found) and found.name in registered):
        fluid.kernels[found.key] = found
    elif found.base.startswith("OperatorWithKernel"):
        fluid.operators[found.name] = found
    elif found.base == "OpProtoAndCheckerMaker" and "Make" in found.methods:
        maker = _op_maker(fluid, found.methods["Make"])
        fluid.makers[found.name] = replace(maker, template=found.template)
    elif found.base in _GRAD_MAKER_BASES and "Apply" in found.methods:
        fluid.grad_makers[found.name] = _grad_maker(fluid, found)
    elif not found.base.startswith(_OF_THE_OPERATOR):
        whole = found.node
        if whole.parent is not None and whole.parent.type == "template_declaration":
            whole = whole.parent
        fluid.declarations.append(Declaration(found.name, found.item, whole, found.source))


# What Fluid calls, and nobody else: it stays with the class.
_CALLED_BY_FLUID = ("InferShape", "GetExpectedKernelType", "GetKernelTypeForVar")


def _members(fluid: Fluid, operator: Class) -> Iterator[Declaration]:
    """The functions of an operator's class that its own or a kernel's may call."""
    for name, node in operator.methods.items():
        if name in _CALLED_BY_FLUID or name.lstrip("~") == operator.name:
            continue
        outer = node.parent
        is_template = outer is not None and outer.type == "template_declaration"
        whole = outer if outer is not None and is_template else node
        source = fluid.source_of(node)
        yield Declaration(name, span_of(whole), whole, source, operator.name)


# --- Makers ---------------------------------------------------------------------------------------


def _op_maker(fluid: Fluid, make: Node) -> Maker:
    """What `Make` adds."""
    source = fluid.source_of(make)
    maker = Maker(make, source)
    for node in walk(make):
        if node.type != "call_expression":
            continue
        receiver, method, named = method_of_call(source, node)
        if receiver is not None or method not in ("AddInput", "AddOutput", "AddAttr"):
            continue
        arguments = parts_of_call(node)[1]
        name = first_name(source, fluid.aliases[source.index], arguments)
        if name is None:
            maker.unnamed.append(node)
            continue
        flags = frozenset(_flags(source, node))
        if method == "AddAttr":
            types = template_arguments(named)
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


def _grad_maker(fluid: Fluid, found: Class) -> Maker:
    """What `Apply` sets on the gradient's call."""
    apply = found.methods["Apply"]
    source = fluid.source_of(apply)
    maker = Maker(found.node, source)
    for node in walk(apply):
        if node.type != "call_expression":
            continue
        _, method, _ = method_of_call(source, node)
        arguments = parts_of_call(node)[1]
        first = first_name(source, fluid.aliases[source.index], arguments)
        if method == "SetType":
            maker.op_type = first or ""
            maker.suffix = _behind_the_forwards(source, arguments)
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


def _behind_the_forwards(source: FluidText, arguments: list[Node]) -> str:
    """`_grad` of `this->ForwardOpType() + "_grad"`; "" of all else."""
    spelled = source.spell(arguments[0]) if arguments else ""
    found = re.fullmatch(r"(?:this->)?ForwardOpType\(\)\s*\+\s*\"(\w+)\"", spelled)
    return found[1] if found else ""


def _asked_of_the_call(fluid: Fluid, source: FluidText, node: Node) -> tuple[str, str]:
    for below in walk(node):
        if below.type == "call_expression":
            _, method, _ = method_of_call(source, below)
            arguments = parts_of_call(below)[1]
            name = first_name(source, fluid.aliases[source.index], arguments)
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
