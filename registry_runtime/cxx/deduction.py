"""Template arguments that a call leaves out: `add(x, y)` of `template <typename T> T add(T, T)`.

Each parameter's type is laid over the type of its argument, and what lies over `T` is `T`:
[temp.deduct.call]. Of several templates that fit, the more special one is meant, [temp.func.order]: of
`add(T, T)` and `add(Vectorized<T>, Vectorized<T>)` the second takes less, and so it has the vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import type_of
from registry_runtime.cxx.bindings import Enumeration
from registry_runtime.cxx.classes import CxxObject
from registry_runtime.cxx.context import Context, Place, named_variable, span_of
from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.instances import bind
from registry_runtime.cxx.lookup import Found, look_up
from registry_runtime.cxx.matching import Deduced, laid_over
from registry_runtime.cxx.names import NAMES, qualified_name
from registry_runtime.cxx.operand_types import optional_type
from registry_runtime.cxx.operators import Literal
from registry_runtime.cxx.overloads import generic_type, instance_type, least_arguments
from registry_runtime.cxx.own_types import Plain
from registry_runtime.cxx.places import Pointer
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import template_arguments
from registry_runtime.cxx.span import CxxError, NotUnderstood, Span
from registry_runtime.cxx.symbolic import Symbolic
from registry_runtime.cxx.types import (
    ConstType,
    FunctionType,
    NamedType,
    PointerType,
    ReferenceType,
    TemplateArgument,
    Type,
    without_reference_and_const,
)
from registry_runtime.cxx.variables import Array, BuiltInArray, Element, Optional, Vector


def with_templates(context: Context, callee: Node) -> Found | None:
    """What a call's name stands for if a template is among it, and not every argument of that is given
    between `<` and `>`; None for any other callee."""
    if callee.type not in NAMES or named_variable(context, callee) is not None:
        return None
    key = ("with templates", callee.start_byte, callee.end_byte, context.place.scope)
    found: Found | None = context.program.once(key, lambda: _with_templates(context, callee))
    return found


def _with_templates(context: Context, callee: Node) -> Found | None:
    program = context.program
    found = look_up(program, qualified_name(program.source, callee), context.place.scope)
    if found is None or found.rest:
        return None
    templates = [f for f in found.functions if f.template_parameters is not None]
    given = template_arguments(program, found.part, context.place)
    if found.part.arguments is not None and any(
        bind(program, f.scope, f.template_parameters or (), given) is not None for f in templates
    ):
        return None
    return found if templates else None


def deduced(
    program: Program, callee: Node, found: Found, place: Place, types: Sequence[Type | None]
) -> CxxFunction:
    """The function, or the instance of a template, that a call with arguments of these types reaches.
    Raises CxxError where none fits, or several do."""
    given = template_arguments(program, found.part, place)
    fitting: dict[tuple[TemplateArgument, ...], list[FunctionDeclaration]] = {}
    span = span_of(callee)
    for one in sorted(found.functions, key=lambda declaration: declaration.body is None):
        arguments = _arguments(program, one, given, types, span)
        if arguments is not None:
            fitting.setdefault(arguments, []).append(one)
    most_special = _most_special(program, [one for each in fitting.values() for one in each])
    if most_special is None:
        said = f"this call of `{found.path}` is ambiguous"
        raise CxxError(said if fitting else f"no function `{found.path}` fits this call", span)
    arguments = next(given for given, each in fitting.items() if most_special in each)
    type = instance_type(program, most_special, arguments)
    same = [one for one in fitting[arguments] if instance_type(program, one, arguments) == type]
    return CxxFunction(found.path, arguments, type, span, tuple(same), program)


def _arguments(
    program: Program,
    declaration: FunctionDeclaration,
    given: tuple[TemplateArgument, ...],
    types: Sequence[Type | None],
    span: Span,
) -> tuple[TemplateArgument, ...] | None:
    """What a template's parameters are for a call; nothing for a function that isn't one, whose
    parameters are of these very types. None if it can't be called so."""
    generic, parameters = generic_type(program, declaration), declaration.template_parameters
    if not isinstance(generic, FunctionType):
        return None
    if not least_arguments(declaration) <= len(types) <= len(generic.parameters):
        return None
    wanted = [parameter.type for parameter in generic.parameters]
    if parameters is None:
        exact = [without_reference_and_const(type) for type in wanted[: len(types)]] == list(types)
        return () if exact and not given else None
    if any(parameter.is_pack for parameter in parameters) or len(given) > len(parameters):
        raise NotUnderstood(f"a call of the template `{declaration.name}`", span)
    names = {parameter.name for parameter in parameters}
    found: Deduced = {p.name: one.value for p, one in zip(parameters, given, strict=False)}
    to_deduce = names - found.keys()
    for type, of in zip(wanted, types, strict=False):
        bare = without_reference_and_const(type)
        if not _mentions(bare, to_deduce):
            continue  # an argument is converted to it, as to any parameter's type
        if of is None:
            said = f"a call of the template `{declaration.name}` without its `<…>`"
            raise NotUnderstood(said, span)
        if not laid_over(bare, of, names, found):
            return None
    made = [TemplateArgument(found[p.name]) for p in parameters[: len(found)] if p.name in found]
    bound = bind(program, declaration.scope, parameters, made) if len(made) == len(found) else None
    if bound is None:
        return None
    return tuple(TemplateArgument(bound[p.name]) for p in parameters)


