"""Objects of declared types: the type that a declaration says, and what initialises an object of it.

Here `conversions` meets the text: a variable, a parameter, an element of a loop and a result all come
to be by `initialise_object`, or are a second name for an object by `bind_reference`. An object of a
class that nobody reads is refused: what its constructor does with a value isn't known.
"""

from __future__ import annotations

from typing import Any

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import ARITHMETIC, narrows, type_of
from registry_runtime.cxx.bindings import Enumeration, refusals_at
from registry_runtime.cxx.context import Context, child, copied, inside, span_of
from registry_runtime.cxx.conversions import AUTO, arithmetic_type, initialised, narrowing
from registry_runtime.cxx.member_access import lvalue
from registry_runtime.cxx.names import NAMES
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import declared_type
from registry_runtime.cxx.span import Code, CxxError
from registry_runtime.cxx.types import (
    NamedType,
    ReferenceType,
    Type,
    without_reference_and_const,
)
from registry_runtime.cxx.variables import Cell, Variable


def type_in(context: Context, declaration: Node, declarator: Node | None) -> Type:
    """The type of what `declarator` declares; of `declaration` itself for None. Raises CxxError."""
    node = child(declaration, "type")
    key = ("declared", (declarator or node).start_byte, context.place.scope)
    known = context.program.instances.get(key)
    if known is not None:
        return known  # type: ignore[return-value]
    if node.type == "decltype":
        return _decltype(context, node)
    made = declared_type(context.program, declaration, declarator, context.place)
    if without_reference_and_const(made) == AUTO and node.type != "placeholder_type_specifier":
        raise context.not_understood(node, f"the type `{context.spell(node)}`")
    context.program.instances[key] = made
    return made


def _decltype(context: Context, node: Node) -> Type:
    # Of a variable, which has no `( )` around it: its own type. Of another number none is known.
    operand = node.named_children[0] if node.named_children else node
    found = lvalue(context, operand) if operand.type == "identifier" else None
    type = type_of(found.cell.value) if found is not None else None
    if type is None:
        raise context.not_understood(node, f"the type `{context.spell(node)}`")
    return NamedType(type.name)


def initialise_object(
    context: Context, type: Type, value: Any, node: Node, *, in_braces: bool = False
) -> Any:
    """What an object of this type holds that `node`, of this value, initialises. Raises CxxError."""
    to, given = arithmetic_type(type), type_of(value)
    if in_braces and to is not None and given is not None:
        is_constant = not any(inner.type in NAMES for inner in inside(node))
        if narrows(to, value, is_constant=is_constant):
            refusal = narrowing(to, value)
            raise CxxError(refusal.message, span_of(node), refusal.hint)
    own = context.program.bindings.conversions.get(value.__class__)
    if own is not None and to is not None:
        return refusals_at(span_of(node), [], own, value, NamedType(to.name))
    bare = without_reference_and_const(type)
    if isinstance(bare, NamedType):
        binding = context.program.bindings.names.get(bare.name)
        if isinstance(binding, Enumeration) and not isinstance(value, binding.of):
            raise CxxError(f"this is no `{bare}`", span_of(node))
    return copied(context.program, refusals_at(span_of(node), [], initialised, type, value))


def bind_reference(
    context: Context, type: ReferenceType, to: Variable | None, value: Any, node: Node, const: bool
) -> Variable:
    """What a reference of this type is a name for: the variable `to`, or else an object that is made of
    `value`, which lives as long as the reference: [dcl.init.ref]. Raises CxxError."""
    wanted = arithmetic_type(type)
    given = type_of(to.cell.value if to is not None else value)
    if to is not None and (wanted is None or wanted == given):
        return Variable(to.cell, const or to.is_const)
    if given is None and wanted is None:
        return Variable(Cell(refusals_at(span_of(node), [], initialised, type, value)), const)
    if not const and not type.rvalue:
        what = f"a `{given}`" if to is not None else f"the value `{context.spell(node)}`"
        raise CxxError(f"`{type}` can't be a reference to {what}", span_of(node), "make it const")
    return Variable(Cell(initialise_object(context, type.to, value, node)), const)


def is_read(program: Program, type: Type) -> bool:
    """Whether objects of this type are known here: numbers, what is bound, pointers to anything."""
    bare = without_reference_and_const(type)
    if not isinstance(bare, NamedType):
        return True
    return bare == AUTO or bare.name in ARITHMETIC or program.bindings.knows_type(bare.name)


def unread(context: Context, type: Type, node: Node) -> CxxError:
    """The error for an object of another class."""
    bare = without_reference_and_const(type)
    return CxxError(
        f"`{bare}` isn't read here: nobody knows what makes an object of it",
        span_of(node),
        "use numbers, strings, vectors, and the framework's own classes",
        Code.NOT_UNDERSTOOD,
    )
