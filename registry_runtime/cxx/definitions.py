"""Which body belongs to a function, and where a function's name was written.

`&f` needs a declaration of `f` above it. Its body may stand anywhere in the text, for it is needed
only when `f` is called, and nothing is called before the whole text has been read.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.lookup import hint_for_unknown
from registry_runtime.cxx.overloads import instance_type
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError, RedefinedFunction, Span, UndefinedFunction
from registry_runtime.cxx.types import FunctionType


def definition(function: CxxFunction) -> FunctionDeclaration:
    """The declaration that has the body; of several the first, for what was used before the second.

    Raises UndefinedFunction if none has, RedefinedFunction for a use behind the first of several:
    a compiler would have stopped there, and what stood before is as it was.
    """
    if function.scope:  # the class has been asked for it
        return function.declarations[0]
    declarations = _declarations(function)
    bodies = [declaration for declaration in declarations if declaration.body is not None]
    if len(bodies) > 1 and bodies[0].position < function.span.start:
        raise RedefinedFunction(function.name, _name(function, bodies[1]))
    if not bodies:
        _no_other_result(function)
        raise UndefinedFunction(function.name, _where_the_body_should_be(function, declarations))
    return bodies[0]


def defined_in(program: Program, function: CxxFunction) -> CxxFunction | None:
    """The function of that name and type which another text has a body for, as a linker finds it: a
    `static` one is that text's own. None if there is none."""
    for declaration in program.declarations.functions.get(function.name, ()):
        if declaration.body is None or declaration.template_parameters is not None:
            continue
        words = (program.source.spell(c) for c in declaration.node.children if c.is_named)
        if "static" in words:
            continue
        try:
            type = instance_type(program, declaration, ())
        except CxxError:
            continue  # of a type that isn't understood: nobody can call it
        if type == function.type:
            name = _name_in(program, declaration)
            return CxxFunction(function.name, (), type, name, (declaration,), program)
    return None


def body_span(function: CxxFunction) -> Span | None:
    """The definition, from its return type to its closing brace; None if there is none."""
    for declaration in _declarations(function):
        if declaration.body is not None:
            return function.program.source.span(declaration.node)
    return None


def body_node(function: CxxFunction) -> Node | None:
    """What stands between its braces, with them; None if there is none."""
    bodies = (declaration.body for declaration in _declarations(function))
    return next((body for body in bodies if body is not None), None)


def is_const_function(function: CxxFunction) -> bool:
    """Whether it is a member function that may be called on a const object."""
    spell = function.program.source.spell
    return any(
        child.type == "type_qualifier" and spell(child) == "const"
        for declaration in function.declarations
        for child in declaration.declarator.children
    )


def name_span(function: CxxFunction) -> Span:
    """The function's name in its declaration, or where it was used if there is none."""
    if not function.declarations:
        return function.span
    return _name(function, function.declarations[0])


def nearest_name(function: CxxFunction) -> str:
    """A hint for a function that isn't declared: the known name that is most like its own."""
    return hint_for_unknown(function.program, function.name)


def out_of_class(program: Program) -> Iterator[CxxFunction]:
    """The functions that a text defines under a qualified name: `void X::meta(…) { … }`."""
    for name, declarations in program.declarations.functions.items():
        for declaration in declarations:
            declared = declaration.declarator.child_by_field_name("declarator")
            if declaration.body is None or declared is None:
                continue
            if declared.type != "qualified_identifier":
                continue
            try:
                type = instance_type(program, declaration, ())
            except CxxError:
                continue  # of a type that isn't understood: nobody can call it
            if type is not None and declaration.template_parameters is None:
                span = program.source.span(declared)
                yield CxxFunction(name, (), type, span, (declaration,), program)


def _declarations(function: CxxFunction) -> list[FunctionDeclaration]:
    # Braces run once for each dtype, and their function is the same each time.
    key = ("declarations", function.name, function.span.start, function.arguments, function.type)
    known = function.program.instances.get(key)
    if isinstance(known, list):
        return known
    found = _same_function(function)
    function.program.instances[key] = found
    return found


def _no_other_result(function: CxxFunction) -> None:
    """Raises CxxError for one that has a body, by which it returns another type."""
    if not isinstance(function.type, FunctionType):
        return
    for other in function.program.declarations.functions.get(function.name, ()):
        if other.body is None or other.template_parameters is not None:
            continue
        type = instance_type(function.program, other, ())
        alike = isinstance(type, FunctionType) and type.spell_parameters()
        if alike == function.type.spell_parameters():
            said = f"`{function.name}` returns another type above"
            raise CxxError(said, _name(function, other))


def _same_function(function: CxxFunction) -> list[FunctionDeclaration]:
    everywhere = function.program.declarations.functions.get(function.name, ())
    is_template = bool(function.declarations and function.declarations[0].template_parameters)
    return [
        declaration
        for declaration in everywhere
        if (declaration.template_parameters is not None) == is_template
        and instance_type(function.program, declaration, function.arguments) == function.type
    ]


def _name(function: CxxFunction, declaration: FunctionDeclaration) -> Span:
    return _name_in(function.program, declaration)


def _name_in(program: Program, declaration: FunctionDeclaration) -> Span:
    name = declaration.declarator.child_by_field_name("declarator")
    return program.source.span(name or declaration.declarator)


def _where_the_body_should_be(
    function: CxxFunction, declarations: list[FunctionDeclaration]
) -> Span:
    if not declarations:
        return function.span
    end: Node = declarations[-1].node.children[-1]
    source = function.program.source
    if end.type == ";" and source.spell(end) == ";":
        return source.span(end)
    after_parameters = declarations[-1].declarator.end_byte
    return Span(after_parameters - 1, after_parameters)
