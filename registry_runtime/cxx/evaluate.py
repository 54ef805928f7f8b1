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
from contextlib import ExitStack
from enum import Enum

from tree_sitter import Node

from registry_runtime.cxx.accesses import Unsequenced
from registry_runtime.cxx.arithmetic import convert, type_of
from registry_runtime.cxx.assignments import apply, assign, update
from registry_runtime.cxx.bindings import Class, refusals_at
from registry_runtime.cxx.calls import call_bound, call_expression
from registry_runtime.cxx.casts import c_cast
from registry_runtime.cxx.context import Context, argument_nodes, child, span_of
from registry_runtime.cxx.conversions import arithmetic_type
from registry_runtime.cxx.declared import initialise_object
from registry_runtime.cxx.deduction import type_of_object
from registry_runtime.cxx.grammar import operator_of, without_parentheses
from registry_runtime.cxx.id_expression import id_expression
from registry_runtime.cxx.lambdas import read_lambda
from registry_runtime.cxx.literals import LITERALS, literal
from registry_runtime.cxx.lookup import like_a_variable
from registry_runtime.cxx.member_access import element, field_value, named_in, pointed_to
from registry_runtime.cxx.names import NAMES
from registry_runtime.cxx.operators import Literal, is_function, truth
from registry_runtime.cxx.own_types import OwnType, Plain
from registry_runtime.cxx.parse import no_syntax_errors
from registry_runtime.cxx.places import Pointer
from registry_runtime.cxx.read_type import read_type
from registry_runtime.cxx.sizes import size_of
from registry_runtime.cxx.span import CxxError, Incomplete, Refusal, Span
from registry_runtime.cxx.static_types import common_type, static_type
from registry_runtime.cxx.symbolic import Symbolic
from registry_runtime.cxx.types import NamedType, fundamental
from registry_runtime.cxx.variables import Cell, Variable


def evaluate(context: Context, node: Node) -> object:
    """The value of an expression. Raises CxxError for what is wrong or not understood."""
    return context.evaluate(node)


def outcome(context: Context, node: Node) -> object:
    """The value of an expression, or the `Variable` that it is a name for: [basic.lval]."""
    try:
        return _outcome(context, node)
    except Refusal as refusal:
        raise CxxError(refusal.message, span_of(node), refusal.hint, refusal.code) from refusal


def _outcome(context: Context, node: Node) -> object:
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
        variable = named_in(context, context.program.source.spell(node))
        if variable is not None:
            return variable
    try:
        return id_expression(context.program, node, context.place)
    except CxxError as error:
        names = context.variables.names() if context.variables is not None else ()
        meant = like_a_variable(error, context.spell(node), names)
        if meant is None:
            raise
        raise meant from error


# --- Operators ------------------------------------------------------------------------------------


def _pointer(context: Context, node: Node) -> object:
    if context.spell(child(node, "operator")) == "*":
        return pointed_to(context, node)
    named = context.reach(child(node, "argument"))
    if not named.is_temporary:
        held = named.cell.held  # an address may be taken of what has no value yet
        return held if is_function(held) else Pointer(named)
    value = named.cell.value
    if type_of(value) is not None:
        raise CxxError("only what has a name has an address", span_of(node))
    return value if is_function(value) else Pointer(value)


def _unary(context: Context, node: Node) -> object:
    value = evaluate(context, child(node, "argument"))
    operator = operator_of(node)
    if isinstance(value, Symbolic):
        return refusals_at(span_of(node), [], value.operated, operator, value)
    if operator == "!" and not context.program.bindings.overloads("!", value):
        return not is_true(context, span_of(node), value)
    return apply(context, span_of(node), operator, value)


def _binary(context: Context, node: Node) -> object:
    # a || b || c … leans to the left, as deep as it is long: unfold it instead of recursing.
    chain = [node]
    while (left := child(chain[-1], "left")).type == "binary_expression":
        chain.append(left)
    with ExitStack() as stack:
        # Each operation has for its left side all that stands before: it begins where they begin.
        operations = [stack.enter_context(Unsequenced()) for _ in chain]
        value = evaluate(context, child(chain[-1], "left"))
        for operation, both in zip(reversed(chain), reversed(operations), strict=True):
            both.next()
            operator, right = operator_of(operation), child(operation, "right")
            whole = span_of(operation)
            if operator in ("&&", "||"):
                if isinstance(value, Symbolic):
                    made = evaluate(context, right)
                    value = refusals_at(whole, [], value.operated, operator, value, made)
                    continue
                decides = operator == "||"
                left_is_true = is_true(context, whole, value)
                value = decides if left_is_true is decides else _decided(context, right)
                continue
            made = evaluate(context, right)
            # Of a shift C++17 says that the left side comes first, and g++ doesn't always agree.
            both.next()
            refusals_at(whole, [], both.compare)
            _check_comma(operation, operator, value, made)
            value = apply(context, whole, operator, value, made)
    return value


