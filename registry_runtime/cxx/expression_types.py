"""The types of expressions that nobody evaluates, and what a compiler refuses in them: [expr].

`if (false) { n = "three"; }` never runs, and compiles no more for it. Only what is certain is refused
here: numbers, strings, vectors, pointers to numbers and lambdas have types, anything else has None.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import (
    BOOL,
    SIZE_T,
    common,
    promoted,
    type_of,
)
from registry_runtime.cxx.bindings import refusals_at
from registry_runtime.cxx.call_types import call, cast
from registry_runtime.cxx.changed_objects import changes, is_const_place, is_temporary, is_value
from registry_runtime.cxx.context import argument_nodes, child, inside, span_of
from registry_runtime.cxx.conversions import arithmetic_type
from registry_runtime.cxx.grammar import assigned_as_a_whole, operator_of
from registry_runtime.cxx.initial_values import initial, initialises
from registry_runtime.cxx.known_names import enumerator_type, known_name, known_type, read
from registry_runtime.cxx.lenient import KEYWORDS
from registry_runtime.cxx.literals import LITERALS, literal
from registry_runtime.cxx.lookup import certainly_unknown, like_a_variable, look_up
from registry_runtime.cxx.names import qualified_name
from registry_runtime.cxx.operand_types import (
    LITERAL,
    NO_CONDITIONS,
    NULL,
    SIDE_BY_SIDE,
    STRING,
    binary_type,
    common_pointer,
    converts,
    inside_of,
    is_zero,
    kind_of,
    known,
    no_operator,
    number_type,
    parts_of,
    promoted_type,
    shown,
)
from registry_runtime.cxx.scopes import At
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import (
    FunctionType,
    PointerType,
    Type,
    const,
    fundamental,
)


def type_in(at: At, node: Node) -> Type | None:
    """The type of an expression, without reference and const; None if it can't be told. Raises
    CxxError for what no compiler takes."""
    if node.type in LITERALS:
        return _of_literal(at, node)
    form = _FORMS.get(node.type)
    return form(at.deeper(node), node) if form is not None else None


def _of_literal(at: At, node: Node) -> Type | None:
    value = refusals_at(span_of(node), [], literal, at.program.source, node)
    found = type_of(value)
    if found is not None:
        return number_type(found)
    return NULL if value is None else LITERAL


def _name(at: At, node: Node) -> Type | None:
    spelling = at.spell(node)
    local = at.find(spelling, node)
    if local is not None:
        if local.is_open:
            raise CxxError(f"`{spelling}` is used before its type is known", span_of(node))
        return known(local.type)
    if at.has_this or spelling == "__func__" or spelling in at.place.template_parameters:
        return None
    if spelling in KEYWORDS or spelling in _QUALIFYING:
        raise CxxError(f"`{spelling}` is a keyword, and no value", span_of(node))
    name = qualified_name(at.program.source, node)
    found = look_up(at.program, name, at.place.scope)
    if found is not None:
        return enumerator_type(found)
    error = certainly_unknown(at.program, name, at.place.scope)
    if error is not None:
        raise like_a_variable(error, spelling, at.scope.all_names()) or error
    return None


_QUALIFYING = ("const", "volatile")


def _qualified(at: At, node: Node) -> Type | None:
    known_name(at, node)
    found = None
    with suppress(CxxError):  # an operator, a destructor
        found = look_up(at.program, qualified_name(at.program.source, node), at.place.scope)
    return enumerator_type(found) if found is not None else None


# --- Operators ------------------------------------------------------------------------------------


def condition(at: At, node: Node) -> None:
    """An expression that decides something."""
    decides(at.type_in(node), node)


def decides(type: Type | None, node: Node) -> None:
    """Raises CxxError for an object of this type as a condition."""
    if isinstance(type, FunctionType):
        raise CxxError("a lambda is no condition", span_of(node))
    if kind_of(promoted_type(type) or NULL) in NO_CONDITIONS:
        raise CxxError(f"`{type}` is no condition", span_of(node))


def _unary(at: At, node: Node) -> Type | None:
    operator, operand = operator_of(node), child(node, "argument")
    if operator == "!" and at.type_in(operand) != NULL:
        condition(at, operand)
        return number_type(BOOL)
    found = promoted_type(at.type_in(operand))
    if found == NULL:
        raise no_operator(node, operator, found)
    of = arithmetic_type(found)
    if found is not None and (of is None or (operator == "~" and of.is_floating)):
        raise no_operator(node, operator, found)
    return number_type(promoted(of)) if of is not None else None


def _binary(at: At, node: Node) -> Type | None:
    chain = [node]  # it leans to the left, as deep as it is long
    while (left := child(chain[-1], "left")).type == "binary_expression":
        chain.append(left)
    found = at.type_in(child(chain[-1], "left"))
    for operation in reversed(chain):
        operator = operator_of(operation)
        right = at.type_in(child(operation, "right"))
        found = binary_type(operation, operator, found, right)
    return found


def _conditional(at: At, node: Node) -> Type | None:
    condition(at, child(node, "condition"))
    one, other = (at.type_in(child(node, b)) for b in ("consequence", "alternative"))
    if one is None or other is None or one == other:
        return one if one == other else None
    one, other = promoted_type(one) or one, promoted_type(other) or other
    if (left := arithmetic_type(one)) and (right := arithmetic_type(other)):
        return number_type(common(left, right))
    if (pointer := common_pointer(one, other)) is not None:
        return pointer
    kinds = {kind_of(one), kind_of(other)}
    if NULL in (one, other) and not kinds <= {"", "pointer", "string"}:
        raise CxxError(f"`{one}` and `{other}` are of no common type", span_of(node))
    if "optional" in kinds and "" not in kinds:
        return _one_optional(node, one, other)
    if kinds == {"lambda"}:  # pointers to functions, where nothing is captured
        raise at.not_understood(node, "one of two lambdas")
    if kinds in ({"pointer"}, {"iterator"}) or (
        len(kinds) > 1 and "" not in kinds and kinds != {"string", "pointer"}
    ):
        raise CxxError(f"`{one}` and `{other}` are of no common type", span_of(node))
    return STRING if "string" in kinds else None


def _one_optional(node: Node, one: Type, other: Type) -> Type:
    # What the other branch is made: of two that differ each could be made of the other.
    if kind_of(one) == kind_of(other):
        raise CxxError(f"`{one}` and `{other}` are of no common type", span_of(node))
    optional, given = (one, other) if kind_of(one) == "optional" else (other, one)
    converts(optional, given, node)
    return optional


def _comma(at: At, node: Node) -> Type | None:
    at.type_in(child(node, "left"))
    return at.type_in(child(node, "right"))


def _inner(at: At, node: Node) -> Type | None:
    return at.type_in(argument_nodes(node)[0])


# --- Assignments ----------------------------------------------------------------------------------


def _assignment(at: At, node: Node) -> Type | None:
    if whole := assigned_as_a_whole(node):
        raise at.not_understood(node, f"an assignment to `{whole}`")
    left, operator = child(node, "left"), operator_of(node)
    given, to = at.type_in(child(node, "right")), at.type_in(left)
    changes(at, left)
    if kind_of(to or NULL) == "list" and child(node, "right").type == "initializer_list":
        raise at.not_understood(node, f"another list for `{at.spell(left)}`")
    if isinstance(to, FunctionType):
        raise CxxError(
            f"`{at.spell(left)}` is a lambda, to which nothing is assigned", span_of(node)
        )
    if operator == "=":
        if to == STRING and is_zero(child(node, "right")):
            raise CxxError("0 may be a character and a pointer", span_of(node), "write '\\0'")
        if not (to == STRING and arithmetic_type(given) is not None):  # `s = 'c'`
            initialises(at, to, child(node, "right"), given)
    elif to is not None and given is not None:
        made = binary_type(node, operator.removesuffix("="), to, given)
        converts(to, made, node)
    return to


def _update(at: At, node: Node) -> Type | None:
    found = at.type_in(child(node, "argument"))
    changes(at, child(node, "argument"))
    if found in (number_type(BOOL), STRING) or kind_of(found or NULL) in _NO_STEPS:
        raise no_operator(node, at.spell(child(node, "operator")), found)
    return found


_NO_STEPS = (*SIDE_BY_SIDE, "list", "struct", "enum", "lambda", "optional", "nullopt")


# --- Elements, members and pointers ---------------------------------------------------------------


def _element(at: At, node: Node) -> Type | None:
    owner = at.type_in(child(node, "argument"))
    for index in argument_nodes(child(node, "indices")):
        of = at.type_in(index)
        if owner is not None:  # an object of a class of its own may be asked by anything
            converts(number_type(SIZE_T), of, index)
    if kind_of(owner or NULL) == "list":
        raise CxxError(
            f"{shown(owner or NULL)} has no `[]`", span_of(node), "make it a std::vector"
        )
    if kind_of(owner or NULL) in _NO_ELEMENTS or owner == NULL:
        raise CxxError(f"`{at.spell(child(node, 'argument'))}` has no elements", span_of(node))
    return known(inside_of(owner))


_NO_ELEMENTS = (
    "number",
    "list",
    "pair",
    "tuple",
    "struct",
    "enum",
    "lambda",
    "optional",
    "nullopt",
)


def _pointer(at: At, node: Node) -> Type | None:
    operand = child(node, "argument")
    found = at.type_in(operand)
    named = operand.type == "identifier" and at.find(at.spell(operand), operand) is None
    if named and not is_value(at, operand):
        return None  # of a function: `&f`
    if at.spell(child(node, "operator")) == "*":
        kind = kind_of(found or NULL)
        if kind not in _LEADING or found == NULL:
            raise CxxError(f"`{at.spell(operand)}` is no pointer", span_of(node))
        return known(inside_of(found)) if kind else None
    if is_temporary(at, operand):
        raise CxxError("only what has a name has an address", span_of(node))
    if found is None:
        return None
    return PointerType(const(found) if is_const_place(at, operand) else found)


# What `*` and `->` go through; of a class that isn't known here nobody knows.
_LEADING = ("", "pointer", "iterator", "optional")


def _field(at: At, node: Node) -> Type | None:
    owner, name = at.type_in(child(node, "argument")), child(node, "field")
    operator = child(node, "operator")
    is_arrow, kind = at.spell(operator) == "->", kind_of(owner or NULL)
    if owner == NULL or (is_arrow and kind not in _LEADING):
        raise CxxError(f"`{at.spell(child(node, 'argument'))}` is no pointer", span_of(operator))
    if not is_arrow and kind == "pointer":
        said = f"`{at.spell(child(node, 'argument'))}` is a pointer"
        raise CxxError(said, span_of(operator), "write `->`")
    of = inside_of(owner) if is_arrow else owner
    is_called = node.parent is not None and node.parent.type == "call_expression"
    has_data = kind_of(of or NULL) in ("", "pair", "struct")
    has_functions = kind_of(of or NULL) in _CALLED or at.spell(name) == "base"
    members = parts_of(of)
    if (members and at.spell(name) not in members) or not (
        has_data or (is_called and has_functions)
    ):
        raise CxxError(f"{shown(of or NULL)} has no member `{at.spell(name)}`", span_of(name))
    return members.get(at.spell(name))


_CALLED = ("string", "vector", "array", "list", "tuple", "optional")


# --- Other forms ------------------------------------------------------------------------------------


def _sizeof(at: At, node: Node) -> Type | None:
    type = node.child_by_field_name("type")
    if type is not None:
        if any(part.type == "abstract_function_declarator" for part in inside(type)):
            raise at.not_understood(node, f"the size of `{at.spell(type)}`")  # a call, most likely
        known_type(at, type)
    else:
        operand = node.named_children[0]
        # `sizeof (int)-1` is 3 to a compiler, and a cast's size to the grammar.
        if operand.type == "cast_expression" or _COUNTS_AS_TYPE.fullmatch(at.spell(operand)):
            raise at.not_understood(node, f"the size of `{at.spell(operand)}`")
        at.type_in(operand)
    return number_type(SIZE_T)


# `sizeof(int(int(n)))`: of a function that takes an int named n, [dcl.ambig.res].
_COUNTS_AS_TYPE = re.compile(r"\(\s*\w+\s*\((\s*\w+\s*\()+\s*\w*[\s)]*")


def _braces(at: At, node: Node) -> Type | None:
    for element in argument_nodes(node):
        at.type_in(element)
    return None


def _typed_braces(at: At, node: Node) -> Type | None:
    of = child(node, "type")
    known_type(at, of)
    type = fundamental(at.spell(of)) if of.type == "primitive_type" else read(at, node)
    initial(at, type, None, child(node, "value"))
    return known(type)


def _lambda(at: At, node: Node) -> Type | None:
    return at.check_lambda(at, node)


def _own_literal(at: At, node: Node) -> Type | None:
    # `1.second`: which `operator""` it is, nobody looks for.
    raise at.not_understood(node, f"the literal `{at.spell(node)}`")


def _value_named(at: At, node: Node) -> Type | None:
    # In `int m(n);`, which the grammar takes for a function's declaration.
    return at.type_in(child(node, "type"))


_FORMS: dict[str, Callable[[At, Node], Type | None]] = {
    "identifier": _name,
    "type_identifier": _name,
    "parameter_declaration": _value_named,
    "qualified_identifier": _qualified,
    "template_function": _qualified,
    "parenthesized_expression": _inner,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "conditional_expression": _conditional,
    "comma_expression": _comma,
    "assignment_expression": _assignment,
    "update_expression": _update,
    "subscript_expression": _element,
    "pointer_expression": _pointer,
    "field_expression": _field,
    "cast_expression": cast,
    "call_expression": call,
    "sizeof_expression": _sizeof,
    "initializer_list": _braces,
    "compound_literal_expression": _typed_braces,
    "lambda_expression": _lambda,
    "user_defined_literal": _own_literal,
}
