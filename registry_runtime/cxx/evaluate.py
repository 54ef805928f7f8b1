"""Expressions: arguments of constructors, conditions of assertions, statements of bodies.

The value of an expression is a Python object: an int, a float, a bool, a str, None for `nullptr`,
a member of an enumeration, or whatever bound code returned. A pointer to an object is a `Pointer`,
so that `.` and `->` can be told apart as C++ does. Functions are their own pointers.

Only what the table binds can be called. An operator or a form that is not written down here is
refused by name: a wrong guess would fill the registry with something that C++ would not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from tree_sitter import Node

from registry_runtime.cxx.bindings import Class, Function, refusals_at
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.literals import LITERALS, literal
from registry_runtime.cxx.lookup import Program
from registry_runtime.cxx.members import did_you_mean
from registry_runtime.cxx.names import NAMES
from registry_runtime.cxx.operators import Pointer, binary, is_function, static_cast, truth, unary
from registry_runtime.cxx.resolve import Place, id_expression, no_syntax_errors, read_type
from registry_runtime.cxx.span import CxxError, Span
from registry_runtime.cxx.types import NamedType, PointerType, Type, fundamental


@dataclass
class Variables:
    """The variables of one block of a body, and of the blocks around it."""

    values: dict[str, object] = field(default_factory=dict)
    around: Variables | None = None

    def holding(self, name: str) -> dict[str, object] | None:
        """The block that declares `name`, or None."""
        block: Variables | None = self
        while block is not None:
            if name in block.values:
                return block.values
            block = block.around
        return None


@dataclass(frozen=True, slots=True)
class Context:
    """What an expression is evaluated in."""

    program: Program
    place: Place
    variables: Variables | None = None

    def deeper(self, node: Node) -> Context:
        return Context(self.program, self.place.deeper(node), self.variables)

    def spell(self, node: Node) -> str:
        return " ".join(self.program.source.spell(node).split())

    def not_understood(self, node: Node, what: str = "") -> CxxError:
        """The error for a form that this interpreter doesn't have."""
        shown = what or f"`{self.spell(node)[:60]}`"
        return CxxError(f"not understood: {shown}", self.program.source.span(node))


def evaluate(context: Context, node: Node) -> object:
    """The value of an expression. Raises CxxError for what is wrong or not understood."""
    if node.has_error:
        no_syntax_errors(context.program, node)
    if node.type in LITERALS:
        return literal(context.program.source, node)
    if node.type in NAMES:
        return _name(context, node)
    form = _FORMS.get(node.type)
    if form is None:
        raise context.not_understood(node)
    return form(context.deeper(node), node)


def child(node: Node, field_name: str) -> Node:
    """The child in a field that the grammar always fills."""
    found = node.child_by_field_name(field_name)
    if found is None:
        raise CxxError("something is missing here", span_of(node))
    return found


def span_of(node: Node) -> Span:
    return Span(node.start_byte, node.end_byte)


def _name(context: Context, node: Node) -> object:
    if node.type == "identifier" and context.variables is not None:
        name = context.program.source.spell(node)
        block = context.variables.holding(name)
        if block is not None:
            return block[name]
    return id_expression(context.program, node, context.place)


# --- Calls ----------------------------------------------------------------------------------------


def _call(context: Context, node: Node) -> object:
    function, arguments = child(node, "function"), child(node, "arguments")
    match function.type:
        case "template_function" if context.spell(child(function, "name")) in _CASTS:
            return _named_cast(context, node, function, arguments)
        case "primitive_type":
            return _function_cast(context, node, function, arguments)
        case "field_expression":
            return _call_method(context, node, function, arguments)
    callee = evaluate(context, function)
    if isinstance(callee, CxxFunction):
        raise context.not_understood(
            function, f"a call of `{callee.name}`: this text is read, and its functions do not run"
        )
    match callee:
        case Function(call) | Class(call):
            return call_bound(context, node, call, arguments)
    if callable(callee) and not isinstance(callee, type):
        return call_bound(context, node, callee, arguments)
    raise CxxError(f"`{context.spell(function)}` can't be called", span_of(function))


def argument_nodes(arguments: Node) -> list[Node]:
    """The expressions of an argument list or of braces."""
    return [node for node in arguments.named_children if node.type != "comment"]


def call_bound(
    context: Context, whole: Node, call: Callable[..., object], arguments: Node
) -> object:
    """Evaluate the arguments and call bound Python code with them."""
    nodes = argument_nodes(arguments)
    values = [evaluate(context, node) for node in nodes]
    return refusals_at(span_of(whole), [span_of(node) for node in nodes], call, *values)


def _call_method(context: Context, node: Node, function: Node, arguments: Node) -> object:
    target = _object_of(context, function)
    name = child(function, "field")
    methods = context.program.bindings.methods.get(type(target), {})
    method = methods.get(context.spell(name))
    if method is None:
        raise _no_member(context, target, name, list(methods))
    return call_bound(context, node, partial(method, target), arguments)