def _check_comma(operation: Node, operator: str, left: object, right: object) -> None:
    # Nothing else can be meant by `"name" &function`.
    if operator == "&" and isinstance(left, Literal) and is_function(right):
        at = span_of(child(operation, "operator"))
        raise Incomplete("a comma is missing before `&`", at)


def _decided(context: Context, right: Node) -> object:
    # What `&&` and `||` come to where the left side leaves it to the right one.
    value = evaluate(context, right)
    if isinstance(value, Symbolic):
        return refusals_at(span_of(right), [], value.operated, "&&", True, value)
    return is_true(context, span_of(right), value)


def condition(context: Context, node: Node) -> bool:
    """The value of an expression that decides something."""
    return is_true(context, span_of(node), evaluate(context, node))


def is_true(context: Context, span: Span, value: object) -> bool:
    """A value that decides something, of the expression there."""
    # A class may say what its objects are as a condition: `operator bool`.
    own = context.program.bindings.conversions.get(type(value))
    if own is not None:
        value = refusals_at(span, [], own, value, NamedType("bool"))
    return refusals_at(span, [], truth, value)


def _conditional(context: Context, node: Node) -> object:
    chosen, other = child(node, "consequence"), child(node, "alternative")
    decides = evaluate(context, child(node, "condition"))
    if isinstance(decides, Symbolic):
        both = evaluate(context, chosen), evaluate(context, other)
        return refusals_at(span_of(node), [], decides.operated, "?:", decides, *both)
    if not is_true(context, span_of(child(node, "condition")), decides):
        chosen, other = other, chosen
    found = context.reach(chosen)
    value = found.cell.value
    if isinstance(value, Symbolic):  # of the type that both are brought to
        both = value, evaluate(context, other)
        return refusals_at(span_of(node), [], value.operated, "?:", True, *both)
    type = type_of(value)
    # Of two objects of one type it is one of them, [expr.cond]; else both become of one type.
    both_named = not found.is_temporary and _may_name_an_object(other)
    own = type_of_object(context.program, value)
    if isinstance(own, OwnType):  # the other branch has to be of this very type
        like = evaluate(context, other) if other.type in NAMES else None
        if type_of_object(context.program, like) != own:
            raise context.not_understood(other, f"the type of `{context.spell(other)}`")
    if type is None:
        return found if both_named else value
    wanted = common_type(context, type, other)
    if both_named and wanted == type == static_type(context, other):
        return found
    return convert(wanted, value)  # type: ignore[arg-type]


def _may_name_an_object(node: Node) -> bool:
    node = without_parentheses(node)
    return node.type in ("identifier", "subscript_expression", "pointer_expression")


def _comma(context: Context, node: Node) -> object:
    evaluate(context, child(node, "left"))
    return outcome(context, child(node, "right"))


# --- Parentheses, braces, `this` ------------------------------------------------------------------


def _parentheses(context: Context, node: Node) -> object:
    return outcome(context, argument_nodes(node)[0])


def _braces(context: Context, node: Node) -> object:
    return tuple(evaluate(context, element) for element in argument_nodes(node))


def _typed_braces(context: Context, node: Node) -> object:
    # phi::KernelKey{…} constructs, as phi::KernelKey(…) does
    type, listed = child(node, "type"), argument_nodes(child(node, "value"))
    to = fundamental(context.spell(type)) if type.type == "primitive_type" else None
    if to is not None and arithmetic_type(to) is not None and len(listed) < 2:  # int{3}
        given = evaluate(context, listed[0]) if listed else 0
        return initialise_object(context, to, given, (listed or [node])[0], in_braces=True)
    own = read_type(context.program, node, context.place) if type.type in NAMES else None
    if isinstance(own, OwnType):
        values = tuple(evaluate(context, element) for element in listed)
        copied = len(values) == 1 and isinstance(values[0], Plain | Enum)
        return initialise_object(context, own, values[0] if copied else values, node)
    binding = evaluate(context, child(node, "type"))
    if isinstance(binding, Class):
        construct = binding.from_list or binding.construct
        return call_bound(context, node, construct, child(node, "value"))
    raise context.not_understood(node)


def _this(context: Context, node: Node) -> object:
    if context.this is None:
        raise CxxError("there is no `this` here", span_of(node))
    return Pointer(Variable(Cell(context.this), context.this_is_const))


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
    "sizeof_expression": size_of,
}
