"""Enumerations of the text: `enum class E : uint8_t { A, B = 4 };` and `enum { kFirst, kSecond };`.

The enumerators are read when somebody asks for one of them, as a header has hundreds. One whose value
isn't understood leaves the enumeration what any other class is: a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Any

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import (
    ARITHMETIC,
    INT,
    Arithmetic,
    Integer,
    Unscoped,
    convert,
    promoted,
    type_of,
)
from registry_runtime.cxx.collect import enumerator_nodes, is_scoped
from registry_runtime.cxx.context import Context, Place
from registry_runtime.cxx.declarations import EnumDefinition
from registry_runtime.cxx.own_types import EnumType
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import fundamental, typedef
from registry_runtime.cxx.variables import Cell, Variable, Variables


def read_enumeration(program: Program, name: str, definition: EnumDefinition) -> EnumType | None:
    """The enumeration of this full name; None for one whose values aren't understood."""
    node = definition.node
    base = node.child_by_field_name("base")
    fixed = _underlying(program, base) if base is not None else None
    if node.has_error or (base is not None and fixed is None):
        return None
    kind: Any = IntEnum if is_scoped(node) else Unscoped
    try:
        of = kind(name, dict(_values(program, definition, fixed or INT)))
    except (CxxError, ValueError, TypeError):  # also a name that Python's own class needs
        return None
    made = EnumType(name, (), of, None if is_scoped(node) else promoted(fixed or INT))
    of.cxx_type = made
    return made


def _underlying(program: Program, node: Node) -> Arithmetic | None:
    spelling = program.source.spell(node).removeprefix("std::")
    found = ARITHMETIC.get(typedef(spelling) or str(fundamental(spelling)))
    return found if found is not None and not found.is_floating else None


def _values(
    program: Program, definition: EnumDefinition, of: Arithmetic
) -> Iterator[tuple[str, int]]:
    # Each enumerator is known to those behind it. One that `of` doesn't hold makes it another type.
    known = Variables()
    context = Context(program, Place(definition.scope), known)
    value = -1
    for node in enumerator_nodes(definition.node):
        name, given = node.child_by_field_name("name"), node.child_by_field_name("value")
        found: object = value + 1 if given is None else context.evaluate(given)
        is_number = type_of(found) is not None or isinstance(found, Unscoped)
        if name is None or not is_number or not isinstance(found, int):
            raise ValueError
        value, spelling = int(found), program.source.spell(name)
        if spelling in known.values or convert(of, value) != value or (of is ARITHMETIC["bool"]):
            raise ValueError
        known.values[spelling] = Variable(Cell(Integer(value, of)), is_const=True)
        yield spelling, value
