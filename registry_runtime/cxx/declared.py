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
from registry_runtime.cxx.classes import CxxObject
from registry_runtime.cxx.context import (
    Context,
    child,
    copied,
    inside,
    named_variable,
    span_of,
)
from registry_runtime.cxx.conversions import (
    AUTO,
    arithmetic_type,
    initialised,
    is_optional,
    narrowing,
)
from registry_runtime.cxx.member_functions import chain
from registry_runtime.cxx.names import NAMES
from registry_runtime.cxx.own_types import OwnType
from registry_runtime.cxx.places import decayed
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import declared_type
from registry_runtime.cxx.span import Code, CxxError, Refusal
from registry_runtime.cxx.types import (
    NamedType,
    ReferenceType,
    Type,
    without_reference_and_const,
)
from registry_runtime.cxx.variables import (
    BuiltInArray,
    Cell,
    Element,
    NoValue,
    Optional,
    Reference,
    Tuple,
    Variable,
)


def type_in(context: Context, declaration: Node, declarator: Node | None) -> Type:
    """The type of what `declarator` declares; of `declaration` itself for None. Raises CxxError."""
    at = declarator.start_byte if declarator is not None else declaration.start_byte
    key = ("declared", declarator is None, at, context.place.scope)
    known = context.program.instances.get(key)
    if known is not None:
        return known  # type: ignore[return-value]
    node = child(declaration, "type")
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
    found = named_variable(context, operand) if operand.type == "identifier" else None
    held = found.cell.held if found is not None else None
    if isinstance(held, NoValue) and held.type is not None:
        return held.type
    type = type_of(held)
    if type is None:
        raise context.not_understood(node, f"the type `{context.spell(node)}`")
    return NamedType(type.name)


def initialise_object(
    context: Context, type: Type, value: Any, node: Node, *, in_braces: bool = False
) -> Any:
    """What an object of this type holds that `node`, of this value, initialises. Raises CxxError."""
    value = decayed(value)
    to, given = arithmetic_type(type), type_of(value)
    if in_braces and to is not None and given is not None:
        is_constant = not any(inner.type in NAMES for inner in inside(node))
        if narrows(to, value, is_constant=is_constant):
            refusal = narrowing(to, value)
            raise CxxError(refusal.message, span_of(node), refusal.hint)
    _check_class(context, type, value, node)
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
    context: Context, type: ReferenceType, to: Variable, node: Node, const: bool
) -> Variable:
    """What a reference of this type is a name for: the object `to`, or else one that is made of its
    value, and lives as long as the reference: [dcl.init.ref]. Raises CxxError."""
    assert context.variables is not None
    wanted, held = arithmetic_type(type), to.cell.held
    _check_class(context, type, held, node)
    wrapped = str(without_reference_and_const(type)).partition("<")[0] in _WRAPPERS
    if isinstance(held, Reference) and not wrapped:
        return Variable(Cell(held.to), const)
    given = arithmetic_type(held.type) if isinstance(held, NoValue) else type_of(held)
    bare = without_reference_and_const(type)
    is_auto = bare == AUTO
    if is_optional(bare) and not isinstance(held, Optional) and (const or type.rvalue):
        made = initialise_object(context, type.to, held, node)  # an object of its own around it
        return Variable(context.variables.keep(made), const)
    if not to.is_temporary and (wanted is None or wanted == given):
        if type.rvalue and not is_auto:
            raise CxxError(f"`{type}` can't be a reference to what has a name", span_of(node))
        if to.is_const and not const and not is_auto:
            raise CxxError(f"`{context.spell(node)}` is const, and `{type}` isn't", span_of(node))
        refusals_at(span_of(node), [], no_proxy, to)
        return Variable(to.cell, const or to.is_const)
    value = to.cell.value
    if given is None and wanted is None and not isinstance(value, Tuple):
        made = refusals_at(span_of(node), [], initialised, type, value)
        return Variable(context.variables.keep(made), const)
    if not const and not type.rvalue:
        what = f"the value `{context.spell(node)}`" if to.is_temporary else f"a `{given}`"
        raise CxxError(f"`{type}` can't be a reference to {what}", span_of(node), "make it const")
    return Variable(context.variables.keep(initialise_object(context, type.to, value, node)), const)


def no_proxy(variable: Variable) -> None:
    """Raises Refusal for an element of `std::vector<bool>`, which is no object of its own."""
    sequence = variable.cell.sequence if isinstance(variable.cell, Element) else None
    of = None if isinstance(sequence, BuiltInArray) else getattr(sequence, "of", None)
    if of == NamedType("bool"):
        raise Refusal(
            "an element of a `std::vector<bool>` is no bool that a name can be for",
            hint="say `bool`, without auto and without &",
        )


_WRAPPERS = (str(AUTO), "std::reference_wrapper")


def _check_class(context: Context, type: Type, value: Any, node: Node) -> None:
    """Raises CxxError for an object of another class than the type's, and for a copy of one of a class
    of the text."""
    bare = without_reference_and_const(type)
    name = bare.name if isinstance(bare, NamedType) else ""
    if isinstance(value, CxxObject):
        if bare != AUTO and name not in chain(value.cxx_class):
            raise CxxError(f"a `{value.cxx_class}` is no `{bare}`", span_of(node))
        if not isinstance(type, ReferenceType):
            raise context.not_understood(node, f"a copy of a `{value.cxx_class}`")
    wanted = context.program.bindings.classes.get(name)
    value = value.to if isinstance(value, Reference) else value
    if wanted is not None and not isinstance(value, wanted):
        raise CxxError(f"this is no `{bare}`", span_of(node))


def is_read(program: Program, type: Type) -> bool:
    """Whether objects of this type are known here: numbers, what is bound, pointers to anything."""
    bare = without_reference_and_const(type)
    if not isinstance(bare, NamedType):
        return True
    if bare == AUTO or isinstance(bare, OwnType) or bare.name in ARITHMETIC:
        return True
    return program.bindings.knows_type(bare.name)


def unread(context: Context, type: Type, node: Node) -> CxxError:
    """The error for an object of another class."""
    bare = without_reference_and_const(type)
    return CxxError(
        f"`{bare}` isn't read here: nobody knows what makes an object of it",
        span_of(node),
        "use numbers, strings, vectors, and the framework's own classes",
        Code.NOT_UNDERSTOOD,
    )
