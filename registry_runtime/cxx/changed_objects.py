"""What an expression changes: is it an object, and may it be changed?"""

from __future__ import annotations

from contextlib import suppress

from tree_sitter import Node

from registry_runtime.cxx.context import argument_nodes, child, span_of
from registry_runtime.cxx.grammar import without_parentheses
from registry_runtime.cxx.literals import LITERALS, STRING_LITERALS
from registry_runtime.cxx.lookup import look_up
from registry_runtime.cxx.names import qualified_name
from registry_runtime.cxx.operand_types import NULL, inside_of, kind_of, known, parts_of
from registry_runtime.cxx.own_types import IteratorType
from registry_runtime.cxx.read_type import read_type
from registry_runtime.cxx.scopes import At
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import (
    ConstType,
    FunctionType,
    NamedType,
    PointerType,
    ReferenceType,
    Type,
)


def changes(at: At, node: Node) -> None:
    """Raises CxxError if what an expression stands for is const, or nothing but a value."""
    node = without_parentheses(node)
    if is_const_place(at, node):
        raise CxxError(f"`{at.spell(node)}` is const", span_of(node))
    if is_value(at, node):
        raise CxxError(f"`{at.spell(node)}` is a value, and can't be changed", span_of(node))
    local = at.find(at.spell(node), node) if node.type == "identifier" else None
    if local is not None and local.is_array:
        raise CxxError(f"`{at.spell(node)}` is an array, and can't be changed", span_of(node))


def is_const_place(at: At, node: Node) -> bool:
    """Whether what an expression stands for is certainly a const object."""
    if node.type == "parenthesized_expression":
        return is_const_place(at, argument_nodes(node)[0])
    if node.type in STRING_LITERALS:
        return True
    if node.type == "identifier":
        local = at.find(at.spell(node), node)
        return local is not None and local.is_const
    if node.type == "conditional_expression":
        return any(
            is_const_place(at, child(node, branch)) for branch in ("consequence", "alternative")
        )
    if node.type == "field_expression":
        of = child(node, "argument")
        owner = at.type_in(of)
        if kind_of(owner or NULL) == "optional":
            return bool(parts_of(inside_of(owner))) and is_const_inside(at, owner, of)
        return bool(parts_of(owner)) and is_const_place(at, of)
    if node.type == "call_expression" and child(node, "function").type == "field_expression":
        called = child(node, "function")
        of, name = child(called, "argument"), at.spell(child(called, "field"))
        owner = at.type_in(of) if name == "value" else None
        return kind_of(owner or NULL) == "optional" and is_const_inside(at, owner, of)
    if node.type not in ("subscript_expression", "pointer_expression"):
        return False
    of = child(node, "argument")
    owner = at.type_in(of)
    if isinstance(owner, PointerType | IteratorType):
        is_address = node.type == "pointer_expression" and at.spell(node).startswith("&")
        return isinstance(owner.to, ConstType) and not is_address
    if kind_of(owner or NULL) == "optional":  # what it holds is const if it is
        return at.spell(node).startswith("*") and is_const_inside(at, owner, of)
    return (
        node.type == "subscript_expression" and known(owner) is not None and is_const_place(at, of)
    )


def is_const_inside(at: At, optional: Type | None, node: Node) -> bool:
    """Whether what an optional holds is const, that this expression stands for."""
    of = optional.arguments[0].type if isinstance(optional, NamedType) else None
    return isinstance(of, ConstType) or is_const_place(at, node)


