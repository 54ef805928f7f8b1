"""Default arguments, each of which is given once: [dcl.fct.default], [temp.param].

What stands behind a parameter with a default has one too, here or in a declaration above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from tree_sitter import Node

from registry_runtime.cxx.context import span_of
from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.declarators import function_declarator
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.signatures import parameter_words
from registry_runtime.cxx.span import CxxError


def template_defaults(one: Node, other: Node) -> Iterator[CxxError]:
    """What the head of a template gives again, that its declaration above gives."""
    lists = (template.child_by_field_name("parameters") for template in (one, other))
    above, here = (_listed(parameters) for parameters in lists)
    for first, second in zip(above, here, strict=False):
        if _default(first) is not None and (again := _default(second)) is not None:
            yield _twice(again)
            return


def has_defaults(template: Node) -> bool:
    listed = _listed(template.child_by_field_name("parameters"))
    return any(_default(parameter) is not None for parameter in listed)


def _twice(default: Node) -> CxxError:
    return CxxError("this has a default above", span_of(default), "remove one of the two")


def function_defaults(
    program: Program, declarations: Sequence[FunctionDeclaration]
) -> Iterator[CxxError]:
    """What is wrong with the defaults in these declarations of one function, in their order."""
    lists = [_listed(d.declarator.child_by_field_name("parameters")) for d in declarations]
    if not any(parameter.type == _OPTIONAL for listed in lists for parameter in listed):
        return
    given: tuple[bool, ...] = _given_in_class(program, declarations[0])
    for listed in lists:
        here = tuple(parameter.type == _OPTIONAL for parameter in listed)
        for parameter, before, now in zip(listed, given, here, strict=False):
            if before and now:
                yield _twice(_default(parameter) or parameter)
                return
        given = tuple(a or b for a, b in zip_longest(given, here, fillvalue=False))
        if (without := next(without_default(listed, given), None)) is not None:
            yield without
            return


def without_default(listed: Sequence[Node], above: Sequence[bool]) -> Iterator[CxxError]:
    """What is said of a parameter behind one with a default: of those that are `listed`, some have one
    `above`."""
    has_one = False
    for at, parameter in enumerate(listed):
        before = at < len(above) and above[at]
        if parameter.type == "parameter_declaration" and has_one and not before:
            said = "a parameter in front of this one has a default, and this one has none"
            yield CxxError(said, span_of(parameter))
        has_one = has_one or before or parameter.type == _OPTIONAL


def class_defaults(templates: Sequence[Node]) -> Iterator[CxxError]:
    """What has no default in these declarations of one class template, in their order, although a
    parameter in front of it has one: [temp.param]."""
    given: tuple[bool, ...] = ()
    for template in templates:
        listed = _listed(template.child_by_field_name("parameters"))
        if any(parameter.type.startswith("template_template") for parameter in listed):
            return
        here = tuple(parameter.type.startswith("optional") for parameter in listed)
        given = tuple(a or b for a, b in zip_longest(given, here, fillvalue=False))
        for at, parameter in enumerate(listed):
            if any(given[:at]) and not given[at] and not parameter.type.startswith("variadic"):
                said = "a parameter in front of this one has a default, and this one has none"
                yield CxxError(said, span_of(parameter))
                return


_OPTIONAL = "optional_parameter_declaration"


def _listed(parameters: Node | None) -> list[Node]:
    nodes = parameters.named_children if parameters is not None else []
    return [node for node in nodes if node.type != "comment"]


def _default(parameter: Node) -> Node | None:
    default = parameter.child_by_field_name("default_type")
    return default or parameter.child_by_field_name("default_value")


def _given_in_class(program: Program, function: FunctionDeclaration) -> tuple[bool, ...]:
    """For each parameter of a function that is defined out of its class: has it a default there?"""
    owner, _, name = function.name.rpartition("::")
    of = program.declarations.class_definitions.get(owner)
    body = of.node.child_by_field_name("body") if of is not None else None
    if body is None or body.start_byte <= function.node.start_byte < body.end_byte:
        return ()
    wanted = parameter_words(program.source, function.declarator)
    for member in body.named_children:
        declarator = function_declarator(member.child_by_field_name("declarator"))
        named = declarator.child_by_field_name("declarator") if declarator is not None else None
        if declarator is None or named is None or program.source.spell(named) != name:
            continue
        if parameter_words(program.source, declarator) == wanted:
            listed = _listed(declarator.child_by_field_name("parameters"))
            return tuple(parameter.type == _OPTIONAL for parameter in listed)
    return ()