def _mentions(type: Type, names: set[str]) -> bool:
    match type:
        case NamedType(name, inner):
            return name in names or any(
                one.type is not None and _mentions(one.type, names) for one in inner
            )
        case ConstType(of) | PointerType(of) | ReferenceType(of):
            return _mentions(of, names)
    return False


def _most_special(
    program: Program, fitting: Sequence[FunctionDeclaration]
) -> FunctionDeclaration | None:
    """The one that every other could stand in for: first of all a function that is no template."""
    exact = [one for one in fitting if one.template_parameters is None]
    if exact:
        return exact[0]
    special = [one for one in fitting if all(_covers(program, other, one) for other in fitting)]
    kinds = {generic_type(program, one) for one in special}
    return special[0] if len(kinds) == 1 else None


def _covers(program: Program, general: FunctionDeclaration, special: FunctionDeclaration) -> bool:
    wanted, types = generic_type(program, general), generic_type(program, special)
    assert isinstance(wanted, FunctionType)
    assert isinstance(types, FunctionType)
    names: set[str] = {p.name for p in general.template_parameters or ()}
    found: Deduced = {}
    return all(
        laid_over(
            without_reference_and_const(one.type),
            without_reference_and_const(of.type),
            names,
            found,
        )
        for one, of in zip(wanted.parameters, types.parameters, strict=False)
    )


# --- Types of objects -----------------------------------------------------------------------------


def type_of_object(program: Program, value: object) -> Type | None:
    """The type of what an object holds, without const; None where it can't be told."""
    number = type_of(value)
    if number is not None:
        return NamedType(number.name)
    match value:
        case Symbolic():
            return value.type
        case Literal():
            return PointerType(ConstType(NamedType("char")))
        case str():
            return NamedType("std::string")
        case BuiltInArray():
            of = value.of
            return PointerType(ConstType(of) if value.is_const else of) if of is not None else None
        case Optional() if value.of is not None:
            return optional_type(value.of)
        case Vector() if value.of is not None:
            return NamedType("std::vector", (TemplateArgument(value.of),))
        case Array() if value.of is not None:
            return NamedType(
                "std::array", (TemplateArgument(value.of), TemplateArgument(len(value)))
            )
        case Pointer():
            to = _element_type(program, value)
            return PointerType(ConstType(to) if value.variable.is_const else to) if to else None
        case CxxObject():
            return NamedType(value.cxx_class.name, value.cxx_class.arguments)
        case Plain():
            return value.of
        case Enum():
            return getattr(type(value), "cxx_type", None) or _bound(program, value)
    return None if value is None else program.bindings.type_of(value)


def _element_type(program: Program, pointer: Pointer) -> Type | None:
    cell = pointer.variable.cell
    if isinstance(cell, Element):
        of: Type | None = getattr(cell.sequence, "of", None)
        if of is not None or cell.index >= len(cell.sequence):
            return of
    return type_of_object(program, cell.held)


def _bound(program: Program, value: Enum) -> Type | None:
    names = program.bindings.names
    found = (n for n, of in names.items() if isinstance(of, Enumeration) and of.of is type(value))
    name = next(found, None)
    return program.bindings.types.get(name, NamedType(name)) if name is not None else None
