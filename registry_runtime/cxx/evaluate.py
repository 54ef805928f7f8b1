"""Expressions: arguments of constructors, conditions of assertions, statements of bodies.

The value of an expression is a Python object: an int, a float, a bool, a str, None for `nullptr`,
a member of an enumeration, or whatever bound code returned. A pointer to an object is a `Pointer`,
so that `.` and `->` can be told apart as C++ does. Functions are their own pointers.

Only what the table binds can be called, and the functions and lambdas of the text itself. An
operator or a form that is not written down here is refused by name: a wrong guess would fill the
registry with something that C++ would not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial

from tree_sitter import Node

from registry_runtime.cxx.bindings import Class, Function, refusals_at
from registry_runtime.cxx.declarations import VariableDeclaration
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.literals import LITERALS, literal
from registry_runtime.cxx.lookup import Program, hint_for_unknown, look_up
from registry_runtime.cxx.members import did_you_mean
from registry_runtime.cxx.names import NAMES, qualified_name
from registry_runtime.cxx.operators import Pointer, binary, is_function, static_cast, truth, unary
from registry_runtime.cxx.resolve import Place, id_expression, no_syntax_errors, read_type
from registry_runtime.cxx.span import CxxError, Span
from registry_runtime.cxx.types import NamedType, PointerType, Type, fundamental
from registry_runtime.cxx.variables import Cell, Variable, Variables


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
        variable = context.variables.find(name)
        if variable is not None:
            return variable.cell.value
    return id_expression(context.program, node, context.place)


def initial_value(program: Program, variable: VariableDeclaration) -> object:
    """The value of a variable at namespace scope, worked out when it is first used."""
    key = ("variable", variable.value.start_byte)
    if key not in program.instances:
        running, node = program.running, variable.value
        if running.depth > 12:
            raise CxxError("constants are nested too deeply", span_of(node))
        running.depth += 1
        try:
            context = Context(program, Place(variable.scope, depth=3 * running.depth))
            if node.type in ("argument_list", "initializer_list"):
                values = [evaluate(context, value) for value in argument_nodes(node)]
                program.instances[key] = values[0] if len(values) == 1 else tuple(values)
            else:
                program.instances[key] = evaluate(context, node)
        finally:
            running.depth -= 1
    return program.instances[key]


def named_variable(context: Context, node: Node) -> Variable | None:
    """The variable that an expression is the name of, or None: what a reference can be bound to."""
    while node.type == "parenthesized_expression":
        node = argument_nodes(node)[0]
    if node.type != "identifier" or context.variables is None:
        return None
    return context.variables.find(context.program.source.spell(node))


def copied(program: Program, value: object) -> object:
    """`value` as an object of its own, if it is of a bound class that C++ would copy."""
    copy = program.bindings.copies.get(type(value))
    return copy(value) if copy else value


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
    if isinstance(callee, CxxFunction | Lambda):
        return _call_text(context, function, callee, arguments)
    match callee:
        case Function(call) | Class(call):
            return call_bound(context, node, call, arguments)
    if callable(callee) and not isinstance(callee, type):
        return call_bound(context, node, callee, arguments)
    raise CxxError(f"`{context.spell(function)}` can't be called", span_of(function))


@dataclass(frozen=True, slots=True, eq=False)
class Lambda:
    """`[&](int i) { … }`: the expression, and a context with the variables that it captured."""

    node: Node
    context: Context

    def __call__(self, *values: object) -> object:
        """Run the body on Python values."""
        return self.context.program.execute(self, values)


def _lambda(context: Context, node: Node) -> object:
    captures = child(node, "captures")
    default = next((c for c in captures.children if c.type == "lambda_default_capture"), None)
    if default is not None and context.spell(default) == "&":
        return Lambda(node, context)
    captured = Variables()
    block = context.variables if default is not None else None
    while block is not None:  # [=]: every variable around, as it is now
        for name, variable in block.values.items():
            captured.values.setdefault(name, _captured(context, variable))
        block = block.around
    for name_node in captures.named_children:
        if name_node.type in ("comment", "lambda_default_capture"):
            continue
        named = named_variable(context, name_node)
        if named is None:
            raise context.not_understood(name_node, f"the capture `{context.spell(name_node)}`")
        by_reference = name_node.prev_sibling is not None and name_node.prev_sibling.type == "&"
        spelling = context.spell(name_node)
        captured.values[spelling] = named if by_reference else _captured(context, named)
    return Lambda(node, Context(context.program, context.place, captured))


def _captured(context: Context, variable: Variable) -> Variable:
    return Variable(Cell(copied(context.program, variable.cell.value)), is_const=True)


def _call_text(
    context: Context, function: Node, callee: CxxFunction | Lambda, arguments: Node
) -> object:
    # A name is handed on as the variable that it names, for the parameter may be a reference.
    values = [
        named_variable(context, node) or Variable(Cell(evaluate(context, node)), is_const=True)
        for node in argument_nodes(arguments)
    ]
    running = context.program.running
    if running.depth > 12:
        name = context.spell(function)
        raise CxxError(f"`{name}` is called too deeply: does it end?", span_of(function))
    running.count(span_of(function))
    return context.program.execute(callee, tuple(values))


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


def _field(context: Context, node: Node) -> object:
    owner, name = _object_of(context, node), child(node, "field")
    fields = context.program.bindings.fields.get(type(owner), frozenset())
    if context.spell(name) not in fields:
        raise _no_member(context, owner, name, sorted(fields))
    return getattr(owner, context.spell(name))


def _element(context: Context, node: Node) -> object:
    indices = argument_nodes(child(node, "indices"))
    sequence = evaluate(context, child(node, "argument"))
    if not isinstance(sequence, list | tuple) or len(indices) != 1:
        raise context.not_understood(node)
    index = evaluate(context, indices[0])
    if isinstance(index, int) and 0 <= index < len(sequence):
        return sequence[index]
    raise CxxError(
        f"`{context.spell(node)}` is out of range: there are {len(sequence)}", span_of(indices[0])
    )


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


def _c_cast(context: Context, node: Node) -> object:
    target = read_type(context.program, child(node, "type"), context.place)
    if target == NamedType("void"):
        evaluate(context, child(node, "value"))
        return None
    return _convert(context, node, target, child(node, "value"))


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
    target, operator = child(node, "left"), context.spell(child(node, "operator"))
    variable = named_variable(context, target)
    if variable is not None:
        if operator != "=":
            right = evaluate(context, child(node, "right"))
            combine = partial(binary, operator.removesuffix("="), variable.cell.value, right)
            return _store(context, target, variable, refusals_at(span_of(node), [], combine))
        return _store(context, target, variable, evaluate(context, child(node, "right")))
    if target.type != "field_expression" or operator != "=":
        raise context.not_understood(target, f"an assignment to `{context.spell(target)}`")
    old = _field(context, target)
    value = _assigned_to_field(context, old, child(node, "right"))
    setattr(_object_of(context, target), context.spell(child(target, "field")), value)
    return value


def _store(context: Context, target: Node, variable: Variable, value: object) -> object:
    name, old = context.spell(target), variable.cell.value
    if variable.is_const:
        raise CxxError(f"`{name}` is const", span_of(target))
    _same_kind(target, name, old, value)
    variable.cell.value = copied(context.program, value)
    return value


def _assigned_to_field(context: Context, old: object, right: Node) -> object:
    takes_function = old is None or is_function(old)
    if takes_function and right.type == "qualified_identifier":
        # A function that only a header declares, which we may not have: as with a kernel's own
        # function, its name is enough. What looks like a slip of a known name is one.
        name = qualified_name(context.program.source, right)
        if look_up(context.program, name, context.place.scope) is None:
            if hint_for_unknown(context.program, str(name)).startswith("did you mean"):
                return evaluate(context, right)
            return CxxFunction(str(name), (), None, name.span, (), context.program)
    value = evaluate(context, right)
    if not (takes_function and (value is None or is_function(value))):
        _same_kind(right, context.spell(right), old, value)
    return value


def _same_kind(where: Node, name: str, old: object, value: object) -> None:
    # C++ converts no enumeration into another, and nothing into one.
    if isinstance(old, Enum) and type(value) is not type(old):
        got = f"a {type(value).__name__}" if isinstance(value, Enum) else "something else"
        raise CxxError(f"`{name}`: {got} where a {type(old).__name__} is wanted", span_of(where))


def _update(context: Context, node: Node) -> object:
    target = child(node, "argument")
    variable = named_variable(context, target)
    if variable is None:
        raise context.not_understood(node)
    old = variable.cell.value
    operator = context.spell(child(node, "operator"))
    new = refusals_at(span_of(node), [], binary, operator[0], old, 1)
    _store(context, target, variable, new)
    is_prefix = child(node, "operator").start_byte < target.start_byte
    return new if is_prefix else old


def _comma(context: Context, node: Node) -> object:
    evaluate(context, child(node, "left"))
    return evaluate(context, child(node, "right"))


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
    "update_expression": _update,
    "comma_expression": _comma,
    "field_expression": _field,
    "subscript_expression": _element,
    "cast_expression": _c_cast,
    "lambda_expression": _lambda,
}
