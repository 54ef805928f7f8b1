"""Whether a compiler takes a body at all: what it never runs has to compile too.

`if (false) { return zz; }` names nothing that exists, and `n = 2` for a const `n` is refused in
whichever branch it stands. So before a body runs for the first time all of it is checked: the names
and their scopes, what is const, the types of operands and arguments, what `return` gives, and where a
`break` leads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from tree_sitter import Node

from registry_runtime.cxx.closures import captured, closure_type
from registry_runtime.cxx.context import Context, Place, argument_nodes, child, span_of
from registry_runtime.cxx.conversions import AUTO
from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.declarators import declared_name
from registry_runtime.cxx.declared_names import declare
from registry_runtime.cxx.expression_types import type_in
from registry_runtime.cxx.known_names import known_type, read
from registry_runtime.cxx.lambdas import changes_copies
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.scopes import At, Given, Local, Scope
from registry_runtime.cxx.span import CxxError, NotUnderstood
from registry_runtime.cxx.types import FunctionType, Type, without_reference_and_const
from registry_runtime.cxx.variables import Variables
from registry_runtime.cxx.well_formed_statements import VOID, check_statements


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
            _body_anywhere(at, declarator, body, returns)
        except CxxError as error:
            program.instances[key] = error
    found = program.instances[key]
    if isinstance(found, CxxError):
        raise found


def _body_anywhere(at: At, declarator: Node | None, body: Node, returns: Type | None) -> None:
    """The same for all functions with these parameters and these statements."""
    program, parameters = at.program, declarator and declarator.child_by_field_name("parameters")
    outside = at.scope.around
    if parameters is None or at.has_this or outside is None or outside.names:
        _body(at, declarator, body, returns)
        return
    spelled = program.source.spell(parameters), program.source.spell(body)
    key = ("well formed", *spelled, at.place, str(returns))
    program.spelled(key, None, lambda: _body(at, declarator, body, returns))


def check_declared(
    program: Program, function: FunctionDeclaration, place: Place, *, has_this: bool
) -> None:
    """The same for a function that nothing may ever call, or a template: raises the first CxxError in
    what it is declared with, and in its body. `place` is inside of it."""
    check_signature(program, function, place, has_this=has_this)
    at = At(program, place, Scope(), type_in, _lambda, _returned_by, has_this=has_this)
    if function.body is not None and function.body.type == "compound_statement":
        _whole(at, function)


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


def _returned_by(at: At, function: FunctionDeclaration, scope: str) -> Type | None:
    """What an `auto` function returns that is read in this scope, or an instance of a template, whose
    body is checked for it; None inside of itself. Raises CxxError for an instance of which no compiler
    makes anything: any other function is checked for itself."""
    key, found = ("returned by", function.position, scope), at.program.instances
    if key not in found:
        found[key] = None
        inside = at._replace(
            place=Place(scope, depth=at.place.depth), scope=Scope(), has_this=False
        )
        try:
            found[key] = _whole(inside, function)
        except CxxError as error:
            found[key] = error
    made = found[key]
    if isinstance(made, CxxError):
        if function.template_parameters is None or isinstance(made, NotUnderstood):
            return None
        raise made
    return made  # type: ignore[return-value]


def _whole(at: At, function: FunctionDeclaration) -> Type | None:
    """What a function with a body returns, which is checked."""
    type_of = read(at, function.node)
    returns = type_of.returns if isinstance(type_of, FunctionType) else None
    assert function.body is not None
    return _body(at, function.declarator, function.body, returns)


def _names(variables: Variables | None) -> Iterator[str]:
    while variables is not None:
        yield from variables.values
        variables = variables.around


def _body(
    at: At, declarator: Node | None, body: Node, returns: Type | None, given: Sequence[Given] = ()
) -> Type | None:
    """What a function returns, whose parameters are in `declarator`: `returns` says it, None where that
    isn't read. `given` are the arguments of a call by which `auto` is known."""
    returned: list[tuple[Type | None, Node]] = []
    is_auto = returns is not None and without_reference_and_const(returns) == AUTO
    at = at._replace(returns=AUTO if is_auto else returns, returned=returned)
    at = at._replace(in_loop=False, in_switch=False)
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    for node, one in zip_longest(argument_nodes(listed) if listed is not None else (), given):
        _parameter(at, node, one)
    check_statements(at, body)
    if not is_auto:
        return returns
    types = [type for type, _ in returned]
    for type, node in returned:
        if type is not None and types[0] is not None and type != types[0]:
            said = f"a `{type}` is returned where it was a `{types[0]}` before"
            raise CxxError(said, span_of(node), "say what is returned: `-> T`")
    return types[0] if types else VOID


def _parameter(at: At, node: Node, given: Given | None) -> None:
    declarator, default = (node.child_by_field_name(f) for f in ("declarator", "default_value"))
    name = declared_name(declarator)
    if name is None or name.type != "identifier":
        return
    if default is not None:  # in which no local name is known, and no other parameter
        declare(at._replace(scope=Scope()), node, declarator, name, default)
    declare(at, node, declarator, name, None, given)


def _lambda(at: At, node: Node) -> Type | None:
    captures, declarator = child(node, "captures"), node.child_by_field_name("declarator")
    if (refusal := changes_copies(node)) is not None:
        raise refusal
    defaults = [at.spell(c) for c in captures.children if c.type == "lambda_default_capture"]
    names = captured(at, captures)
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
    returns = read(at, trailing.named_children[0]) if trailing is not None else AUTO

    def check(given: Sequence[Given] = ()) -> Type | None:
        inner = at._replace(scope=Scope({}, barrier))
        return _body(inner, declarator, child(node, "body"), returns, given)

    return closure_type(at, node, check(), check)
