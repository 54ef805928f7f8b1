"""Which member function a call on an object of the text reaches, and which overrides which.

It is looked for in the class whose function calls it, and then in the bases: the first that declares
the name decides, [class.member.lookup]. If it is virtual, the last class downwards that overrides it
has it, [class.virtual]. So `maybe_get_output()` in a base is the base's own, and what that calls may be
the derived class's `maybe_get_output(int64_t)`.

The bases end at a class that is bound: what it has stands in the table, and `Base` says which of that
is virtual.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from registry_runtime.cxx.bindings import Base, Class
from registry_runtime.cxx.classes import CxxClass, member_nodes
from registry_runtime.cxx.context import argument_nodes, span_of
from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.declarators import function_declarator
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.names import join
from registry_runtime.cxx.overloads import instance_type
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError, NotUnderstood
from registry_runtime.cxx.types import FunctionType, without_namespaces


def chain(of: CxxClass) -> tuple[str, ...]:
    """The class and its bases, nearest first, up to the first that is bound."""
    known: tuple[str, ...] = of.program.once(
        ("chain", of.name, of.arguments), lambda: tuple(_chain(of))
    )
    return known


def _chain(of: CxxClass) -> Iterator[str]:
    for name in (of.name, *(base.name for base in of.bases())):
        yield name
        if _base(of.program, name) is not None:
            return
    if name not in of.program.declarations.class_definitions:
        of.program.unknown.add(name)


def bound_base(of: CxxClass) -> Base | None:
    """What the bound class is to it that its bases lead to; None where they lead to none."""
    return _base(of.program, chain(of)[-1])


def _base(program: Program, name: str) -> Base | None:
    bound = program.bindings.names.get(name)
    return bound.base if isinstance(bound, Class) else None


def member_function(of: CxxClass, start: str, name: str, count: int) -> CxxFunction | None:
    """What a call of `name` with so many arguments reaches on an object of the class `of`, from a
    function of the class `start`: of several overloads the one that takes as many. None if it is no
    class of the text that has it."""
    key = ("member", of.name, of.arguments, start, name, count)
    known: CxxFunction | None = of.program.once(key, lambda: _reached(of, start, name, count))
    return known


def overrider(of: CxxClass, name: str, count: int) -> CxxFunction | None:
    """The same for a call from the bound class."""
    return member_function(of, chain(of)[-1], name, count)


def own_function(of: CxxClass, owner: str, name: str, count: int) -> CxxFunction | None:
    """What `owner::name(…)` reaches, whatever overrides it: the class's, or its nearest base's."""
    classes = chain(of)
    found = [declared(of.program, one, name) for one in classes[classes.index(owner) :]]
    own = next(filter(None, found), [])
    reached = _fitting(own, count) or next(iter(own), None)
    return _function(of.program, reached) if reached is not None else None


def _reached(of: CxxClass, start: str, name: str, count: int) -> CxxFunction | None:
    program, classes = of.program, chain(of)
    at = classes.index(start) if start in classes else 0
    above = [one for owner in classes[at:] for one in declared(program, owner, name)]
    if name in _virtual(of) or any(map(_is_virtual, above)):
        below = (_fitting(declared(program, owner, name), count) for owner in classes[:at])
        overriding = next(filter(None, below), None)
        if overriding is not None:
            return _function(program, overriding)
    return own_function(of, classes[at], name, count)


def _virtual(of: CxxClass) -> dict[str, tuple[str, ...]]:
    base = bound_base(of)
    return dict(base.virtual) if base is not None else {}


def _function(program: Program, declaration: FunctionDeclaration) -> CxxFunction | None:
    type = instance_type(program, declaration, ())
    name = declaration.declarator.child_by_field_name("declarator") or declaration.declarator
    span = program.source.span(name)
    return CxxFunction(declaration.name, (), type, span, (declaration,), program) if type else None


def _fitting(declarations: list[FunctionDeclaration], count: int) -> FunctionDeclaration | None:
    found = [one for one in declarations if takes(one.declarator, count)]
    if len(found) > 1:  # which differ in a parameter's type, or in const
        said = f"a call of one of {len(found)} functions `{found[0].name}`"
        raise NotUnderstood(said, span_of(found[1].declarator))
    return found[0] if found else None


def one_of_its_arity(of: CxxClass, name: str, count: int) -> None:
    """Raises CxxError where a class has two functions of this name that take so many arguments: which
    of them is meant, their types say, which aren't asked here."""
    for owner in chain(of):
        if _fitting(declared(of.program, owner, name), count) is not None:
            return


