"""Explicit specialisations, [temp.expl.spec]: each is one of a template, and is defined once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from registry_runtime.cxx.collect import template_parameters
from registry_runtime.cxx.declarators import function_declarator
from registry_runtime.cxx.parse import is_damaged, is_the_compilers, namespaces_around
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.signatures import words
from registry_runtime.cxx.span import CxxError


def wrongly_specialised(program: Program) -> Iterator[CxxError]:
    """One error for each that is defined a second time, or is of no template."""
    templates: set[str] | None = None
    for name, specialised in program.declarations.specialised.items():
        if is_the_compilers(name):
            continue
        if len(specialised) > 1:
            yield from _twice(program, name, specialised)
        if templates is None:
            templates = _templates(program)
        last = name.rpartition("::")[2]
        if last not in templates and not _is_member(program, name):
            at = next((node for node in specialised if not is_damaged(node)), None)
            if at is not None and not program.elsewhere(last):
                said = f"`{name}` is no template that is declared here, and can't be specialised"
                yield CxxError(said, program.source.span(_named(at)))


def _templates(program: Program) -> set[str]:
    """The last names of all templates, bound ones and those of variables included."""
    declarations = program.declarations
    functions = (
        name
        for name, functions in declarations.functions.items()
        if any(function.template_parameters is not None for function in functions)
    )
    others = (
        name for name, listed in declarations.declared.items() if any(d.is_template for d in listed)
    )
    return {n.rpartition("::")[2] for n in (*functions, *others, *program.bindings.names)}


def _is_member(program: Program, name: str) -> bool:
    # `template <> int S<int>::f()`, of which only the class knows.
    owner = name.rpartition("::")[0]
    return bool(owner) and owner not in program.declarations.namespaces


def _named(node: Node) -> Node:
    owner = function_declarator(node.child_by_field_name("declarator")) or node
    named = owner.child_by_field_name("declarator") or owner.child_by_field_name("name")
    return named or owner


def _twice(program: Program, name: str, specialised: Sequence[Node]) -> Iterator[CxxError]:
    known: set[tuple[object, ...]] = set()
    for node in specialised:
        template, body = node.parent, node.child_by_field_name("body")
        if template is None or body is None or is_damaged(template):
            continue
        declarator = function_declarator(node.child_by_field_name("declarator"))
        parameters = template_parameters(program.source, template)
        # Behind a class's name stand its bases, of which there is no choice.
        end = declarator or node.child_by_field_name("name") or body
        spelled = words(program.source, template.start_byte, end.end_byte, declarator, parameters)
        key = namespaces_around(program.source, template), spelled
        if key in known:
            said = f"`{name}` is defined twice for these template arguments"
            span = program.source.span(_named(node))
            yield CxxError(said, span, "rename or remove one of the two")
        known.add(key)
