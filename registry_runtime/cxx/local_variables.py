"""Declarations in a body: `int i = 3;`, `auto& y = x;`, `at::NoGradGuard guard;`.

The grammar doesn't know which names are types, so that some of these look like declarations of
functions: `int j(i);` and `X x(a, b);`. Here the variables are known, and it can be told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from functools import partial

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import convert, plain
from registry_runtime.cxx.bindings import refusals_at
from registry_runtime.cxx.calls import call_bound, call_on_variables, call_text
from registry_runtime.cxx.collect import enumerator_nodes, own_name
from registry_runtime.cxx.context import Context, argument_nodes, child, copied, span_of
from registry_runtime.cxx.conversions import AUTO, arithmetic_type, listed, unset, zero
from registry_runtime.cxx.declarators import bound_names, declared_name, is_const, is_const_object
from registry_runtime.cxx.declared import (
    bind_reference,
    initialise_object,
    is_read,
    no_proxy,
    type_in,
    unread,
)
from registry_runtime.cxx.evaluate import evaluate
from registry_runtime.cxx.objects import object_class
from registry_runtime.cxx.own_types import EnumType, OwnType, Plain
from registry_runtime.cxx.pairs import parts
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import (
    PointerType,
    ReferenceType,
    Type,
    without_reference_and_const,
)
from registry_runtime.cxx.variables import (
    BuiltInArray,
    Cell,
    InitializerList,
    NoValue,
    Variable,
    Variables,
)


def declare_variables(context: Context, statement: Node) -> None:
    """Make the variables that a declaration in a body declares. Raises CxxError."""
    assert context.variables is not None
    is_static = any(context.spell(c) == "static" for c in statement.children)
    for declarator in statement.children_by_field_name("declarator"):
        if names := bound_names(declarator):
            _bind_names(context, statement, declarator, names)
            continue
        name = declared_name(declarator)
        if name is None or name.type != "identifier":
            raise context.not_understood(declarator)
        _declare(context, statement, declarator, name, _static if is_static else _declared)


def _declare(
    context: Context,
    statement: Node,
    declarator: Node,
    name: Node,
    made: Callable[[Context, Node, Node], Variable],
) -> Variable:
    assert context.variables is not None
    spelling, values = context.spell(name), context.variables.values
    if spelling in values:
        raise CxxError(f"`{spelling}` is declared twice", span_of(name))
    # From here on it is this one that the name means: `int x = x;` reads what has no value.
    values[spelling] = Variable(Cell(NoValue("has no value yet")))
    try:
        values[spelling] = made(context, statement, declarator)
    except CxxError:
        del values[spelling]
        raise
    return values[spelling]


def declare_condition(context: Context, declaration: Node) -> object:
    """Make the variable of `if (auto found = find(x))`: its value, which decides."""
    name = declared_name(child(declaration, "declarator"))
    if name is None or name.type != "identifier":
        raise context.not_understood(declaration, "this variable as a condition")
    return _declare(context, declaration, declaration, name, _declared).cell.value


def declare_own_type(context: Context, statement: Node, what: str) -> None:
    """Make known what an unscoped enumeration in a body lists: values, that hide variables around.
    Raises CxxError for a type that bodies don't compute with, as `what`."""
    assert context.variables is not None
    program = context.program
    of = program.own_type(program, own_name(program.source, statement, context.place.scope))
    if of is None:
        raise context.not_understood(statement, what)
    if not isinstance(of, EnumType) or of.promoted is None:
        return
    for node in enumerator_nodes(statement):
        spelling = context.spell(child(node, "name"))
        if spelling in context.variables.values:
            raise CxxError(f"`{spelling}` is declared twice", span_of(node))
        value = Cell(of.of.__members__[spelling])
        context.variables.values[spelling] = Variable(value, is_const=True, is_temporary=True)


def _bind_names(context: Context, statement: Node, declarator: Node, names: list[Node]) -> None:
    # `auto [a, b] = pair;`: names for the parts of a copy, or with & of the object itself.
    value = declarator.child_by_field_name("value")
    if value is None or value.type in ("initializer_list", "argument_list"):
        raise context.not_understood(declarator)
    bind_parts(context, statement, declarator, names, context.reach(value), value)


