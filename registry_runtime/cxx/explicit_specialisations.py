"""Explicit specialisations, [temp.expl.spec]: each is one of a template, or of a member that a class
template has, stands in a namespace around that, and is defined once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from registry_runtime.cxx.collect import template_parameters
from registry_runtime.cxx.declarations import ClassDefinition
from registry_runtime.cxx.declarators import function_declarator
from registry_runtime.cxx.lookup import namespace
from registry_runtime.cxx.names import QualifiedName, qualified_name
from registry_runtime.cxx.out_of_class import unknown_owner
from registry_runtime.cxx.parse import is_damaged, is_the_compilers, namespaces_around
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.signatures import words
from registry_runtime.cxx.span import CxxError


def wrongly_specialised(program: Program) -> Iterator[CxxError]:
    """One error for each that is defined a second time, or is of no template."""
    templates: set[str] | None = None
    short: set[str] = set()
    for name, specialised in program.declarations.specialised.items():
        if is_the_compilers(name):
            continue
        if len(specialised) > 1:
            yield from _twice(program, name, specialised)
        if templates is None:
            templates = _templates(program)
            short = {template.rpartition("::")[2] for template in templates}
        for node in specialised:
            if (
                not is_damaged(program.source, node)
                and (error := _of_no_class(program, name, node)) is not None
            ):
                yield error
                break
            said = (
                ""
                if is_damaged(program.source, node)
                else _against(program, name, node, templates, short)
            )
            if said and not program.elsewhere(name.rpartition("::")[2]):
                yield CxxError(said, program.source.span(_named(node)))
                break


def _of_no_class(program: Program, name: str, node: Node) -> CxxError | None:
    named = _named(node)
    if named.type != "qualified_identifier":
        return None
    return unknown_owner(program, named, _scope(name, qualified_name(program.source, named)))


def _scope(name: str, written: QualifiedName) -> str:
    return name.removesuffix(str(written).removeprefix("::")).removesuffix("::")


def _against(program: Program, name: str, node: Node, templates: set[str], short: set[str]) -> str:
    """What is to be said of one, if anything is wrong with where it stands, or with what it is of."""
    if (outer := _outer(program, name, node)) is not None:
        return f"`{outer}`, of which this is, is no namespace that this stands in or around"
    owner, _, last = name.rpartition("::")
    if _is_member(program, name):
        of = program.declarations.class_definitions.get(owner)
        known = of is None or of.template_parameters is None or is_damaged(program.source, of.node)
        if known or owner in program.declarations.specialised or _has(program, of, last):
            return ""
        return f"`{owner}` declares no `{last}`"
    if last not in short:
        return f"`{name}` is no template that is declared here, and can't be specialised"
    if _named(node).type != "qualified_identifier" and name not in templates:
        return f"`{last}` is a template of another namespace, which has to stand in front of it"
    return ""


def _has(program: Program, of: ClassDefinition | None, member: str) -> bool:
    spelled = program.source.spell(of.node) if of is not None else member
    return re.search(rf"\b{re.escape(member)}\b", spelled) is not None


def _outer(program: Program, name: str, node: Node) -> str | None:
    """The namespace that a qualified name leads to, if the specialisation doesn't stand around it."""
    named = _named(node)
    if named.type != "qualified_identifier":
        return None
    written = qualified_name(program.source, named)
    scope = _scope(name, written)
    for count in range(len(written.parts) - 1, 0, -1):
        space = QualifiedName(written.parts[:count], written.is_global, written.span)
        found = namespace(program, space, scope)
        if found in program.declarations.namespaces:
            is_around = not scope or f"{found}::".startswith(f"{scope}::")
            return None if is_around else found
    return None


def _templates(program: Program) -> set[str]:
    """The names of all templates, bound ones and those of variables included."""
    declarations = program.declarations
    functions = (
        name
        for name, functions in declarations.functions.items()
        if any(function.template_parameters is not None for function in functions)
    )
    others = (
        name for name, listed in declarations.declared.items() if any(d.is_template for d in listed)
    )
    return {*functions, *others, *program.bindings.names}


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
    keys: set[tuple[object, ...]]
    for node in specialised:
        template, body = node.parent, node.child_by_field_name("body")
        if template is None or body is None or is_damaged(program.source, template):
            continue
        declarator = function_declarator(node.child_by_field_name("declarator"))
        parameters = template_parameters(program.source, template)
        # Behind a class's name stand its bases, of which there is no choice.
        end = declarator or node.child_by_field_name("name") or body
        spelled = words(program.source, template.start_byte, end.end_byte, declarator, parameters)
        around = namespaces_around(program.source, template)
        keys = {(around, spelled)}
        if declarator is not None and _is_deduced(program, name):
            named = _named(node)
            behind = words(program.source, named.end_byte, end.end_byte, declarator, parameters)
            keys.add((around, name, behind))
        if keys & known:
            said = f"`{name}` is defined twice for these template arguments"
            span = program.source.span(_named(node))
            yield CxxError(said, span, "rename or remove one of the two")
        known |= keys


def _is_deduced(program: Program, name: str) -> bool:
    """Whether the parameters of a function's specialisation say what it is specialised for, so that
    `f<int>` is `f`: there is one template of that name, and the function takes each of its parameters.
    """
    functions = program.declarations.functions.get(name, ())
    if len(functions) != 1 or functions[0].template_parameters is None:
        return False
    listed = functions[0].declarator.child_by_field_name("parameters")
    spelled = re.findall(r"\w+", program.source.spell(listed)) if listed is not None else []
    return all(p.name in spelled and not p.is_pack for p in functions[0].template_parameters)
