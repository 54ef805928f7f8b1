"""Members of class templates of the text: `&Wrap<decltype(&k), &k>::call`, `typename Traits<F>::type`.

A template of classes may be written again for some arguments, `struct Wrap<R (*)(Args...), f>`: its
pattern is laid over the arguments, [temp.class.spec.match], and where it fits, the members are those.
A member that names a type, `using type = Inner<F>;`, is that type, and leads on to members of its own.
So the type of a member function is known, which is all that a registration asks; its body, which
hands a pack on, isn't run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from registry_runtime.cxx.access import check_access
from registry_runtime.cxx.collect import template_parameters
from registry_runtime.cxx.context import Place
from registry_runtime.cxx.declarators import declared_name, function_declarator
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.instances import Bound, bind, instance_scope
from registry_runtime.cxx.lookup import Found
from registry_runtime.cxx.matching import Deduced, fit
from registry_runtime.cxx.names import NamePart, qualified_name
from registry_runtime.cxx.parse import no_syntax_errors
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import declare, read_type, template_arguments
from registry_runtime.cxx.span import CxxError, Span
from registry_runtime.cxx.types import (
    FunctionType,
    NamedType,
    TemplateArgument,
    Type,
    substitute,
)


class ClassOf(NamedTuple):
    """A class's definition, or one for some arguments: where its members are read, and what the packs
    among its parameters hold, which have no meaning by themselves."""

    node: Node
    place: Place
    packs: Bound


class _Fitting(NamedTuple):
    """A specialisation that fits, its pattern, and the names in that which stand for something."""

    of: ClassOf
    pattern: tuple[TemplateArgument, ...]
    names: set[str]


def static_member(
    program: Program, found: Found, arguments: tuple[TemplateArgument, ...], span: Span
) -> CxxFunction | None:
    """The member function that `X<…>::f` or `X<…>::type::f` names; None where that isn't understood.
    Raises CxxError for arguments that several definitions fit alike."""
    *types, member = found.rest
    of: Type | None = NamedType(found.path, arguments)
    for one in types:
        of = member_type(program, of, one, span) if isinstance(of, NamedType) else None
    if not isinstance(of, NamedType):
        return None
    of_text = class_for(program, of, span)
    type = _function_type(program, of_text, member, span) if of_text is not None else None
    if type is None:
        return None
    return CxxFunction(f"{_shown(of)}::{member.name}", (), type, span, (), program)


def _shown(of: NamedType) -> str:
    """A class with its arguments; what takes a function's whole type to spell is left out."""
    each = map(str, of.arguments)
    listed = ", ".join(one if len(one) <= _SHOWN else "…" for one in each)
    return f"{of.name}<{listed}>" if listed else of.name


_SHOWN = 40  # characters of an argument


def member_type(program: Program, of: NamedType, member: NamePart, span: Span) -> Type | None:
    """The type that a member of a class of the text is a name for; None where there is none. Raises
    CxxError as `static_member` does."""
    of_text = class_for(program, of, span)
    body = of_text.node.child_by_field_name("body") if of_text is not None else None
    if of_text is None or body is None:
        return None
    for node in body.named_children:
        named, declarator = node.child_by_field_name("name"), None
        if node.type == "type_definition":
            declarator = node.child_by_field_name("declarator")
            named = declared_name(declarator)
        elif node.type != "alias_declaration":
            continue
        type = node.child_by_field_name("type")
        if named is not None and type is not None and program.source.spell(named) == member.name:
            check_access(program, of_text.node, node, member.name, span)
            base = read_type(program, type if declarator is None else node, of_text.place)
            made = base if declarator is None else declare(program, base, declarator, of_text.place)
            return substitute(made, of_text.packs)
    return None


def class_for(program: Program, of: NamedType, span: Span) -> ClassOf | None:
    """The definition that holds for these arguments. A header may have it: then it is wanted."""
    fitting = [*_specialised(program, of.name, of.arguments)]
    if fitting:
        return _most_special(fitting, of.name, span)
    found = _primary(program, of.name, of.arguments)
    if found is None and not _is_known(program, of.name):
        program.unknown.add(of.name)
    return found


def _most_special(fitting: Sequence[_Fitting], path: str, span: Span) -> ClassOf:
    """The one whose pattern fits every other's: [temp.class.order]."""
    for one in fitting:
        if all(fit(other.pattern, one.pattern, other.names, {}) for other in fitting):
            return one.of
    raise CxxError(f"`{path}` is ambiguous: {len(fitting)} specialisations fit", span)


def _note_unknown(program: Program, arguments: Sequence[TemplateArgument]) -> None:
    # Two templates of which nothing is known may be one, under two names.
    for one in arguments:
        if isinstance(one.type, NamedType) and one.type.arguments:
            if not _is_known(program, one.type.name):
                program.unknown.add(one.type.name)
            _note_unknown(program, one.type.arguments)


def _is_known(program: Program, name: str) -> bool:
    defined = name in program.declarations.class_definitions
    return defined or name.startswith("std::") or program.bindings.knows_type(name)


def _specialised(
    program: Program, path: str, arguments: tuple[TemplateArgument, ...]
) -> Iterator[_Fitting]:
    for node in program.declarations.specialised.get(path, ()):
        head, named = node.parent, node.child_by_field_name("name")
        if head is None or named is None or node.child_by_field_name("body") is None:
            continue
        parameters = template_parameters(program.source, head)
        names = {parameter.name for parameter in parameters}
        place = Place(path.rpartition("::")[0], frozenset(names))
        pattern = template_arguments(
            program, qualified_name(program.source, named).parts[-1], place
        )
        bound: Deduced = {}
        if fit(pattern, arguments, names, bound):
            yield _Fitting(_instance(program, path, node, bound), pattern, names)
        else:
            _note_unknown(program, (*pattern, *arguments))


def _primary(
    program: Program, path: str, arguments: tuple[TemplateArgument, ...]
) -> ClassOf | None:
    definition = program.declarations.class_definitions.get(path)
    if definition is None:
        return None
    parameters = definition.template_parameters or ()
    bound = bind(program, definition.scope, parameters, arguments)
    return _instance(program, path, definition.node, bound) if bound is not None else None


def _instance(program: Program, path: str, node: Node, bound: Bound) -> ClassOf:
    packs = {name: value for name, value in bound.items() if isinstance(value, tuple)}
    single = {name: value for name, value in bound.items() if name not in packs}
    return ClassOf(node, Place(instance_scope(program, path, single), frozenset(packs)), packs)


def _function_type(
    program: Program, of: ClassOf, member: NamePart, span: Span
) -> FunctionType | None:
    body = of.node.child_by_field_name("body")
    for node in body.named_children if body is not None else ():
        declarator = function_declarator(node.child_by_field_name("declarator"))
        name = declared_name(declarator) if declarator is not None else None
        if name is None or program.source.spell(name) != member.name:
            continue
        no_syntax_errors(program.source, node)
        check_access(program, of.node, node, member.name, span)
        is_static = any(program.source.spell(child) == "static" for child in node.children)
        type = substitute(read_type(program, node, of.place), of.packs) if is_static else None
        return type if isinstance(type, FunctionType) else None
    return None
