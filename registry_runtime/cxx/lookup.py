"""Name lookup: what a name means at the place where it stands.

An unqualified name, or the first part of a qualified one, is looked for in the namespace where it
stands, then in the ones around it; the first hit wins. `using namespace` adds a namespace to look
in; a leading `::` leaves only the global one. From there the parts after each `::` lead downwards.
A name is found only below its declaration, as in C++.

Where the table of bindings and the text both know a name, the table wins: the text of a framework's
headers declares `phi::KernelRegistrar`, and the table knows what it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from registry_runtime.cxx.bindings import Binding, Constant, Enumeration, Function, Namespace
from registry_runtime.cxx.declarations import Alias, FunctionDeclaration, VariableDeclaration
from registry_runtime.cxx.names import NamePart, QualifiedName, join
from registry_runtime.cxx.own_types import EnumType
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import Code, CxxError
from registry_runtime.cxx.types import Type
from registry_runtime.near import nearest


class Found(NamedTuple):
    """What a name was found to be.

    `path` is its full name and `rest` the parts after it that are its members. Exactly one of
    `binding`, `type`, `functions`, `alias`, `variable` and `is_class` says what it is.
    """

    path: str
    part: NamePart
    rest: tuple[NamePart, ...]
    binding: Binding | None = None
    type: Type | None = None
    functions: tuple[FunctionDeclaration, ...] = ()
    alias: Alias | None = None
    variable: VariableDeclaration | None = None
    is_class: bool = False

    @property
    def is_value(self) -> bool:
        """Whether it is one: a variable, a function, an enumerator, but not a type."""
        match self.binding:
            case Enumeration():
                return bool(self.rest)
            case Constant() | Function():
                return True
        return bool(self.functions) or self.variable is not None


def look_up(
    program: Program, name: QualifiedName, scope: str, hops: int = 0, types_only: bool = False
) -> Found | None:
    """What `name` means in the namespace `scope`, or None; `types_only` behind `struct`.

    Raises CxxError if the name is declared only further down.
    """
    if hops > 32:
        raise CxxError(f"`{name}` is an alias of itself", name.span)
    program.running.looked_up += 1
    later: Found | None = None
    for prefix in _prefixes(program, "" if name.is_global else scope, name, hops):
        found = _descend(program, prefix, name, hops, types_only)
        if found is None:
            continue
        if found.functions or found.alias or found.variable or found.is_class:
            visible = _visible(program, found, name.span.start)
            if visible is None:
                later = later or found
                continue
            return visible
        return found
    if later is not None:
        # Another text may have it further up, as a header of this one.
        (program.unknown_types if later.alias else program.unknown).add(str(name))
        raise CxxError(
            f"`{later.path}` is declared only further down",
            name.span,
            "C++ reads from top to bottom: move the declaration above this line",
        )
    return None


def _prefixes(program: Program, scope: str, name: QualifiedName, hops: int) -> Iterator[str]:
    declarations = program.declarations
    while True:
        yield scope
        for directive in declarations.directives.get(scope, ()):
            if directive.span.end <= name.span.start:
                yield namespace(program, directive, scope, hops)
        if not scope:
            return
        scope = scope.rpartition("::")[0]


def namespace(program: Program, name: QualifiedName, scope: str, hops: int = 0) -> str:
    """The full name of the namespace that `name` names in `scope`."""
    for prefix in _enclosing("" if name.is_global else scope):
        path = _resolve_namespace(program, join(prefix, str(name)), hops)
        if path is not None:
            return path
    return str(name)


def _enclosing(scope: str) -> Iterator[str]:
    while scope:
        yield scope
        scope = scope.rpartition("::")[0]
    yield ""


def _resolve_namespace(program: Program, path: str, hops: int) -> str | None:
    if path in program.declarations.namespaces or path in program.bindings.namespaces:
        return path
    target = program.declarations.namespace_aliases.get(path)
    if target is None or hops > 32:
        return None
    return namespace(program, target, path.rpartition("::")[0], hops + 1)


def _descend(
    program: Program, prefix: str, name: QualifiedName, hops: int, types_only: bool
) -> Found | None:
    path = prefix
    for index, part in enumerate(name.parts):
        path = join(path, part.name)
        found = _entity(program, path, part, name.parts[index + 1 :], hops, types_only)
        if found is not None:
            return found
        inner = _resolve_namespace(program, path, hops)
        if inner is None:
            return None
        path = inner
    return None


def _entity(
    program: Program,
    path: str,
    part: NamePart,
    rest: tuple[NamePart, ...],
    hops: int,
    types_only: bool,
) -> Found | None:
    bindings, declarations = program.bindings, program.declarations
    binding = bindings.names.get(path)
    if isinstance(binding, Namespace) and rest and join(path, rest[0].name) in declarations.classes:
        return None  # what the text declares in there says more
    if binding is not None:
        return Found(path, part, rest, binding=binding, type=bindings.types.get(path))
    if type := bindings.types.get(path):
        return Found(path, part, rest, type=type)
    if path in declarations.template_arguments:
        value = declarations.template_arguments[path]
        is_type = isinstance(value, Type)
        return Found(
            path,
            part,
            rest,
            binding=None if is_type else Constant(value),
            type=value if is_type else None,  # type: ignore[arg-type]
        )
    own = _own(program, path, part, rest) if path in declarations.enumerations else None
    if own is not None:
        return own
    if path in declarations.enumerators and not types_only and not rest:
        found = _enumerator(program, path, part)
        if found is not None:
            return found
    if path in declarations.functions and not types_only:
        return Found(path, part, rest, functions=tuple(declarations.functions[path]))
    if path in declarations.aliases:
        return Found(path, part, rest, alias=declarations.aliases[path][0])
    is_class = path in declarations.classes
    if path in declarations.variables and not types_only:
        # `struct stub stub;`: the object hides the class, but not above it, nor before a `::`.
        variable = declarations.variables[path]
        if not is_class or (not rest and variable.position <= part.span.start):
            return Found(path, part, rest, variable=variable)
    if is_class:
        return Found(path, part, rest, is_class=True)
    for target in declarations.using.get(path, ()):
        if target.span.end <= part.span.start:
            *around, last = target.parts
            named = last._replace(arguments=part.arguments)  # f<int> behind `using a::f;`
            whole = QualifiedName((*around, named, *rest), target.is_global, target.span)
            return look_up(program, whole, path.rpartition("::")[0], hops + 1)
    return None


def _own(program: Program, path: str, part: NamePart, rest: tuple[NamePart, ...]) -> Found | None:
    # An enumeration whose values are understood; any other is a class of which no more is known.
    of = program.own_type(program, path)
    above = program.declarations.enumerations[path].node.start_byte <= part.span.start
    if not isinstance(of, EnumType) or not above:
        return None
    return Found(path, part, rest, binding=Enumeration(of.of), type=of)


def _enumerator(program: Program, path: str, part: NamePart) -> Found | None:
    enumeration = program.declarations.enumerators[path]
    node = program.declarations.enumerations[enumeration].node
    of = program.own_type(program, enumeration) if node.end_byte <= part.span.start else None
    if not isinstance(of, EnumType):
        return None
    value = of.of.__members__[path.rpartition("::")[2]]
    return Found(path, part, (), binding=Constant(value))


def _visible(program: Program, found: Found, position: int) -> Found | None:
    if found.functions:
        above = tuple(f for f in found.functions if f.position <= position)
        return Found(found.path, found.part, found.rest, functions=above) if above else None
    if found.alias is not None:
        return found if found.alias.position <= position else None
    if found.variable is not None:
        return found if found.variable.position <= position else None
    return found if program.declarations.classes[found.path] <= position else None


# --- Names that mean nothing ----------------------------------------------------------------------


def unknown_name(program: Program, name: QualifiedName, scope: str) -> CxxError:
    """The error for a name that `look_up` didn't find, with the nearest name that exists."""
    program.unknown.update([*classes_in(name)] or [str(name)])
    path = ""
    for index, part in enumerate(name.parts):
        around = [path] if index or name.is_global else list(_enclosing(scope))
        known = (_resolve_namespace(program, join(outer, part.name), 0) for outer in around)
        inner = next((found for found in known if found is not None), None)
        if inner is None:
            shown = join(path, part.name)
            hint = hint_for_unknown(program, shown)
            return CxxError(f"`{shown}` is not known here", part.span, hint, Code.UNKNOWN_NAME)
        path = inner
    return CxxError(f"`{name}` is a namespace", name.span)


