"""Static objects: `static X x(…);` at namespace scope, constructed for what that does.

Most declarations are none of these and are passed over: only a class that is bound, or has a bound one
for its base, means something here. The grammar is no help with `X x(a, b);`, which declares a function
if `a` and `b` are types; and `template <> … X<…>::member = value;` is an object in all but name.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node

from registry_runtime.cxx.bindings import ClassTemplate, refusals_at, registers
from registry_runtime.cxx.calls import call_bound
from registry_runtime.cxx.collect import says
from registry_runtime.cxx.context import Context, Place, child, span_of
from registry_runtime.cxx.declarations import Action
from registry_runtime.cxx.declarators import declared_name, names_alone
from registry_runtime.cxx.evaluate import evaluate
from registry_runtime.cxx.id_expression import id_expression, is_value
from registry_runtime.cxx.lookup import certainly_unknown, look_up, unknown_name
from registry_runtime.cxx.names import NAMES, QualifiedName, join, qualified_name
from registry_runtime.cxx.objects import ObjectClass, object_class
from registry_runtime.cxx.parse import no_syntax_errors
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import template_arguments
from registry_runtime.cxx.span import CxxError, RedefinedObject, Span
from registry_runtime.cxx.types import spell_arguments
from registry_runtime.near import nearest


@dataclass(frozen=True, slots=True)
class StaticObject:
    """A static object that was constructed: `value` is what its bound class made."""

    name: str
    value: object
    span: Span


@dataclass(frozen=True, slots=True)
class StaticCall:
    """`static int x = f();` for a class or type that isn't bound: what it calls, and whether the
    text has a body for it. One without is another file's, as with `PD_DECLARE_KERNEL`."""

    function: str
    is_defined: bool
    span: Span


@dataclass(frozen=True, slots=True)
class StaticObjects:
    """Those of a program, as they are constructed, and where each name was defined."""

    program: Program
    constructed: list[StaticObject] = field(default_factory=list)
    calls: list[StaticCall] = field(default_factory=list)
    defined: dict[str, Span] = field(default_factory=dict)
    classes: set[Span] = field(default_factory=set)  # of the text, whose constructors registered


def construct(objects: StaticObjects, action: Action) -> None:
    """Construct what a declaration declares, if it is an object that registers. Raises CxxError."""
    declaration = action.node
    of = _registering_class(objects.program, declaration, action.scope)
    if of is None:
        _note_calls(objects, action)
        return
    if says(objects.program.source, declaration, "extern"):
        return
    no_syntax_errors(objects.program.source, declaration)
    objects.classes.update([of.written] if of.written is not None else [])
    for declarator in declaration.children_by_field_name("declarator"):
        name = declared_name(declarator)
        if declarator.type == "function_declarator":
            if not _is_an_object_after_all(objects, action):
                continue
        elif name is None or declarator.type not in ("identifier", "init_declarator"):
            continue
        assert name is not None
        full_name = _define(objects, join(action.scope, objects.program.source.spell(name)), name)
        value = _initial_value(objects, action, of, declarator, full_name)
        objects.program.instances["variable", full_name] = value
        objects.constructed.append(
            StaticObject(full_name, value, objects.program.source.span(declaration))
        )


def _is_an_object_after_all(objects: StaticObjects, action: Action) -> bool:
    # `X r(a, b);` declares a function if a and b are types, and an object if they are values.
    names, place = names_alone(action.node), Place(action.scope)
    return bool(names) and all(is_value(objects.program, name, place) for name in names)


def _define(objects: StaticObjects, name: str, node: Node) -> str:
    if name in objects.defined:
        raise RedefinedObject(name, span_of(node), objects.defined[name])
    objects.defined[name] = span_of(node)
    return name


def _initial_value(
    objects: StaticObjects, action: Action, of: ObjectClass, declarator: Node, name: str
) -> object:
    context = Context(objects.program, Place(action.scope))
    value = declarator.child_by_field_name("value")
    if of.construct is None:
        assert of.derived is not None
        return refusals_at(span_of(action.node), [], of.derived, name)
    if declarator.type == "function_declarator":
        names = names_alone(action.node)
        values = [id_expression(objects.program, name, context.place) for name in names]
        spans = [span_of(name) for name in names]
        return refusals_at(span_of(action.node), spans, of.construct, *values)
    if value is None:
        return refusals_at(span_of(action.node), [], of.construct)
    if value.type in ("argument_list", "initializer_list"):
        return call_bound(context, action.node, of.construct, value)
    return evaluate(context, value)


