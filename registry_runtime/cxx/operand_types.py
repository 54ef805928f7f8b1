"""What operators and conversions make of types, and what no compiler takes of them: [expr], [conv].

Only what is certain is refused: numbers, strings, vectors and pointers are judged; of the objects of
other classes nobody knows here what they may be made of.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import ARITHMETIC, BOOL, CHAR, Arithmetic, common, promoted
from registry_runtime.cxx.context import child, span_of
from registry_runtime.cxx.conversions import AUTO, OPTIONAL, arithmetic_type, element_type
from registry_runtime.cxx.own_types import EnumType, IteratorType, OwnType, PlainType
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import (
    ConstType,
    FunctionType,
    NamedType,
    PointerType,
    TemplateArgument,
    Type,
    without_reference_and_const,
)
from registry_runtime.cxx.variables import Nullopt

STRING = NamedType("std::string")

LITERAL = PointerType(ConstType(NamedType("char")))

NULL = NamedType("nullptr_t")

LIST = "std::initializer_list"

_VOID = NamedType("void")

# What is neither true nor false.
SIDE_BY_SIDE = ("vector", "array", "pair", "tuple")
NO_CONDITIONS = (*SIDE_BY_SIDE, "list", "string", "struct", "enum", "lambda", "iterator", "nullopt")

OF_BOOL = ("==", "!=", "<", "<=", ">", ">=", "&&", "||")

_OF_INTEGERS = ("%", "&", "|", "^", "<<", ">>")


def known(type: Type | None) -> Type | None:
    """The type if it is one that is judged here: of numbers, strings, vectors, pairs, optionals,
    pointers and functions."""
    bare = without_reference_and_const(type) if type is not None else None
    if isinstance(bare, PointerType | FunctionType):
        return bare
    if isinstance(bare, NamedType) and (
        isinstance(bare, OwnType | IteratorType)
        or bare.name in ARITHMETIC
        or bare.name in _KINDS
        or bare == NULL
    ):
        return bare
    return None


def number_type(type: Arithmetic) -> NamedType:
    return NamedType(type.name)


def kind_of(type: Type) -> str:
    if arithmetic_type(type) is not None:
        return "number"
    if isinstance(type, EnumType):
        return "enum"
    if isinstance(type, PlainType):
        return "struct"
    if isinstance(type, IteratorType):
        return "iterator"
    if isinstance(type, NamedType):
        return _KINDS.get(type.name, "")
    if isinstance(type, FunctionType):
        return "lambda"
    return "pointer" if isinstance(type, PointerType) else ""


def promoted_type(type: Type | None) -> Type | None:
    """The type, or what an enumerator of it is promoted to as an operand."""
    if isinstance(type, EnumType) and type.promoted is not None:
        return number_type(type.promoted)
    return type


_KINDS = {
    "std::string": "string",
    "std::vector": "vector",
    "std::array": "array",
    LIST: "list",
    "std::pair": "pair",
    "std::tuple": "tuple",
    OPTIONAL: "optional",
    str(Nullopt.cxx_type): "nullopt",
}


def inside_of(owner: Type | None) -> Type | None:
    if owner == STRING:
        return number_type(CHAR)
    if isinstance(owner, PointerType | IteratorType):
        return without_reference_and_const(owner.to)
    return element_type(owner) if owner is not None else None


def iterator_type(name: str, vector: NamedType, *, of_const: bool) -> Type | None:
    """What `begin` or another of a vector's functions returns, on a const vector or not."""
    word = name.removeprefix("c").removeprefix("r")
    to = element_type(vector)
    if word not in ("begin", "end") or to is None:
        return None
    of_const = of_const or name.startswith("c")
    kind = f"{'const_' * of_const}{'reverse_' * ('r' in name[:2])}iterator"
    return IteratorType(f"{vector}::{kind}", to=ConstType(to) if of_const else to)


def _alike(one: Type, other: Type) -> bool:
    # Whether these are iterators in one direction, of vectors of one type.
    names = [
        of.name.replace("::const_", "::") for of in (one, other) if isinstance(of, IteratorType)
    ]
    return len(names) == 2 and len(set(names)) == 1


def pair_of(first: Type, second: Type) -> Type:
    return NamedType("std::pair", (TemplateArgument(first), TemplateArgument(second)))


def optional_type(type: Type | None) -> NamedType:
    """`std::optional<type>`."""
    return NamedType(OPTIONAL, (TemplateArgument(type),))


def parts_of(pair: Type | None) -> dict[str, Type | None]:
    """The types of the members of a pair and of a plain struct; of nothing else any."""
    if isinstance(pair, PlainType):
        return {name: known(member.type) for name, member in pair.members.items()}
    if not isinstance(pair, NamedType) or pair.name != "std::pair" or len(pair.arguments) != 2:
        return {}
    return dict(zip(("first", "second"), (known(a.type) for a in pair.arguments), strict=True))


