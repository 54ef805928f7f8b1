"""The types of calls and casts that nobody evaluates: how many arguments, and of which types."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import BOOL, DOUBLE, FLOAT, SIZE_T, promoted
from registry_runtime.cxx.casts import CASTS, reads_as_a_type
from registry_runtime.cxx.changed_objects import changes, is_const_place, is_value
from registry_runtime.cxx.context import argument_nodes, child, inside, span_of
from registry_runtime.cxx.conversions import arithmetic_type
from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.deduction import deduced
from registry_runtime.cxx.known_names import known_name, known_type
from registry_runtime.cxx.lookup import Found, certainly_unknown, look_up
from registry_runtime.cxx.member_functions import declared
from registry_runtime.cxx.names import qualified_name
from registry_runtime.cxx.operand_types import (
    LITERAL,
    NULL,
    STRING,
    common_pointer,
    converts,
    inside_of,
    kind_of,
    known,
    number_type,
    pair_of,
    promoted_type,
    shown,
)
from registry_runtime.cxx.overloads import instance_type, least_arguments
from registry_runtime.cxx.own_types import OwnType, PlainType
from registry_runtime.cxx.read_type import named_type, read_type
from registry_runtime.cxx.resolution import best_of, overloads
from registry_runtime.cxx.scopes import At
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


def read(at: At, node: Node) -> Type | None:
    """The type that a piece of the text spells; None for one that isn't read."""
    try:
        return read_type(at.program, node, at.place)
    except CxxError:
        return None


def cast(at: At, node: Node) -> Type | None:
    type, value = child(node, "type"), child(node, "value")
    known_type(at, type)
    if value.type == "assignment_expression":  # `(int)n = 1`, which assigns to what is cast
        said = f"`({at.spell(type)}){at.spell(child(value, 'left'))}` is assigned to"
        raise at.not_understood(node, said)
    return _cast_to(at, read(at, type), value)


def _cast_to(at: At, target: Type | None, operand: Node) -> Type | None:
    given = at.type_in(operand)
    to = known(target)
    wanted, kind = kind_of(to or NULL), kind_of(given or NULL)
    never = _NO_POINTERS if to == number_type(BOOL) else _NO_NUMBERS
    by_kind = {"number": never, "pointer": (*_NO_POINTERS, "enum"), "enum": _NO_NUMBERS}
    if wanted == "struct":
        converts(to, given, operand)
    if kind in by_kind.get(wanted, ()):
        raise CxxError(f"{shown(given or NULL)} where a `{to}` is wanted", span_of(operand))
    return to


_NO_NUMBERS = ("string", "vector", "pair", "pointer", "struct")
_NO_POINTERS = ("string", "vector", "pair", "struct")


def _same_thing(at: At, to: Type | None, operand: Node) -> None:
    # A static_cast of a pointer goes where a conversion goes, or back from there: [expr.static.cast].
    given, wanted = at.type_in(operand), known(to)
    if isinstance(given, PointerType) and wanted is not None:
        loses_const = isinstance(given.to, ConstType) and not _points_to_const(wanted)
        is_void = without_reference_and_const(given.to) == NamedType("void")
        if loses_const or not (is_void or common_pointer(wanted, given) is not None):
            raise CxxError(f"{shown(given)} where a `{to}` is wanted", span_of(operand))
        return
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
        case "lambda_expression":
            return _call_of(at, node, at.type_in(function), arguments, given)
        case "field_expression":
            own = _own_method(at, function)
            if own is not None:
                return _call_of(at, node, own, arguments, given)
            return _call_method(at, function)
        case "template_function" if last is not None and at.spell(last) not in CASTS:
            known_name(at, function)
            found = look_up(at.program, qualified_name(at.program.source, function), at.place.scope)
            return _call_template(at, node, found, arguments, given) if found is not None else None
        case "qualified_identifier":
            known_name(at, function)
            return _call_library(at, node, function, arguments, given)
    return None


def _call_library(
    at: At, node: Node, function: Node, arguments: list[Node], given: list[Type | None]
) -> Type | None:
    name, _, rest = at.spell(function).partition("<")
    types = [arithmetic_type(type) for type in given]
    if name == "std::swap" and len(types) == 2:
        for argument in arguments:
            changes(at, argument)
        if None not in given and given[0] != given[1]:
            raise CxxError("std::swap takes two objects of one type", span_of(node))
        return None
    if name in ("std::sort", "std::reverse"):
        _reorder(at, node, arguments)
        return None
    if name == "std::numeric_limits":
        return _limit(at, node, function, given)
    if name in ("std::max", "std::min"):
        if rest:
            part = qualified_name(at.program.source, function).parts[-1].arguments
            wanted = argument_nodes(part) if part is not None else []
            to = read(at, wanted[0]) if len(wanted) == 1 else None
            for argument, each in zip(arguments, given if len(given) == 2 else (), strict=False):
                converts(to, each, argument)
            return known(to)
        if len(types) == 2 and None not in types and types[0] != types[1]:
            said = f"{name} takes two numbers of one type"
            raise CxxError(said, span_of(node), f"say which: {name}<int64_t>(a, b)")
        return given[0] if len(types) == 2 and types[0] == types[1] else None
    if name == "std::string" and len(given) < 2:
        if given:
            converts(STRING, given[0], arguments[0])
        return STRING
    if name == "std::move" and len(given) == 1:
        return given[0]
    if name == "std::make_pair" and len(given) == 2 and None not in given:
        return pair_of(*(of for of in given if of is not None))
    if name in (*_OF_FLOATS, "std::pow", "std::abs"):
        for argument, each in zip(arguments, given, strict=True):
            _is_a_number(name, argument, each)
    if name == "std::pow" and len(types) == 2 and None not in types:
        return number_type(FLOAT if set(types) == {FLOAT} else DOUBLE)
    if len(types) == 1 and types[0] is not None:
        if name in _OF_FLOATS:
            return number_type(types[0] if types[0].is_floating else DOUBLE)
        if name == "std::abs" and not promoted(types[0]).is_signed:
            raise CxxError(f"std::abs is ambiguous for a `{types[0]}`", span_of(node))
        return number_type(promoted(types[0])) if name == "std::abs" else None
    return None


