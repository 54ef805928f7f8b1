"""Whether the statements of a body are what a compiler takes: each in its block, with the names before
it (see `well_formed`)."""

from __future__ import annotations

from contextlib import suppress

from tree_sitter import Node

from registry_runtime.cxx.changed_objects import is_const_place
from registry_runtime.cxx.class_parts import data_members
from registry_runtime.cxx.collect import enumerator_nodes, own_name
from registry_runtime.cxx.constant_expressions import constant
from registry_runtime.cxx.context import argument_nodes, child, span_of
from registry_runtime.cxx.conversions import AUTO, arithmetic_type
from registry_runtime.cxx.declarators import bound_names, declared_name
from registry_runtime.cxx.declared_names import bound_parts, declaration, declare, place_in_block
from registry_runtime.cxx.expression_types import condition, decides
from registry_runtime.cxx.grammar import without_parentheses
from registry_runtime.cxx.initial_values import initialises, list_type
from registry_runtime.cxx.literals import LITERALS, literal
from registry_runtime.cxx.names import NAMES
from registry_runtime.cxx.operand_types import (
    NULL,
    converts,
    inside_of,
    kind_of,
    known,
    promoted_type,
)
from registry_runtime.cxx.own_types import EnumType, PlainType
from registry_runtime.cxx.read_type import named_type
from registry_runtime.cxx.scopes import At, Given, Local
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.statements import IN_WORDS
from registry_runtime.cxx.types import NamedType, Type

VOID = NamedType("void")


def check_statements(at: At, block: Node) -> None:
    """Raises the first CxxError in a block."""
    at = at._replace(place=place_in_block(at.program, at.place.deeper(block), block))
    for statement in block.named_children:
        _statement(at, statement)


def _block(at: At, node: Node) -> None:
    # What the head of a loop or of an `if` declares can't be declared again in its block.
    taken = frozenset(at.scope.names)
    if node.type == "compound_statement":
        check_statements(at.inside(taken), node)
    else:
        _statement(at.inside(taken), node)


def _statement(at: At, node: Node) -> None:
    match node.type:
        case "expression_statement":
            for expression in argument_nodes(node):
                _declares_nothing(at, expression)
                at.type_in(expression)
        case "compound_statement":
            check_statements(at.inside(), node)
        case "declaration":
            declaration(at, node)
        case "enum_specifier" | "struct_specifier" | "class_specifier" | "union_specifier":
            _own_type(at, node)
        case "return_statement":
            _return(at, node)
        case "if_statement":
            _if(at, node)
        case "for_statement":
            _for(at, node)
        case "for_range_loop":
            _range(at, node)
        case "while_statement" | "do_statement":
            inner = at.inside()
            _head(inner, child(node, "condition"))
            _block(inner._replace(in_loop=True), child(node, "body"))
        case "switch_statement":
            _switch(at, node)
        case "static_assert_declaration":
            constant(at, child(node, "condition"))
        case "case_statement" if not at.in_switch:
            raise CxxError("a `case` outside of a switch", span_of(node))
        case "break_statement" if not (at.in_loop or at.in_switch):
            raise CxxError("there is nothing to break out of here", span_of(node))
        case "continue_statement" if not at.in_loop:
            raise CxxError("there is no loop to continue here", span_of(node))
        case "goto_statement" | "labeled_statement":
            raise at.not_understood(node, IN_WORDS[node.type])


def _declares_nothing(at: At, expression: Node) -> None:
    # `bool(x);` is no cast: it declares an x, and so do `bool(*x), y;` and `bool(x)[2];`. [stmt.ambig]
    first = _innermost(expression, "comma_expression", "subscript_expression")
    function = first.child_by_field_name("function")
    if function is None or not _is_a_type(at, function):
        return
    given = argument_nodes(child(first, "arguments"))
    forms = "parenthesized_expression", "pointer_expression", "subscript_expression"
    if [_innermost(node, *forms).type for node in given] == ["identifier"]:
        raise at.not_understood(expression, f"`{at.spell(expression)};`, which declares a name")


