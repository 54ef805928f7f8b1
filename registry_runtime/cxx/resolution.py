"""Which of several functions of one name a call reaches: [over.match].

Each argument is made a parameter for nothing, by a promotion, by a conversion, or by what a class
says; the function is meant for which no argument costs more than for any other, and one less. What
binds to an object itself is ranked by const too, and of classes nobody knows here what they are made
of: where that would decide, the call is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import BOOL, DOUBLE, FLOAT, promoted
from registry_runtime.cxx.context import Context, Place, named_variable, span_of
from registry_runtime.cxx.conversions import arithmetic_type
from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.deduction import type_of_object
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.lookup import Found, look_up
from registry_runtime.cxx.names import NAMES, qualified_name
from registry_runtime.cxx.operand_types import LITERAL, STRING, kind_of, known
from registry_runtime.cxx.overloads import instance_type, least_arguments
from registry_runtime.cxx.own_types import EnumType
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError, NotUnderstood, Span
from registry_runtime.cxx.types import (
    ConstType,
    FunctionType,
    NamedType,
    ReferenceType,
    Type,
    without_reference_and_const,
)
from registry_runtime.cxx.variables import Variable


class Overload(NamedTuple):
    """One of the functions: its type, the least number of arguments, and its declarations."""

    type: FunctionType
    least: int
    declarations: tuple[FunctionDeclaration, ...]


def overloads(program: Program, callee: Node, place: Place) -> tuple[Found, list[Overload]] | None:
    """The functions that a call's name stands for, if there are several and none is a template."""
    if callee.type not in NAMES:
        return None
    key = ("overloads", callee.start_byte, callee.end_byte, place.scope)
    made: tuple[Found, list[Overload]] | None = program.once(
        key, lambda: _overloads(program, callee, place)
    )
    return made


def _overloads(program: Program, callee: Node, place: Place) -> tuple[Found, list[Overload]] | None:
    found = look_up(program, qualified_name(program.source, callee), place.scope)
    if found is None or found.rest or len(found.functions) < 2 or found.part.arguments is not None:
        return None
    by_type: dict[FunctionType, list[FunctionDeclaration]] = {}
    for one in found.functions:
        type = instance_type(program, one, ()) if one.template_parameters is None else None
        if type is None:
            return None
        by_type.setdefault(type, []).append(one)
    if len(by_type) < 2:
        return None
    made = [
        Overload(
            type,
            min(map(least_arguments, each)),
            tuple(sorted(each, key=lambda one: one.body is None)),
        )
        for type, each in by_type.items()
    ]
    return found, made


def chosen(
    context: Context, callee: Node, values: Sequence[Variable], found: Found, of: list[Overload]
) -> CxxFunction:
    """The function that a call with these objects reaches. Raises CxxError."""
    program = context.program
    types = [type_of_object(program, value.cell.held) for value in values]
    best = best_of(of, types, context.spell(callee), span_of(callee))
    return CxxFunction(found.path, (), best.type, span_of(callee), best.declarations, program)


def overloaded_in(context: Context, callee: Node) -> tuple[Found, list[Overload]] | None:
    """`overloads`, where no variable hides them."""
    if callee.type not in NAMES or named_variable(context, callee) is not None:
        return None
    return overloads(context.program, callee, context.place)


def best_of(of: list[Overload], given: Sequence[Type | None], name: str, span: Span) -> Overload:
    """The one that arguments of these types reach. Raises CxxError, also where a type isn't known."""
    if None in given:
        raise NotUnderstood(f"a call of one of {len(of)} functions `{name}`", span)
    fitting = [one for one in of if one.least <= len(given) <= len(one.type.parameters)]
    costs = [(one, _costs(one, given, name, span, fitting)) for one in fitting]
    viable = [(one, cost) for one, cost in costs if cost is not None]
    best = [
        one
        for one, cost in viable
        if all(other is one or _is_better(cost, costs) for other, costs in viable)
    ]
    if len(best) != 1:
        said = f"this call of `{name}` is ambiguous"
        raise CxxError(said if viable else f"no function `{name}` takes these arguments", span)
    return best[0]


def _is_better(cost: list[int], than: list[int]) -> bool:
    pairs = list(zip(cost, than, strict=True))
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)


_SAME, _PROMOTION, _CONVERSION, _OF_CLASS = range(4)


def _costs(
    one: Overload, given: Sequence[Type | None], name: str, span: Span, among: list[Overload]
) -> list[int] | None:
    costs = []
    for index, argument in enumerate(given):
        type = one.type.parameters[index].type
        differ = any(other.type.parameters[index].type != type for other in among)
        if differ and isinstance(type, ReferenceType) and not isinstance(type.to, ConstType):
            raise NotUnderstood(f"a call of `{name}`, of which one takes a `{type}`", span)
        cost = _cost(without_reference_and_const(type), argument) if differ else _SAME
        if cost is None:
            return None
        if cost < 0:
            said = f"whether `{name}` takes a `{argument}` for a `{type}`"
            raise NotUnderstood(said, span)
        costs.append(cost)
    bare = [[without_reference_and_const(p.type) for p in other.type.parameters] for other in among]
    if bare.count([without_reference_and_const(p.type) for p in one.type.parameters]) > 1:
        raise NotUnderstood(f"a call of functions `{name}` that differ in `&` alone", span)
    return costs


def _cost(to: Type, given: Type | None) -> int | None:
    """What it costs to make a `to` of a `given`: None where nothing does, -1 where nobody knows."""
    if to == given:
        return _SAME
    if isinstance(given, EnumType) and given.promoted is not None:
        return _PROMOTION if arithmetic_type(to) == given.promoted else _CONVERSION
    number, of = arithmetic_type(to), arithmetic_type(given)
    if number is not None and of is not None:
        is_promotion = number == promoted(of) or (of is FLOAT and number is DOUBLE)
        return _PROMOTION if is_promotion else _CONVERSION
    if given == LITERAL and to in (STRING, NamedType(BOOL.name)):
        return _OF_CLASS if to == STRING else _CONVERSION
    kinds = {kind_of(to), kind_of(given)} if given is not None else {""}
    if "" in kinds or "pointer" in kinds or known(to) is None:
        return -1
    return None
