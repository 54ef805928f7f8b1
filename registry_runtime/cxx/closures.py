"""What a lambda captures, and the type that it has: [expr.prim.lambda.closure]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from tree_sitter import Node

from registry_runtime.cxx.context import argument_nodes, child, inside, span_of
from registry_runtime.cxx.conversions import AUTO
from registry_runtime.cxx.default_arguments import without_default
from registry_runtime.cxx.read_type import read_type
from registry_runtime.cxx.scopes import At, Given, Local
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import FunctionType, Parameter, Type

Instance = Callable[[Sequence[Given]], Type | None]


@dataclass(frozen=True, slots=True)
class ClosureType(FunctionType):
    """A type that no other lambda has: `place` is where it stands. A call has `least` arguments, or
    more. What it returns `instance` knows, where a parameter is `auto`."""

    place: tuple[int, str]
    least: int = field(compare=False)
    takes_any_more: bool = field(compare=False)
    instance: Instance | None = field(compare=False, repr=False)


def closure_type(at: At, node: Node, returns: Type | None, instance: Instance) -> ClosureType:
    """The type of a lambda whose body was checked, and is checked again by `instance`."""
    declarator = node.child_by_field_name("declarator")
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    nodes = argument_nodes(listed) if listed is not None else []
    nodes = [each for each in nodes if at.spell(each) != "void"]
    for error in without_default(nodes, ()):
        raise error
    generic = [each for each in nodes if any(part.type == _AUTO for part in inside(each))]
    fixed = [each for each in nodes if not each.type.startswith("variadic")]
    needed = [each for each in fixed if each.type == "parameter_declaration" or each in generic]
    return ClosureType(
        returns or AUTO,
        tuple(Parameter(_type(at, each)) for each in fixed),
        (node.start_byte, at.place.scope),
        len(needed),
        listed is not None and "..." in at.spell(listed),
        _once(instance) if generic else None,
    )


_AUTO = "placeholder_type_specifier"  # which no default says the type of


def _type(at: At, parameter: Node) -> Type:
    with suppress(CxxError):
        return read_type(at.program, parameter, at.place)
    return AUTO


def _once(instance: Instance) -> Instance:
    # A call of itself, in its own body, has no type yet.
    known: dict[tuple[tuple[Type | None, bool], ...], Type | None] = {}

    def call(given: Sequence[Given]) -> Type | None:
        key = tuple((one.type, one.is_const) for one in given)
        if key not in known:
            known[key] = None
            known[key] = instance(given)
        return known[key]

    return call


def captured(at: At, captures: Node) -> dict[str, Local]:
    """The names between `[` and `]`, and what they are inside. Raises CxxError."""
    names: dict[str, Local] = {}
    for node in captures.named_children:
        if node.type == "lambda_capture_initializer":
            names[at.spell(child(node, "left"))] = Local(at.type_in(child(node, "right")), True)
        elif node.type == "identifier":
            found = at.find(at.spell(node), node)
            by_reference = node.prev_sibling is not None and node.prev_sibling.type == "&"
            if found is None or found.is_enumerator:
                raise CxxError(f"`{at.spell(node)}` is no variable to capture", span_of(node))
            if found.is_static:
                raise CxxError(f"`{at.spell(node)}` is static, and not captured", span_of(node))
            at.type_in(node)  # of one whose type isn't known yet there is no copy
            if at.spell(node) in names:
                raise CxxError(f"`{at.spell(node)}` is captured twice", span_of(node))
            names[at.spell(node)] = Local(found.type, found.is_const or not by_reference)
    return names