def _is_a_type(at: At, function: Node) -> bool:
    if function.type == "primitive_type":
        return True
    if function.type not in NAMES or at.spell(function) in at.scope.all_names():
        return False
    with suppress(CxxError):
        return known(named_type(at.program, function, at.place)) is not None
    return False


def _innermost(node: Node, *forms: str) -> Node:
    while node.type in forms and (inside := argument_nodes(node)):
        node = inside[0]
    return node


def _own_type(at: At, node: Node) -> None:
    declarations = at.program.declarations
    name = own_name(at.program.source, node, at.place.scope)
    of = at.program.own_type(at.program, name)
    if of is None:
        raise at.not_understood(node, IN_WORDS[node.type])
    first = declarations.enumerations.get(name) or declarations.class_definitions[name]
    if first.node.start_byte != node.start_byte:
        raise CxxError(f"`{of}` is defined twice", span_of(node))
    if isinstance(of, EnumType) and of.promoted is not None:
        for one in enumerator_nodes(node):
            at.declare(child(one, "name"), Local(of, True, is_enumerator=True))
    elif isinstance(of, PlainType):
        for _, member, value in data_members(at.program, of.name):
            if value is not None and value.type != "initializer_list":
                converts(of.members[at.spell(member)].type, at.type_in(value), value)


def _head(at: At, clause: Node) -> None:
    initializer = clause.child_by_field_name("initializer")
    for node in argument_nodes(initializer) if initializer is not None else ():
        _statement(at, node)
    value = clause.child_by_field_name("value")
    if value is not None and value.type == "declaration":
        declaration(at, value)
        name = declared_name(child(value, "declarator"))
        local = at.find(at.spell(name), name) if name is not None else None
        if local is not None:
            decides(local.type, value)
    elif clause.parent is not None and clause.parent.type == "switch_statement":
        _switched(at, clause if value is None else value)
    else:
        condition(at, clause if value is None else value)


def _switched(at: At, value: Node) -> None:
    # What a switch chooses by: an integer, or an enumerator.
    found = at.type_in(value)
    number = arithmetic_type(found)
    is_chosen = number is not None and not number.is_floating
    if found is not None and not is_chosen and kind_of(found) != "enum":
        raise CxxError("a switch takes an integer or an enumeration", span_of(value))


def _if(at: At, node: Node) -> None:
    at = at.inside()
    while True:
        _head(at, child(node, "condition"))
        if any(word.type == "constexpr" for word in node.children):
            constant(at, child(child(node, "condition"), "value"))
        _block(at, child(node, "consequence"))
        alternative = node.child_by_field_name("alternative")
        if alternative is None:
            return None
        otherwise = argument_nodes(alternative)[0]
        if otherwise.type != "if_statement":
            return _block(at, otherwise)
        node, at = otherwise, at.inside()


def _for(at: At, loop: Node) -> None:
    at = at.inside()
    for part in ("initializer", "condition", "update"):
        node = loop.child_by_field_name(part)
        if node is None:
            continue
        if node.type == "declaration":
            declaration(at, node)
        elif part == "condition":
            condition(at, node)
        else:
            at.type_in(node)
    _block(at._replace(in_loop=True), child(loop, "body"))


def _range(at: At, loop: Node) -> None:
    right = child(loop, "right")
    over = list_type(at, right) if right.type == "initializer_list" else at.type_in(right)
    const = is_const_place(at, right)
    kind = kind_of(over or NULL)
    const = const or kind == "list"
    loops = kind in ("", "vector", "array", "list", "string", "pointer")
    if not loops or over == NULL or (kind == "pointer" and _leads(at, right)):
        said = f"a loop over `{at.spell(right)}`, which has no elements"
        raise CxxError(said, span_of(right))
    at = at.inside()
    declarator = child(loop, "declarator")
    name = declared_name(declarator)
    names = bound_names(declarator)
    if names:
        bound_parts(at, loop, declarator, names, known(inside_of(over)), None)
    if name is not None and not names:
        element = Given(known(inside_of(over)), const, right)
        declare(at, loop, declarator, name, None, element)
    _block(at._replace(in_loop=True), child(loop, "body"))


