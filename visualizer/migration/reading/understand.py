"""All of an operator's files, sorted: kernels, operator classes, makers, registrations, the rest.

A method may be defined outside of its class, and in another file; so first everything is collected,
and only then is each class filed by its base.
"""

from __future__ import annotations

from collections.abc import Iterator

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


def understand(sources: tuple[FluidText, ...]) -> Fluid:
    """What stands in the files of one operator."""
    fluid = Fluid(sources, tuple(aliases(source) for source in sources))
    classes: list[Class] = []
    outside: list[tuple[str, str, Node, FluidText]] = []
    for source in sources:
        for node in _items(source.root):
            _take(fluid, source, node, classes, outside)
    for class_name, method, node, source in outside:
        for found in classes:
            if found.name == class_name:
                found.methods.setdefault(method, node)
                break
        else:
            if method == "Make":  # whose class stands in a header of another name
                fluid.makers[class_name] = op_maker(fluid, node, source)
            else:
                fluid.declarations.append(Declaration(method, span_of(node), node, source))
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


def _take(
    fluid: Fluid,
    source: FluidText,
    node: Node,
    classes: list[Class],
    outside: list[tuple[str, str, Node, FluidText]],
) -> None:
    inner = inside_template(node)
    if inner.type in ("class_specifier", "struct_specifier"):
        found = read_class(source, node, inner)
        if found is not None:
            classes.append(found)
    elif node.type == "expression_statement":
        read_registration(fluid, source, node)
    elif inner.type == "function_definition":
        name = declared_name(inner)
        if name is not None and name.type == "qualified_identifier":
            parts = qualified(source, name).parts
            outside.append((parts[-2], parts[-1], inner, source))
        else:
            _declare(fluid, source, node, name)
    elif inner.type == "declaration":
        _declare(fluid, source, node, declared_name(inner))
    elif node.type == "preproc_def" or node.type == "preproc_function_def":
        _declare(fluid, source, node, node.child_by_field_name("name"))
    elif node.type == "using_declaration":
        name = node.named_children[-1] if node.named_children else None
        if name is not None and name.type == "qualified_identifier":
            spelled = qualified(source, name).parts[-1]
            fluid.declarations.append(Declaration(spelled, span_of(node), node, source))
    elif node.type == "alias_declaration" or inner.type in ("enum_specifier", "alias_declaration"):
        _declare(fluid, source, node, inner.child_by_field_name("name"))


def _declare(fluid: Fluid, source: FluidText, node: Node, name: Node | None) -> None:
    spelled = source.spell(name) if name is not None else ""
    fluid.declarations.append(Declaration(spelled, with_semicolon(node), node, source))


def _file_class(fluid: Fluid, found: Class) -> None:
    if found.base in _KERNEL_BASES or is_functor(found):
        fluid.kernels[found.name] = found
    elif found.base.startswith("OperatorWithKernel"):
        fluid.operators[found.name] = found
    elif found.base == "OpProtoAndCheckerMaker" and "Make" in found.methods:
        fluid.makers[found.name] = op_maker(fluid, found.methods["Make"], found.source)
    elif found.base in _GRAD_MAKER_BASES and "Apply" in found.methods:
        fluid.grad_makers[found.name] = grad_maker(fluid, found)
    elif not found.base.startswith(_OF_THE_OPERATOR):
        whole = found.node
        if whole.parent is not None and whole.parent.type == "template_declaration":
            whole = whole.parent
        fluid.declarations.append(Declaration(found.name, found.item, whole, found.source))
