"""What `.`, `->` and `[ ]` lead to: an object, one of its data members, an element of a list.

Only those data members are read that the table lists for the object's class.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx.context import Context, argument_nodes, child, span_of
from registry_runtime.cxx.members import did_you_mean
from registry_runtime.cxx.operators import Pointer
from registry_runtime.cxx.span import CxxError


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


def element(context: Context, node: Node) -> object:
    """`v[i]`: an element of a list."""
    indices = argument_nodes(child(node, "indices"))
    sequence = context.evaluate(child(node, "argument"))
    if not isinstance(sequence, list | tuple) or len(indices) != 1:
        raise context.not_understood(node)
    index = context.evaluate(indices[0])
    if isinstance(index, int) and 0 <= index < len(sequence):
        return sequence[index]
    raise CxxError(
        f"`{context.spell(node)}` is out of range: there are {len(sequence)}", span_of(indices[0])
    )


def no_member(context: Context, target: object, name: Node, known: list[str]) -> CxxError:
    """The error for a member that `target` doesn't have; `known` are those that it has."""
    hint = did_you_mean(context.spell(name), known) if known else ""
    kind = type(target).__name__
    return CxxError(f"`{kind}` has no member `{context.spell(name)}`", span_of(name), hint)