def takes(declarator: Node, count: int) -> bool:
    """Whether what is declared can be called with so many arguments."""
    listed = declarator.child_by_field_name("parameters")
    nodes = [n.type for n in argument_nodes(listed)] if listed is not None else []
    return len(nodes) - nodes.count("optional_parameter_declaration") <= count <= len(nodes)


# --- What a class declares ------------------------------------------------------------------------


def declared(program: Program, owner: str, name: str) -> list[FunctionDeclaration]:
    """The member functions of this name that a class of the text declares, with a body or without."""
    return declared_members(program, owner).get(name, []) if _base(program, owner) is None else []


def declared_members(program: Program, owner: str) -> dict[str, list[FunctionDeclaration]]:
    """All the member functions that a class of the text declares, by name."""
    key = ("declared members", owner)
    known: dict[str, list[FunctionDeclaration]] = program.once(
        key, lambda: _read_declared(program, owner)
    )
    return known


def _read_declared(program: Program, owner: str) -> dict[str, list[FunctionDeclaration]]:
    found: dict[str, list[FunctionDeclaration]] = {}
    definition = program.declarations.class_definitions.get(owner)
    of = CxxClass(owner, (), span_of(program.source.root), program)
    of.method("")  # enters the functions that have bodies among the program's
    for node in member_nodes(definition, *_FUNCTIONS) if definition else ():
        declarator = function_declarator(node.child_by_field_name("declarator"))
        named = declarator.child_by_field_name("declarator") if declarator is not None else None
        if declarator is None or named is None or node.child_by_field_name("type") is None:
            continue
        short, body = program.source.spell(named), node.child_by_field_name("body")
        declaration = FunctionDeclaration(join(owner, short), owner, node, declarator, body, None)
        found.setdefault(short, []).append(declaration)
    return found


_FUNCTIONS = ("function_definition", "field_declaration")


def _is_virtual(declaration: FunctionDeclaration) -> bool:
    written = any(child.type == "virtual" for child in declaration.node.children)
    return written or _says_override(declaration)


def _says_override(declaration: FunctionDeclaration) -> bool:
    return any(child.type == "virtual_specifier" for child in declaration.declarator.children)


# --- Whether objects can be made of it ------------------------------------------------------------


def check_class(of: CxxClass) -> None:
    """Raises CxxError for a class of which a compiler would make no object: a function overrides
    nothing, or one that has to be overridden isn't."""
    of.program.once(("checked", of.name), lambda: _check(of))


def _check(of: CxxClass) -> None:
    classes = chain(of)
    for index, owner in enumerate(classes[:-1]):
        for declarations in declared_members(of.program, owner).values():
            for one in filter(_says_override, declarations):
                if not any(_overridden(of, base, one) for base in classes[index + 1 :]):
                    name = one.declarator.child_by_field_name("declarator") or one.declarator
                    said = f"`{one.name}` is marked `override`, and overrides nothing"
                    hint = "its name, or its parameters, are no virtual function's of a base"
                    raise CxxError(said, span_of(name), hint)
    for pure, signature in _pure(of, classes):
        if not any(_has(of.program, owner, pure, signature) for owner in classes):
            said = f"`{of.name}` is abstract: no class overrides `{pure}`"
            raise CxxError(said, of.span, f"it has to define {_spelled(pure, signature)}")


def _spelled(name: str, signature: str) -> str:
    returns, _, parameters = signature.partition(" (")
    return f"{returns} {name}({parameters}"


def _pure(of: CxxClass, classes: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    base = bound_base(of)
    for name in base.pure if base is not None else ():
        yield name, _virtual(of)[name][0]
    for owner in classes[:-1]:
        for name, declarations in declared_members(of.program, owner).items():
            for one in declarations:
                if _is_virtual(one) and one.node.child_by_field_name("default_value"):
                    yield name, _signature(of.program, one)


def _overridden(of: CxxClass, base: str, by: FunctionDeclaration) -> bool:
    name, signature = by.name.rpartition("::")[2], _signature(of.program, by)
    if base == chain(of)[-1]:
        return signature in _virtual(of).get(name, ())
    there = declared(of.program, base, name)
    return any(_is_virtual(one) and _signature(of.program, one) == signature for one in there)


def _has(program: Program, owner: str, name: str, signature: str) -> bool:
    return any(
        _signature(program, one) == signature and not one.node.child_by_field_name("default_value")
        for one in declared(program, owner, name)
    )


def _signature(program: Program, declaration: FunctionDeclaration) -> str:
    type = instance_type(program, declaration, ())
    return without_namespaces(str(type)) if isinstance(type, FunctionType) else ""