def length_of(type: Type | None) -> int | None:
    """How many parts a std::array or a std::tuple has, where its type says so in a number."""
    kind = kind_of(type or NULL)
    if not isinstance(type, NamedType) or kind not in ("array", "tuple"):
        return None
    if kind == "tuple":
        return len(type.arguments) or None
    length = type.arguments[1].value if len(type.arguments) == 2 else None
    return int(length) if isinstance(length, int) else None


def shown(type: Type) -> str:
    """What a type is called in a message."""
    if type == LITERAL:
        return "a string literal"
    if isinstance(type, FunctionType):
        return "a lambda"
    return "nullptr" if type == NULL else f"a `{type}`"


def no_operator(node: Node, operator: str, *types: Type | None) -> CxxError:
    given = " and ".join(f"`{type}`" for type in types)
    return CxxError(f"there is no `{operator}` for {given}", span_of(node))


def binary_type(node: Node, operator: str, left: Type | None, right: Type | None) -> Type | None:
    """The type of `left operator right`."""
    if left != right or kind_of(left or NULL) == "enum":
        left, right = promoted_type(left), promoted_type(right)
    if operator in ("&&", "||"):
        for side in (left, right):
            if kind_of(side or NULL) in NO_CONDITIONS:
                raise CxxError(f"`{side}` is no condition", span_of(node))
        return number_type(BOOL)
    one, other = arithmetic_type(left), arithmetic_type(right)
    if NULL in (left, right) and not _compares_with_null(operator, left, right):
        raise no_operator(node, operator, left, right)
    if one is not None and other is not None:
        if operator in _OF_INTEGERS and (one.is_floating or other.is_floating):
            raise no_operator(node, operator, left, right)
        if operator in OF_BOOL:
            return number_type(BOOL)
        return number_type(promoted(one) if operator in ("<<", ">>") else common(one, other))
    if operator in ("==", "!=") and _compares_with_zero(node, left, right):
        return number_type(BOOL)
    if left is not None and right is not None and _never(operator, left, right):
        raise no_operator(node, operator, left, right)
    if operator in OF_BOOL:
        return number_type(BOOL) if left is not None and right is not None else None
    if operator == "+" and STRING in (left, right):
        return STRING
    return _of_places(left, right) if left is not None and right is not None else None


def _of_places(left: Type, right: Type) -> Type | None:
    """What a step from a place makes, or how far two are from each other."""
    places = [one for one in (left, right) if kind_of(one) in ("pointer", "iterator")]
    if len(places) == 2:
        return NamedType("int64_t")
    return places[0] if places and "number" in (kind_of(left), kind_of(right)) else None


def _never(operator: str, left: Type, right: Type) -> bool:
    # Whether nothing of this sort compiles for two types of which one is no number.
    kinds = {kind_of(left), kind_of(right)}
    if "optional" in kinds:
        return operator not in OF_BOOL or not _compares_inside(operator, left, right)
    if not kinds.isdisjoint(("lambda", "nullopt", "list")):
        return True
    if kinds == {"iterator"}:
        return not _alike(left, right) or (operator != "-" and operator not in OF_BOOL)
    if "iterator" in kinds:
        steps = ("+",) if kind_of(right) == "iterator" else ("+", "-")
        return "number" not in kinds or operator not in steps
    if "struct" in kinds or "enum" in kinds:
        return "struct" in kinds or left != right or operator not in OF_BOOL
    if not kinds.isdisjoint(SIDE_BY_SIDE):
        of_one = not kinds.isdisjoint(("vector", "array"))
        parts = [known(inside_of(left))] if of_one else [*parts_of(left).values()]
        compares = not any(_never(operator, part, part) for part in parts if part is not None)
        return left != right or operator not in OF_BOOL or not compares
    if "string" in kinds:
        pointer = left if kind_of(left) == "pointer" else right
        if isinstance(pointer, PointerType) and inside_of(pointer) not in (number_type(CHAR), None):
            return True
        if operator == "+":
            return not kinds <= {"string", "pointer"} and CHAR not in map(
                arithmetic_type, (left, right)
            )
        return operator not in OF_BOOL or not kinds <= {"string", "pointer"}
    if kinds == {"number", "pointer"}:
        number = arithmetic_type(left) or arithmetic_type(right)
        assert number is not None
        to_left = operator == "-" and kind_of(left) == "number"
        return operator not in ("+", "-") or to_left or number.is_floating
    if kinds == {"pointer"}:
        return common_pointer(left, right) is None or (operator != "-" and operator not in OF_BOOL)
    return False


