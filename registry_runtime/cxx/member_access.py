"""What `.`, `->`, `*` and `[ ]` lead to: an object, one of its data members, an element of a list.

Only those data members are read that the table lists for the object's class.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx.bindings import refusals_at
from registry_runtime.cxx.context import Context, argument_nodes, child, span_of
from registry_runtime.cxx.members import did_you_mean
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.strings import characters
from registry_runtime.cxx.variables import Cell, Element, Pointer, Variable


def object_of(context: Context, access: Node) -> object:
    """The object left of `.` or `->`."""
    target = child(access, "argument")
    value = context.evaluate(target)
    operator = context.spell(child(access, "operator"))
    if isinstance(value, Pointer) != (operator == "->"):
        kind, wanted = ("a", "->") if isinstance(value, Pointer) else ("no", ".")
        raise CxxError(
            f"`{context.spell(target)}` is {kind} pointer",
            span_of(child(access, "operator")),
            f"write `{wanted}`",
        )
    return value.to if isinstance(value, Pointer) else value


def field_value(context: Context, node: Node) -> object:
    """`x.name` and `p->name`: a data member's value."""
    owner, name = object_of(context, node), child(node, "field")
    fields = context.program.bindings.fields.get(type(owner), frozenset())
    if context.spell(name) not in fields:
        raise no_member(context, owner, name, sorted(fields))
    return getattr(owner, context.spell(name))


def lvalue(context: Context, node: Node) -> Variable | None:
    """The object that an expression stands for, which can be assigned and which a reference can be
    bound to: that of `x`, `v[i]` or `*p`. None for an expression that has only a value."""
    while node.type == "parenthesized_expression":
        node = argument_nodes(node)[0]
    if node.type == "identifier" and context.variables is not None:
        return context.variables.find(context.program.source.spell(node))
    if node.type == "subscript_expression":
        return _element(context, node)
    if node.type == "pointer_expression" and context.spell(child(node, "operator")) == "*":
        pointer = context.evaluate(child(node, "argument"))
        if isinstance(pointer, Pointer):
            return pointer.variable
        raise CxxError(f"`{context.spell(child(node, 'argument'))}` is no pointer", span_of(node))
    return None


def element(context: Context, node: Node) -> object:
    """`v[i]`: an element of a list."""
    return _element(context, node).cell.value


def _element(context: Context, node: Node) -> Variable:
    indices, of = argument_nodes(child(node, "indices")), child(node, "argument")
    named = lvalue(context, of)
    sequence = context.evaluate(of) if named is None else named.cell.value
    if isinstance(sequence, str):
        sequence = tuple(refusals_at(span_of(of), [], characters, sequence))
    if not isinstance(sequence, list | tuple) or len(indices) != 1:
        raise context.not_understood(node)
    index = context.evaluate(indices[0])
    if not isinstance(index, int) or not 0 <= index < len(sequence):
        there = f"there are {len(sequence)}"
        raise CxxError(f"`{context.spell(node)}` is out of range: {there}", span_of(indices[0]))
    if isinstance(sequence, tuple):
        return Variable(Cell(sequence[index]), is_const=True)
    return Variable(Element(sequence, int(index)), named is not None and named.is_const)


def no_member(context: Context, target: object, name: Node, known: list[str]) -> CxxError:
    """The error for a member that `target` doesn't have; `known` are those that it has."""
    hint = did_you_mean(context.spell(name), known) if known else ""
    kind = type(target).__name__
    return CxxError(f"`{kind}` has no member `{context.spell(name)}`", span_of(name), hint)