def is_value(at: At, node: Node) -> bool:
    """Whether an expression certainly is no object with a name."""
    if node.type == "parenthesized_expression":
        return is_value(at, argument_nodes(node)[0])
    if node.type == "identifier":
        local = at.find(at.spell(node), node)
        if local is not None:
            return local.is_enumerator
    if node.type in ("identifier", "qualified_identifier") and not at.has_this:
        return kind_of(at.type_in(node) or NULL) in ("enum", "nullopt")
    if node.type in ("binary_expression", "unary_expression"):
        return at.type_in(node) is not None  # a class may have an operator that returns a reference
    if node.type == "conditional_expression":
        one, other = (child(node, branch) for branch in ("consequence", "alternative"))
        types = at.type_in(one), at.type_in(other)
        differ = None not in types and types[0] != types[1]
        return differ or is_value(at, one) or is_value(at, other)
    if node.type == "cast_expression":
        is_reference = "&" in at.spell(child(node, "type"))
        return not is_reference and kind_of(at.type_in(node) or NULL) in _SCALARS
    if node.type == "call_expression":
        return _returns_value(at, node, child(node, "function"))
    if node.type == "field_expression":
        return at.spell(child(node, "operator")) == "." and _is_made(at, child(node, "argument"))
    if node.type == "pointer_expression":
        return at.spell(node).startswith("&")
    if node.type == "compound_literal_expression":
        return kind_of(at.type_in(node) or NULL) in _SCALARS
    if node.type == "update_expression":
        return child(node, "operator").start_byte > child(node, "argument").start_byte
    return node.type == "sizeof_expression" or (node.type in LITERALS - STRING_LITERALS)


def is_temporary(at: At, node: Node) -> bool:
    """Whether an expression is a value, or makes the object that it is: it has no address, and no
    reference to what isn't const is one to it."""
    node = without_parentheses(node)
    return is_value(at, node) or _is_made(at, node)


def _is_made(at: At, node: Node) -> bool:
    # An object that an expression makes, whose members are values.
    if node.type == "compound_literal_expression":
        return True
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    if function is None:
        return False
    name = at.spell(function)
    is_place = (
        function.type == "field_expression" and kind_of(at.type_in(node) or NULL) == "iterator"
    )
    return is_place or name in _OF_CONST or name.partition("<")[0] in _MAKE


def _returns_value(at: At, node: Node, function: Node) -> bool:
    name, _, rest = at.spell(function).partition("<")
    if name in _OF_CONST or function.type == "primitive_type":
        return True
    if name == "static_cast":
        return "&" not in rest and kind_of(at.type_in(node) or NULL) in _SCALARS
    if kind_of(at.type_in(node) or NULL) not in _SCALARS:
        return False  # what is of a class can be assigned to, be it named or not
    if function.type == "field_expression":
        owner = kind_of(at.type_in(child(function, "argument")) or NULL)
        return owner in _CLASSES and at.spell(child(function, "field")) not in _PLACES
    if function.type != "identifier":
        return False
    local = at.find(name, function)
    if local is not None:
        return isinstance(local.type, FunctionType) and not _is_reference(local.type)
    found = look_up(at.program, qualified_name(at.program.source, function), at.place.scope)
    with suppress(CxxError):
        types = [read_type(at.program, f.node, at.place) for f in found.functions] if found else []
        return bool(types) and not any(map(_is_reference, types))
    return False


def _is_reference(type: Type) -> bool:
    return isinstance(type, FunctionType) and isinstance(type.returns, ReferenceType)


_CLASSES = ("string", "vector", "optional")
_PLACES = ("at", "front", "back", "value", "emplace")
_SCALARS = ("number", "pointer")

# What these return is const, or a value.
_NAMES = (
    "max",
    "min",
    "abs",
    "sqrt",
    "floor",
    "ceil",
    "trunc",
    "round",
    "fabs",
    "make_pair",
    "numeric_limits",
    "exp",
    "exp2",
    "log",
    "log2",
    "log10",
    "pow",
)
_MAKE = (
    *("std::string", "std::vector", "std::pair", "std::tuple", "std::array", "std::optional"),
    *("std::make_pair", "std::make_tuple", "std::make_optional", "std::to_string"),
)
_OF_CONST = tuple(f"std::{name}" for name in _NAMES)
