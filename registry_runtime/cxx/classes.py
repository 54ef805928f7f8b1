"""Classes of the text: what they are derived from, and their member functions, which can be run.

A framework may take a class for an argument, `OperatorRegistrar<ops::TraceOp>`, make an object of it,
and call a function that the class overrides. `class_of` finds the class for such an argument;
`method` finds the function, in the class or in the nearest base that has a body for it; and
`function.call_on(object, …)` runs it on a `CxxObject`, which is what the framework's own base class
is in Python.

Nothing in a class is read before somebody asks: a header has hundreds of them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from registry_runtime.cxx.context import Place
from registry_runtime.cxx.declarations import ClassDefinition, FunctionDeclaration
from registry_runtime.cxx.declarators import function_declarator
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.instances import bind, instance_scope
from registry_runtime.cxx.names import join
from registry_runtime.cxx.overloads import instance_type
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import named_type
from registry_runtime.cxx.span import CxxError, Span
from registry_runtime.cxx.types import (
    FunctionType,
    NamedType,
    TemplateArgument,
    spell_arguments,
    substitute,
)
from registry_runtime.cxx.variables import Variable


@dataclass(frozen=True)
class CxxClass:
    """`ops::TraceOp`, or `ops::TraceKernel<phi::CPUContext, float>`, an instance of a template.

    `span` is where it was named.
    """

    name: str
    arguments: tuple[TemplateArgument, ...]
    span: Span = field(compare=False)
    program: Program = field(compare=False, repr=False)

    def __str__(self) -> str:
        return self.name + spell_arguments(self.arguments)

    @property
    def definition(self) -> ClassDefinition | None:
        """The class with its body, if the text has it."""
        return self.program.declarations.class_definitions.get(self.name)

    @property
    def body(self) -> Span | None:
        """All of its definition, from `class` to the closing brace."""
        definition = self.definition
        return self.program.source.span(definition.node) if definition else None

    def bases(self) -> Iterator[NamedType]:
        """The types that it is derived from, nearest first, with what is known of their arguments.

        Of several bases of one class the first counts. Those that the text doesn't define are the
        last, as nothing is known of theirs.
        """
        of: CxxClass | None = self
        for _ in range(_MOST_BASES):
            if of is None or (base := of._base()) is None:
                return
            yield base
            of = self._named(base)

    def _base(self) -> NamedType | None:
        clause = self.program.declarations.bases.get(self.name)
        if clause is None:
            return None
        definition = self.definition
        parameters = (definition.template_parameters if definition else None) or ()
        names = [parameter.name for parameter in parameters]
        place = Place(clause.scope, frozenset(names))
        try:
            type = named_type(self.program, clause.node, place)
        except CxxError:
            return None
        known = {n: a.value for n, a in zip(names, self.arguments, strict=False)}
        made = substitute(type, known)
        return made if isinstance(made, NamedType) else None

    def method(self, name: str) -> CxxFunction | None:
        """The member function of this name that a call on an object reaches: the nearest that has a
        body, here or in a base. Of several overloads the first."""
        for owner in (self, *(self._named(base) for base in self.bases())):
            for declaration in _methods(self.program, owner.name).get(name, ()):
                if declaration.body is None:
                    continue
                type = instance_type(self.program, declaration, ())
                node = declaration.declarator.child_by_field_name("declarator")
                span = self.program.source.span(node or declaration.declarator)
                if type is not None:
                    scope, type = owner._instance(type)
                    return CxxFunction(
                        declaration.name, (), type, span, (declaration,), self.program, scope
                    )
        return None

    def method_names(self) -> Iterator[str]:
        """The member functions that have a body, here or in a base."""
        for owner in (self, *(self._named(base) for base in self.bases())):
            yield from _methods(self.program, owner.name)

    def _named(self, base: NamedType) -> CxxClass:
        return CxxClass(base.name, base.arguments, self.span, self.program)

    def _instance(self, type: FunctionType) -> tuple[str, FunctionType]:
        # Where a member of this type is read if the class is a template's instance, and its own type.
        parameters = (self.definition.template_parameters if self.definition else None) or ()
        if not parameters:
            return "", type
        bound = bind(self.program, self.definition.scope, parameters, self.arguments)  # type: ignore
        if bound is None:
            return "", type
        made = substitute(type, bound)
        assert isinstance(made, FunctionType)
        return instance_scope(self.program, self.name, bound), made


@dataclass(eq=False)
class CxxObject:
    """An object of a class of the text. Derive from it what a framework's own base class is.

    `data` are its data members, where the text constructs it: see `class_objects`.
    """

    cxx_class: CxxClass
    data: dict[str, Variable] = field(default_factory=dict, init=False, repr=False)

    def entering(self, function: CxxFunction) -> None:
        """Told of each member function that runs on this object."""


def class_of(argument: TemplateArgument) -> CxxClass | None:
    """The class that a template argument names; None for a value, or a type of another kind.

    The text need not define it: a framework's own class is one too.
    """
    if isinstance(argument.type, NamedType) and isinstance(argument.program, Program):
        type = argument.type
        return CxxClass(type.name, type.arguments, argument.span, argument.program)
    return None


# No chain of base classes is as long, unless it bites its tail.
_MOST_BASES = 32


# A class is read once: reading it enters its functions among the program's, and two threads that did
# so would make two definitions of each.
_READING = threading.Lock()


def _methods(program: Program, name: str) -> dict[str, list[FunctionDeclaration]]:
    key = ("methods", name)
    with _READING:
        known = program.instances.get(key)
        if not isinstance(known, dict):
            known = program.instances[key] = _read_methods(program, name)
    return known


def _read_methods(program: Program, name: str) -> dict[str, list[FunctionDeclaration]]:
    found: dict[str, list[FunctionDeclaration]] = {}
    definition = program.declarations.class_definitions.get(name)
    for node in member_nodes(definition, "function_definition") if definition else ():
        declarator = function_declarator(node.child_by_field_name("declarator"))
        named = declarator.child_by_field_name("declarator") if declarator is not None else None
        if declarator is None or named is None or node.child_by_field_name("type") is None:
            continue  # a constructor
        short = "".join(program.source.spell(named).split())
        full, body = join(name, short), node.child_by_field_name("body")
        declaration = FunctionDeclaration(full, name, node, declarator, body, None)
        found.setdefault(short, []).append(declaration)
        program.declarations.functions[full].append(declaration)
    # Those that are defined out of the class, `void TraceOpMaker::Make() { … }`, are known already.
    for full, declarations in list(program.declarations.functions.items()):
        owner, _, short = full.rpartition("::")
        if owner == name:
            listed = found.setdefault(short, [])
            listed += [d for d in declarations if d not in listed]
    return found


def member_nodes(definition: ClassDefinition, *kinds: str) -> Iterator[Node]:
    """What stands in a class, of these kinds."""
    body = definition.node.child_by_field_name("body")
    return (node for node in body.named_children if node.type in kinds) if body else iter(())
