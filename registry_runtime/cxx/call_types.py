"""The types of calls and casts that nobody evaluates: how many arguments, and of which types."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import BOOL
from registry_runtime.cxx.casts import CASTS, reads_as_a_type
from registry_runtime.cxx.changed_objects import changes, is_const_place, is_value
from registry_runtime.cxx.closures import ClosureType
from registry_runtime.cxx.context import argument_nodes, child, inside, span_of
from registry_runtime.cxx.conversions import AUTO
from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.deduction import deduced
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.initial_values import initialises
from registry_runtime.cxx.instances import body_scope
from registry_runtime.cxx.known_names import known_name, known_type, read
from registry_runtime.cxx.library_calls import library_call, method_call
from registry_runtime.cxx.lookup import Found, certainly_unknown, look_up
from registry_runtime.cxx.member_functions import declared
from registry_runtime.cxx.names import qualified_name
from registry_runtime.cxx.operand_types import (
    NULL,
    SIDE_BY_SIDE,
    common_pointer,
    converts,
    inside_of,
    kind_of,
    known,
    number_type,
    shown,
)
from registry_runtime.cxx.overloads import instance_type, least_arguments
from registry_runtime.cxx.own_types import IteratorType, OwnType, PlainType
from registry_runtime.cxx.parse import is_damaged, is_the_compilers
from registry_runtime.cxx.read_type import named_type
from registry_runtime.cxx.resolution import best_of, overloads
from registry_runtime.cxx.scopes import At, Given
from registry_runtime.cxx.span import CxxError, NotUnderstood
from registry_runtime.cxx.types import (
    ConstType,
    FunctionType,
    NamedType,
    PointerType,
    ReferenceType,
    Type,
    fundamental,
    without_reference_and_const,
)


def cast(at: At, node: Node) -> Type | None:
    type, value = child(node, "type"), child(node, "value")
    known_type(at, type)
    around = node.parent
    if at.spell(type) == "void" and around is not None and around.type in _OF_VALUES:
        raise CxxError("what is cast to void has no value", span_of(node))
    return _cast_to(at, read(at, type), value)


_OF_VALUES = ("binary_expression", "unary_expression", "assignment_expression")


def _cast_to(at: At, target: Type | None, operand: Node) -> Type | None:
    given = at.type_in(operand)
    to = known(target)
    wanted, kind = kind_of(to or NULL), kind_of(given or NULL)
    never = _NO_POINTERS if to == number_type(BOOL) else _NO_NUMBERS
    by_kind = {"number": never, "pointer": (*_NO_POINTERS, "enum", "optional"), "enum": _NO_NUMBERS}
    if given == NULL and wanted == "number" and to != number_type(BOOL):
        raise CxxError(f"nullptr where a `{to}` is wanted", span_of(operand))
    if wanted in _MADE and (wanted, kind) != ("vector", "number"):
        converts(to, given, operand)
    if kind in by_kind.get(wanted, ()):
        raise CxxError(f"{shown(given or NULL)} where a `{to}` is wanted", span_of(operand))
    return to


_MADE = ("struct", "string", "vector", "pair", "optional")
_NO_POINTERS = (*SIDE_BY_SIDE, "list", "string", "struct", "lambda", "iterator", "nullopt")
_NO_NUMBERS = (*_NO_POINTERS, "pointer", "optional")


def _same_thing(at: At, to: Type | None, operand: Node) -> None:
    # A static_cast of a pointer goes where a conversion goes, or back from there: [expr.static.cast].
    given, wanted = at.type_in(operand), known(to)
    if isinstance(given, PointerType) and wanted is not None:
        loses_const = isinstance(given.to, ConstType) and not _points_to_const(wanted)
        is_void = without_reference_and_const(given.to) == NamedType("void")
        if loses_const or not (is_void or common_pointer(wanted, given) is not None):
            raise CxxError(f"{shown(given)} where a `{to}` is wanted", span_of(operand))
        return
    if wanted == number_type(BOOL) and kind_of(given or NULL) == "optional":
        return  # its own conversion, which is explicit
    converts(to, given, operand)


def _points_to_const(type: Type) -> bool:
    return isinstance(type, PointerType) and isinstance(type.to, ConstType)


def call(at: At, node: Node) -> Type | None:
    function, arguments = child(node, "function"), argument_nodes(child(node, "arguments"))
    if function.type == "primitive_type" and len(arguments) == 1:
        return _cast_to(at, fundamental(at.spell(function)), arguments[0])
    last = function.child_by_field_name("name") if function.type == "template_function" else None
    if last is not None and at.spell(last) == "static_cast" and len(arguments) == 1:
        types = argument_nodes(child(function, "arguments"))
        for type in types:
            known_type(at, type)
        to = read(at, types[0]) if types else None
        if isinstance(known(to), PointerType):
            _same_thing(at, to, arguments[0])
        return _cast_to(at, to, arguments[0])
    if function.type == "primitive_type" and not arguments:
        if reads_as_a_type(node):
            raise at.not_understood(node, f"`{at.spell(node)}` in parentheses")
        return known(fundamental(at.spell(function)))
    given = [at.type_in(argument) for argument in arguments]
    match function.type:
        case "identifier":
            return _call_name(at, node, function, arguments, given)
        case "field_expression":
            own = _own_method(at, function)
            if own is not None:
                return _call_of(at, node, own, arguments, given)
            return method_call(at, function, arguments, given)
        case "template_function" if last is not None and at.spell(last) not in CASTS:
            known_name(at, function)
            found = look_up(at.program, qualified_name(at.program.source, function), at.place.scope)
            return _call_template(at, node, found, arguments, given) if found is not None else None
        case "qualified_identifier":
            known_name(at, function)
            if is_value(at, function):
                raise CxxError(f"`{at.spell(function)}` can't be called", span_of(function))
            return library_call(at, node, function, arguments, given)
        case "template_function":
            return None
    return _call_of(at, node, at.type_in(function), arguments, given)


def _call_name(
    at: At, node: Node, function: Node, arguments: list[Node], given: list[Type | None]
) -> Type | None:
    spelling = at.spell(function)
    local = at.find(spelling, function)
    if local is not None:
        return _call_of(at, node, at.type_in(function), arguments, given)
    if at.has_this or spelling in at.place.template_parameters:
        return None
    name = qualified_name(at.program.source, function)
    found = look_up(at.program, name, at.place.scope)
    if found is None:
        error = certainly_unknown(at.program, name, at.place.scope)
        if error is not None and None not in given:  # else its argument's namespace may have it
            raise error
        return None
    if is_value(at, function):
        raise CxxError(f"`{spelling}` can't be called", span_of(function))
    own = named_type(at.program, function, at.place) if found.is_class or found.type else None
    if isinstance(own, OwnType) and not found.rest:
        if len(given) > 1:
            raise at.not_understood(node, f"the call `{at.spell(node)}`")
        return _cast_to(at, own, arguments[0]) if arguments else own
    several = overloads(at.program, function, at.place)
    if several is not None:
        if None in given:
            return None
        best = best_of(several[1], given, spelling, span_of(function))
        return _call_of(
            at, node, _returning(at, best.type, best.declarations), arguments, given, best.least
        )
    if all(f.template_parameters is not None for f in found.functions):
        return _call_template(at, node, found, arguments, given)
    known_types = [f for f in found.functions if f.template_parameters is None]
    if not known_types or len(known_types) != len(found.functions):
        return None
    types = [t for f in known_types if isinstance(t := read(at, f.node), FunctionType)]
    if len(set(types)) != 1:
        return None
    least = min(map(least_arguments, known_types))
    return _call_of(at, node, _returning(at, types[0], known_types), arguments, given, least)


def _call_template(
    at: At, node: Node, found: Found, arguments: list[Node], given: list[Type | None]
) -> Type | None:
    """What the instance returns that a call reaches; what can't be told is refused where it runs."""
    function, reached = child(node, "function"), None
    if found.functions and not found.rest and None not in given:
        with suppress(NotUnderstood):
            reached = deduced(at.program, function, found, at.place, given)
    if reached is None or reached.type is None:
        return None
    least = min(map(least_arguments, reached.declarations))
    return _call_of(at, node, _returning_instance(at, reached), arguments, given, least)


