"""Whether what initialises an object may: `int n{2}`, `f({1})`, `std::vector<int> v(3)`: [dcl.init]."""

from __future__ import annotations

from contextlib import suppress

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import CHAR, SIZE_T, narrows, number, type_of
from registry_runtime.cxx.changed_objects import is_const_place, is_temporary
from registry_runtime.cxx.context import argument_nodes, span_of
from registry_runtime.cxx.conversions import AUTO, arithmetic_type, narrowing
from registry_runtime.cxx.literals import LITERALS, literal
from registry_runtime.cxx.operand_types import (
    LIST,
    NULL,
    STRING,
    converts,
    inside_of,
    kind_of,
    known,
    length_of,
    number_type,
    parts_of,
    promoted_type,
    shown,
)
from registry_runtime.cxx.own_types import IteratorType, OwnType, PlainType
from registry_runtime.cxx.scopes import At, Given
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import (
    NamedType,
    PointerType,
    ReferenceType,
    TemplateArgument,
    Type,
    without_reference_and_const,
)


def initial(at: At, type: Type | None, declarator: Node | None, value: Node) -> Type | None:
    """The type of what initialises an object of this type."""
    if value.type in ("initializer_list", "argument_list", "parameter_list"):
        given = [at.type_in(node) for node in argument_nodes(value)]
        if declarator is not None and declarator.type == "array_declarator":
            _array_of(at, type, declarator, argument_nodes(value), given)
            return None
        return _of_several(at, type, value, given)
    found = at.type_in(value)
    if isinstance(type, ReferenceType) and type.is_to_an_object:
        if is_temporary(at, value):
            said = f"`{type}` can't be a reference to the value `{at.spell(value)}`"
            raise CxxError(said, span_of(value), "make it const")
        refers(type, Given(found, is_const_place(at, value), value))
        return found
    converts(type, found, value)
    return found


def _of_several(at: At, type: Type | None, value: Node, given: list[Type | None]) -> Type | None:
    # The type of what an object is made of that is given in parentheses or in braces.
    bare = without_reference_and_const(type) if type is not None else None
    nodes, in_braces = argument_nodes(value), value.type == "initializer_list"
    if isinstance(bare, OwnType):
        return of_own_type(at, bare, value, given)
    if bare == AUTO:
        made = _deduced(at, value, given)
        is_named = isinstance(type, ReferenceType) and type.is_to_an_object
        if is_named and kind_of(made or NULL) == "list":
            said = f"`{type}` can't be a reference to `{at.spell(value)}`"
            raise CxxError(said, span_of(value), "make it const")
        return made
    kinds = [kind_of(each or NULL) for each in given]
    match kind_of(bare or NULL), bare:
        case "vector", NamedType():
            _vector(at, bare, value, given)
        case "array", NamedType() if given not in ([], [bare]):
            _std_array(at, bare, value, given)
        case "tuple", NamedType() if given not in ([], [bare]) and kinds != ["pair"]:
            _tuple(at, bare, value, given)
        case "optional", NamedType() if nodes:
            _optional(at, bare, nodes, given)
        case "pair", NamedType() if given not in ([], [bare]):
            _pair(at, bare, value, given)
        case "string", NamedType():
            string_of(at, value, nodes, given, in_braces=in_braces)
        case "number" | "pointer" | "iterator", _ if len(given) > 1:
            raise CxxError(f"a `{type}` has one value", span_of(value))
        case "number" | "pointer" | "iterator", _ if given:
            converts(type, given[0], nodes[0])
            if in_braces:
                narrows_in_braces(at, type, given[0], nodes[0])
    return bare


def _deduced(at: At, value: Node, given: list[Type | None]) -> Type | None:
    """What `auto` is for these: of `auto x = {1, 2}` a list, [dcl.type.auto.deduct]."""
    is_list = value.prev_sibling is not None and value.prev_sibling.type == "="
    if not is_list and len(given) != 1:
        raise CxxError("`auto` is made of one value", span_of(value))
    return list_of(at, value, given) if is_list else given[0]


def list_type(at: At, value: Node) -> NamedType:
    """The `std::initializer_list` that what stands in braces is where nothing else says what it is
    of, as behind `auto v =`. Raises CxxError."""
    return list_of(at, value, [at.type_in(node) for node in argument_nodes(value)])


