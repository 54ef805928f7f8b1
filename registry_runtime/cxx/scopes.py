"""The names in a body as a compiler sees them: each with its type, and whether it may be changed.

Where the interpreter has variables that hold values, the check of a body (see `well_formed`) has
scopes. A type is None where nobody can tell: of an object of a framework's class, say. What is done
with such an object is found out where it is done, or never.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tree_sitter import Node

from registry_runtime.cxx.context import Place, span_of
from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError, NotUnderstood
from registry_runtime.cxx.types import Type


@dataclass(frozen=True, slots=True)
class Local:
    """A variable or a parameter. `is_open` while its own initial value is read, which says its type.
    An enumerator is no object, and has no address; an array can't be assigned, and has so many
    elements where they are told at a glance; what is static isn't captured; what is constant is known
    before anything runs."""

    type: Type | None = None
    is_const: bool = False
    is_open: bool = False
    is_enumerator: bool = False
    is_array: bool = False
    is_static: bool = False
    elements: int | None = None
    is_constant: bool = False


class Given(NamedTuple):
    """An argument of a call: its type, and whether it is const."""

    type: Type | None
    is_const: bool
    node: Node


@dataclass
class Scope:
    """The names of one block, and of those around. `taken` may not be declared again in it: what the
    head of a loop declares, in its body.

    Behind the `[ ]` of a lambda only the names are `captured` that stand in it, or all: `is_lambda`
    says that this is where it begins, and `freezes` that what comes from around are copies.
    """

    names: dict[str, Local] = field(default_factory=dict)
    around: Scope | None = None
    taken: frozenset[str] = frozenset()
    is_lambda: bool = False
    captures_all: bool = True
    freezes: bool = False

    def all_names(self) -> Iterator[str]:
        """These and those around, the innermost first."""
        yield from self.names
        if self.around is not None:
            yield from self.around.all_names()


class At(NamedTuple):
    """Where a statement or an expression is checked: the text, the namespace, the names; what the
    function around returns, and what its `return`s have so far; and what `break` would leave."""

    program: Program
    place: Place
    scope: Scope
    expression: Callable[[At, Node], Type | None]
    check_lambda: Callable[[At, Node], Type | None]
    returned_by: Callable[[At, FunctionDeclaration, str], Type | None]
    returns: Type | None = None
    returned: list[tuple[Type | None, Node]] | None = None
    in_loop: bool = False
    in_switch: bool = False
    has_this: bool = False

    def spell(self, node: Node) -> str:
        """The characters of `node`, with white space made even."""
        return " ".join(self.program.source.spell(node).split())

    def type_in(self, node: Node) -> Type | None:
        """The type of an expression here: see `expression_types`, which is above us."""
        return self.expression(self, node)

    def deeper(self, node: Node) -> At:
        """The same, one level of nesting further in."""
        return self._replace(place=self.place.deeper(node))

    def inside(self, taken: frozenset[str] = frozenset()) -> At:
        """A block inside."""
        return self._replace(scope=Scope({}, self.scope, taken))

    def find(self, name: str, node: Node) -> Local | None:
        """The innermost variable of this name. Raises CxxError where a lambda hasn't captured it."""
        scope: Scope | None = self.scope
        hidden = frozen = False
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                if found.is_static:
                    return found
                if hidden:
                    raise CxxError(f"`{name}` isn't captured by this lambda", span_of(node))
                return replace(found, is_const=True) if frozen else found
            hidden = hidden or (scope.is_lambda and not scope.captures_all)
            frozen = frozen or (scope.is_lambda and scope.freezes)
            scope = scope.around
        return None

    def declare(self, node: Node, local: Local, *, again: bool = False) -> None:
        """One more name; `again` where it was declared before, and more is known of it now."""
        name = self.spell(node)
        if not again and (name in self.scope.names or name in self.scope.taken):
            raise CxxError(f"`{name}` is declared twice", span_of(node))
        self.scope.names[name] = local

    def not_understood(self, node: Node, what: str) -> CxxError:
        """The error for a form that this interpreter doesn't have."""
        return NotUnderstood(what, self.program.source.span(node))
