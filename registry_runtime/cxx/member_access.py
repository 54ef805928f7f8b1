"""What `.`, `->`, `*` and `[ ]` lead to: an object, one of its data members, an element of a list.

Only those data members are read that the table lists for the object's class.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx.bindings import refusals_at
from registry_runtime.cxx.classes import CxxObject
from registry_runtime.cxx.context import Context, argument_nodes, child, span_of
from registry_runtime.cxx.members import nearest_or_all
from registry_runtime.cxx.operators import kind
from registry_runtime.cxx.own_types import Plain
from registry_runtime.cxx.places import Iterator, Pointer, decayed
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.strings import characters
from registry_runtime.cxx.types import ConstType
from registry_runtime.cxx.variables import (
    Array,
    BuiltInArray,
    Element,
    InitializerList,
    Optional,
    Tuple,
    Variable,
    value_of,
)


def owner_of(context: Context, access: Node) -> Variable:
    """The object left of `.` or `->`."""
    target = child(access, "argument")
    found = context.reach(target)
    value = found.cell.value
    operator = context.spell(child(access, "operator"))
    if value is None and operator == "->":
        raise CxxError(f"`{context.spell(target)}` is nullptr here", span_of(target))
    if isinstance(value, Iterator) and operator == "->":
        return value.to
    if isinstance(value, Optional) and operator == "->":
        return _inside(found, value, target)
    if isinstance(value, Pointer) != (operator == "->"):
        kind, wanted = ("a", "->") if isinstance(value, Pointer) else ("no", ".")
        raise CxxError(
            f"`{context.spell(target)}` is {kind} pointer",
            span_of(child(access, "operator")),
            f"write `{wanted}`",
        )
    return value.variable if isinstance(value, Pointer) else found


def _inside(found: Variable, optional: Optional, node: Node) -> Variable:
    # What an optional holds is const if the optional is.
    inside = refusals_at(span_of(node), [], optional.reached)
    return Variable(inside.cell, inside.is_const or found.is_const)


def field_value(context: Context, node: Node) -> object:
    """`x.name` and `p->name`: a data member's value."""
    found = data_member(context, node)
    if found is not None:
        return found
    return getattr(owner_of_field(context, node).cell.value, context.spell(child(node, "field")))


def owner_of_field(context: Context, node: Node) -> Variable:
    """The object that has this data member."""
    owner, name = owner_of(context, node), child(node, "field")
    value = owner.cell.value
    fields = context.program.bindings.fields.get(type(value), frozenset())
    if context.spell(name) not in fields:
        raise no_member(context, value, name, sorted(fields))
    return owner


def named_in(context: Context, name: str) -> Variable | None:
    """The variable of this name in a body, or else the data member of the object that it runs on."""
    found = context.variables.find(name) if context.variables is not None else None
    if found is None and isinstance(context.this, CxxObject | Plain):
        found = context.this.data.get(name)
        if found is not None and context.this_is_const:
            return Variable(found.cell, is_const=True)
    return found


def data_member(context: Context, node: Node) -> Variable | None:
    """The data member that `x.name` is of an object of a class of the text."""
    owner = owner_of(context, node)
    held = owner.cell.value
    data = held.data if isinstance(held, CxxObject | Tuple) else {}
    found = data.get(context.spell(child(node, "field")))
    return Variable(found.cell, True) if found is not None and owner.is_const else found


def pointed_to(context: Context, node: Node) -> Variable:
    """`*p`."""
    argument = child(node, "argument")
    found = context.reach(argument)
    value = refusals_at(span_of(argument), [], value_of, found)
    if isinstance(value, Optional):
        return _inside(found, value, node)
    pointer = decayed(value)
    if isinstance(pointer, Pointer):
        return pointer.variable
    if isinstance(pointer, Iterator):
        return refusals_at(span_of(node), [], lambda: pointer.to)
    named = f"`{context.spell(child(node, 'argument'))}`"
    if pointer is None:
        raise CxxError(f"{named} is null: it leads to no object", span_of(node))
    raise CxxError(f"{named} is no pointer", span_of(node))


def element(context: Context, node: Node) -> Variable:
    """`v[i]`: an element of a list, or of the array that a pointer leads into."""
    indices, of = argument_nodes(child(node, "indices")), child(node, "argument")
    owner = context.reach(of)
    sequence, const, first = owner.cell.value, owner.is_const, 0
    if isinstance(sequence, Pointer) and isinstance(sequence.variable.cell, Element):
        owner = sequence.variable
        sequence, const = sequence.variable.cell.sequence, owner.is_const
        first = owner.cell.index  # type: ignore[union-attr]
    if isinstance(sequence, str):
        sequence = tuple(refusals_at(span_of(of), [], characters, sequence))
    if isinstance(sequence, InitializerList):
        raise CxxError(f"{kind(sequence)} has no `[]`", span_of(node), "make it a std::vector")
    if len(indices) != 1:
        raise context.not_understood(node)
    if not isinstance(sequence, list | tuple):
        keyed = context.program.bindings.method(sequence, "[]")
        if not callable(keyed):
            raise context.not_understood(node)
        key = context.evaluate(indices[0])
        return refusals_at(span_of(node), [span_of(indices[0])], keyed, sequence, key)  # type: ignore[return-value]
    index = context.evaluate(indices[0])
    if not isinstance(index, int) or not 0 <= first + index < len(sequence):
        there = f"there are {len(sequence)}"
        raise CxxError(f"`{context.spell(node)}` is out of range: {there}", span_of(indices[0]))
    if isinstance(sequence, tuple):
        return Variable(context.program.running.temporary(sequence[index]), is_const=True)
    const = const or (isinstance(sequence, BuiltInArray) and sequence.is_const)
    const = const or (isinstance(sequence, Array) and isinstance(sequence.of, ConstType))
    return Variable(Element(sequence, first + int(index)), const)


def no_member(context: Context, target: object, name: Node, known: list[str]) -> CxxError:
    """The error for a member that `target` doesn't have; `known` are those that it has."""
    hint = nearest_or_all(context.spell(name), known) if known else ""
    kind = "std::optional" if isinstance(target, Optional) else type(target).__name__
    return CxxError(f"`{kind}` has no member `{context.spell(name)}`", span_of(name), hint)
