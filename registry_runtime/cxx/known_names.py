"""Names in code that nobody runs: does a name exist at all, and a type?

A body's own names are known from its blocks (see `scopes`). All others are looked up here, as they
would be where they are used. What isn't found may be declared by a header, whose text isn't in this
one: only where no header has the word, it is certain that a compiler refuses it.
"""

from __future__ import annotations

from contextlib import suppress

from tree_sitter import Node

from registry_runtime.cxx.bindings import Constant, Enumeration
from registry_runtime.cxx.context import span_of
from registry_runtime.cxx.declarators import declared_name
from registry_runtime.cxx.grammar import families
from registry_runtime.cxx.lookup import Found, certainly_unknown, look_up
from registry_runtime.cxx.members import bound_value
from registry_runtime.cxx.names import NAMES, QualifiedName, qualified_name
from registry_runtime.cxx.own_types import EnumType
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import base_type, bound_type, read_type
from registry_runtime.cxx.scopes import At
from registry_runtime.cxx.span import CxxError, NotUnderstood
from registry_runtime.cxx.types import Type, typedef


def read(at: At, node: Node) -> Type | None:
    """The type that a piece of the text spells; None for one that isn't read."""
    try:
        return read_type(at.program, node, at.place)
    except CxxError:
        return None


def known_name(at: At, node: Node) -> None:
    """Raises CxxError for a name that certainly nothing declares, and for what is no enumerator."""
    with suppress(NotUnderstood):  # an operator, a destructor
        name = qualified_name(at.program.source, node)
        if not _is_dependent(at, name):
            _look_up(at, name)
    _arguments(at, node)


def known_type(at: At, node: Node) -> None:
    """The same for a type, and for those that are its arguments."""
    named = node.child_by_field_name("type") if node.type == "type_descriptor" else node
    if named != node and named is not None and named.type == "placeholder_type_specifier":
        raise at.not_understood(node, f"`{at.spell(node)}`, which is no type")
    if named is not None and named.type in NAMES:
        if bound_type(at.program, named, at.place) is not None:
            return
        known_name(at, named)
        if named == node:  # what stands between `<` and `>` may be a value
            _names_a_type(at, named)
    elif named is not None and named.type == "sized_type_specifier":
        base_type(at.program, named, at.place)


def _names_a_type(at: At, node: Node) -> None:
    with suppress(NotUnderstood):
        name = qualified_name(at.program.source, node)
        if _is_dependent(at, name):
            return
        found = look_up(at.program, name, at.place.scope, types_only=True)
        value = look_up(at.program, name, at.place.scope) if found is None else None
        if value is not None and (value.functions or value.variable) and not value.rest:
            raise CxxError(f"`{name}` is no type", span_of(node))


def _look_up(at: At, name: QualifiedName) -> None:
    found = look_up(at.program, name, at.place.scope)
    if found is None:
        of_library = name.parts[0].name in ("std", str(name))
        if of_library and typedef(name.parts[-1].name) is not None:
            return
        error = certainly_unknown(at.program, name, at.place.scope)
        if error is not None and name.parts[-1].name not in _unread(at.program):
            raise error
    elif isinstance(found.binding, Enumeration) and found.rest:
        bound_value(found, name, lambda part: ())


def _unread(program: Program) -> frozenset[str]:
    """The names of templates of aliases and variables, of which no more is known."""
    known: frozenset[str] = program.once(("unread templates",), lambda: _read_unread(program))
    return known


def _read_unread(program: Program) -> frozenset[str]:
    found: set[str] = set()
    for around, inside in families(program.source.root):
        if around.type != "template_declaration":
            continue
        declared = inside[-1]
        if declared.type in ("alias_declaration", "declaration", "concept_definition"):
            name = declared.child_by_field_name("name") or declared_name(
                declared.child_by_field_name("declarator")
            )
            if name is not None:
                found.add(program.source.spell(name).partition("<")[0])
    return frozenset(found)


def enumerator_type(found: Found) -> Type | None:
    """The type of what is an enumerator of the text; None for anything else."""
    value = found.binding.value if isinstance(found.binding, Constant) else None
    if isinstance(found.type, EnumType) and len(found.rest) == 1:
        return found.type
    return getattr(type(value), "cxx_type", None)


def _is_dependent(at: At, name: QualifiedName) -> bool:
    first = name.parts[0].name
    # A class of the text may have types inside, which nobody reads.
    return first in at.place.template_parameters or (at.has_this and len(name.parts) == 1)


def _arguments(at: At, node: Node) -> None:
    for inner in node.named_children:
        if inner.type == "template_argument_list":
            for argument in inner.named_children:
                if argument.type == "type_descriptor":
                    known_type(at, argument)
        elif inner.type in NAMES:
            _arguments(at, inner)
