"""Whether a compiler takes a body at all: what it never runs has to compile too.

`if (false) { return zz; }` names nothing that exists, and `n = 2` for a const `n` is refused in
whichever branch it stands. So before a body runs for the first time all of it is checked: the names
and their scopes, what is const, the types of operands and arguments, what `return` gives, and where a
`break` leads.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from tree_sitter import Node

from registry_runtime.cxx.call_types import read
from registry_runtime.cxx.class_parts import data_members
from registry_runtime.cxx.collect import enumerator_nodes, own_name
from registry_runtime.cxx.context import Context, Place, argument_nodes, child, span_of
from registry_runtime.cxx.conversions import AUTO, arithmetic_type
from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.declarators import bound_names, declared_name
from registry_runtime.cxx.declared_names import bound_parts, declaration, declare, place_in_block
from registry_runtime.cxx.expression_types import condition, type_in
from registry_runtime.cxx.known_names import known_type
from registry_runtime.cxx.lambdas import changes_copies
from registry_runtime.cxx.operand_types import converts, inside_of, kind_of, known, promoted_type
from registry_runtime.cxx.own_types import EnumType, PlainType
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.scopes import At, Local, Scope
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.statements import IN_WORDS
from registry_runtime.cxx.types import (
    FunctionType,
    NamedType,
    Parameter,
    Type,
    without_reference_and_const,
)
from registry_runtime.cxx.variables import Variables

_VOID = NamedType("void")


def check_body(context: Context, declarator: Node | None, body: Node, returns: Type | None) -> None:
    """Raises the first CxxError in a function's body, or a lambda's, which is looked for once. Its
    `context` is what is around."""
    program = context.program
    key = ("checked", body.start_byte, context.place.scope)
    if key not in program.instances:
        program.instances[key] = None
        around = Scope({name: Local() for name in _names(context.variables)})
        has_this = context.this is not None
        at = At(
            *(program, context.place, Scope({}, around), type_in, _lambda, _returned_by),
            has_this=has_this,
        )
        try:
            _body(at, declarator, body, returns)
        except CxxError as error:
            program.instances[key] = error
    found = program.instances[key]
    if isinstance(found, CxxError):
        raise found


def check_declared(
    program: Program, function: FunctionDeclaration, place: Place, *, has_this: bool
) -> None:
    """The same for a function that nothing may ever call, or a template: raises the first CxxError in
    what it is declared with, and in its body. `place` is inside of it."""
    check_signature(program, function, place, has_this=has_this)
    at = At(program, place, Scope(), type_in, _lambda, _returned_by, has_this=has_this)
    if function.body is not None and function.body.type == "compound_statement":
        type_of = read(at, function.node)
        returns = type_of.returns if isinstance(type_of, FunctionType) else AUTO
        _body(at, function.declarator, function.body, returns)


def check_signature(
    program: Program, function: FunctionDeclaration, place: Place, *, has_this: bool = False
) -> None:
    """The same for what a function is declared with, and without its body."""
    at = At(program, place, Scope(), type_in, _lambda, _returned_by, has_this=has_this)
    listed = function.declarator.child_by_field_name("parameters")
    for node in (function.node, *(listed.named_children if listed is not None else ())):
        type = node.child_by_field_name("type")
        if type is not None:
            known_type(at, type)


def check_type(program: Program, type: Node, place: Place) -> None:
    """Raises CxxError for a type with a name that certainly nothing declares, or that is no type's."""
    known_type(At(program, place, Scope(), type_in, _lambda, _returned_by), type)


def check_value(
    program: Program, declarator: Node, value: Node, place: Place, *, of_class: bool
) -> None:
    """Raises CxxError for a variable of a namespace, or of a class, that can't be initialised so."""
    declaration, name = declarator, declared_name(declarator)
    while declaration.type != "declaration" and declaration.parent is not None:
        declaration = declaration.parent
    if name is not None:
        at = At(program, place, Scope(), type_in, _lambda, _returned_by, has_this=of_class)
        declare(at, declaration, declarator, name, value)


