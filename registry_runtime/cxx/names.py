"""A qualified name, flattened: `::phi::KernelImpl<…>::Compute` is three parts and a leading `::`.

The grammar nests such a name to the right, one node a `::`. Everything that works with names wants
them as a list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from registry_runtime.cxx.parse import Source
from registry_runtime.cxx.span import CxxError, Incomplete, NotUnderstood, Span


class NamePart(NamedTuple):
    """One identifier of a name, with its template argument list if it has one."""

    name: str
    arguments: Node | None
    node: Node

    @property
    def span(self) -> Span:
        return Span(self.node.start_byte, self.node.end_byte)


class QualifiedName(NamedTuple):
    """The parts of a name, and whether it starts with `::`."""

    parts: tuple[NamePart, ...]
    is_global: bool
    span: Span

    def __str__(self) -> str:
        return "::".join(part.name for part in self.parts)

    @property
    def owner(self) -> QualifiedName:
        """What stands before the last `::`: a class or a namespace, of no parts where nothing does."""
        return self._replace(parts=self.parts[:-1])


NAMES = frozenset(
    {
        "identifier",
        "type_identifier",
        "namespace_identifier",
        "field_identifier",
        "qualified_identifier",
        "template_function",
        "template_type",
        "nested_namespace_specifier",
    }
)


def qualified_name(source: Source, node: Node) -> QualifiedName:
    """Flatten a name. Raises CxxError for operators, destructors and dependent names."""
    span = source.span(node)
    parts: list[NamePart] = []
    is_global = False
    while node.type == "qualified_identifier":
        scope = node.child_by_field_name("scope")
        if scope is None:
            is_global = is_global or not parts
        else:
            parts.append(_part(source, scope))
        name = node.child_by_field_name("name")
        if name is None:
            raise Incomplete("a name is missing after `::`", span)
        node = name
    if node.type == "nested_namespace_specifier":
        parts += _nested(source, node)
    else:
        parts.append(_part(source, node))
    return QualifiedName(tuple(parts), is_global, span)


def _nested(source: Source, node: Node) -> Iterator[NamePart]:
    """Of `a::b::c`, which is `a` and a further specifier of `b` and `c`."""
    for child in node.named_children:
        if child.type == node.type:
            yield from _nested(source, child)
        else:
            yield _part(source, child)


def _part(source: Source, node: Node) -> NamePart:
    kind = node.type
    if kind in ("template_function", "template_type"):
        name = node.child_by_field_name("name")
        arguments = node.child_by_field_name("arguments")
        if name is not None and name.type in NAMES:
            return NamePart(source.spell(name), arguments, name)
    elif kind in NAMES:
        return NamePart(source.spell(node), None, node)
    if kind == "decltype":
        said = f"`{source.spell(node)}` and the `::` behind it are one name to a compiler"
        raise CxxError(said, source.span(node), hint="write what stands behind it without `::`")
    raise NotUnderstood(f"the name `{source.spell(node)}`", source.span(node))


def join(path: str, name: str) -> str:
    """`path::name`, where the global namespace has the empty path."""
    return f"{path}::{name}" if path else name
