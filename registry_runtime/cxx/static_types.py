"""The arithmetic type of an expression that isn't evaluated: the branch of `?:` that isn't taken.

`c ? 1 : 2.5` is a double either way, [expr.cond], and so `c ? 7 : 2.5` divided by 2 is 3.5. What the
other branch would do must not happen; so its type is read off its form, as a compiler does.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from inspect import signature

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import (
    BOOL,
    CHAR,
    DOUBLE,
    INT64,
    SIZE_T,
    Arithmetic,
    common,
    promoted,
    type_of,
)
from registry_runtime.cxx.bindings import Function
from registry_runtime.cxx.context import Context, argument_nodes, child
from registry_runtime.cxx.conversions import arithmetic_type
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.grammar import operator_of
from registry_runtime.cxx.lambdas import Lambda
from registry_runtime.cxx.literals import LITERALS
from registry_runtime.cxx.names import NAMES, qualified_name
from registry_runtime.cxx.read_type import named_type, read_type
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import Type, fundamental
from registry_runtime.cxx.variables import Optional, Vector

_OF_BOOL = ("==", "!=", "<", "<=", ">", ">=", "&&", "||", "!")


def common_type(context: Context, type: Arithmetic, other: Node) -> Arithmetic:
    """What a number of this type, and the other branch, become of. Raises CxxError."""
    found = static_type(context, other)
    if found is None:
        raise context.not_understood(other, f"the type of `{context.spell(other)}`")
    return type if found == type else common(type, found)


def static_type(context: Context, node: Node) -> Arithmetic | None:
    """The arithmetic type of an expression; None for another type, or one that can't be told."""
    if node.type in LITERALS or node.type in NAMES:
        return type_of(context.evaluate(node))
    form = _FORMS.get(node.type)
    return form(context.deeper(node), node) if form is not None else None


def _inner(context: Context, node: Node) -> Arithmetic | None:
    return static_type(context, argument_nodes(node)[0])


def _of(field: str) -> Callable[[Context, Node], Arithmetic | None]:
    return lambda context, node: static_type(context, child(node, field))


def _unary(context: Context, node: Node) -> Arithmetic | None:
    found = static_type(context, child(node, "argument"))
    if operator_of(node) in _OF_BOOL:
        return BOOL
    return promoted(found) if found is not None else None


def _binary(context: Context, node: Node) -> Arithmetic | None:
    operator = operator_of(node)
    if operator in _OF_BOOL:
        return BOOL
    left, right = (static_type(context, child(node, side)) for side in ("left", "right"))
    if left is None or right is None:
        return None
    return promoted(left) if operator in ("<<", ">>") else common(left, right)


def _conditional(context: Context, node: Node) -> Arithmetic | None:
    one, other = (static_type(context, child(node, b)) for b in ("consequence", "alternative"))
    if one is None or other is None:
        return None
    return one if one == other else common(one, other)


def _cast(context: Context, node: Node) -> Arithmetic | None:
    return arithmetic_type(read_type(context.program, child(node, "type"), context.place))


def _call(context: Context, node: Node) -> Arithmetic | None:
    function = child(node, "function")
    if function.type == "primitive_type":
        return arithmetic_type(fundamental(context.spell(function)))
    if function.type == "field_expression":
        return _call_method(context, node, function)
    last = qualified_name(context.program.source, function).parts[-1]
    if last.arguments is not None:  # std::max<int>(a, b) and static_cast<int>(x) are an int
        return _template_argument(context, last.arguments)
    if function.type in NAMES and function.type != "template_function":
        with suppress(CxxError):  # `T()`, and `uint8_t(n)` by another name
            made = arithmetic_type(named_type(context.program, function, context.place))
            if made is not None:
                return made
    callee = context.evaluate(function)
    if isinstance(callee, CxxFunction | Lambda):
        return arithmetic_type(callee.type.returns if callee.type is not None else None)
    if isinstance(callee, Function):
        return _annotated(callee.call) or _looked_at(context, node)
    return None


def _call_method(context: Context, node: Node, function: Node) -> Arithmetic | None:
    field = child(function, "field")
    method = field.named_children[-1] if field.type == "dependent_name" else field
    if method.type == "template_method":  # x.Attr<int>("axis") is an int
        return _template_argument(context, child(method, "arguments"))
    owner = child(function, "argument")
    held = context.evaluate(owner) if owner.type == "identifier" else None
    if isinstance(held, Vector) and context.spell(field) in ("at", "front", "back"):
        return _element_type(held)
    if isinstance(held, Optional):  # it may hold nothing, and isn't looked at
        return _of_optional(
            context, held, context.spell(function.children[1]), context.spell(field)
        )
    return _looked_at(context, node)


def _of_optional(context: Context, held: Optional, operator: str, name: str) -> Arithmetic | None:
    if operator == ".":
        return BOOL if name == "has_value" else arithmetic_type(held.of)
    bindings = context.program.bindings
    listed = bindings.classes.get(str(held.of), ())
    classes = listed if isinstance(listed, tuple) else (listed,)
    method = next(filter(None, (bindings.method_of(of, name) for of in classes)), None)
    return _annotated(method) if callable(method) else None


def _pointed(context: Context, node: Node) -> Arithmetic | None:
    operand = child(node, "argument")
    held = context.evaluate(operand) if operand.type == "identifier" else None
    if isinstance(held, Optional) and context.spell(child(node, "operator")) == "*":
        return arithmetic_type(held.of)
    return _looked_at(context, node)


def _annotated(call: Callable[..., object]) -> Arithmetic | None:
    # What a bound function returns that says so.
    said = signature(call).return_annotation
    return _PYTHONS.get(getattr(said, "__name__", said))


_PYTHONS = {"bool": BOOL, "int": INT64, "float": DOUBLE}


def _typed_braces(context: Context, node: Node) -> Arithmetic | None:
    type = child(node, "type")
    if type.type == "primitive_type":
        return arithmetic_type(fundamental(context.spell(type)))
    return arithmetic_type(named_type(context.program, type, context.place))


def _template_argument(context: Context, arguments: Node) -> Arithmetic | None:
    types = argument_nodes(arguments)
    if len(types) != 1 or types[0].type != "type_descriptor":
        return None
    return arithmetic_type(read_type(context.program, types[0], context.place))


def _element(context: Context, node: Node) -> Arithmetic | None:
    held = context.evaluate(child(node, "argument"))
    if isinstance(held, str):
        return CHAR
    return _element_type(held) if isinstance(held, list) else _looked_at(context, node)


def _element_type(held: list[object]) -> Arithmetic | None:
    of: Type | None = getattr(held, "of", None)
    if of is not None:
        return arithmetic_type(of)
    return INT64 if all(type(element) is int for element in held) else None


def _looked_at(context: Context, node: Node) -> Arithmetic | None:
    # What a framework's own function says of numbers it only looks up: asking it changes nothing.
    try:
        return type_of(context.evaluate(node))
    except CxxError:
        return None


_FORMS: dict[str, Callable[[Context, Node], Arithmetic | None]] = {
    "parenthesized_expression": _inner,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "conditional_expression": _conditional,
    "assignment_expression": _of("left"),
    "update_expression": _of("argument"),
    "comma_expression": _of("right"),
    "cast_expression": _cast,
    "call_expression": _call,
    "subscript_expression": _element,
    "field_expression": _looked_at,
    "sizeof_expression": lambda context, node: SIZE_T,
    "compound_literal_expression": _typed_braces,
    "pointer_expression": _pointed,
}