def _is_a_number(name: str, argument: Node, given: Type | None) -> None:
    # Of an enumerator nobody can say which it is: `exp(float)`, `exp(double)`. An `abs(int)` there is.
    if name == "std::abs":
        given = promoted_type(given)
    if given is not None and kind_of(given) != "number":
        raise CxxError(f"{name} takes a number, not {shown(given)}", span_of(argument))


def _limit(at: At, node: Node, function: Node, given: list[Type | None]) -> Type | None:
    *_, of, member = qualified_name(at.program.source, function).parts
    listed = argument_nodes(of.arguments) if of.arguments is not None else []
    if given or len(listed) != 1 or member.arguments is not None:
        raise at.not_understood(node, f"the call `{at.spell(node)}`")
    return known(read(at, listed[0]))


def _reorder(at: At, node: Node, arguments: list[Node]) -> None:
    """`std::sort(v.begin() + 1, v.end())`, of nothing else than two places in what isn't const."""
    for argument in arguments:
        while argument.type == "binary_expression":
            argument = child(argument, "left")
        called = argument.child_by_field_name("function")
        if called is None or called.type != "field_expression" or len(arguments) != 2:
            raise at.not_understood(node, f"the call `{at.spell(node)}`")
        if is_const_place(at, child(called, "argument")):
            raise CxxError(f"`{at.spell(child(called, 'argument'))}` is const", span_of(argument))


_ROUNDING = ("sqrt", "floor", "ceil", "trunc", "round", "fabs")
_EXPONENTIALS = ("exp", "exp2", "log", "log2", "log10")
_OF_FLOATS = tuple(f"std::{name}" for name in (*_ROUNDING, *_EXPONENTIALS))


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
    least = len(types[0].parameters)
    for one in known_types:
        listed = one.declarator.child_by_field_name("parameters")
        defaults = (
            [n for n in listed.named_children if n.type == "optional_parameter_declaration"]
            if listed
            else []
        )
        least = min(least, len(types[0].parameters) - len(defaults))
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
    return _call_of(at, node, reached.type, arguments, given, least)


def _returning(
    at: At, type: FunctionType, declarations: Sequence[FunctionDeclaration]
) -> FunctionType:
    """The type with what its body returns, where that is `auto`."""
    if type.returns != NamedType("auto"):
        return type
    bodies = [f for f in declarations if f.body is not None]
    returned = at.returned_by(at, bodies[0]) if len(bodies) == 1 else None
    return FunctionType(returned or type.returns, type.parameters)


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
        if isinstance(type, PointerType):
            return None
        function = child(node, "function")
        raise CxxError(f"`{at.spell(function)}` can't be called", span_of(function))
    wanted = len(type.parameters)
    if not (wanted if least is None else least) <= len(given) <= wanted:
        called = at.spell(child(node, "function"))
        said = f"`{called}` has {wanted} parameters and is called with {len(given)}"
        raise CxxError(said, span_of(node))
    for parameter, argument, each in zip(type.parameters, arguments, given, strict=False):
        _passes(at, parameter.type, argument, each)
    return known(type.returns)


def _passes(at: At, to: Type, node: Node, given: Type | None) -> None:
    if isinstance(to, ReferenceType) and not to.rvalue and not isinstance(to.to, ConstType):
        if known(to) is None or given is None:
            return
        if given != known(to) or is_value(at, node):
            raise CxxError(f"`{to}` can't be a reference to `{at.spell(node)}`", span_of(node))
        changes(at, node)
    converts(to, given, node)


def _own_method(at: At, function: Node) -> FunctionType | None:
    """The type of a member function of a plain struct. Raises CxxError."""
    owner, field = at.type_in(child(function, "argument")), child(function, "field")
    arrow = isinstance(owner, PointerType) and at.spell(child(function, "operator")) == "->"
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


def _call_method(at: At, function: Node) -> Type | None:
    at.type_in(function)
    argument, field = child(function, "argument"), child(function, "field")
    owner, name = at.type_in(argument), at.spell(field)
    if field.type != "field_identifier":
        return None
    kind = kind_of(owner or NULL)
    if kind == "number" or kind == "enum":
        raise CxxError(f"`{owner}` has no member `{name}`", span_of(field))
    if kind not in ("string", "vector"):
        return None
    of = next(t for t in at.program.bindings.methods if t.__name__ == _PYTHONS[kind])
    if name not in at.program.bindings.methods[of]:
        raise CxxError(f"`{owner}` has no member `{name}`", span_of(field))
    local = at.find(at.spell(argument), argument) if argument.type == "identifier" else None
    changing = at.program.bindings.changing.get(of, frozenset())
    if local is not None and local.is_const and name in changing:
        said = f"`{at.spell(argument)}` is const, and `{name}` changes it"
        raise CxxError(said, span_of(field))
    if name in ("size", "length", "find"):
        return number_type(SIZE_T)
    if name in ("at", "front", "back"):
        return known(inside_of(owner))
    return _RETURNS.get(name)


_RETURNS: dict[str, Type] = {"empty": number_type(BOOL), "substr": STRING, "c_str": LITERAL}

_PYTHONS = {"string": "str", "vector": "Vector"}
