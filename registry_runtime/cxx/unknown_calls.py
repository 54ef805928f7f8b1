"""Whether a body can be run at all: does it call, or construct, anything that has no meaning here?

Nothing is run to find out. Forms that the reader has no meaning for count too, a `goto` say. What a
member function of some object does isn't looked into; a function of the text that the body calls is.
Functions whose body is missed are noted in `Program.called`: a header of the text may have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from tree_sitter import Node

from registry_runtime.cxx.bindings import Function, Opaque
from registry_runtime.cxx.classes import CxxObject
from registry_runtime.cxx.context import Place, inside, span_of
from registry_runtime.cxx.conversions import arithmetic_type
from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.declarators import declared_name
from registry_runtime.cxx.definitions import definition
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.id_expression import id_expression
from registry_runtime.cxx.instances import body_scope
from registry_runtime.cxx.lambdas import Lambda
from registry_runtime.cxx.lookup import look_up
from registry_runtime.cxx.names import NAMES, qualified_name
from registry_runtime.cxx.objects import object_class
from registry_runtime.cxx.overloads import instance_type
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import declared_type
from registry_runtime.cxx.span import CxxError, Span


@dataclass(slots=True)
class _Walk:
    """Which bodies were looked at, by their positions, which functions without one are linked, and
    which have one that something else runs instead of."""

    seen: set[int] = field(default_factory=set)
    linked: dict[str, None] = field(default_factory=dict)
    replaced: dict[str, CxxFunction] = field(default_factory=dict)
    follows_members: bool = False

    def links(self, function: CxxFunction) -> bool:
        """Whether somebody wrote it in Python."""
        if function.program.bindings.link(function) is None:
            return False
        self.linked[function.name] = None
        return True

    def replaces(self, function: CxxFunction) -> bool:
        """Whether something else runs in the place of its body."""
        if function.program.bindings.instead(function) is None:
            return False
        self.replaced[function.name] = function
        return True


def unknown_call(function: CxxFunction | Lambda, this: object = None) -> Span | None:
    """The first thing in the body, or in one that it calls, that can't be run; None if all can.

    A function without a body is unknown itself. `this` is the object for a member function.
    """
    return _unknown(function, this, _Walk())


def linked_calls(function: CxxFunction, this: object = None) -> tuple[str, ...]:
    """The functions that a body calls, or one that it calls, and that only Python has bodies for."""
    walk = _Walk()
    _unknown(function, this, walk)
    return tuple(walk.linked)


def replaced_calls(function: CxxFunction) -> tuple[CxxFunction, ...]:
    """The functions that a body calls, or one that it calls, and that something else runs in the place
    of. Of a member function of some object, any of that name counts."""
    walk = _Walk(follows_members=True)
    _unknown(function, None, walk)
    return tuple(walk.replaced.values())


def _unknown(function: CxxFunction | Lambda, this: object, walk: _Walk) -> Span | None:
    if isinstance(function, Lambda):
        context = function.context
        return _first(context.program, function.node, context.place.scope, walk)
    everywhere = function.program.declarations.functions.get(function.name, ())
    members = function.program.bindings.method_names(this) if this is not None else []
    if isinstance(this, CxxObject):
        members = [*members, *this.cxx_class.method_names()]
    if function.arguments or function.scope:
        return _in_instance(function, walk, members)
    return _in_functions(function.program, everywhere, function.span, walk, members)


def unknown_part(function: CxxFunction | Lambda, this: object = None) -> str | None:
    """How that is spelled in a body; None too where there is no body at all."""
    found = unknown_call(function, this)
    if found is None or found == function.span:
        return None
    program = function.program if isinstance(function, CxxFunction) else function.context.program
    return program.source.text[found.start : found.end]


def _in_functions(
    program: Program,
    declarations: Sequence[FunctionDeclaration],
    call: Span,
    walk: _Walk,
    members: Sequence[str] = (),
) -> Span | None:
    bodies = [declaration for declaration in declarations if declaration.body is not None]
    if not bodies:
        declared = (CxxFunction(d.name, (), None, call, (d,), program) for d in declarations)
        if any(map(walk.links, declared)):
            return None
        program.called.update(declaration.name for declaration in declarations)
        return call
    for declaration in bodies:
        assert declaration.body is not None
        if declaration.position not in walk.seen:
            walk.seen.add(declaration.position)
            # Of a template the parameters are names for something, whatever that will be.
            named = (p.name for p in declaration.template_parameters or ())
            known = [*members, *named]
            unknown = _first(program, declaration.body, declaration.scope, walk, known)
            if unknown is not None:
                return unknown
    return None


def _in_instance(function: CxxFunction, walk: _Walk, members: Sequence[str] = ()) -> Span | None:
    try:
        if not function.is_defined:
            if walk.links(function):
                return None
            function.program.called.add(function.name)
            return function.span
        declaration = definition(function)
        scope = body_scope(function, declaration)
    except CxxError:
        return function.span
    if declaration.body is None or declaration.position in walk.seen:
        return None
    walk.seen.add(declaration.position)
    return _first(function.program, declaration.body, scope, walk, members)


def _first(
    program: Program, body: Node, scope: str, walk: _Walk, members: Sequence[str] = ()
) -> Span | None:
    if body.has_error:
        return span_of(body)
    local = {*members, *(program.source.spell(name) for name in _local_names(body))}
    first: Span | None = None
    for node in inside(body):  # all of it, for what else is missed
        if node.type == "call_expression":
            callee = node.child_by_field_name("function")
            if walk.follows_members and callee is not None and callee.type == "field_expression":
                _follow(program, callee, walk)
            if callee is None or callee.type not in NAMES or program.source.spell(callee) in local:
                continue
            unknown = _unknown_name(program, callee, scope, walk)
        elif node.type == "declaration":
            unknown = _unknown_object(program, node, scope)
        elif node.type in _NEVER_RUN:
            unknown = span_of(node)
        else:
            continue
        first = first or unknown
    return first


def _follow(program: Program, callee: Node, walk: _Walk) -> None:
    name = callee.child_by_field_name("field")
    spelled = f"::{program.source.spell(name)}" if name is not None else "::"
    for full, declarations in program.declarations.functions.items():
        if full.endswith(spelled) and full.removesuffix(spelled) in program.declarations.classes:
            _in_functions(program, declarations, span_of(callee), walk)


# Statements and expressions that neither `statements` nor `evaluate` takes.
_NEVER_RUN = (
    *("goto_statement", "labeled_statement", "try_statement", "seh_try_statement"),
    *("co_return_statement", "co_yield_statement", "co_await_expression"),
    *("new_expression", "delete_expression", "gnu_asm_expression"),
)
_CASTS = ("static_cast", "const_cast", "reinterpret_cast")


def _unknown_name(program: Program, callee: Node, scope: str, walk: _Walk) -> Span | None:
    try:
        name = qualified_name(program.source, callee)
        if name.parts[-1].name in _CASTS:
            return None
        found = look_up(program, name, scope)
    except CxxError:
        return span_of(callee)
    if isinstance(found.binding if found else None, Opaque):
        return span_of(callee)
    if found is not None and found.is_class and found.rest:
        return _unknown_static(program, callee, scope, walk)
    if found is None or found.is_class:
        program.called.add(str(name))
        return span_of(callee)
    if found.functions and found.part.arguments is not None:
        try:
            function = id_expression(program, callee, Place(scope))
        except CxxError:
            return span_of(callee)
        known = isinstance(function, CxxFunction)
        unknown = _in_instance(function, walk) if known else None  # type: ignore[arg-type]
        return span_of(callee) if unknown == getattr(function, "span", None) else unknown
    if found.functions:
        call = span_of(callee)
        new = (d for d in found.functions if d.body is not None and d.position not in walk.seen)
        if any(walk.replaces(_as_function(program, d, call)) for d in new):
            return None
        return _in_functions(program, found.functions, call, walk)
    return None


def _unknown_static(program: Program, callee: Node, scope: str, walk: _Walk) -> Span | None:
    # `Squared::apply`, which a bound base has, and which runs functions of the text.
    with suppress(CxxError):
        found = id_expression(program, callee, Place(scope))
        if isinstance(found, Function):
            return next(filter(None, (_unknown(one, None, walk) for one in found.runs)), None)
    program.called.add(program.source.spell(callee))
    return span_of(callee)


def _as_function(program: Program, declaration: FunctionDeclaration, call: Span) -> CxxFunction:
    with suppress(CxxError):
        type = instance_type(program, declaration, ())
        return CxxFunction(declaration.name, (), type, call, (declaration,), program)
    return CxxFunction(declaration.name, (), None, call, (declaration,), program)


def _unknown_object(program: Program, declaration: Node, scope: str) -> Span | None:
    declarator = declaration.child_by_field_name("declarator")
    type_node = declaration.child_by_field_name("type")
    if declarator is None or declarator.type != "identifier":
        return None
    try:
        place = Place(scope)
        known = object_class(program, type_node, place) is not None or (
            arithmetic_type(declared_type(program, declaration, declarator, place)) is not None
        )
    except CxxError:
        known = False
    return None if known else span_of(declaration)


def _local_names(body: Node) -> Iterator[Node]:
    for node in inside(body):
        if node.type in ("declaration", "parameter_declaration", "for_range_loop"):
            for declarator in node.children_by_field_name("declarator"):
                name = declared_name(declarator)
                if name is not None:
                    yield name
        elif (
            node.type == "alias_declaration"
        ):  # `using scalar_t = float;`, of which `scalar_t(0)` is one
            yield from node.children_by_field_name("name")