# --- Which class, if any --------------------------------------------------------------------------


def _registering_class(program: Program, declaration: Node, scope: str) -> ObjectClass | None:
    type_node = declaration.child_by_field_name("type")
    if type_node is not None and type_node.type == "placeholder_type_specifier":
        type_node = _begins_with(declaration)
    try:
        of = object_class(program, type_node, Place(scope))
    except CxxError:
        return None
    if of is not None:
        return of if of.registers else None
    if type_node is not None and type_node.type in NAMES and not type_node.has_error:
        name = qualified_name(program.source, type_node)
        if look_up(program, name, scope) is None:
            _refuse_a_slip_of(program, name, scope)
    return None


def _begins_with(declaration: Node) -> Node | None:
    """`X` of `auto x = X().op(…).op(…);`."""
    declarator = declaration.child_by_field_name("declarator")
    node = declarator.child_by_field_name("value") if declarator is not None else None
    while node is not None and node.type in ("call_expression", "field_expression"):
        node = node.child_by_field_name("function") or node.child_by_field_name("argument")
    return node


def _refuse_a_slip_of(program: Program, name: QualifiedName, scope: str) -> None:
    # An unknown type is nobody's business here, except where it is a bound class misspelt: then an
    # object that should have registered something would be passed over in silence.
    bound = [n for n, b in program.bindings.names.items() if registers(b)]
    if nearest(str(name).removeprefix("::"), bound, 0.9):
        raise unknown_name(program, name, scope)


# --- Members of templates, and calls that initialise ----------------------------------------------


def specialise(objects: StaticObjects, action: Action) -> None:
    """`template <> F DispatchStub<F, struct add_stub>::AVX2 = &add_kernel;`. Raises CxxError."""
    program, declarator = objects.program, action.node.child_by_field_name("declarator")
    value = declarator.child_by_field_name("value") if declarator is not None else None
    node = declared_name(declarator)
    if node is None or value is None or node.type != "qualified_identifier":
        return
    found = look_up(program, qualified_name(program.source, node), action.scope)
    if found is None or not isinstance(found.binding, ClassTemplate) or len(found.rest) != 1:
        return
    put, member = found.binding.specialise, found.rest[0]
    if put is None:
        return
    no_syntax_errors(program.source, action.node)
    place = Place(action.scope)
    _known_class(program, child(action.node, "type"), action.scope)
    arguments = template_arguments(program, found.part, place)
    name = f"{found.path}{spell_arguments(arguments)}::{member.name}"
    _define(objects, name, node)
    given = evaluate(Context(program, place), value)
    spans = [found.part.span, member.span, span_of(value)]
    made = refusals_at(span_of(action.node), spans, put, arguments, member.name, given)
    whole = action.node.parent or action.node  # with its `template <>`
    objects.constructed.append(StaticObject(name, made, program.source.span(whole)))


def _known_class(program: Program, type: Node, scope: str) -> None:
    """Raises CxxError for a type `X::F` of a class that certainly nothing declares."""
    name = qualified_name(program.source, type) if type.type in NAMES else None
    if name is None or len(name.parts) < 2:
        return
    of = name.owner
    error = certainly_unknown(program, of, scope) if look_up(program, of, scope) is None else None
    if error is not None:
        raise error


def _note_calls(objects: StaticObjects, action: Action) -> None:
    for declarator in action.node.children_by_field_name("declarator"):
        value = declarator.child_by_field_name("value")
        if value is None or value.type != "call_expression" or value.has_error:
            continue
        callee = child(value, "function")
        if callee.type not in NAMES:
            continue
        try:
            found = look_up(
                objects.program, qualified_name(objects.program.source, callee), action.scope
            )
        except CxxError:
            continue
        if found is not None and found.functions:
            everywhere = objects.program.declarations.functions[found.path]
            is_defined = any(declaration.body is not None for declaration in everywhere)
            objects.calls.append(StaticCall(found.path, is_defined, span_of(callee)))