def check_head(program: Program, template: Node, place: Place) -> None:
    """Raises CxxError for a name that certainly nothing declares between a template's `<` and `>`.
    `place` is inside of it."""
    for parameter in argument_nodes(child(template, "parameters")):
        for field in ("type", "default_type"):
            type = parameter.child_by_field_name(field)
            if type is not None:
                check_type(program, type, place)


def _returned_by(at: At, function: FunctionDeclaration) -> Type | None:
    """What an `auto` function returns, found out once; None inside of itself, and of one that no
    compiler takes."""
    key, known = ("returned by", function.position), at.program.instances
    if key not in known and function.body is not None:
        known[key] = None
        inside = at._replace(place=Place(function.scope), scope=Scope(), has_this=False)
        with suppress(CxxError):
            known[key] = _body(inside, function.declarator, function.body, None)
    return known.get(key)  # type: ignore[return-value]


def _names(variables: Variables | None) -> Iterator[str]:
    while variables is not None:
        yield from variables.values
        variables = variables.around


def _body(at: At, declarator: Node | None, body: Node, returns: Type | None) -> Type | None:
    """What a function returns, whose parameters are in `declarator`."""
    returned: list[tuple[Type | None, Node]] = []
    is_auto = returns is None or without_reference_and_const(returns) == AUTO
    at = at._replace(returns=None if is_auto else returns, returned=returned)
    at = at._replace(in_loop=False, in_switch=False)
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    for node in listed.named_children if listed is not None else ():
        name = declared_name(node.child_by_field_name("declarator"))
        if name is not None and name.type == "identifier":
            declare(at, node, node.child_by_field_name("declarator"), name, None)
    _statements(at, body)
    if not is_auto:
        return returns
    types = [type for type, _ in returned]
    for type, node in returned:
        if type is not None and types[0] is not None and type != types[0]:
            said = f"a `{type}` is returned where it was a `{types[0]}` before"
            raise CxxError(said, span_of(node), "say what is returned: `-> T`")
    return types[0] if types else _VOID


def _lambda(at: At, node: Node) -> Type | None:
    captures, declarator = child(node, "captures"), node.child_by_field_name("declarator")
    if (refusal := changes_copies(node)) is not None:
        raise refusal
    defaults = [at.spell(c) for c in captures.children if c.type == "lambda_default_capture"]
    names = _captured(at, captures)
    barrier = Scope(
        names,
        at.scope,
        is_lambda=True,
        captures_all=bool(defaults),
        freezes="=" in defaults,
    )
    trailing = (
        next((n for n in declarator.named_children if n.type == "trailing_return_type"), None)
        if declarator is not None
        else None
    )
    inner = at._replace(scope=Scope({}, barrier))
    returns = read(at, trailing.named_children[0]) if trailing is not None else None
    made = _body(inner, declarator, child(node, "body"), returns)
    parameters = _parameters(inner, declarator)
    return FunctionType(made or AUTO, parameters) if parameters is not None else None


def _captured(at: At, captures: Node) -> dict[str, Local]:
    names: dict[str, Local] = {}
    for node in captures.named_children:
        if node.type == "lambda_capture_initializer":
            names[at.spell(child(node, "left"))] = Local(at.type_in(child(node, "right")), True)
        elif node.type == "identifier":
            found = at.find(at.spell(node), node)
            by_reference = node.prev_sibling is not None and node.prev_sibling.type == "&"
            if found is None or found.is_enumerator:
                raise CxxError(f"`{at.spell(node)}` is no variable to capture", span_of(node))
            at.type_in(node)  # of one whose type isn't known yet there is no copy
            if at.spell(node) in names:
                raise CxxError(f"`{at.spell(node)}` is captured twice", span_of(node))
            names[at.spell(node)] = Local(found.type, found.is_const or not by_reference)
    return names