def _object_of(context: Context, access: Node) -> object:
    # The object left of `.` or `->`.
    target = child(access, "argument")
    value = evaluate(context, target)
    operator = context.spell(child(access, "operator"))
    if isinstance(value, Pointer) != (operator == "->"):
        kind, wanted = ("a", "->") if isinstance(value, Pointer) else ("no", ".")
        raise CxxError(
            f"`{context.spell(target)}` is {kind} pointer",
            span_of(child(access, "operator")),
            f"write `{wanted}`",
        )
    return value.to if isinstance(value, Pointer) else value


def _no_member(context: Context, target: object, name: Node, known: list[str]) -> CxxError:
    hint = did_you_mean(context.spell(name), known) if known else ""
    kind = type(target).__name__
    return CxxError(f"`{kind}` has no member `{context.spell(name)}`", span_of(name), hint)


# --- Casts and operators --------------------------------------------------------------------------

_CASTS = ("reinterpret_cast", "static_cast", "const_cast", "dynamic_cast")


def _named_cast(context: Context, node: Node, function: Node, arguments: Node) -> object:
    types, operands = argument_nodes(child(function, "arguments")), argument_nodes(arguments)
    if len(types) != 1 or len(operands) != 1 or types[0].type != "type_descriptor":
        raise context.not_understood(node)
    target = read_type(context.program, types[0], context.place)
    cast = context.spell(child(function, "name"))
    if cast == "static_cast":
        return _convert(context, node, target, operands[0])
    if cast != "reinterpret_cast" or not isinstance(target, PointerType):
        raise context.not_understood(node)
    return evaluate(context, operands[0])  # the same function or object, seen as something else


def _convert(context: Context, node: Node, target: Type, operand: Node) -> object:
    name = target.name if isinstance(target, NamedType) else ""
    binding = context.program.bindings.names.get(name)
    value = evaluate(context, operand)
    return refusals_at(span_of(node), [], static_cast, target, binding, value)


def _function_cast(context: Context, node: Node, function: Node, arguments: Node) -> object:
    operands = argument_nodes(arguments)  # int(x)
    if len(operands) != 1:
        raise context.not_understood(node)
    return _convert(context, node, fundamental(context.spell(function)), operands[0])


def _pointer(context: Context, node: Node) -> object:
    value = evaluate(context, child(node, "argument"))
    if context.spell(child(node, "operator")) == "&":
        return value if is_function(value) else Pointer(value)
    if isinstance(value, Pointer):
        return value.to
    raise CxxError(f"`{context.spell(child(node, 'argument'))}` is no pointer", span_of(node))


def _unary(context: Context, node: Node) -> object:
    value = evaluate(context, child(node, "argument"))
    return refusals_at(span_of(node), [], unary, context.spell(child(node, "operator")), value)


def condition(context: Context, node: Node) -> bool:
    """The value of an expression that decides something."""
    return refusals_at(span_of(node), [], truth, evaluate(context, node))


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
            left_is_true = refusals_at(whole, [], truth, value)
            value = decides if left_is_true is decides else condition(context, right)
        else:
            value = refusals_at(whole, [], binary, operator, value, evaluate(context, right))
    return value


def _conditional(context: Context, node: Node) -> object:
    chosen = condition(context, child(node, "condition"))
    return evaluate(context, child(node, "consequence" if chosen else "alternative"))


def _parentheses(context: Context, node: Node) -> object:
    return evaluate(context, argument_nodes(node)[0])


def _braces(context: Context, node: Node) -> object:
    return tuple(evaluate(context, element) for element in argument_nodes(node))


def _typed_braces(context: Context, node: Node) -> object:
    # phi::KernelKey{…} constructs, as phi::KernelKey(…) does
    binding = evaluate(context, child(node, "type"))
    if isinstance(binding, Class):
        return call_bound(context, node, binding.construct, child(node, "value"))
    raise context.not_understood(node)


def _assign(context: Context, node: Node) -> object:
    target, value = child(node, "left"), evaluate(context, child(node, "right"))
    if context.spell(child(node, "operator")) != "=":
        raise context.not_understood(node)
    if target.type == "identifier" and context.variables is not None:
        name = context.program.source.spell(target)
        block = context.variables.holding(name)
        if block is not None:
            block[name] = value
            return value
    elif target.type == "field_expression":
        owner, field_name = _object_of(context, target), child(target, "field")
        fields = context.program.bindings.fields.get(type(owner), frozenset())
        if context.spell(field_name) not in fields:
            raise _no_member(context, owner, field_name, sorted(fields))
        setattr(owner, context.spell(field_name), value)
        return value
    raise context.not_understood(target, f"an assignment to `{context.spell(target)}`")


_FORMS: dict[str, Callable[[Context, Node], object]] = {
    "call_expression": _call,
    "pointer_expression": _pointer,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "conditional_expression": _conditional,
    "parenthesized_expression": _parentheses,
    "initializer_list": _braces,
    "compound_literal_expression": _typed_braces,
    "assignment_expression": _assign,
}
