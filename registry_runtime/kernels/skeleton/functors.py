"""A functor as the text defines it: what its `operator()` returns, and how its data members are set.

A functor with a number of its own, `Scale<T> f{alpha}` or `f.factor = alpha`, is as good as a lambda
that captures that number. So each member is a name that stands for a formula, if a constructor's
list, a default or an assignment says which. What a class does otherwise is no formula: `NotSeen`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tree_sitter import Node

from registry_runtime.cxx.context import inside
from registry_runtime.cxx.declarations import Declarations
from registry_runtime.kernels.skeleton.formula import Formula


class NotSeen(Exception):
    """Why the body gives no formula, for a sentence. `missing` is a class that the text only names: an
    included header may define it."""

    def __init__(self, reason: str, missing: str = "") -> None:
        super().__init__(reason)
        self.missing = missing


@dataclass(frozen=True, slots=True)
class Functor:
    """What is called: its parameters' names, and what it returns. `members` are a class's own names and
    all that its body sees; None for a lambda, whose body sees what stands around it. `types` are the
    members' types, as they are spelled."""

    parameters: tuple[str, ...]
    result: Node
    members: Mapping[str, Formula] | None = None
    types: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Member:
    """A data member, and its default, if it has one."""

    name: str
    type: str
    default: Node | None


@dataclass(frozen=True, slots=True)
class Constructor:
    """Its parameters' names and types, and what it gives each member."""

    parameters: tuple[tuple[str, str], ...]
    gives: Mapping[str, Node]


def spell(node: Node) -> str:
    """As it stands in the text that it is of."""
    return (node.text or b"").decode()


def bare_name(kind: Node) -> str:
    """`Scale` of `funcs::Scale<T>`."""
    return spell(kind).partition("<")[0].rpartition("::")[2].strip()


def is_class(texts: Iterable[Declarations], name: str) -> bool:
    """Whether one of the texts defines a class of that name."""
    return any(_definitions(texts, name))


def class_named(texts: Sequence[Declarations], name: str) -> Node:
    """The definition of the only class of that name. Raises NotSeen."""
    found = list(_definitions(texts, name))
    if len(found) != 1:
        raise NotSeen(f"`{name}` is no class of this text", name)
    special = (n for declarations in texts for n in declarations.specialised)
    if any(n.rpartition("::")[2] == name for n in special):
        raise NotSeen(f"`{name}` is specialised: not every data type is computed alike")
    return found[0]


def _definitions(texts: Iterable[Declarations], name: str) -> Iterator[Node]:
    for declarations in texts:
        for qualified, definition in declarations.class_definitions.items():
            if qualified.rpartition("::")[2] == name:
                yield definition.node


def call_of(node: Node, name: str) -> tuple[Node, Node | None]:
    """The declarator and the body of its one `operator()`. Raises NotSeen."""
    calls = [
        part
        for part in inside(node)
        if part.type == "function_definition"
        and "operator()" in spell(part).partition("{")[0].replace(" ", "")
    ]
    if len(calls) != 1:
        raise NotSeen(f"`{name}` has no single operator()")
    declarator = next((n for n in inside(calls[0]) if n.type == "function_declarator"), None)
    assert declarator is not None
    return declarator, calls[0].child_by_field_name("body")


def members_of(node: Node) -> list[Member]:
    """Its data members, in order."""
    return [
        Member(spell(named), re.sub(r"\bconst\b", "", spell(kind)).strip(), default)
        for part in inside(node)
        if part.type == "field_declaration"
        and (kind := part.child_by_field_name("type")) is not None
        and (named := part.child_by_field_name("declarator")) is not None
        and named.type == "field_identifier"
        for default in [part.child_by_field_name("default_value")]
    ]


def constructor_of(node: Node, name: str, count: int) -> Constructor | None:
    """The one that takes so many arguments; None for a class without any. Raises NotSeen."""
    every = [c for part in inside(node) if (c := _constructor(part, name)) is not None]
    if not every:
        return None
    fitting = [c for c in every if len(c.parameters) == count]
    if len(fitting) != 1:
        raise NotSeen(f"`{name}` has no single constructor that takes {count}")
    return fitting[0]


def _constructor(node: Node, name: str) -> Constructor | None:
    if node.type != "function_definition":
        return None
    declarator = node.child_by_field_name("declarator")
    named = declarator.child_by_field_name("declarator") if declarator is not None else None
    if named is None or spell(named) != name:
        return None
    body = node.child_by_field_name("body")
    if body is not None and body.named_children:
        raise NotSeen(f"a constructor of `{name}` does more than to set members")
    given = (
        i for part in node.children if part.type == "field_initializer_list" for i in inside(part)
    )
    gives = {
        spell(initializer.named_children[0]): _only(initializer.named_children[1], name)
        for initializer in given
        if initializer.type == "field_initializer"
    }
    assert declarator is not None
    return Constructor(tuple(taken(declarator)), gives)


def _only(listed: Node, name: str) -> Node:
    if len(listed.named_children) != 1:
        raise NotSeen(f"a constructor of `{name}` makes a member of several things")
    return listed.named_children[0]


def taken(declarator: Node) -> Iterator[tuple[str, str]]:
    """The names of a function's parameters, and their types without `const` and `&`."""
    listed = declarator.child_by_field_name("parameters")
    for node in listed.named_children if listed is not None else ():
        kind = node.child_by_field_name("type")
        if node.type == "parameter_declaration" and kind is not None:
            yield re.findall(r"\w+", spell(node))[-1], spell(kind)