def bind_parts(
    context: Context, statement: Node, declarator: Node, names: list[Node], of: Variable, node: Node
) -> None:
    """Make the variables that `[a, b]` names, of this object that `node` stands for."""
    assert context.variables is not None
    const = is_const(statement)
    if any(inner.type == "reference_declarator" for inner in (declarator, *declarator.children)):
        of = bind_reference(context, ReferenceType(AUTO), of, node, const)
    else:
        made = refusals_at(span_of(node), [], copied, context.program, of.cell.value)
        of = Variable(context.variables.keep(made), const)
    found = refusals_at(span_of(node), [], parts, of, len(names))
    for name, part in zip(names, found, strict=True):
        spelling = context.spell(name)
        if spelling in context.variables.values:
            raise CxxError(f"`{spelling}` is declared twice", span_of(name))
        context.variables.values[spelling] = part


def _static(context: Context, statement: Node, declarator: Node) -> Variable:
    # `static auto op = …` is worked out the first time, and lives behind every block.
    kept, key = context.program.instances, ("static", declarator.start_byte)
    if key not in kept:
        always = context._replace(variables=Variables({}, context.variables))
        first = _declared(always, statement, declarator, is_static=True)
        kept[key] = replace(first, is_static=True)
    made = kept[key]
    assert isinstance(made, Variable)
    return made


def _declared(
    context: Context, statement: Node, declarator: Node, *, is_static: bool = False
) -> Variable:
    assert context.variables is not None
    keep = context.variables.keep
    if declarator.type == "function_declarator":
        return _of_names(context, statement, declarator)
    value = declarator.child_by_field_name("value")
    is_initial = declarator.type in ("init_declarator", "declaration")  # `if (int n = 3)`
    inner = child(declarator, "declarator") if is_initial else declarator
    const = is_const_object(statement, inner)
    if inner.type == "identifier":
        object = _object(context, statement, declarator, value)
        if object is not None:
            return object
    if inner.type == "array_declarator":
        return Variable(keep(_array(context, statement, inner, value, const)), const)
    type = type_in(context, statement, inner)
    if value is None:
        return Variable(keep(_without_value(context, declarator, type, const, is_static)))
    in_braces = value.type == "initializer_list"
    if in_braces or value.type == "argument_list":  # int i(3), int i{3}
        values = argument_nodes(value)
        if not values and in_braces and (to := arithmetic_type(type)) is not None:
            return Variable(keep(convert(to, 0)), const)
        aggregate = in_braces and isinstance(without_reference_and_const(type), OwnType)
        if len(values) != 1 or aggregate or _is_list(type, declarator):
            if not is_read(context.program, type) or arithmetic_type(type) is not None:
                raise context.not_understood(declarator)
            if isinstance(without_reference_and_const(type), OwnType) and not in_braces:
                raise context.not_understood(declarator)
            elements = tuple(evaluate(context, node) for node in values)
            given = _one_of_its_own(type, elements)
            if without_reference_and_const(type) == AUTO:
                given = _list(context, type, values, elements, value)
            return Variable(keep(initialise_object(context, type, given, value)), const)
        value = values[0]
    if isinstance(type, ReferenceType):
        return bind_reference(context, type, context.reach(value), value, const)
    if not is_read(context.program, type):
        raise unread(context, type, child(statement, "type"))
    found = context.reach(value)
    if without_reference_and_const(type) == AUTO:
        refusals_at(span_of(value), [], no_proxy, found)
    made = initialise_object(context, type, found.cell.value, value, in_braces=in_braces)
    return Variable(keep(made), const)


def _without_value(
    context: Context, declarator: Node, type: Type, const: bool, is_static: bool
) -> object:
    # `int i;`: nobody may read it before something is assigned. A static one begins with zero.
    to = arithmetic_type(type)
    pointer = isinstance(type, PointerType)
    own = isinstance(type, OwnType)
    if const or isinstance(type, ReferenceType) or not (to is not None or pointer or own):
        raise context.not_understood(declarator, "a variable without a value")
    if is_static:
        return None if pointer else refusals_at(span_of(declarator), [], zero, type)
    return unset(type)


def _one_of_its_own(type: Type, elements: tuple[object, ...]) -> object:
    # `S s{t}` is a copy of t, and `E e{E::A}` is that.
    is_own = isinstance(without_reference_and_const(type), OwnType) and len(elements) == 1
    return elements[0] if is_own and isinstance(elements[0], Plain | Enum) else elements


def _is_list(type: Type, declarator: Node) -> bool:
    # `auto v = {1}` is a list of one; `auto v{1}` and `int i = {1}` are a number.
    is_auto = without_reference_and_const(type) == AUTO
    return is_auto and any(c.type == "=" for c in declarator.children)


def _list(
    context: Context, type: Type, nodes: list[Node], elements: tuple[object, ...], value: Node
) -> InitializerList:
    # What `auto v = {1, 2}` is, and `const auto& v = {1, 2}`.
    named = isinstance(type, ReferenceType) and type.is_to_an_object
    if not nodes or named or any(node.type == "initializer_list" for node in nodes):
        raise context.not_understood(value)
    return InitializerList(elements)