def _leads(at: At, node: Node) -> bool:
    """Whether what is a pointer's type is a pointer for certain, and no array."""
    node = without_parentheses(node)
    local = at.find(at.spell(node), node) if node.type == "identifier" else None
    of_pointers = node.type in ("call_expression", "pointer_expression")
    return of_pointers or (local is not None and not local.is_array)


def _switch(at: At, node: Node) -> None:
    at = at.inside()
    clause, body = child(node, "condition"), child(node, "body")
    _head(at, clause)
    chosen = at.type_in(child(clause, "value")) if clause.child_by_field_name("value") else None
    at = at.inside()._replace(in_switch=True)
    at = at._replace(place=place_in_block(at.program, at.place.deeper(body), body))
    _may_be_one(at, [s for s in body.named_children if s.type == "case_statement"])
    seen: set[str] = set()
    declared: Node | None = None
    for statement in body.named_children:
        if statement.type != "case_statement":
            _statement(at, statement)
            if statement.type == "declaration" and _initialises(statement):
                declared = statement
            continue
        label = statement.child_by_field_name("value")
        value = _valued(at, label) if label is not None else "default"
        if value in seen:
            raise CxxError(
                f"`{value}` is a case of this switch already", span_of(label or statement)
            )
        seen.add(value)
        if declared is not None:
            said = "a later case jumps over what initialises this variable"
            raise CxxError(said, span_of(declared), "put braces around this case")
        for inner in statement.named_children:
            if label is not None and inner.start_byte == label.start_byte:
                converts(promoted_type(chosen), _label(at, label), label)
                continue
            _statement(at, inner)
            if inner.type == "declaration" and _initialises(inner):
                declared = inner


def _label(at: At, label: Node) -> Type | None:
    found = at.type_in(label)
    number = arithmetic_type(found)
    constant(at, label)
    if number is not None and number.is_floating:
        raise CxxError(f"a case is an integer or an enumerator, not a `{found}`", span_of(label))
    return found


def _valued(at: At, label: Node) -> str:
    # `'a'` and `97` are one case; what has to be computed, or may name it, can be another's too.
    label = without_parentheses(label)
    value = literal(at.program.source, label) if label.type in LITERALS else None
    return str(int(value)) if isinstance(value, int) else at.spell(label)


def _may_be_one(at: At, cases: list[Node]) -> None:
    # Nothing is computed here: whether `case B` and `case 0 + 1` are one is not found out.
    labels = [label for case in cases if (label := case.child_by_field_name("value")) is not None]
    forms = {"a number" if label.type in LITERALS else label.type for label in labels}
    if len(labels) > 1 and not (forms == {"a number"} or forms <= NAMES):
        raise at.not_understood(labels[0], "cases of which some are numbers and others aren't")


def _initialises(declaration: Node) -> bool:
    declarators = declaration.children_by_field_name("declarator")
    return any(d.type == "init_declarator" for d in declarators)


def _return(at: At, node: Node) -> None:
    value = next(iter(argument_nodes(node)), None)
    wanted = at.returns
    if value is None:
        if wanted not in (None, VOID, AUTO):
            raise CxxError(f"a `{wanted}` is to be returned here", span_of(node))
        if at.returned is not None:
            at.returned.append((VOID, node))
        return
    found = at.type_in(value)
    if wanted == VOID and found is not None:
        raise CxxError("a function that is `void` returns nothing", span_of(value))
    initialises(at, wanted, value, found)
    if at.returned is not None:
        at.returned.append((found, value))
