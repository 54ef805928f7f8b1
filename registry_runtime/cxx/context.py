"""What an expression or a statement is read in: the text, the place, the variables, the object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from registry_runtime.cxx.grammar import without_parentheses
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError, Incomplete, NotUnderstood, Refusal, Span
from registry_runtime.cxx.variables import Variable, Variables, value_of

_ENDLESS = "nested too deeply, as where a function comes back to itself"


class Place(NamedTuple):
    """Where something is read: the namespace, the parameters of the template around, the depth."""

    scope: str
    template_parameters: frozenset[str] = frozenset()
    depth: int = 0

    def deeper(self, node: Node) -> Place:
        """This place, one level of nesting further in."""
        if self.depth > 60:
            raise CxxError(_ENDLESS, span_of(node))
        return Place(self.scope, self.template_parameters, self.depth + 1)


class Context(NamedTuple):
    """`variables` are those of the block, None outside of bodies. `this` is the object whose member
    function runs: what is called without an object is looked for in it first. It may be const."""

    program: Program
    place: Place
    variables: Variables | None = None
    this: object = None
    this_is_const: bool = False

    def deeper(self, node: Node) -> Context:
        """The same, one level of nesting further in."""
        place = self.place.deeper(node)
        return Context(self.program, place, self.variables, self.this, self.this_is_const)

    def block(self, place: Place | None = None) -> Context:
        """A block inside, with variables of its own."""
        inner = Variables({}, self.variables)
        return self._replace(place=place or self.place, variables=inner)

    def evaluate(self, node: Node) -> object:
        """The value of an expression in here: see `evaluate`, which is above us."""
        found = self.program.outcome(self, node)
        try:
            return value_of(found)
        except Refusal as refusal:
            raise CxxError(refusal.message, span_of(node), refusal.hint) from refusal

    def reach(self, node: Node) -> Variable:
        """The object that an expression stands for: that of `x`, `v[i]`, `*p` or of a reference that
        a call returns; or else a temporary with its value, which is gone behind the statement."""
        found = self.program.outcome(self, node)
        if isinstance(found, Variable):
            return found
        return Variable(self.program.running.temporary(found), is_temporary=True)

    def spell(self, node: Node) -> str:
        """The characters of `node`, with white space made even."""
        return " ".join(self.program.source.spell(node).split())

    def not_understood(self, node: Node, what: str = "") -> CxxError:
        """The error for a form that this interpreter doesn't have."""
        shown = what or f"`{self.spell(node)[:60]}`"
        return NotUnderstood(f"{shown}", self.program.source.span(node))


def child(node: Node, field_name: str) -> Node:
    """The child in a field that the grammar always fills."""
    found = node.child_by_field_name(field_name)
    if found is None:
        raise Incomplete("something is missing here", span_of(node))
    return found


def span_of(node: Node) -> Span:
    """Where `node` stands in a text whose braces pair up."""
    return Span(node.start_byte, node.end_byte)


def inside(node: Node) -> Iterator[Node]:
    """The node and all below it, in the order of the text."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        pending += reversed(node.named_children)


def argument_nodes(arguments: Node) -> list[Node]:
    """The expressions of an argument list or of braces."""
    return [node for node in arguments.named_children if node.type != "comment"]


def named_variable(context: Context, node: Node) -> Variable | None:
    """The variable that an expression is the name of, or None: what a reference can be bound to."""
    node = without_parentheses(node)
    if node.type != "identifier" or context.variables is None:
        return None
    return context.variables.find(context.program.source.spell(node))


def copied(program: Program, value: object) -> object:
    """`value` as an object of its own, if it is of a bound class that C++ would copy."""
    copy = program.bindings.copies.get(type(value))
    return copy(value) if copy else value
