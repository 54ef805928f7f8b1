"""Which constructors a class of the text has: its own, and those of its base that it names.

A base's constructors make no object of a class that is derived from it, unless a using-declaration
brings them, `using Base::Base;`, [namespace.udecl]. What takes nothing is there of itself where no
other is declared, [class.default.ctor].
"""

from __future__ import annotations

import re
from itertools import pairwise

from tree_sitter import Node

from registry_runtime.cxx.bindings import Function, registers
from registry_runtime.cxx.classes import CxxClass, member_nodes
from registry_runtime.cxx.context import Place
from registry_runtime.cxx.declarators import function_declarator
from registry_runtime.cxx.member_functions import chain, takes
from registry_runtime.cxx.names import NAMES, qualified_name
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import type_of_name
from registry_runtime.cxx.types import NamedType


def constructible(of: CxxClass, count: int) -> bool:
    """Whether a constructor takes so many arguments. One of a bound class does: what it takes stands
    in no text. Raises CxxError for a using-declaration that can't be read."""
    program, classes = of.program, chain(of)
    for owner, base in pairwise(classes):
        declared = declared_constructors(program, owner)
        fitting = [node for node, declarator in declared if takes(declarator, count)]
        if fitting:
            return not any(_is_deleted(node) for node in fitting)
        implicit = not count and not declared
        if not implicit and not _brings(program, owner, base):
            return False
    return True


def constructor_registers(program: Program, name: str) -> bool:
    """Whether a constructor of this class of the text names a bound function that registers."""
    calls: re.Pattern[str] | None = program.once(("registering calls",), lambda: _calls(program))
    if calls is None or name not in program.declarations.class_definitions:
        return False
    declared = (program.source.spell(node) for node, _ in declared_constructors(program, name))
    return any(map(calls.search, declared))


def _calls(program: Program) -> re.Pattern[str] | None:
    bound = program.bindings.names.items()
    names = [name for name, of in bound if isinstance(of, Function) and registers(of)]
    last = "|".join(re.escape(name.rpartition("::")[2]) for name in names)
    return re.compile(rf"\b(?:{last})\b") if names else None


def inheriting(of: CxxClass) -> str:
    """The using-declaration that would bring its base's constructors: `using Base<T>::Base;`."""
    spelled = of.program.source.spell(of.program.declarations.bases[of.name].node)
    return f"using {spelled}::{spelled.partition('<')[0].rpartition('::')[2]};"


def declared_constructors(program: Program, owner: str) -> list[tuple[Node, Node]]:
    """Those that the class declares, each with the declarator that has its parameters."""
    definition = program.declarations.class_definitions.get(owner)
    if definition is None:
        return []
    nodes = list(member_nodes(definition, "function_definition", "declaration"))
    for template in member_nodes(definition, "template_declaration"):
        nodes += (c for c in template.named_children if c.type in _DECLARES)
    found = ((node, function_declarator(node.child_by_field_name("declarator"))) for node in nodes)
    return [
        (node, declarator)
        for node, declarator in found
        if declarator is not None
        and node.child_by_field_name("type") is None
        and _spells(program, declarator, owner.rpartition("::")[2])
    ]


_DECLARES = ("function_definition", "declaration")


def _spells(program: Program, declarator: Node, name: str) -> bool:
    named = declarator.child_by_field_name("declarator")
    return named is not None and program.source.spell(named) == name


def _is_deleted(node: Node) -> bool:
    return any(child.type == "delete_method_clause" for child in node.children)


def _brings(program: Program, owner: str, base: str) -> bool:
    """Whether the class has a using-declaration of its base's constructors."""
    definition = program.declarations.class_definitions.get(owner)
    if definition is None:
        return False
    names = [one.name for one in definition.template_parameters or ()]
    place = Place(owner, frozenset(names))
    for node in member_nodes(definition, "using_declaration"):
        for name in (
            qualified_name(program.source, n) for n in node.named_children if n.type in NAMES
        ):
            *_, last = name.parts
            if not name.owner.parts or last.name != name.owner.parts[-1].name:
                continue
            type = type_of_name(program, name.owner, place)
            if isinstance(type, NamedType) and type.name == base:
                return True
    return False
