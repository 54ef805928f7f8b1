"""Expressions: arguments of constructors, conditions of assertions, statements of bodies.

The value of an expression is a Python object: an int, a float, a bool, a str, None for `nullptr`,
a member of an enumeration, or whatever bound code returned. A pointer to an object is a `Pointer`,
so that `.` and `->` can be told apart as C++ does. Functions are their own pointers.

Only what the table binds can be called, and the functions and lambdas of the text itself. An
operator or a form that is not written down here is refused by name: a wrong guess would fill the
registry with something that C++ would not.

Here are the forms that only combine the values of their parts; calls, casts, members and assignments
have a module each, and come back here through `Context.evaluate`.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from registry_runtime.cxx.assignments import assign, update
from registry_runtime.cxx.bindings import Class, refusals_at
from registry_runtime.cxx.calls import call_bound, call_expression
from registry_runtime.cxx.casts import c_cast
from registry_runtime.cxx.context import Context, argument_nodes, child, span_of
from registry_runtime.cxx.id_expression import id_expression
from registry_runtime.cxx.lambdas import read_lambda
from registry_runtime.cxx.literals import LITERALS, literal
from registry_runtime.cxx.member_access import element, field_value
from registry_runtime.cxx.names import NAMES
from registry_runtime.cxx.operators import Pointer, binary, is_function, overloaded, truth, unary
from registry_runtime.cxx.parse import no_syntax_errors
from registry_runtime.cxx.span import CxxError, Span
from registry_runtime.cxx.types import NamedType


def evaluate(context: Context, node: Node) -> object:
    """The value of an expression. Raises CxxError for what is wrong or not understood."""
    if node.has_error:
        no_syntax_errors(context.program.source, node)
    kind = node.type
    if kind in LITERALS:
        return literal(context.program.source, node)
    if kind in NAMES:
        return _name(context, node)
    form = _FORMS.get(kind)
    if form is None:
        raise context.not_understood(node)
    return form(context.deeper(node), node)


def _name(context: Context, node: Node) -> object:
    if node.type == "identifier" and context.variables is not None:
        name = context.program.source.spell(node)
        variable = context.variables.find(name)
        if variable is not None:
            return variable.cell.value
    return id_expression(context.program, node, context.place)


# --- Operators ------------------------------------------------------------------------------------


def _pointer(context: Context, node: Node) -> object:
    value = evaluate(context, child(node, "argument"))
    if context.spell(child(node, "operator")) == "&":
        return value if is_function(value) else Pointer(value)
    if isinstance(value, Pointer):
        return value.to
    raise CxxError(f"`{context.spell(child(node, 'argument'))}` is no pointer", span_of(node))


def _unary(context: Context, node: Node) -> object:
    value = evaluate(context, child(node, "argument"))
    operator = context.spell(child(node, "operator"))
    if context.program.bindings.overloads(operator, value):
        return refusals_at(span_of(node), [], overloaded, operator, value)
    if operator in ("!", "not"):
        return not _is_true(context, span_of(node), value)
    return refusals_at(span_of(node), [], unary, operator, value)


def _binary(context: Context, node: Node) -> object:
    # a || b || c … leans to the left, as deep as it is long: unfold it instead of recursing.
    chain = [node]
    while (left := child(chain[-1], "left")).type == "binary_expression":
        chain.append(left)
    value = evaluate(context, child(chain[-1], "left"))
    for operation in reversed(chain):
        operator, right = context.spell(child(operation, "operator")), child(operation, "right")
        whole = span_of(operation)
        if operator in ("&&", "||", "and", "or"):
            decides = operator in ("||", "or")
            left_is_true = _is_true(context, whole, value)
            value = decides if left_is_true is decides else condition(context, right)
        else:
            operand = evaluate(context, right)
            overloads = context.program.bindings.overloads
            known = overloads(operator, value) or overloads(operator, operand)
            value = refusals_at(
                whole, [], overloaded if known else binary, operator, value, operand
            )
    return value


def condition(context: Context, node: Node) -> bool:
    """The value of an expression that decides something."""
    return _is_true(context, span_of(node), evaluate(context, node))


def _is_true(context: Context, span: Span, value: object) -> bool:
    # A class may say what its objects are as a condition: `operator bool`.
    own = context.program.bindings.conversions.get(type(value))
    if own is not None:
        value = refusals_at(span, [], own, value, NamedType("bool"))
    return refusals_at(span, [], truth, value)


def _conditional(context: Context, node: Node) -> object:
    chosen = condition(context, child(node, "condition"))
    return evaluate(context, child(node, "consequence" if chosen else "alternative"))


def _comma(context: Context, node: Node) -> object:
    evaluate(context, child(node, "left"))
    return evaluate(context, child(node, "right"))


# --- Parentheses, braces, `this` ------------------------------------------------------------------


def _parentheses(context: Context, node: Node) -> object:
    return evaluate(context, argument_nodes(node)[0])


def _braces(context: Context, node: Node) -> object:
    return tuple(evaluate(context, element) for element in argument_nodes(node))


def _typed_braces(context: Context, node: Node) -> object:
    # phi::KernelKey{…} constructs, as phi::KernelKey(…) does
    binding = evaluate(context, child(node, "type"))
    if isinstance(binding, Class):
        construct = binding.from_list or binding.construct
        return call_bound(context, node, construct, child(node, "value"))
    raise context.not_understood(node)


def _this(context: Context, node: Node) -> object:
    if context.this is None:
        raise CxxError("there is no `this` here", span_of(node))
    return Pointer(context.this)


# --- Every form -----------------------------------------------------------------------------------


_FORMS: dict[str, Callable[[Context, Node], object]] = {
    "call_expression": call_expression,
    "pointer_expression": _pointer,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "conditional_expression": _conditional,
    "parenthesized_expression": _parentheses,
    "initializer_list": _braces,
    "compound_literal_expression": _typed_braces,
    "assignment_expression": assign,
    "update_expression": update,
    "comma_expression": _comma,
    "field_expression": field_value,
    "subscript_expression": element,
    "cast_expression": c_cast,
    "lambda_expression": read_lambda,
    "this": _this,
}
