"""The types of calls of the standard library's functions, and of the member functions of a string and a
vector, that nobody evaluates."""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import BOOL, DOUBLE, FLOAT, SIZE_T, promoted
from registry_runtime.cxx.changed_objects import (
    changes,
    is_const_inside,
    is_const_place,
    is_temporary,
)
from registry_runtime.cxx.context import argument_nodes, child, span_of
from registry_runtime.cxx.conversions import OPTIONAL, arithmetic_type
from registry_runtime.cxx.exponentials import OF_TWO
from registry_runtime.cxx.initial_values import initial, initialises, leads_to, list_type, string_of
from registry_runtime.cxx.known_names import read
from registry_runtime.cxx.literals import literal
from registry_runtime.cxx.names import qualified_name
from registry_runtime.cxx.operand_types import (
    LITERAL,
    NULL,
    STRING,
    binary_type,
    converts,
    inside_of,
    is_zero,
    iterator_type,
    kind_of,
    known,
    length_of,
    number_type,
    optional_type,
    pair_of,
    parts_of,
    promoted_type,
    shown,
)
from registry_runtime.cxx.own_types import IteratorType
from registry_runtime.cxx.read_type import named_type
from registry_runtime.cxx.scopes import At
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import ConstType, NamedType, PointerType, TemplateArgument, Type


def library_call(
    at: At, node: Node, function: Node, arguments: list[Node], given: list[Type | None]
) -> Type | None:
    name, _, rest = at.spell(function).partition("<")
    types = [arithmetic_type(type) for type in given]
    if rest and name in _DEDUCED:
        raise at.not_understood(node, f"`{name}<…>`")
    if name == "std::swap" and len(types) == 2:
        for argument in arguments:
            changes(at, argument)
            if is_temporary(at, argument):
                said = f"`{at.spell(argument)}` is no object with a name"
                raise CxxError(said, span_of(argument))
        is_lambda = "lambda" in (kind_of(of) for of in given if of is not None)
        if is_lambda or (None not in given and given[0] != given[1]):
            raise CxxError("std::swap takes two objects of one type", span_of(node))
        return None
    if name in ("std::sort", "std::reverse"):
        _reorder(at, node, arguments)
        return None
    if name == "std::numeric_limits":
        return _limit(at, node, function, given)
    if name == "std::get" and len(given) == 1:
        return _part(at, function, given[0])
    if name in ("std::max", "std::min"):
        return _one_of_two(at, node, name, arguments, given)
    if name in (OPTIONAL, "std::vector", "std::pair") and rest:
        made = named_type(at.program, function, at.place)
        if known(made) is not None:
            initial(at, made, None, child(node, "arguments"))
        return known(made)
    if name == "std::string":
        string_of(at, node, arguments, given, in_braces=False)
        return STRING
    if name == "std::find" and len(given) == 3 and kind_of(given[0] or NULL) == "iterator":
        binary_type(node, "==", known(inside_of(given[0])), given[2])
    if (name == "std::move" and len(given) == 1) or (name == "std::find" and len(given) == 3):
        return given[0]
    if name == "std::make_optional" and len(given) == 1 and given[0] is not None:
        return optional_type(given[0])
    if name == "std::make_pair" and len(given) == 2 and None not in given:
        return pair_of(*(of for of in given if of is not None))
    if name == "std::make_tuple" and None not in given:
        return NamedType("std::tuple", tuple(map(TemplateArgument, given)))
    if name in (*_OF_FLOATS, *_OF_TWO, "std::abs"):
        for argument, each in zip(arguments, given, strict=True):
            _is_a_number(name, argument, each)
    if name in _OF_TWO and len(types) == 2 and None not in types:
        return number_type(FLOAT if set(types) == {FLOAT} else DOUBLE)
    if len(types) == 1 and types[0] is not None:
        if name in _OF_FLOATS:
            return number_type(types[0] if types[0].is_floating else DOUBLE)
        if name == "std::abs" and not promoted(types[0]).is_signed:
            raise CxxError(f"std::abs is ambiguous for a `{types[0]}`", span_of(node))
        return number_type(promoted(types[0])) if name == "std::abs" else None
    return None


def _one_of_two(
    at: At, node: Node, name: str, arguments: list[Node], given: list[Type | None]
) -> Type | None:
    """What std::max chooses, or std::min: what is written `<…>` behind it, or of what both are."""
    written = qualified_name(at.program.source, child(node, "function")).parts[-1].arguments
    if written is not None:
        wanted = argument_nodes(written)
        to = read(at, wanted[0]) if len(wanted) == 1 else None
        for argument, each in zip(arguments, given if len(given) == 2 else (), strict=False):
            converts(to, each, argument)
        if len(given) == 1 and arguments[0].type != "initializer_list":
            of = _one_listed(at, name, arguments[0], given[0])
            if of is not None and of != known(to):
                said = f"a list of {shown(of)} where one of `{to}` is wanted"
                raise CxxError(said, span_of(arguments[0]))
        binary_type(node, "<", known(to), known(to))
        return known(to)
    if len(given) != 2:
        return _one_listed(at, name, arguments[0], given[0]) if len(given) == 1 else None
    one, other = given
    if one is not None and other is not None and one != other:
        said = f"{name} takes two objects of one type"
        raise CxxError(said, span_of(node), f"say which: {name}<int64_t>(a, b)")
    binary_type(node, "<", one, other)
    return one if arithmetic_type(one) == arithmetic_type(other) else None


