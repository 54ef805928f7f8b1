"""What a compiler refuses of a text although nothing here ever runs it.

A registration takes the address of a function, and for that its head is enough. A compiler wants the
body too: where that names nothing that exists, or gives a number where a tensor is wanted, there is no
program, and so no registration. A template is read once, whatever its parameters stand for, and what
those decide isn't judged. What this package gives no meaning to may well be right, and is passed by.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from tree_sitter import Node

from registry_runtime.cxx.collect import template_parameter_names, template_parameters
from registry_runtime.cxx.context import Place, inside
from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.member_functions import declared_members
from registry_runtime.cxx.names import join, qualified_name
from registry_runtime.cxx.objects import object_class
from registry_runtime.cxx.parse import is_damaged, is_the_compilers, surrounding
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import Code, CxxError, NotUnderstood
from registry_runtime.cxx.well_formed import (
    check_declared,
    check_head,
    check_signature,
    check_type,
    check_value,
)


def never_run(program: Program) -> Iterator[CxxError]:
    """The first error in each function that the text declares or defines, in each head of a template,
    and in the type of each variable, and what that and a static member are initialised with."""
    yield from (*_variables(program), *_members(program))
    seen: set[int] = set()
    for function, place, has_this in [*_functions(program)]:
        if function.position in seen or is_damaged(program.source, function.node):
            continue
        seen.add(function.position)
        template = _template(function.node)
        heads = () if template is None else (partial(check_head, program, template, place),)
        body = partial(check_declared, program, function, place, has_this=has_this)
        yield from _first(program, (*heads, body))


def undeclared_type(function: CxxFunction) -> CxxError | None:
    """The error of the first type that a function is declared with and that certainly nothing
    declares."""
    program = function.program
    for declaration in function.declarations[:1]:
        place = Place(declaration.scope, _names(program, declaration.node))
        check = partial(check_signature, program, declaration, place)
        return next(_first(program, [check]), None)
    return None


def _first(program: Program, checks: Iterable[Callable[[], None]]) -> Iterator[CxxError]:
    """The error that ends these, unless it is of something that isn't understood."""
    try:
        for check in checks:
            check()
    except NotUnderstood:
        return
    except CxxError as error:
        error.span = program.source.within(error.span)
        if not _is_of_the_library(program, error):
            yield error


def _variables(program: Program) -> Iterator[CxxError]:
    for name, variable in [*program.declarations.variables.items()]:
        if (
            variable.type is None
            or is_the_compilers(name)
            or is_damaged(program.source, variable.declarator)
        ):
            continue
        value = variable.value
        named = [node for node in inside(value) if node.type == "type_descriptor"] if value else []
        place, types = Place(variable.scope), (variable.type, *named)
        checks = [partial(check_type, program, type, place) for type in types]
        if value is not None and object_class(program, variable.type, place) is None:
            declarator = variable.declarator
            checks.append(partial(check_value, program, declarator, value, place, of_class=False))
        yield from _first(program, checks)


def _members(program: Program) -> Iterator[CxxError]:
    for member in program.declarations.member_definitions:
        template = member.template
        is_generic = template is not None and bool(template_parameters(program.source, template))
        if member.value is None or is_generic or is_damaged(program.source, member.node):
            continue
        owner = join(member.scope, str(qualified_name(program.source, member.name).owner))
        given = program, member.declarator, member.value, Place(owner)
        check = partial(check_value, *given, of_class=True)
        yield from _first(program, [check]) if not is_the_compilers(owner) else ()


def _is_of_the_library(program: Program, error: CxxError) -> bool:
    """Whether it is about a name in `std`, which has more than what is bound."""
    around = program.source.text[max(0, error.span.start - 80) : error.span.end]
    return error.code is Code.UNKNOWN_NAME and _IN_STD.search(around) is not None


_IN_STD = re.compile(r"\bstd(\s*::\s*\w+)*\Z")


def _functions(program: Program) -> Iterator[tuple[FunctionDeclaration, Place, bool]]:
    declarations = program.declarations
    for owner, of in declarations.class_definitions.items():
        if is_the_compilers(owner) or is_damaged(program.source, of.node):
            continue
        for functions in declared_members(program, owner).values():
            for function in functions:
                yield function, Place(owner, _names(program, function.node)), True
    for name, functions in declarations.functions.items():
        owner = name.rpartition("::")[0]
        is_member = owner in declarations.classes
        if is_the_compilers(name) or (is_member and owner not in declarations.class_definitions):
            continue
        for function in functions:
            scope = owner if is_member else function.scope
            yield function, Place(scope, _names(program, function.node)), is_member


def _names(program: Program, node: Node) -> frozenset[str]:
    """The parameters of all templates around it."""
    templates = (
        one for one in surrounding(program.source, node) if one.type == "template_declaration"
    )
    named = (name for template in templates for name in template_parameter_names(template))
    return frozenset(map(program.source.spell, named))


def _template(node: Node) -> Node | None:
    around = node.parent
    return around if around is not None and around.type == "template_declaration" else None