def _returning(
    at: At, type: FunctionType, declarations: Sequence[FunctionDeclaration]
) -> FunctionType:
    """The type with what its body returns, where that is `auto`."""
    body = _only_body(at, declarations)
    if type.returns != AUTO or body is None:
        return type
    returned = at.returned_by(at, body, body.scope)
    return FunctionType(returned or AUTO, type.parameters)


def _returning_instance(at: At, reached: CxxFunction) -> FunctionType:
    """The same of a template's instance, whose body is checked. Raises CxxError."""
    type, body = reached.type, _only_body(at, reached.declarations)
    assert type is not None
    if body is None or body.template_parameters is None or is_the_compilers(reached.name):
        return type
    with suppress(NotUnderstood):
        scope = body_scope(reached, body)
        returned = at.returned_by(at, body, scope)
        return FunctionType(returned or AUTO, type.parameters) if type.returns == AUTO else type
    return type


def _only_body(at: At, declarations: Sequence[FunctionDeclaration]) -> FunctionDeclaration | None:
    bodies = [f for f in declarations if f.body is not None]
    if len(bodies) != 1 or is_damaged(at.program.source, bodies[0].node):
        return None
    return None if _CHOOSES in (bodies[0].node.text or b"") else bodies[0]


# Behind `if constexpr` stands what an instance may not have at all: which, isn't found out.
_CHOOSES = b"if constexpr"