def list_of(at: At, value: Node, given: list[Type | None]) -> NamedType:
    """The same, of elements whose types are known."""
    nodes = argument_nodes(value)
    if not nodes or any(node.type == "initializer_list" for node in nodes):
        raise CxxError(f"nothing says of what `{at.spell(value)}` is a list", span_of(value))
    if None not in given and len(set(given)) > 1:
        said = f"a list of {shown(given[0] or AUTO)} and of something else"
        raise CxxError(said, span_of(value))
    return NamedType(LIST, (TemplateArgument(given[0]),))


def _pair(at: At, type: NamedType, value: Node, given: list[Type | None]) -> None:
    parts = parts_of(type)
    if len(given) != len(parts) and None not in given:
        raise CxxError(f"a `{type}` has {len(parts)} members", span_of(value))
    for part, node, each in zip(parts.values(), argument_nodes(value), given, strict=False):
        initialises(at, part, node, each)


def _tuple(at: At, type: NamedType, value: Node, given: list[Type | None]) -> None:
    if len(given) != len(type.arguments):
        raise CxxError(f"a `{type}` has {len(type.arguments)} parts", span_of(value))
    for part, node, each in zip(type.arguments, argument_nodes(value), given, strict=True):
        initialises(at, part.type, node, each)


def _std_array(at: At, type: NamedType, value: Node, given: list[Type | None]) -> None:
    # An aggregate, whose own braces may be left away or written: [array.overview].
    nodes = argument_nodes(value)
    if value.type != "initializer_list":
        raise CxxError(f"a `{type}` is made of what stands in braces", span_of(value))
    if len(nodes) == 1 and nodes[0].type == "initializer_list":
        nodes = argument_nodes(nodes[0])
        given = [at.type_in(node) for node in nodes]
    length = length_of(type)
    if length is not None and len(nodes) > length:
        raise CxxError(f"a `{type}` has {length} elements", span_of(nodes[length]))
    for node, each in zip(nodes, given, strict=True):
        _listed(at, inside_of(type), node, each)


def _optional(at: At, type: NamedType, nodes: list[Node], given: list[Type | None]) -> None:
    if len(nodes) == 1:
        if nodes[0].type == "initializer_list":
            initial(at, inside_of(type), None, nodes[0])
        else:
            converts(type, given[0], nodes[0])
    else:
        raise at.not_understood(nodes[0], f"an optional of {len(nodes)} values")


def string_of(
    at: At, value: Node, nodes: list[Node], given: list[Type | None], *, in_braces: bool
) -> None:
    """Raises CxxError where a std::string has certainly no constructor for these, [string.cons]."""
    kinds = tuple(kind_of(promoted_type(of) or NULL) for of in given)
    if in_braces and set(kinds) == {"number"}:
        for node, each in zip(nodes, given, strict=True):
            narrows_in_braces(at, number_type(CHAR), each, node)
    elif len(given) == 1 and given[0] is not None:
        converts(STRING, given[0], nodes[0])
    elif len(given) > 1 and "" not in kinds and kinds not in _MAKE_A_STRING:
        said = " and ".join(shown(of or NULL) for of in given)
        raise CxxError(f"no std::string is made of {said}", span_of(value))


# A count and a character; characters, and from where on or how many; the first and the last one.
_MAKE_A_STRING = (
    ("number", "number"),
    ("string", "number"),
    ("pointer", "number"),
    ("pointer", "pointer"),
    ("iterator", "iterator"),
    ("string", "number", "number"),
    ("pointer", "number", "number"),
)


def refers(type: Type | None, given: Given) -> None:
    """Raises CxxError where a reference to what isn't const can't be one to this object."""
    if not isinstance(type, ReferenceType) or not type.is_to_an_object:
        return
    if type.to != AUTO and given.is_const:
        shown_as = (given.node.text or b"").decode()
        raise CxxError(f"`{shown_as}` is const, and `{type}` isn't", span_of(given.node))
    if known(type) is not None and given.type is not None and known(type) != given.type:
        said = f"`{type}` can't be a reference to {shown(given.type)}"
        raise CxxError(said, span_of(given.node), "make it const")