def classes_in(name: QualifiedName) -> Iterator[str]:
    """The class templates that a name leads through: `Wrap` of `Wrap<f>::type::call`."""
    for index, part in enumerate(name.parts[:-1], 1):
        if part.arguments is not None:
            yield "::".join(one.name for one in name.parts[:index])


def certainly_unknown(program: Program, name: QualifiedName, scope: str) -> CxxError | None:
    """The same for a name in code that isn't run; None if a header may declare it. Then it is looked
    for there, as any that is unknown."""
    error = unknown_name(program, name, scope)
    missed = [part.name for part in name.parts if part.span == error.span]
    return None if all(map(program.elsewhere, (*missed, name.parts[-1].name))) else error


def like_a_variable(error: CxxError, spelled: str, names: Iterable[str]) -> CxxError | None:
    """The error of an unknown name, with the variable in scope that it is most like, or None."""
    near = nearest(spelled, names, 0.8) if error.code is Code.UNKNOWN_NAME else ""
    hint = f"did you mean `{near}`?"
    return CxxError(error.message, error.span, hint, error.code) if near else None


def nearest_known(program: Program, shown: str) -> str:
    """The name that a name which nobody knows is most like, or "" if it is like none."""
    known = {
        *program.bindings.names,
        *program.declarations.functions,
        *program.declarations.classes,
    }
    by_last_part = {name.rpartition("::")[2]: name for name in known}
    last = shown.rpartition("::")[2]
    return nearest(shown, known, 0.8) or by_last_part.get(nearest(last, by_last_part, 0.8), "")


def hint_for_unknown(program: Program, shown: str) -> str:
    """What to do about a name that nobody knows: the nearest known one, or where to look."""
    if near := nearest_known(program, shown):
        return f"did you mean `{near}`?"
    last = shown.rpartition("::")[2]
    if last.isupper() and len(last) > 1:
        return "it looks like a macro: is the header that defines it included?"
    return "is the header that declares it included?"