def _call_of(
    at: At,
    node: Node,
    type: Type | None,
    arguments: list[Node],
    given: list[Type | None],
    least: int | None = None,
) -> Type | None:
    if type is None:
        return None
    if not isinstance(type, FunctionType):
        if isinstance(type, PointerType) and kind_of(type.to) in ("", "lambda"):
            return None
        function = child(node, "function")
        raise CxxError(f"`{at.spell(function)}` can't be called", span_of(function))
    wanted, closure = len(type.parameters), type if isinstance(type, ClosureType) else None
    least, most = wanted if least is None else least, wanted
    if closure is not None:
        least, most = closure.least, len(given) if closure.takes_any_more else wanted
    if not least <= len(given) <= most:
        called = at.spell(child(node, "function"))
        said = f"`{called}` has {wanted} parameters and is called with {len(given)}"
        raise CxxError(said, span_of(node))
    for parameter, argument, each in zip(type.parameters, arguments, given, strict=False):
        _passes(at, parameter.type, argument, each)
    if closure is None or closure.instance is None:
        return known(type.returns)
    each_given = zip(given, arguments, strict=True)
    return known(closure.instance([Given(t, is_const_place(at, n), n) for t, n in each_given]))


def _passes(at: At, to: Type, node: Node, given: Type | None) -> None:
    if isinstance(to, ReferenceType) and to.is_to_an_object:
        if to.to == AUTO and is_value(at, node):
            raise CxxError(f"`{to}` can't be a reference to `{at.spell(node)}`", span_of(node))
        if known(to) is None or given is None:
            return
        if given != known(to) or is_value(at, node):
            raise CxxError(f"`{to}` can't be a reference to `{at.spell(node)}`", span_of(node))
        changes(at, node)
    initialises(at, to, node, given)


def _own_method(at: At, function: Node) -> FunctionType | None:
    """The type of a member function of a plain struct. Raises CxxError."""
    owner, field = at.type_in(child(function, "argument")), child(function, "field")
    arrow = (
        isinstance(owner, PointerType | IteratorType)
        and at.spell(child(function, "operator")) == "->"
    )
    of = inside_of(owner) if arrow else owner
    if not isinstance(of, PlainType):
        return None
    listed = declared(at.program, of.name, at.spell(field))
    if not listed:
        raise CxxError(f"`{of}` has no member function `{at.spell(field)}`", span_of(field))
    if len(listed) > 1:
        raise at.not_understood(field, f"a call of one of {len(listed)} functions")
    spelled = [at.spell(child) for child in listed[0].declarator.children]
    if "const" not in spelled and is_const_place(at, child(function, "argument")):
        said = f"`{at.spell(child(function, 'argument'))}` is const"
        raise CxxError(f"{said}, and `{at.spell(field)}` is not", span_of(field))
    type = instance_type(at.program, listed[0], ())
    if any(n.type == "optional_parameter_declaration" for n in inside(listed[0].declarator)):
        raise at.not_understood(field, "a member function with default arguments")
    return type
