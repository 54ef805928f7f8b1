"""Attributes for which PHI has a type of its own, and Fluid had none.

An element type: Fluid's makers say `AddAttr<int>("out_dtype")`, and whoever reads it casts it to a
VarType::Type. PHI's parameter is a DataType.

A value that may come as a tensor: Fluid has an attribute `axis` and beside it an optional input
`AxisTensor`, and the kernel looks which of them there is. PHI's Scalar and IntArray do that
themselves, and the mapping function fills them from the one or the other. Only a block that does
nothing but set the attribute's variable can go; where it does more, the kernel keeps both, and a
person is told.
"""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from visualizer.migration.reading.declarations import Attribute, Fluid, Maker
from visualizer.migration.reading.fluid_text import FluidText, is_inside, span_of, walk
from visualizer.migration.reading.functions import (
    ATTRIBUTES,
    ContextCall,
    Local,
    context_of,
    kept_in,
    locals_of,
    reads,
)

# What Fluid's operators call them, so that no cast needs to be found.
_NAMES = ("dtype", "out_dtype", "in_dtype")


def data_type_attributes(
    fluid: Fluid, functions: list[tuple[FluidText, Node]], listed: Iterable[Attribute]
) -> set[str]:
    """The attributes that are an element type, by what `functions` do with them, or by the names
    that the makers list."""
    found = {a.name for a in listed if a.type == "int" and a.name in _NAMES}
    for source, function in functions:
        variables = locals_of(source, function)
        context = context_of(source, variables)
        for read in reads(fluid, source, context) if context is not None else ():
            if read.method not in ATTRIBUTES or read.name is None:
                continue
            kept = kept_in(variables, read.call)
            uses = kept.uses if kept is not None else []
            if with_cast(source, read) != read.call or any(_is_type_cast(source, u) for u in uses):
                found.add(read.name)
    return found


def as_numbers(source: FluidText, read: ContextCall, kept: Local | None) -> list[Node]:
    """Where such an attribute is used without a cast to a type: as the number that it was."""
    if with_cast(source, read) != read.call:
        return []
    if kept is None:
        return [read.call]
    return [use for use in kept.uses if not _is_type_cast(source, use)]


def _is_type_cast(source: FluidText, value: Node) -> bool:
    """Whether a number is cast to an element type where it stands:
    `static_cast<framework::proto::VarType::Type>(dtype)`."""
    return _cast_around(source, value) is not None


def _cast_around(source: FluidText, call: Node) -> Node | None:
    listed = call.parent
    cast = listed.parent if listed is not None else None
    if cast is None or cast.type != "call_expression":
        return None
    function = cast.child_by_field_name("function")
    if function is None or function.type != "template_function":
        return None
    spelled = source.spell(function)
    return cast if spelled.startswith("static_cast") and "VarType::Type" in spelled else None


def with_cast(source: FluidText, read: ContextCall) -> Node:
    """The read, or the cast to a VarType::Type around it."""
    return _cast_around(source, read.call) or read.call


# --- A number or a tensor -------------------------------------------------------------------------


_NUMBERS = ("int", "int64_t", "float", "double", "bool")
_LISTS = ("std::vector<int>", "std::vector<int64_t>", "vector<int>", "vector<int64_t>")


def pairs(maker: Maker) -> dict[str, str]:
    """Attributes and the dispensable inputs named after them: {"axis": "AxisTensor"}."""
    found: dict[str, str] = {}
    for attribute in maker.attributes:
        wanted = attribute.name.replace("_", "").lower() + "tensor"
        for variable in maker.inputs:
            if (
                variable.name.replace("_", "").lower() == wanted
                and "AsDispensable" in variable.flags
                and attribute.type in (*_NUMBERS, *_LISTS)
            ):
                found[attribute.name] = variable.name
    return found


def can_be_one(
    fluid: Fluid, functions: list[tuple[FluidText, Node]], attribute: str, tensor: str
) -> bool:
    """Whether all kernels read the pair in the way that a Scalar makes superfluous."""
    return bool(functions) and all(
        _in_one(fluid, source, function, attribute, tensor) for source, function in functions
    )


def _in_one(fluid: Fluid, source: FluidText, function: Node, attribute: str, tensor: str) -> bool:
    variables = locals_of(source, function)
    context = context_of(source, variables)
    if context is None:
        return False
    found = list(reads(fluid, source, context))
    asked = [r for r in found if r.method in ATTRIBUTES and r.name == attribute]
    kept = [v for r in asked if (v := kept_in(variables, r.call)) is not None]
    of_tensor = [r for r in found if r.name == tensor]
    if len(kept) != 1 or not of_tensor:
        return False
    blocks = [b for r in of_tensor if (b := tensor_block(r)) is not None]
    return (
        len(blocks) == 1
        and all(is_inside(r.call, span_of(blocks[0])) for r in of_tensor)
        and _only_sets(variables, kept[0], context, blocks[0], found)
    )


def _only_sets(
    variables: list[Local], kept: Local, context: Local, block: Node, found: list[ContextCall]
) -> bool:
    sets = False
    for local in variables:
        declared = local.declaration
        if local is context or (declared is not None and is_inside(declared, span_of(block))):
            continue
        for use in local.uses:
            if not is_inside(use, span_of(block)):
                continue
            outer = use.parent
            is_set = (
                local is kept
                and outer is not None
                and outer.type == "assignment_expression"
                and outer.child_by_field_name("left") == use
            )
            if not is_set:
                return False
            sets = True
    outputs = any("Output" in r.method for r in found if is_inside(r.call, span_of(block)))
    leaves = any(n.type in ("return_statement", "throw_statement") for n in walk(block))
    return sets and not outputs and not leaves


def tensor_block(read: ContextCall) -> Node | None:
    """`if (ctx.HasInput("AxisTensor")) { … }` around a question for the tensor, if it does nothing
    but set one variable of the function: all of that is what a Scalar does by itself."""
    if read.method not in ("HasInput", "HasInputs"):
        return None
    clause = read.call.parent
    statement = clause.parent if clause is not None else None
    if clause is None or clause.type != "condition_clause" or statement is None:
        return None
    if statement.type != "if_statement" or statement.child_by_field_name("alternative"):
        return None
    return statement