def _one_listed(at: At, name: str, argument: Node, given: Type | None) -> Type | None:
    if argument.type == "initializer_list":
        given = list_type(at, argument)
    if kind_of(given or NULL) not in ("", "list") or given == NULL:
        raise CxxError(f"{name} of {shown(given or NULL)} alone", span_of(argument))
    return known(inside_of(given))


def _part(at: At, function: Node, of: Type | None) -> Type | None:
    """What `std::get<1>` is of a tuple or a pair, or of an array."""
    written = qualified_name(at.program.source, function).parts[-1].arguments
    wanted = argument_nodes(written) if written is not None else []
    if of is not None and kind_of(of) not in ("array", "pair", "tuple"):
        raise CxxError(f"std::get of {shown(of)}", span_of(function))
    if len(wanted) != 1 or wanted[0].type != "number_literal" or not isinstance(of, NamedType):
        return None
    index = literal(at.program.source, wanted[0])
    length = 2 if kind_of(of) == "pair" else length_of(of)
    if length is None or not isinstance(index, int):
        return None
    if not 0 <= index < length:
        raise CxxError(f"std::get<{int(index)}> of {length} parts", span_of(wanted[0]))
    return known(inside_of(of) if kind_of(of) == "array" else of.arguments[int(index)].type)


def _is_a_number(name: str, argument: Node, given: Type | None) -> None:
    # Of an enumerator nobody can say which it is: `exp(float)`, `exp(double)`. An `abs(int)` there is.
    if name == "std::abs":
        given = promoted_type(given)
    if given is not None and kind_of(given) != "number":
        raise CxxError(f"{name} takes a number, not {shown(given)}", span_of(argument))


def _limit(at: At, node: Node, function: Node, given: list[Type | None]) -> Type | None:
    *_, of, member = qualified_name(at.program.source, function).parts
    listed = argument_nodes(of.arguments) if of.arguments is not None else []
    if given or len(listed) != 1 or member.arguments is not None:
        raise at.not_understood(node, f"the call `{at.spell(node)}`")
    return known(read(at, listed[0]))


def _reorder(at: At, node: Node, arguments: list[Node]) -> None:
    """`std::sort(v.begin() + 1, v.end())`, of nothing else than two places in what isn't const."""
    for argument in arguments:
        while argument.type == "binary_expression":
            argument = child(argument, "left")
        called = argument.child_by_field_name("function")
        if called is None or called.type != "field_expression" or len(arguments) != 2:
            raise at.not_understood(node, f"the call `{at.spell(node)}`")
        if is_const_place(at, child(called, "argument")):
            raise CxxError(f"`{at.spell(child(called, 'argument'))}` is const", span_of(argument))


_ROUNDING = ("sqrt", "floor", "ceil", "trunc", "round", "fabs")
_EXPONENTIALS = ("exp", "exp2", "log", "log2", "log10")
_OF_FLOATS = tuple(f"std::{name}" for name in (*_ROUNDING, *_EXPONENTIALS))
_OF_TWO = tuple(f"std::{name}" for name in OF_TWO)
# What nobody writes `<…>` behind; some can't have it.
_MAKING = ("std::make_pair", "std::make_tuple", "std::make_optional")
_DEDUCED = (*_OF_FLOATS, *_OF_TWO, *_MAKING, "std::abs", "std::swap", "std::find")


def method_call(
    at: At, function: Node, arguments: list[Node], given: list[Type | None]
) -> Type | None:
    """What a member function returns of a string, a vector or an iterator. Raises CxxError."""
    at.type_in(function)
    argument, field = child(function, "argument"), child(function, "field")
    owner, name = at.type_in(argument), at.spell(field)
    const = is_const_place(at, argument)
    is_arrow = at.spell(function.children[1]) == "->"
    if isinstance(owner, PointerType | IteratorType) and is_arrow:
        const, owner = isinstance(owner.to, ConstType), inside_of(owner)
    elif is_arrow:
        const, owner = is_const_inside(at, owner, argument), known(inside_of(owner))
    if owner is None or field.type != "field_identifier":
        return None
    kind = kind_of(owner)
    if kind in ("number", "enum"):
        raise CxxError(f"`{owner}` has no member `{name}`", span_of(field))
    if isinstance(owner, IteratorType):  # `base`
        return IteratorType(owner.name.replace("reverse_", ""), to=owner.to)
    if kind_of(parts_of(owner).get(name) or NULL) not in ("", "lambda", "pointer"):
        raise CxxError(f"`{at.spell(function)}` can't be called", span_of(function))
    if kind not in _CALLED_WITH or not isinstance(owner, NamedType):
        return None
    if name == "find" and any(map(is_zero, arguments[:1])):
        raise CxxError("0 may be a character and a pointer", span_of(arguments[0]))
    if name not in _CALLED_WITH[kind]:
        raise _no_member(at, owner, field)
    if name in _CHANGING and const:
        said = f"`{at.spell(argument)}` is const, and `{name}` changes it"
        raise CxxError(said, span_of(field))
    if name != "emplace_back" or kind_of(known(inside_of(owner)) or NULL) == "number":
        _takes(at, owner, field, arguments, given)
    if name in ("size", "length", "find"):
        return number_type(SIZE_T)
    if name in ("at", "front", "back", "value", "value_or", "emplace"):
        return known(inside_of(owner))
    if name in ("insert", "erase"):
        return iterator_type("begin", owner, of_const=False)
    made = iterator_type(name, owner, of_const=const)
    return made or _RETURNS.get(name)


