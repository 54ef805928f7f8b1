"""Calls: of what the table binds, of member functions, of functions and lambdas of the text.

What stands before the `(` is evaluated like any expression; what comes of it decides who runs. Bound
Python code gets the values of the arguments. A function of the text gets the variables themselves
where a name is passed, for its parameter may be a reference.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import plain
from registry_runtime.cxx.bindings import (
    Class,
    Function,
    FunctionTemplate,
    Located,
    Typed,
    Unread,
    refusals_at,
)
from registry_runtime.cxx.casts import CASTS, function_cast, named_cast
from registry_runtime.cxx.classes import CxxClass, CxxObject
from registry_runtime.cxx.context import Context, argument_nodes, child, named_variable, span_of
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.lambdas import Lambda
from registry_runtime.cxx.member_access import lvalue, no_member, object_of
from registry_runtime.cxx.names import NamePart
from registry_runtime.cxx.read_type import template_arguments
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.variables import Cell, Variable


def call_expression(context: Context, node: Node) -> object:
    """The value of a call expression."""
    function, arguments = child(node, "function"), child(node, "arguments")
    match function.type:
        case "template_function" if context.spell(child(function, "name")) in CASTS:
            return named_cast(context, node, function, arguments)
        case "primitive_type":
            return function_cast(context, node, function, arguments)
        case "field_expression":
            return _call_method(context, node, function, arguments)
    if function.type in _UNQUALIFIED and context.this is not None:
        method = _method_of_this(context, function)
        if isinstance(method, CxxFunction):
            return _call_text(context, function, method, arguments, context.this)
        if method is not None:
            return call_bound(context, node, method, arguments)
    callee = context.evaluate(function)
    match callee:
        case Function(call) | Class(call):
            return call_bound(context, node, call, arguments)
        case CxxFunction() if not callee.is_defined:
            linked = context.program.bindings.link(callee.name)
            callee = callee if linked is None else linked
    if isinstance(callee, CxxFunction | Lambda):
        return _call_text(context, function, callee, arguments)
    if callable(callee) and not isinstance(callee, type):
        return call_bound(context, node, callee, arguments)
    raise CxxError(f"`{context.spell(function)}` can't be called", span_of(function))


def call_bound(
    context: Context, whole: Node, call: Callable[..., object], arguments: Node
) -> object:
    """Evaluate the arguments and call bound Python code with them."""
    nodes = argument_nodes(arguments)
    values = [_argument(context, node, call) for node in nodes]
    if not isinstance(call, Typed):
        values = list(map(plain, values))
    return refusals_at(span_of(whole), [span_of(node) for node in nodes], call, *values)


def _argument(context: Context, node: Node, call: Callable[..., object]) -> object:
    try:
        return context.evaluate(node)
    except CxxError as error:
        bound = call.func if isinstance(call, partial) else call
        if isinstance(bound, Located) and bound.takes_unread:
            return error
        raise


def _call_text(
    context: Context,
    function: Node,
    callee: CxxFunction | Lambda,
    arguments: Node,
    this: object = None,
) -> object:
    # A name is handed on as the variable that it names, for the parameter may be a reference.
    values = [
        lvalue(context, node) or Variable(Cell(context.evaluate(node)), is_const=True)
        for node in argument_nodes(arguments)
    ]
    running = context.program.running
    if running.depth > 12:
        name = context.spell(function)
        raise CxxError(f"`{name}` is called too deeply: does it end?", span_of(function))
    running.count(span_of(function))
    return context.program.execute(callee, tuple(values), this)


def _call_method(context: Context, node: Node, function: Node, arguments: Node) -> object:
    target = object_of(context, function)
    field = child(function, "field")
    if field.type == "dependent_name":  # dev_ctx.template Alloc<T>(out)
        field = field.named_children[-1]
    name = field
    if field.type == "template_method":
        name = child(field, "name")
    bindings = context.program.bindings
    method = _method(context, target, context.spell(name), field)
    if method is None:
        raise no_member(context, target, name, bindings.method_names(target))
    if isinstance(method, Unread):
        return target
    if isinstance(method, CxxFunction):
        return _call_text(context, function, method, arguments, target)
    return call_bound(context, node, method, arguments)


def _method(
    context: Context, target: object, name: str, node: Node
) -> Callable[..., object] | Unread | None:
    # A class of the text comes before what is bound: it overrides its base's functions.
    if isinstance(target, CxxObject):
        function = target.cxx_class.method(name)
        if function is not None:
            return function
    method = context.program.bindings.method(target, name)
    if isinstance(method, FunctionTemplate):
        part = NamePart(name, node.child_by_field_name("arguments"), node)
        listed = template_arguments(context.program, part, context.place)
        method = refusals_at(span_of(node), [], method.instantiate, listed)
    return partial(method, target) if callable(method) else method


# What is called without an object, and may be a function of `this`, or of its base.
_UNQUALIFIED = ("identifier", "template_function", "qualified_identifier")


def _method_of_this(context: Context, function: Node) -> Callable[..., object] | None:
    # `dtype()` inside a member function is `this->dtype()`, unless a variable hides it.
    if named_variable(context, function) is not None:
        return None
    if function.type == "qualified_identifier":
        return _method_of_base(context, function)
    is_template = function.type == "template_function"
    name = child(function, "name") if is_template else function
    method = _method(context, context.this, context.spell(name), function)
    return method if callable(method) else None


def _method_of_base(context: Context, function: Node) -> Callable[..., object] | None:
    # `Base::f(x)` inside a member function is the base's own `f`, whatever overrides it.
    this = context.this
    owner, _, name = context.spell(function).rpartition("::")
    for base in this.cxx_class.bases() if isinstance(this, CxxObject) else ():
        if f"::{base.name}".endswith(f"::{owner.removeprefix('::')}"):
            assert isinstance(this, CxxObject)
            of = CxxClass(base.name, base.arguments, this.cxx_class.span, this.cxx_class.program)
            bound = context.program.bindings.method(this, name)
            return of.method(name) or (partial(bound, this) if callable(bound) else None)
    return None
