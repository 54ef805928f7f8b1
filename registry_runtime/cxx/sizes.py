"""`sizeof`: how many bytes an object of a type takes, which no evaluation is needed for: [expr.sizeof].

Of numbers, pointers and arrays of them it is known; how large a class is, a library decides.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import SIZE_T, Integer, type_of
from registry_runtime.cxx.context import Context, named_variable
from registry_runtime.cxx.conversions import arithmetic_type
from registry_runtime.cxx.grammar import without_parentheses
from registry_runtime.cxx.places import Pointer
from registry_runtime.cxx.read_type import read_type
from registry_runtime.cxx.static_types import static_type
from registry_runtime.cxx.types import PointerType, ReferenceType, Type
from registry_runtime.cxx.variables import BuiltInArray, NoValue, Variable


def size_of(context: Context, node: Node) -> Integer:
    """The value of a sizeof expression. Raises CxxError for a size that isn't known."""
    if any(child.type == "..." for child in node.children):
        raise context.not_understood(node)  # how many there are in a pack
    named = node.child_by_field_name("type")
    if named is not None:
        size = _of_type(read_type(context.program, named, context.place))
    else:
        size = _of_expression(context, node.named_children[0])
    if size is None:
        raise context.not_understood(node)
    return Integer(size, SIZE_T)


def _of_type(type: Type | None) -> int | None:
    type = type.to if isinstance(type, ReferenceType) else type
    if isinstance(type, PointerType):
        return 8
    number = arithmetic_type(type)
    return max(number.bits // 8, 1) if number is not None else None


def _of_expression(context: Context, node: Node) -> int | None:
    node = without_parentheses(node)
    variable = named_variable(context, node)
    if variable is not None:
        return _of_object(variable)
    number = static_type(context, node)
    return max(number.bits // 8, 1) if number is not None else None


def _of_object(variable: Variable) -> int | None:
    held = variable.cell.held
    match held:
        case NoValue():
            return _of_type(held.type)
        case Pointer():
            return 8
        case BuiltInArray():
            each = _of_type(held.of)
            return each * len(held) if each is not None else None
    number = type_of(held)
    return max(number.bits // 8, 1) if number is not None else None
