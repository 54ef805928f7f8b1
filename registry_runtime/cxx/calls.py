"""Calls: of what the table binds, of member functions, of functions and lambdas of the text.

What stands before the `(` is evaluated like any expression; what comes of it decides who runs. Bound
Python code gets the values of the arguments. A function of the text gets the variables themselves
where a name is passed, for its parameter may be a reference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from tree_sitter import Node

from registry_runtime.cxx.accesses import Unsequenced, note
from registry_runtime.cxx.arithmetic import plain
from registry_runtime.cxx.bindings import (
    ByReference,
    Class,
    Function,
    FunctionTemplate,
    Located,
    TakesOptionals,
    Typed,
    Unread,
    refusals_at,
)
from registry_runtime.cxx.casts import CASTS, function_cast, named_cast, type_named
from registry_runtime.cxx.classes import CxxClass, CxxObject
from registry_runtime.cxx.context import Context, argument_nodes, child, named_variable, span_of
from registry_runtime.cxx.declared import initialise_object
from registry_runtime.cxx.deduction import deduced, type_of_object, with_templates
from registry_runtime.cxx.definitions import body_node, is_const_function
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.lambdas import Lambda
from registry_runtime.cxx.member_access import no_member, owner_of
from registry_runtime.cxx.member_functions import (
    bound_base,
    chain,
    member_function,
    one_of_its_arity,
    own_function,
)
from registry_runtime.cxx.names import NamePart
from registry_runtime.cxx.operators import kind
from registry_runtime.cxx.own_types import Plain
from registry_runtime.cxx.places import Iterator
from registry_runtime.cxx.read_type import template_arguments
from registry_runtime.cxx.resolution import chosen, overloaded_in
from registry_runtime.cxx.span import Code, CxxError
from registry_runtime.cxx.types import fundamental
from registry_runtime.cxx.variables import (
    NULLOPT,
    BuiltInArray,
    Element,
    InitializerList,
    Optional,
    Reference,
    Variable,
    what_it_holds,
)

Value = TypeVar("Value")


def call_expression(context: Context, node: Node) -> object:
    """The value of a call expression."""
    function, arguments = child(node, "function"), child(node, "arguments")
    match function.type:
        case "template_function" if context.spell(child(function, "name")) in CASTS:
            return named_cast(context, node, function, arguments)
        case "primitive_type":
            number = fundamental(context.spell(function))
            return function_cast(context, node, number, arguments)
        case "field_expression":
            return _call_method(context, node, function, arguments)
    if function.type in _UNQUALIFIED and context.this is not None:
        method = _method_of_this(context, function, len(argument_nodes(arguments)))
        if context.this_is_const and _changes(context, context.this, method, function):
            said = f"this function is const, and `{context.spell(function)}` is not"
            raise CxxError(said, span_of(function))
        if isinstance(method, CxxFunction):
            return call_text(context, function, method, arguments, context.this)
        if method is not None:
            return call_bound(context, node, method, arguments)
    named = type_named(context, function) if function.type == "identifier" else None
    if named is not None:
        return function_cast(context, node, named, arguments)
    templates = with_templates(context, function)
    if templates is not None:
        values = _arguments(context, arguments, lambda node: _object(context, node))
        types = [type_of_object(context.program, value.cell.held) for value in values]
        reached = deduced(context.program, function, templates, context.place, types)
        return _call_reached(context, node, function, reached, arguments, values)
    several = overloaded_in(context, function)
    if several is not None:
        values = _arguments(context, arguments, lambda node: _object(context, node))
        reached = chosen(context, function, values, *several)
        return _call_reached(context, node, function, reached, arguments, values)
    callee = context.evaluate(function)
    match callee:
        case Function(call) | Class(call):
            made = call_bound(context, node, call, arguments)
            if isinstance(callee, Function) and callee.registers:
                context.program.running.registered += (made,)
            return made
        case CxxFunction():
            instead = context.program.bindings.instead(callee)
            if instead is not None:
                return call_bound(context, node, instead, arguments)
            linked = None if callee.is_defined else context.program.bindings.link(callee)
            if linked is not None:
                given = _arguments(context, arguments, context.evaluate)
                return _call_linked(context, node, callee, linked, arguments, given)
    if isinstance(callee, CxxFunction | Lambda):
        return call_text(context, function, callee, arguments)
    if callable(callee) and not isinstance(callee, type):
        return call_bound(context, node, callee, arguments)
    raise CxxError(f"`{context.spell(function)}` can't be called", span_of(function))


def call_bound(
    context: Context, whole: Node, call: Callable[..., object], arguments: Node
) -> object:
    """Evaluate the arguments and call bound Python code with them."""
    nodes = argument_nodes(arguments)
    values = _arguments(context, arguments, lambda node: _argument(context, node, call))
    if not isinstance(bound_function(call), Typed | ByReference):
        if isinstance(call, TakesOptionals):
            values = [what_it_holds(v) for v in values]
        values = [_handed_over(v, node) for v, node in zip(values, nodes, strict=True)]
    return refusals_at(span_of(whole), [span_of(node) for node in nodes], call, *values)


def _handed_over(value: object, node: Node) -> object:
    # What a bound function gets, of which nobody knows here whether it takes an optional.
    if isinstance(value, Optional | InitializerList):
        said = f"not understood: {kind(value)} handed to a function that isn't read here"
        is_list = isinstance(value, InitializerList)
        hint = "write its elements there" if is_list else "hand on what it holds: `*it`"
        raise CxxError(said, span_of(node), hint, Code.NOT_UNDERSTOOD)
    if value is NULLOPT:
        return None
    return value.to if isinstance(value, Reference) else plain(value)


def _call_linked(
    context: Context,
    node: Node,
    declared: CxxFunction,
    linked: Callable[..., object] | FunctionTemplate,
    arguments: Node,
    values: list[object],
) -> object:
    # Of a function that the text only declares, the declaration says what its parameters become.
    if isinstance(linked, FunctionTemplate):
        whole = span_of(node)
        linked = refusals_at(whole, [], linked.instantiate, declared.arguments)
    nodes = argument_nodes(arguments)
    if declared.type is not None and len(declared.type.parameters) == len(nodes):
        types = (parameter.type for parameter in declared.type.parameters)
        each = zip(types, values, nodes, strict=True)
        values = [initialise_object(context, *one) for one in each]
        values = [what_it_holds(v) for v in values]
    given = [_handed_over(v, n) for v, n in zip(values, nodes, strict=True)]
    return refusals_at(span_of(node), [span_of(n) for n in nodes], linked, *given)


def _call_reached(
    context: Context,
    node: Node,
    function: Node,
    reached: CxxFunction,
    arguments: Node,
    values: list[Variable],
) -> object:
    # What a call reaches whose arguments had to be known first.
    linked = None if reached.is_defined else context.program.bindings.link(reached)
    if linked is None:
        return call_on_variables(context, function, reached, values)
    given = [value.cell.value for value in values]
    return _call_linked(context, node, reached, linked, arguments, given)


def _arguments(context: Context, arguments: Node, value_of: Callable[[Node], Value]) -> list[Value]:
    # Those of a call come in no order, and those in braces from left to right.
    values = []
    with Unsequenced() as each:
        for node in argument_nodes(arguments):
            values.append(value_of(node))
            each.next()
        if arguments.type != "initializer_list":
            refusals_at(span_of(arguments), [], each.compare)
    return values


def _object(context: Context, node: Node) -> Variable:
    # It is read by whoever is called, but as far as the other arguments go it is read here.
    found = context.reach(node)
    cell = found.cell
    note(cell.sequence if isinstance(cell, Element) else cell, changes=False)
    return found


def _argument(context: Context, node: Node, call: Callable[..., object]) -> object:
    if isinstance(call, ByReference):
        return _object(context, node)
    try:
        return context.evaluate(node)
    except CxxError as error:
        bound = bound_function(call)
        if isinstance(bound, Located) and bound.takes_unread:
            return error
        raise


def bound_function(call: Callable[..., object]) -> Callable[..., object]:
    """What is bound, of a member function that is called on an object."""
    return call.func if isinstance(call, partial) else call


def call_text(
    context: Context,
    function: Node,
    callee: CxxFunction | Lambda | CxxClass,
    arguments: Node | None,
    this: object = None,
) -> object:
    """Call a function of the text, or make an object of a class of it: an object is handed on itself,
    for the parameter may be a reference."""
    values: list[Variable] = []
    if arguments is not None:
        values = _arguments(context, arguments, lambda node: _object(context, node))
    return call_on_variables(context, function, callee, values, this)


def call_on_variables(
    context: Context,
    function: Node,
    callee: CxxFunction | Lambda | CxxClass,
    values: list[Variable],
    this: object = None,
) -> object:
    """The same, with the variables."""
    running = context.program.running
    if running.depth > 12:
        name = context.spell(function)
        raise CxxError(f"`{name}` is called too deeply: does it end?", span_of(function))
    running.count(span_of(function))
    return context.program.execute(callee, tuple(values), this)


def _call_method(context: Context, node: Node, function: Node, arguments: Node) -> object:
    owner = owner_of(context, function)
    target = owner.cell.value
    field = child(function, "field")
    if field.type == "dependent_name":  # dev_ctx.template Alloc<T>(out)
        field = field.named_children[-1]
    name = field
    if field.type == "template_method":
        name = child(field, "name")
    bindings = context.program.bindings
    count = len(argument_nodes(arguments))
    method = _method(context, target, context.spell(name), field, count)
    if method is None:
        raise no_member(context, target, name, bindings.method_names(target))
    if isinstance(method, Unread):
        return target
    changes = _changes(context, target, method, name)
    if changes and owner.is_const:
        said = f"`{context.spell(child(function, 'argument'))}` is const"
        raise CxxError(f"{said}, and `{context.spell(name)}` changes it", span_of(name))
    if isinstance(method, CxxFunction):
        return call_text(context, function, method, arguments, target)
    made = call_bound(context, node, method, arguments)
    note(target, changes=changes)
    if owner.is_const:  # a member of what is const is const, and what leads to one says so itself
        if isinstance(made, Variable):
            return Variable(made.cell, is_const=True)
        made = replace(made, is_const=True) if isinstance(made, Iterator) else made
        return Variable(context.program.running.temporary(made), True, is_temporary=True)
    return made


def _changes(context: Context, target: object, method: object, name: Node) -> bool:
    # Whether a member function can't be called on a const object.
    if isinstance(method, CxxFunction):
        return not is_const_function(method)
    last = context.spell(name).rpartition("::")[2]
    return method is not None and context.program.bindings.changes(target, last)


def _method(
    context: Context, target: object, name: str, node: Node, count: int
) -> Callable[..., object] | Unread | None:
    # A class of the text comes before what is bound: it overrides its base's functions.
    if isinstance(target, CxxObject):
        function = _of_text(context, target, name, count, node)
        if function is not None:
            return function
    if isinstance(target, Plain):
        of = CxxClass(target.of.name, (), span_of(node), context.program)
        return member_function(of, of.name, name, count)
    method = (
        None if isinstance(target, BuiltInArray) else context.program.bindings.method(target, name)
    )
    if isinstance(method, FunctionTemplate):
        part = NamePart(name, node.child_by_field_name("arguments"), node)
        listed = template_arguments(context.program, part, context.place)
        method = refusals_at(span_of(node), [], method.instantiate, listed)
    return partial(method, target) if callable(method) else method


def _of_text(
    context: Context, target: CxxObject, name: str, count: int, node: Node
) -> CxxFunction | None:
    of = target.cxx_class
    if bound_base(of) is None:
        one_of_its_arity(of, name, count)
        return of.method(name)  # the framework's own base says what is virtual
    start = _running_class(context, of) if target is context.this else of.name
    function = member_function(of, start, name, count)
    return _linked(context, function, node) if function is not None else None


def _running_class(context: Context, of: CxxClass) -> str:
    # Whose function runs: blocks with names of their own are scopes inside of it.
    scope = context.place.scope
    while scope and scope not in chain(of):
        scope = scope.rpartition("::")[0]
    return scope


def _linked(context: Context, function: CxxFunction, node: Node) -> CxxFunction:
    # A member function with its body, if not in this text, then in another that the table knows.
    if body_node(function) is not None:
        return function
    link = context.program.bindings.link_member
    linked: CxxFunction | None = refusals_at(span_of(node), [], link, function)
    return linked or function


# What is called without an object, and may be a function of `this`, or of its base.
_UNQUALIFIED = ("identifier", "template_function", "qualified_identifier")


def _method_of_this(context: Context, function: Node, count: int) -> Callable[..., object] | None:
    # `dtype()` inside a member function is `this->dtype()`, unless a variable hides it.
    if named_variable(context, function) is not None:
        return None
    if function.type == "qualified_identifier":
        return _method_of_base(context, function, count)
    is_template = function.type == "template_function"
    name = child(function, "name") if is_template else function
    method = _method(context, context.this, context.spell(name), function, count)
    return method if callable(method) else None


def _method_of_base(context: Context, function: Node, count: int) -> Callable[..., object] | None:
    # `Base::f(x)` inside a member function is the base's own `f`, whatever overrides it.
    this = context.this
    owner, _, name = context.spell(function).rpartition("::")
    if not isinstance(this, CxxObject):
        return None
    if bound_base(this.cxx_class) is not None:
        return _own_of_base(context, this, function, count)
    for base in this.cxx_class.bases():
        if f"::{base.name}".endswith(f"::{owner.removeprefix('::')}"):
            of = CxxClass(base.name, base.arguments, this.cxx_class.span, this.cxx_class.program)
            bound = context.program.bindings.method(this, name)
            return of.method(name) or (partial(bound, this) if callable(bound) else None)
    return None


def _own_of_base(
    context: Context, this: CxxObject, function: Node, count: int
) -> Callable[..., object] | None:
    owner, _, name = context.spell(function).rpartition("::")
    for base in chain(this.cxx_class):
        if f"::{base}".endswith(f"::{owner.removeprefix('::')}"):
            own = own_function(this.cxx_class, base, name, count)
            if own is not None:
                return _linked(context, own, function)
            bound = context.program.bindings.method(this, name)
            return partial(bound, this) if callable(bound) else None
    return None
