"""All of an operator's files, sorted: kernels, operator classes, makers, registrations, the rest.

A method may be defined outside of its class, and in another file; so first everything is collected,
and only then is each class filed by its base.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from visualizer.migration.fluid_text import FluidText, span_of
from visualizer.migration.names import aliases, qualified
from visualizer.migration.reading.classes import (
    declared_name,
    inside_template,
    is_functor,
    read_class,
    with_semicolon,
)
from visualizer.migration.reading.declarations import Class, Declaration, Fluid
from visualizer.migration.reading.makers import grad_maker, op_maker
from visualizer.migration.reading.registrations import read_registration

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
            elif node.type == "expression_statement":
                read_registration(fluid, source, node)
            else:
                fluid.declarations += _declarations_in(source, node)
    for method in methods:
        _file_method(fluid, classes, method)
    for found in classes:
        _file_class(fluid, found)
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
    return read_class(source, node, inner) if is_class else None


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
    yield Declaration(source.spell(name) if name else "", with_semicolon(node), node, source)


def _file_method(fluid: Fluid, classes: list[Class], method: _Method) -> None:
    owner = next((c for c in classes if c.name == method.class_name), None)
    if owner is not None:
        owner.methods.setdefault(method.name, method.node)
    elif method.name == "Make":  # whose class stands in a header of another name
        fluid.makers[method.class_name] = op_maker(fluid, method.node)
    else:
        span = span_of(method.node)
        fluid.declarations.append(Declaration(method.name, span, method.node, method.source))


def _file_class(fluid: Fluid, found: Class) -> None:
    if found.base in _KERNEL_BASES or is_functor(found):
        fluid.kernels[found.name] = found
    elif found.base.startswith("OperatorWithKernel"):
        fluid.operators[found.name] = found
    elif found.base == "OpProtoAndCheckerMaker" and "Make" in found.methods:
        fluid.makers[found.name] = op_maker(fluid, found.methods["Make"])
    elif found.base in _GRAD_MAKER_BASES and "Apply" in found.methods:
        fluid.grad_makers[found.name] = grad_maker(fluid, found)
    elif not found.base.startswith(_OF_THE_OPERATOR):
        whole = found.node
        if whole.parent is not None and whole.parent.type == "template_declaration":
            whole = whole.parent
        fluid.declarations.append(Declaration(found.name, found.item, whole, found.source))