def _no_member(at: At, owner: Type, field: Node) -> CxxError:
    if at.spell(field) in _UNREAD:
        return at.not_understood(field, f"the member function `{at.spell(field)}`")
    return CxxError(f"`{owner}` has no member `{at.spell(field)}`", span_of(field))


def _takes(
    at: At, owner: NamedType, field: Node, arguments: list[Node], given: list[Type | None]
) -> None:
    # One of the lists of parameters that a member function has.
    name = at.spell(field)
    lists = [one for one in _CALLED_WITH[kind_of(owner)][name].split("|") if len(one) == len(given)]
    refusal = CxxError(
        f"`{owner}::{name}` isn't called with {len(given)} arguments", span_of(field)
    )
    for letters in lists:
        try:
            for letter, argument, each in zip(letters, arguments, given, strict=True):
                _takes_one(at, letter, owner, argument, each)
            return
        except CxxError as error:
            refusal = error
    raise refusal


def _takes_one(at: At, letter: str, owner: NamedType, argument: Node, given: Type | None) -> None:
    match letter:
        case "n":
            initialises(at, number_type(SIZE_T), argument, given)
        case "e":
            initialises(at, inside_of(owner), argument, given)
        case "s":
            initialises(at, STRING, argument, given)
        case "p" if given is not None:
            converts(iterator_type("cbegin", owner, of_const=True), given, argument)
        case "r":
            leads_to(inside_of(owner), given, argument)
        case "l" if argument.type == "initializer_list":
            initialises(at, owner, argument, given)
        case "l":
            raise CxxError(f"`{at.spell(argument)}` where a list is wanted", span_of(argument))


# The lists of parameters: n is a number, e an element, p a place, r an end of a range, s a string, l a
# list in braces. Of what makes an element in its place there is no list.
_ENDS = [f"{c}{r}{end}" for c in ("", "c") for r in ("", "r") for end in ("begin", "end")]
_CALLED_WITH: dict[str, dict[str, str]] = {
    "string": {
        **dict.fromkeys(("size", "length", "empty", "c_str", "front", "back"), ""),
        "at": "n",
        "find": "s|e|sn|en|snn",
        "substr": "|n|nn",
    },
    "array": {
        **dict.fromkeys(("size", "empty", "front", "back", "data", *_ENDS), ""),
        "at": "n",
        "fill": "e",
    },
    "list": {"size": ""},
    "tuple": {},
    "optional": {
        **dict.fromkeys(("has_value", "value", "reset"), ""),
        "value_or": "e",
        "emplace": "e",
    },
    "vector": {
        **dict.fromkeys(("size", "empty", "front", "back", "clear", "pop_back", *_ENDS), ""),
        "at": "n",
        "reserve": "n",
        "push_back": "e",
        "resize": "n|ne",
        "erase": "p|pp",
        "insert": "pe|prr|pne|pl",
        "assign": "ne|rr|l",
        "emplace_back": "|e",
    },
}
# What the classes have beside it: [vector.overview], [basic.string].
_UNREAD_CHANGES = (
    "assign",
    "insert",
    "erase",
    "reserve",
    "resize",
    "push_back",
    "pop_back",
    "clear",
)
_UNREAD_SEARCHES = (
    "rfind",
    "find_first_of",
    "find_first_not_of",
    "find_last_of",
    "find_last_not_of",
)
_UNREAD_CONTENTS = ("append", "compare", "copy", "replace", "swap", "emplace", "data")
_UNREAD_MEMORY = ("capacity", "shrink_to_fit", "max_size", "get_allocator")
_UNREAD = frozenset(
    (*_UNREAD_CHANGES, *_UNREAD_SEARCHES, *_UNREAD_CONTENTS, *_UNREAD_MEMORY, *_ENDS)
)
_CHANGES = ("clear", "pop_back", "reserve", "push_back", "emplace_back", "resize", "erase")
_CHANGING = frozenset((*_CHANGES, "insert", "assign", "emplace", "reset"))
_RETURNS: dict[str, Type] = {
    "empty": number_type(BOOL),
    "has_value": number_type(BOOL),
    "substr": STRING,
    "c_str": LITERAL,
}
