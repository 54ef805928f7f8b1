"""Expressions: arguments of constructors, conditions of assertions, statements of bodies.

The value of an expression is a Python object: a number that knows its C++ type (see `arithmetic`), a
str, None for `nullptr`, a member of an enumeration, or whatever bound code returned. A pointer to an
object is a `Pointer`, so that `.` and `->` can be told apart as C++ does. Functions are their own
pointers.

Only what the table binds can be called, and the functions and lambdas of the text itself. An
operator or a form that is not written down here is refused by name: a wrong guess would fill the
registry with something that C++ would not.

Here are the forms that only combine the values of their parts; calls, casts, members and assignments
have a module each, and come back here through `Context.evaluate`.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import convert, type_of
from registry_runtime.cxx.assignments import apply, assign, update
from registry_runtime.cxx.bindings import Class, refusals_at
from registry_runtime.cxx.calls import call_bound, call_expression
from registry_runtime.cxx.casts import c_cast
from registry_runtime.cxx.context import Context, argument_nodes, child, span_of
from registry_runtime.cxx.id_expression import id_expression
from registry_runtime.cxx.lambdas import read_lambda
from registry_runtime.cxx.literals import LITERALS, literal
from registry_runtime.cxx.member_access import element, field_value, lvalue
from registry_runtime.cxx.names import NAMES
from registry_runtime.cxx.operators import is_function, truth
from registry_runtime.cxx.parse import no_syntax_errors
from registry_runtime.cxx.span import CxxError, Span
from registry_runtime.cxx.static_types import common_type
from registry_runtime.cxx.types import NamedType
from registry_runtime.cxx.variables import Pointer


def evaluate(context: Context, node: Node) -> object:
    """The value of an expression. Raises CxxError for what is wrong or not understood."""
    if node.has_error:
        no_syntax_errors(context.program.source, node)
    kind = node.type
    if kind in LITERALS:
        return refusals_at(span_of(node), [], literal, context.program.source, node)
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
    named = lvalue(context, node)  # `*p`
    if named is not None:
        return named.cell.value
    named = lvalue(context, child(node, "argument"))
    value = evaluate(context, child(node, "argument")) if named is None else named.cell.value
    if type_of(value) is not None and named is None:
        raise CxxError("only what has a name has an address", span_of(node))
    return value if is_function(value) else Pointer(named or value)


def _unary(context: Context, node: Node) -> object:
    value = evaluate(context, child(node, "argument"))
    operator = context.spell(child(node, "operator"))
    if operator in ("!", "not") and not context.program.bindings.overloads("!", value):
        return not _is_true(context, span_of(node), value)
    return apply(context, span_of(node), operator, value)


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
            value = apply(context, whole, operator, value, evaluate(context, right))
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
    chosen, other = child(node, "consequence"), child(node, "alternative")
    if not condition(context, child(node, "condition")):
        chosen, other = other, chosen
    value = evaluate(context, chosen)
    type = type_of(value)
    if type is None:
        return value
    # Both become of one type, [expr.cond], whichever is chosen.
    return convert(common_type(context, type, other), value)  # type: ignore[arg-type]


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
