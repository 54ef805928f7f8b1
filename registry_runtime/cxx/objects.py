"""Objects of classes: what constructs one, and what the objects at namespace scope are.

Three kinds of classes mean something here: bound ones, classes of the text whose constructor calls
what registers (see `calling_constructors`), and classes of the text that have a bound one for their
base. Of `struct add_stub : DispatchStub<add_fn, add_stub>` nothing else is read: it is the
base that registers, dispatches and keeps. Where the bound class is one to derive from, a `Base`, the
text's own is read: see `class_objects`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tree_sitter import Node

from registry_runtime.cxx.bindings import Class, ClassTemplate, refusals_at
from registry_runtime.cxx.calls import call_bound
from registry_runtime.cxx.classes import CxxClass
from registry_runtime.cxx.constructors import constructor_registers
from registry_runtime.cxx.context import Context, Place, argument_nodes, span_of
from registry_runtime.cxx.declarations import VariableDeclaration
from registry_runtime.cxx.declared import initialise_object, is_read, type_in, unread
from registry_runtime.cxx.evaluate import evaluate
from registry_runtime.cxx.lookup import Found, look_up
from registry_runtime.cxx.member_functions import bound_base
from registry_runtime.cxx.names import NAMES, qualified_name
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import template_arguments
from registry_runtime.cxx.span import CxxError, Span
from registry_runtime.cxx.types import NamedType


@dataclass(frozen=True, slots=True)
class ObjectClass:
    """How objects of a class come to be: from a constructor's arguments, or by their name.

    `from_list` is what makes one of the elements in braces, where these aren't arguments. `of_text` is
    a class of the text that is read, `written` the text of one whose constructor registers.
    """

    construct: Callable[..., object] | None
    derived: Callable[[str], object] | None
    registers: bool
    from_list: Callable[..., object] | None = None
    of_text: CxxClass | None = None
    written: Span | None = None


def object_class(program: Program, type_node: Node | None, place: Place) -> ObjectClass | None:
    """The class that a declaration's type names, if it means something here."""
    if type_node is None:
        return None
    key = ("object class", type_node.start_byte, place.scope, place.template_parameters)
    known: ObjectClass | None = program.once(key, lambda: _named_class(program, type_node, place))
    return known


def _named_class(program: Program, type_node: Node, place: Place) -> ObjectClass | None:
    if type_node.has_error:
        return None
    elaborated = type_node.type in ("struct_specifier", "class_specifier")
    node = type_node.child_by_field_name("name") if elaborated else type_node
    if node is None or node.type not in NAMES:
        return None
    found = look_up(program, qualified_name(program.source, node), place.scope, 0, elaborated)
    if found is None or found.rest:
        return None
    if found.is_class:
        return (
            _derived(program, found)
            or _read(program, found, span_of(node))
            or _calling(program, found, place)
        )
    bound, named = found.binding, found.type
    if bound is None and isinstance(named, NamedType) and named.arguments:
        bound = program.bindings.names.get(named.name)  # behind an alias: `variable_list`
    else:
        named = None
    match bound:
        case Class(construct, _, registers, from_list):
            return ObjectClass(construct, None, registers, from_list)
        case ClassTemplate(constructor=constructor, registers=registers, from_list=from_list) if (
            constructor is not None
        ):
            arguments = (
                named.arguments
                if isinstance(named, NamedType)
                else template_arguments(program, found.part, place)
            )
            construct = refusals_at(span_of(node), [], constructor, arguments)
            listed = from_list and refusals_at(span_of(node), [], from_list, arguments)
            return ObjectClass(construct, None, registers, listed)
    return None


def _derived(program: Program, found: Found) -> ObjectClass | None:
    base = program.declarations.bases.get(found.path)
    if base is None:
        return None
    place = Place(base.scope)
    of = look_up(program, qualified_name(program.source, base.node), base.scope)
    if of is None or of.rest or not isinstance(of.binding, ClassTemplate):
        return None
    derived = of.binding.derived
    if derived is None:
        return None
    arguments = template_arguments(program, of.part, place)
    return ObjectClass(None, lambda name: derived(arguments, found.path, name), True)


def _read(program: Program, found: Found, span: Span) -> ObjectClass | None:
    definition = program.declarations.class_definitions.get(found.path)
    if definition is None or definition.template_parameters is not None:
        return None
    of = CxxClass(found.path, (), span, program)
    return ObjectClass(None, None, False, of_text=of) if bound_base(of) is not None else None


def _calling(program: Program, found: Found, place: Place) -> ObjectClass | None:
    if not constructor_registers(program, found.path):
        return None
    arguments = (
        () if found.part.arguments is None else template_arguments(program, found.part, place)
    )
    of = CxxClass(found.path, arguments, found.part.span, program)
    node = program.declarations.class_definitions[found.path].node
    written = program.source.span(node)
    return ObjectClass(lambda *v: program.execute(of, v), None, True, written=written)


def initial_value(program: Program, name: str, variable: VariableDeclaration) -> object:
    """The value of a variable at namespace scope, worked out when it is first used."""
    key = ("variable", name)
    if key not in program.instances:
        running, node = program.running, variable.value or variable.type
        if running.depth > 12:
            assert node is not None
            raise CxxError("constants are nested too deeply", span_of(node))
        running.depth += 1
        try:
            program.instances[key] = _worked_out(program, name, variable)
        finally:
            running.depth -= 1
    return program.instances[key]


def _worked_out(program: Program, name: str, variable: VariableDeclaration) -> object:
    context = Context(program, Place(variable.scope, depth=3 * program.running.depth))
    node = variable.value
    of = object_class(program, variable.type, context.place)
    if of is not None and of.derived is not None:
        return of.derived(name)
    if node is None:
        assert variable.type is not None
        raise CxxError(f"`{name}` has no value in this text", span_of(variable.type))
    is_list = node.type == "initializer_list"
    if is_list or node.type == "argument_list":
        if of is not None and of.construct is not None:
            construct = of.from_list if is_list and of.from_list else of.construct
            return call_bound(context, node, construct, node)
        values = [evaluate(context, value) for value in argument_nodes(node)]
        if len(values) != 1:
            return tuple(values)
        return _of_its_type(context, variable, values[0], argument_nodes(node)[0], is_list)
    return _of_its_type(context, variable, evaluate(context, node), node, False)


def _of_its_type(
    context: Context, variable: VariableDeclaration, value: object, node: Node, in_braces: bool
) -> object:
    declaration = variable.type.parent if variable.type is not None else None
    if declaration is None:
        return value
    type = type_in(context, declaration, variable.declarator)
    if not is_read(context.program, type):
        raise unread(context, type, node)
    return initialise_object(context, type, value, node, in_braces=in_braces)
