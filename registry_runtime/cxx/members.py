"""What a name leads to once it has led to something bound: an enumerator, a static member."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from registry_runtime.cxx.bindings import (
    Class,
    ClassTemplate,
    Constant,
    Enumeration,
    Function,
    FunctionTemplate,
    Lazy,
    Namespace,
    TypeTemplate,
    refusals_at,
)
from registry_runtime.cxx.lookup import Found
from registry_runtime.cxx.names import NamePart, QualifiedName
from registry_runtime.cxx.span import CxxError, NotUnderstood
from registry_runtime.cxx.types import TemplateArgument
from registry_runtime.near import nearest


def bound_value(
    found: Found,
    name: QualifiedName,
    arguments: Callable[[NamePart], tuple[TemplateArgument, ...]],
) -> object:
    """The value of `name`, which was found to be bound, with `arguments` of what is a template."""
    match found.binding, found.rest:
        case Enumeration(of), (member,):
            return _member(found, member, of.__members__)
        case Class(_, members), (member,):
            return _made(_member(found, member, members), member, name, arguments)
        case ClassTemplate(instantiate), (member,):
            members = refusals_at(found.part.span, [], instantiate, arguments(found.part))
            return _made(_member(found, member, members), member, name, arguments)
        case ClassTemplate(constructor=constructor) as template, () if constructor is not None:
            construct = refusals_at(name.span, [], constructor, arguments(found.part))
            from_list = template.from_list
            listed = from_list and refusals_at(name.span, [], from_list, arguments(found.part))
            return Class(construct, from_list=listed)
        case ((Function() | Class() | Constant()), ()) if found.part.arguments is not None:
            raise NotUnderstood(f"`{name}`: what `{found.path}<…>` is", name.span)
        case (Function() | Class()) as bound, ():
            return bound
        case FunctionTemplate() as template, ():
            return _made(template, found.part, name, arguments)
        case Constant(value), ():
            return value
        case Namespace(find), rest if rest:
            made = find("::".join(part.name for part in rest))
            if made is not None:
                return made
            raise CxxError(f"`{name}` is not known here", name.span)
        case ((None | Enumeration() | ClassTemplate() | TypeTemplate()), ()):
            raise CxxError(f"`{found.path}` is a type, not a value", name.span)
    raise NotUnderstood(f"`{name}`", name.span)


def _made(
    value: object,
    part: NamePart,
    name: QualifiedName,
    arguments: Callable[[NamePart], tuple[TemplateArgument, ...]],
) -> object:
    if isinstance(value, Lazy):
        return refusals_at(name.span, [], value.make)
    if isinstance(value, FunctionTemplate):
        return Function(refusals_at(name.span, [], value.instantiate, arguments(part)))
    return value


def _member(found: Found, member: NamePart, members: Mapping[str, object]) -> object:
    if member.name in members:
        return members[member.name]
    # The k… enumerators are Fluid's spellings; nobody is looking for one of them.
    names = [name for name in members if not name.startswith(("NUM_", "k"))]
    hint = nearest_or_all(member.name, names)
    raise CxxError(f"`{found.path}` has no `{member.name}`", member.span, hint)


def nearest_or_all(name: str, names: list[str]) -> str:
    """A hint naming what is nearest to `name`, or everything there is."""
    if near := nearest(name, names):
        return f"did you mean `{near}`?"
    return f"there are {', '.join(names)}" if names else ""