def _compares_inside(operator: str, left: Type, right: Type) -> bool:
    # Whether this operator compares an optional with another, with nullopt, or with a value.
    if "nullopt" in (kind_of(left), kind_of(right)):
        return True
    of = [known(inside_of(one)) if kind_of(one) == "optional" else one for one in (left, right)]
    one, other = (promoted_type(each) if of[0] != of[1] else each for each in of)
    if one is None or other is None or (arithmetic_type(one) and arithmetic_type(other)):
        return True
    return not _never(operator, one, other)


def _compares_with_null(operator: str, left: Type | None, right: Type | None) -> bool:
    # `p == nullptr`: [expr.eq].
    kinds = {kind_of(left or NULL), kind_of(right or NULL)}
    return operator in ("==", "!=") and kinds <= {"", "pointer"}


def _compares_with_zero(node: Node, left: Type | None, right: Type | None) -> bool:
    # `p == 0`: of a pointer and the number that is one.
    sides = {"left": right, "right": left}
    return any(
        kind_of(of or NULL) == "pointer" and is_zero(child(node, s)) for s, of in sides.items()
    )


def common_pointer(left: Type, right: Type) -> Type | None:
    """The type that two pointers have in common, [expr.type], or two iterators; or None."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, IteratorType) and isinstance(one.to, ConstType) and _alike(one, other):
            return one
        if isinstance(one, PointerType) and (
            other == NULL or (isinstance(other, PointerType) and _points_to(one.to, other.to))
        ):
            return one
    return None


def converts(to: Type | None, given: Type | None, node: Node) -> None:
    """Raises CxxError where an object of one known type can't be made of a value of another."""
    to, given = known(to), known(given)
    wanted = kind_of(to) if to is not None else ""
    if to is None or given is None or to == given:
        return
    if wanted == "number":
        given = promoted_type(given) or given
        may = kind_of(given) == "number" or (
            to == number_type(BOOL) and kind_of(given) == "pointer"
        )
    elif wanted == "string":
        may = given in (LITERAL, NULL)
    elif wanted == "vector":
        may = kind_of(given) == "list" and inside_of(given) in (None, inside_of(to))
    elif wanted in ("struct", "enum", "nullopt", "list"):
        may = False
    elif wanted == "optional":
        # Of bool an optional isn't made of another: which of the two is asked nobody could say.
        may = kind_of(given) != "optional" or inside_of(to) != number_type(BOOL)
        if may and kind_of(given) != "nullopt":
            inner = inside_of(given) if kind_of(given) == "optional" else given
            converts(inside_of(to), inner, node)
    elif isinstance(to, IteratorType):
        is_const = isinstance(given, IteratorType) and isinstance(given.to, ConstType)
        may = _alike(to, given) and (isinstance(to.to, ConstType) or not is_const)
    elif wanted == "array":
        lengths = {length_of(to), length_of(given)} - {None}
        may = kind_of(given) == "array" and len(lengths) < 2
    elif wanted == "tuple":
        may = kind_of(given) in ("tuple", "pair")
    elif wanted == "pair":
        may = kind_of(given) == "pair"
        for one, other in zip(parts_of(to).values(), parts_of(given).values(), strict=False):
            converts(one, other, node)
    elif isinstance(to, PointerType):
        if isinstance(given, PointerType):
            may = _points_to(to.to, given.to)
        elif isinstance(to.to, FunctionType):
            may = given == NULL or is_zero(node) or isinstance(given, FunctionType)
        else:
            may = given == NULL or is_zero(node)
    else:
        return
    if not may:
        raise CxxError(f"{shown(given)} where a `{to}` is wanted", span_of(node))


def _points_to(to: Type, given: Type) -> bool:
    # Whether a pointer to `given` may become one to `to`, [conv.ptr] and [conv.qual]: const may be
    # added, `void` and a base are pointed to by what points to anything; of classes nobody knows here
    # which are bases.
    wanted, found = without_reference_and_const(to), without_reference_and_const(given)
    if wanted == AUTO:
        return True
    if isinstance(given, ConstType) and not isinstance(to, ConstType):
        return False
    if wanted in (found, _VOID):
        return True
    if found == _VOID:
        return False
    if isinstance(wanted, PointerType) and isinstance(found, PointerType):
        is_void = without_reference_and_const(wanted.to) == _VOID
        return isinstance(to, ConstType) and not is_void and _points_to(wanted.to, found.to)
    judged = known(wanted) is not None and known(found) is not None
    return not judged or (isinstance(wanted, FunctionType) and isinstance(found, FunctionType))


def is_zero(node: Node) -> bool:
    """Whether it is the one number that is a pointer, [conv.ptr]: an integer written as zero."""
    text = node.text or b""
    return node.type == "number_literal" and _ZERO.fullmatch(text) is not None


_ZERO = re.compile(rb"0(?:[xXbB]?[0']*)[uUlLzZ]*")