def _parameters(at: At, declarator: Node | None) -> tuple[Parameter, ...] | None:
    # None where one has a default, so that a call may leave it out.
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    nodes = argument_nodes(listed) if listed is not None else []
    if any(node.type != "parameter_declaration" for node in nodes):
        return None
    return tuple(Parameter(read(at, node) or AUTO) for node in nodes if at.spell(node) != "void")


# --- Statements -----------------------------------------------------------------------------------


def _statements(at: At, block: Node) -> None:
    at = at._replace(place=place_in_block(at.program, at.place.deeper(block), block))
    for statement in block.named_children:
        _statement(at, statement)


def _block(at: At, node: Node) -> None:
    # What the head of a loop or of an `if` declares can't be declared again in its block.
    taken = frozenset(at.scope.names)
    if node.type == "compound_statement":
        _statements(at.inside(taken), node)
    else:
        _statement(at.inside(taken), node)


def _statement(at: At, node: Node) -> None:
    match node.type:
        case "expression_statement":
            for expression in argument_nodes(node):
                at.type_in(expression)
        case "compound_statement":
            _statements(at.inside(), node)
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
        case "case_statement" if not at.in_switch:
            raise CxxError("a `case` outside of a switch", span_of(node))
        case "break_statement" if not (at.in_loop or at.in_switch):
            raise CxxError("there is nothing to break out of here", span_of(node))
        case "continue_statement" if not at.in_loop:
            raise CxxError("there is no loop to continue here", span_of(node))
        case "goto_statement" | "labeled_statement":
            raise at.not_understood(node, IN_WORDS[node.type])


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
    over = at.type_in(child(loop, "right"))
    if arithmetic_type(over) is not None:
        said = f"a loop over `{at.spell(child(loop, 'right'))}`, which has no elements"
        raise CxxError(said, span_of(child(loop, "right")))
    at = at.inside()
    declarator = child(loop, "declarator")
    name = declared_name(declarator)
    names = bound_names(declarator)
    if names:
        bound_parts(at, loop, declarator, names, known(inside_of(over)), None)
    if name is not None and not names:
        declare(at, loop, declarator, name, None)
    _block(at._replace(in_loop=True), child(loop, "body"))


def _switch(at: At, node: Node) -> None:
    at = at.inside()
    clause, body = child(node, "condition"), child(node, "body")
    _head(at, clause)
    chosen = at.type_in(child(clause, "value")) if clause.child_by_field_name("value") else None
    at = at.inside()._replace(in_switch=True)
    at = at._replace(place=place_in_block(at.program, at.place.deeper(body), body))
    seen: set[str] = set()
    declared: Node | None = None
    for statement in body.named_children:
        if statement.type != "case_statement":
            _statement(at, statement)
            if statement.type == "declaration" and _initialises(statement):
                declared = statement
            continue
        label = statement.child_by_field_name("value")
        value = at.spell(label) if label is not None else "default"
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
                converts(promoted_type(chosen), at.type_in(label), label)
                continue
            _statement(at, inner)
            if inner.type == "declaration" and _initialises(inner):
                declared = inner


def _initialises(declaration: Node) -> bool:
    declarators = declaration.children_by_field_name("declarator")
    return any(d.type == "init_declarator" for d in declarators)


def _return(at: At, node: Node) -> None:
    value = next(iter(argument_nodes(node)), None)
    wanted = at.returns
    if value is None:
        if wanted not in (None, _VOID):
            raise CxxError(f"a `{wanted}` is to be returned here", span_of(node))
        if at.returned is not None:
            at.returned.append((_VOID, node))
        return
    found = at.type_in(value)
    if wanted == _VOID and found is not None:
        raise CxxError("a function that is `void` returns nothing", span_of(value))
    converts(wanted, found, value)
    if at.returned is not None:
        at.returned.append((found, value))