def initialises(at: At, type: Type | None, value: Node, given: Type | None) -> None:
    """Raises CxxError where an object can't be made of a value, or of what stands in braces: an
    argument, an element, what is assigned or returned."""
    if value.type == "initializer_list":
        if type is not None and without_reference_and_const(type) == AUTO:
            raise at.not_understood(value, f"`{at.spell(value)}`, which has no type of its own")
        initial(at, type, None, value)
    else:
        converts(type, given, value)


def of_own_type(at: At, type: OwnType, value: Node, given: list[Type | None]) -> Type | None:
    """The type of what `S s{1, 2}` and `E e(E::A)` make. Raises CxxError."""
    nodes = argument_nodes(value)
    if len(given) == 1 and (given[0] == type or value.type == "argument_list"):
        converts(type, given[0], nodes[0])
        return type
    if value.type == "argument_list":
        raise at.not_understood(value, f"what makes a `{type}` here")
    members = [*type.members.values()] if isinstance(type, PlainType) else []
    if len(given) > len(members):
        raise CxxError(f"a `{type}` has {len(members)} members", span_of(value))
    for member, node, each in zip(members, nodes, given, strict=False):
        _listed(at, member.type, node, each)
    return type


def _array_of(
    at: At, type: Type | None, declarator: Node, listed: list[Node], given: list[Type | None]
) -> None:
    size = declarator.child_by_field_name("size")
    length = literal(at.program.source, size) if size and size.type == "number_literal" else None
    if isinstance(length, int) and len(listed) > length:
        said = f"this array has {int(length)} elements, and {len(listed)} are listed"
        raise CxxError(said, span_of(listed[int(length)]))
    of = type.to if isinstance(type, PointerType) else None
    for node, each in zip(listed, given, strict=True):
        _listed(at, of, node, each)


def _listed(at: At, type: Type | None, node: Node, given: Type | None) -> None:
    """One of those in braces."""
    initialises(at, type, node, given)
    narrows_in_braces(at, type, given, node)


def _vector(at: At, type: NamedType, value: Node, given: list[Type | None]) -> None:
    """Raises CxxError where nothing makes a vector of these: [vector.cons]."""
    nodes, of = argument_nodes(value), inside_of(type)
    kinds = [kind_of(promoted_type(each) or NULL) for each in given]
    if given == [type]:
        return
    if len(given) == 2 and kinds[0] == kinds[1] and kinds[0] in ("pointer", "iterator"):
        if value.type == "initializer_list":
            with suppress(CxxError):
                for node, each in zip(nodes, given, strict=True):
                    converts(of, each, node)
                return
        leads_to(of, given[0], nodes[0])
        return
    is_size = kinds[:1] == ["number"] and len(given) < 3 and kind_of(of or NULL) != "number"
    if value.type == "initializer_list" and not is_size:
        for node, each in zip(nodes, given, strict=True):
            initialises(at, of, node, each)
    elif len(given) > 2:
        raise CxxError(f"a `{type}` isn't made of {len(given)} arguments", span_of(value))
    elif given:
        is_one = len(given) == 1 and kinds != ["number"]
        converts(type if is_one else number_type(SIZE_T), given[0], nodes[0])
        for node, each in zip(nodes[1:], given[1:], strict=True):
            initialises(at, of, node, each)


def leads_to(of: Type | None, place: Type | None, node: Node) -> None:
    """Raises CxxError where what begins at a place can't be elements of this type."""
    if place is None:
        return
    if not isinstance(place, PointerType | IteratorType):
        raise CxxError(f"{shown(place)} where a place is wanted", span_of(node))
    converts(of, without_reference_and_const(place.to), node)


def narrows_in_braces(at: At, type: Type | None, given: Type | None, node: Node) -> None:
    """Raises CxxError where what stands in braces certainly loses something as this type."""
    to, of = arithmetic_type(type), arithmetic_type(given)
    if to is None or of is None or node.type not in (*LITERALS, "identifier"):
        return
    is_literal = node.type in LITERALS
    value = literal(at.program.source, node) if is_literal else number(of, 0)
    if type_of(value) is not None and narrows(to, value, is_constant=is_literal):  # type: ignore[arg-type]
        refusal = narrowing(to, value)
        raise CxxError(refusal.message, span_of(node), refusal.hint)