def _array(
    context: Context, statement: Node, declarator: Node, value: Node | None, const: bool
) -> object:
    # `int v[] = {4, 5}`: fixed in size, and otherwise as a vector. What isn't given is zero.
    of = type_in(context, statement, declarator)
    size = declarator.child_by_field_name("size")
    if not isinstance(of, PointerType) or (value is not None and value.type != "initializer_list"):
        raise context.not_understood(declarator, "an array without a list of its elements")
    if child(declarator, "declarator").type != "identifier":
        raise context.not_understood(declarator, "an array of arrays")
    inner, to = without_reference_and_const(of.to), arithmetic_type(of.to)
    values = [evaluate(context, node) for node in argument_nodes(value)] if value else []
    wanted = evaluate(context, size) if size is not None else len(values)
    spare = wanted - len(values) if isinstance(wanted, int) else -1
    if spare < 0 or not 0 < len(values) + spare <= 1000 or (spare and to is None):
        raise CxxError(
            f"this array has {wanted} elements, and {len(values)} are listed", span_of(declarator)
        )
    where = span_of(value or declarator)
    made = refusals_at(where, [], listed, inner, values)
    rest = convert(to, 0) if to is not None and value else NoValue("has no value yet", inner)
    return BuiltInArray((*made, *([plain(rest)] * spare)), inner, const)


# --- What looks like a function -------------------------------------------------------------------


def _of_names(context: Context, statement: Node, declarator: Node) -> Variable:
    # `int j(i);` is a declaration of a function to the grammar, which knows no variables; and so is
    # `X x(A::a, b);`, with parameters of the types `A::a` and `b`.
    assert context.variables is not None
    listed_ = argument_nodes(child(declarator, "parameters"))
    if not listed_ or any(p.type != "parameter_declaration" for p in listed_):
        raise context.not_understood(declarator, "a variable without a value")
    nodes = [child(parameter, "type") for parameter in listed_]
    named = [context.variables.find(context.spell(node)) for node in nodes]
    of = object_class(context.program, child(statement, "type"), context.place)
    const = is_const(statement)
    copies = len(nodes) == 1 and named[0] is not None
    if of is not None and of.construct is not None and not copies:
        values = [
            evaluate(context, node) if found is None else found.cell.value
            for node, found in zip(nodes, named, strict=True)
        ]
        spans = [span_of(node) for node in nodes]
        made = refusals_at(span_of(declarator), spans, of.construct, *values)
        return Variable(_kept(context, made), const)
    if of is not None and of.of_text is not None:
        given = [
            Variable(Cell(evaluate(context, node)), is_const=True) if found is None else found
            for node, found in zip(nodes, named, strict=True)
        ]
        made = call_on_variables(context, declarator, of.of_text, given)
        return Variable(context.variables.keep(made), const)
    type = type_in(context, statement, None)
    if len(nodes) != 1:
        raise context.not_understood(declarator, "a variable of several values")
    if not is_read(context.program, type):
        raise unread(context, type, child(statement, "type"))
    found = named[0].cell.value if named[0] is not None else evaluate(context, nodes[0])
    value = initialise_object(context, type, found, listed_[0])
    return Variable(context.variables.keep(value), const)


# --- Objects of bound classes ---------------------------------------------------------------------


def _object(
    context: Context, statement: Node, declarator: Node, value: Node | None
) -> Variable | None:
    # `at::NoGradGuard guard;` and `X x(a, b);`: an object of a bound class, whose end is noted.
    if value is not None and value.type not in ("argument_list", "initializer_list"):
        return None
    type_node, const = child(statement, "type"), is_const(statement)
    of = object_class(context.program, type_node, context.place)
    if of is not None and of.of_text is not None:
        return Variable(Cell(call_text(context, declarator, of.of_text, value)), const)
    if of is None or of.construct is None:
        type = type_in(context, statement, None)
        if not is_read(context.program, type):
            raise unread(context, type, type_node)
        return None
    if value is None:
        made = refusals_at(span_of(statement), [], of.construct)
        return Variable(_kept(context, made), const)
    is_list = value.type == "initializer_list"
    construct = of.from_list if is_list and of.from_list else of.construct
    return Variable(_kept(context, call_bound(context, declarator, construct, value)), const)


def _kept(context: Context, made: object) -> Cell:
    # Its destructor, if it has one, runs where the block ends.
    assert context.variables is not None
    end = context.program.bindings.destructors.get(type(made))
    if end is not None:
        context.variables.ends.append(partial(end, made))
    return context.variables.keep(made)
