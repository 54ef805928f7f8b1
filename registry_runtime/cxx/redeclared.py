"""What one namespace declares twice under one name: [basic.def.odr], [basic.scope.declarative].

A name may be declared as often as one likes, if each time it means the same, and is defined once. Only
a function has overloads, and only a class or an enumeration can be hidden by a function or a variable.
What nobody uses is refused as well, since a compiler stops there. Two spellings that can't be read
may be of one type, and then nothing is said.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import ARITHMETIC
from registry_runtime.cxx.collect import says, template_parameters
from registry_runtime.cxx.context import Place, span_of
from registry_runtime.cxx.declarations import Declared, FunctionDeclaration
from registry_runtime.cxx.default_arguments import (
    class_defaults,
    function_defaults,
    has_defaults,
    template_defaults,
)
from registry_runtime.cxx.explicit_specialisations import wrongly_specialised
from registry_runtime.cxx.lookup import namespace
from registry_runtime.cxx.names import join, qualified_name
from registry_runtime.cxx.overloads import generic_type
from registry_runtime.cxx.parse import is_damaged, is_the_compilers, namespaces_around
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import aliased, declared_type, read_type
from registry_runtime.cxx.signatures import template_words
from registry_runtime.cxx.span import CxxError, RedefinedFunction, RedefinedObject, Span
from registry_runtime.cxx.types import (
    ConstType,
    FunctionType,
    NamedType,
    PointerType,
    ReferenceType,
    Type,
    substitute,
)


def redeclared(program: Program) -> list[CxxError]:
    """One error for each name that means two things, or is defined twice, at the second of the two."""
    found: list[CxxError] = []
    declarations = program.declarations
    for name, declared in declarations.declared.items():
        functions = declarations.functions.get(name, ())
        found += _without_defaults(program, name, declared)
        if len(declared) + len(functions) < 2 or is_the_compilers(name):
            continue
        listed = [*declared, *(_as_declared(one) for one in functions)]
        listed = [one for one in listed if not is_damaged(program.source, one.node)]
        found += _first_conflict(program, name, sorted(listed, key=_position))
    for name, functions in declarations.functions.items():
        if not is_the_compilers(name):
            found += _first_of_two(program, name, functions)
    return [*found, *wrongly_specialised(program)]


def _without_defaults(
    program: Program, name: str, declared: Sequence[Declared]
) -> Iterator[CxxError]:
    templates = [one for one in declared if one.is_template and one.kind in ("class", "alias")]
    if (
        not templates
        or is_the_compilers(name)
        or any(is_damaged(program.source, _template(one)) for one in templates)
    ):
        return
    found = next(class_defaults([_template(one) for one in sorted(templates, key=_position)]), None)
    if found is not None and not program.elsewhere(name.rpartition("::")[2]):
        yield found  # else a header may have given it


def _as_declared(function: FunctionDeclaration) -> Declared:
    name = _name_of(function)
    return Declared("function", function.node, name, function.scope, function.body is not None)


def _name_of(function: FunctionDeclaration) -> Node:
    return function.declarator.child_by_field_name("declarator") or function.declarator


def _position(declared: Declared) -> int:
    return declared.name.start_byte


# --- Names that mean two things -------------------------------------------------------------------


def _pairs(program: Program, listed: Sequence[Declared]) -> Iterator[tuple[Declared, Declared]]:
    """Any two that stand in the same namespaces. A namespace may be opened a thousand times, and a
    function have as many overloads: the first speaks for all."""
    met: dict[tuple[str, ...], list[Declared]] = defaultdict(list)
    for other in listed:
        beside = met[namespaces_around(program.source, other.node)]
        if other.kind in _OFTEN and any(one.kind == other.kind for one in beside):
            continue
        yield from ((one, other) for one in beside)
        beside.append(other)


_OFTEN = ("namespace", "function")


def _first_conflict(program: Program, name: str, listed: Sequence[Declared]) -> Iterator[CxxError]:
    for one, other in _pairs(program, listed):
        if one.kind == other.kind:
            error = _of_one_kind(program, name, one, other)
        elif {one.kind, other.kind} in _HIDDEN:
            error = None
        else:
            said = f"`{name}` is {_CALLED[one.kind]} above, and can't be {_CALLED[other.kind]} too"
            error = _error(said, other)
            if one.kind == "namespace" and other.kind == "namespace alias":
                error = error if _aliased_space(program, other) != name else None
            if {one.kind, other.kind} in _NAMED_TWICE and _names_itself(program, one, other):
                error = None
        if error is not None:
            yield error
            return


_HIDDEN = (
    {"class", "function"},
    {"class", "variable"},
    {"class", "enumerator"},
    {"enum", "function"},
    {"enum", "variable"},
    {"enum", "enumerator"},
)

_NAMED_TWICE = ({"class", "alias"}, {"enum", "alias"})

_CALLED = {
    "namespace": "a namespace",
    "namespace alias": "another name for a namespace",
    "class": "a class",
    "enum": "an enumeration",
    "enumerator": "an enumerator",
    "alias": "another name for a type",
    "variable": "a variable",
    "function": "a function",
}


def _error(said: str, declared: Declared) -> CxxError:
    return CxxError(said, span_of(declared.name), "rename or remove one of the two")


def _of_one_kind(program: Program, name: str, one: Declared, other: Declared) -> CxxError | None:
    if one.kind in ("namespace", "function"):
        return None
    if one.kind == "namespace alias":
        spaces = {_aliased_space(program, each) for each in (one, other)}
        return _error(f"`{name}` is another namespace above", other) if len(spaces) > 1 else None
    if one.kind in ("alias", "variable") and differ(_type(program, one), _type(program, other)):
        return _error(f"`{name}` is of another type above", other)
    if one.is_template != other.is_template:
        return _error(f"`{name}` is a template at one place, and none at the other", other)
    if one.kind == "alias":
        anonymous = [_has_no_name(each.node) for each in (one, other)]
        return _error(f"`{name}` is defined twice", other) if all(anonymous) else None
    if one.is_template:
        for error in template_defaults(_template(one), _template(other)):
            return error
    if one.defines and other.defines:
        if one.kind == "variable":
            return RedefinedObject(name, span_of(other.name), span_of(one.name))
        return _error(f"`{name}` is defined twice", other)
    return None


def _aliased_space(program: Program, alias: Declared) -> str:
    return namespace(
        program, qualified_name(program.source, alias.node.named_children[-1]), alias.scope
    )


def _template(declared: Declared | FunctionDeclaration) -> Node:
    template = declared.node.parent
    assert template is not None
    return template


def _names_itself(program: Program, one: Declared, other: Declared) -> bool:
    # `typedef struct T T;` and `typedef struct T { … } T;`, or what may be one under another name.
    made = _type(program, one if one.kind == "alias" else other)
    return made is None or (isinstance(made, NamedType) and made.name not in ARITHMETIC)


def _has_no_name(node: Node) -> bool:
    type = node.child_by_field_name("type")
    return (
        type is not None
        and type.type.endswith("_specifier")
        and type.child_by_field_name("body") is not None
        and type.child_by_field_name("name") is None
    )


def _type(program: Program, declared: Declared) -> Type | None:
    try:
        if declared.is_template and declared.kind == "alias":
            return _type_of_template(program, declared)
        if declared.kind == "alias":
            for alias in program.declarations.aliases[_full_name(program, declared)]:
                if alias.position == declared.node.end_byte:
                    return aliased(program, alias, Place(declared.scope))
            return None
        declarator = (
            declared.name.parent if declared.name.parent != declared.node else declared.name
        )
        if declarator is not None and declarator.type == "init_declarator":
            declarator = declared.name
        return declared_type(program, declared.node, declarator, Place(declared.scope))
    except CxxError:
        return None


def _type_of_template(program: Program, alias: Declared) -> Type:
    # With each of the template's parameters by its place.
    names = [p.name for p in template_parameters(program.source, _template(alias))]
    place = Place(alias.scope, frozenset(names))
    type = alias.node.child_by_field_name("type")
    assert type is not None
    places = {name: NamedType(f"${i}") for i, name in enumerate(names)}
    return substitute(read_type(program, type, place), places)


def _full_name(program: Program, declared: Declared) -> str:
    return join(declared.scope, program.source.spell(declared.name))


def differ(one: Type | None, other: Type | None) -> bool:
    """Whether they are certainly two types."""
    if one is None or other is None or one == other:
        return False
    if isinstance(one, ConstType) and isinstance(other, ConstType):
        return differ(one.of, other.of)
    if type(one) is not type(other):
        return all(_is_certain(each) for each in (one, other))
    if isinstance(one, PointerType | ReferenceType) and isinstance(other, type(one)):
        return differ(one.to, other.to)
    return _is_certain(one) and _is_certain(other)


def _is_certain(type: Type) -> bool:
    if isinstance(type, ConstType):
        return _is_certain(type.of)
    if isinstance(type, PointerType | ReferenceType):
        return _is_certain(type.to)
    return isinstance(type, NamedType) and (
        type.name in ARITHMETIC or type.name in _CERTAIN or type.name.startswith("$")
    )


_CERTAIN = ("std::string", "std::vector", "void")


# --- Functions ------------------------------------------------------------------------------------


def _first_of_two(
    program: Program, name: str, functions: Sequence[FunctionDeclaration]
) -> Iterator[CxxError]:
    alike: dict[tuple[object, ...], list[FunctionDeclaration]] = defaultdict(list)
    for function in functions:
        if not is_damaged(program.source, function.node) and not _VERSIONS.search(
            _head(program, function)
        ):
            for key in _signatures(program, function):
                alike[key].append(function)
    told: set[Span] = set()
    for key, same in alike.items():
        for error in _of_one_function(program, name, key, same):
            if error.span not in told:
                told.add(error.span)
                yield error


def _of_one_function(
    program: Program, name: str, key: tuple[object, ...], same: Sequence[FunctionDeclaration]
) -> Iterator[CxxError]:
    for one, other in _with_those_above(same):
        span = span_of(_name_of(other))
        if one.body is not None and other.body is not None:
            continue  # told below, of all of them
        if key[0] == "type" and differ(_result(program, one), _result(program, other)):
            yield CxxError(f"`{name}` returns another type above", span)
        elif key[0] == "type" and _is_constexpr(program, one) != _is_constexpr(program, other):
            yield CxxError(f"`{name}` is constexpr at one place, and isn't at the other", span)
        elif key[0] == "type" and _is_volatile(program, one) != _is_volatile(program, other):
            yield CxxError(f"`{name}` returns another type above", span)
        elif key[0] == "type" and _turns_static(program, one, other, same[0]):
            yield CxxError(f"`{name}` is not static above", span)
    for again in [one for one in same if one.body is not None][1:]:
        yield RedefinedFunction(name, span_of(_name_of(again)))
    heads = [_template(one) for one in same if one.template_parameters]
    for above, head in combinations([h for h in heads if has_defaults(h)], 2):
        yield from template_defaults(above, head)
    yield from function_defaults(program, same)


def _with_those_above(
    same: Sequence[FunctionDeclaration],
) -> Iterator[tuple[FunctionDeclaration, FunctionDeclaration]]:
    """Each with the first, and with the one above: with all would be their square."""
    for before, one in pairwise(same):
        yield from dict.fromkeys(((same[0], one), (before, one)))


def _turns_static(
    program: Program,
    one: FunctionDeclaration,
    other: FunctionDeclaration,
    first: FunctionDeclaration,
) -> bool:
    # What is static in its first declaration is so in all, [dcl.stc].
    are = [says(program.source, each.node, "static") for each in (one, other)]
    return one is first and are == [False, True]


# One function for each processor, and one that another is to replace.
_VERSIONS = re.compile(r"\b(?:__)?(?:target|gnu_inline|weak|alias)(?:__)?\b")


def _head(program: Program, function: FunctionDeclaration) -> str:
    end = function.body.start_byte if function.body is not None else function.node.end_byte
    return program.source.text[function.node.start_byte : end]


def _signatures(program: Program, function: FunctionDeclaration) -> Iterator[tuple[object, ...]]:
    """What two declarations of one function have in common: its parameters' types, where they can be
    read, and for a template, whose types depend on its arguments, how all of it is spelled."""
    space = namespaces_around(program.source, function.node)
    name = function.declarator.child_by_field_name("declarator")
    owner = program.source.spell(name) if name is not None else ""
    if function.template_parameters is not None:
        template = _template(function)
        yield "spelled", space, template_words(program.source, template, function.node)
        return
    try:
        made = generic_type(program, function)
    except CxxError:
        return
    if isinstance(made, FunctionType):
        behind = tuple(
            program.source.spell(child)
            for child in function.declarator.named_children[2:]
            if child.type in ("type_qualifier", "ref_qualifier")
        )
        yield "type", space, owner, made.spell_parameters(), behind


def _is_constexpr(program: Program, function: FunctionDeclaration) -> bool:
    return re.search(r"\bconst(?:expr|eval)\b", _specifiers(program, function)) is not None


def _is_volatile(program: Program, function: FunctionDeclaration) -> bool:
    return re.search(r"\bvolatile\b", _specifiers(program, function)) is not None


def _specifiers(program: Program, function: FunctionDeclaration) -> str:
    return program.source.text[function.node.start_byte : function.declarator.start_byte]


def _result(program: Program, function: FunctionDeclaration) -> Type | None:
    made = generic_type(program, function)
    return made.returns if isinstance(made, FunctionType) else None
