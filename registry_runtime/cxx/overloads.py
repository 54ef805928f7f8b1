"""Of the functions that share a name, the one that is meant; and its type with template arguments.

A template is instantiated by putting the arguments in place of its parameters throughout its type,
which is read once for all instances. What doesn't fit in number falls out; if not exactly one type is
left, nobody can say which function is meant.
"""

from __future__ import annotations

from registry_runtime.cxx.context import Place, argument_nodes
from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.instances import bind
from registry_runtime.cxx.lookup import Found
from registry_runtime.cxx.names import QualifiedName
from registry_runtime.cxx.parse import no_syntax_errors
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import read_type, template_arguments
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import FunctionType, TemplateArgument, Type, substitute


def overload(program: Program, found: Found, place: Place, name: QualifiedName) -> CxxFunction:
    """The function, or the instance of a template, that `name` names. Raises CxxError."""
    arguments = template_arguments(program, found.part, place)
    key = (found.path, arguments, found.part.arguments is None, len(found.functions))
    known = program.instances.get(key)
    if isinstance(known, CxxFunction):
        return known
    fitting: dict[FunctionType, list[FunctionDeclaration]] = {}
    # Definitions first: of several declarations, theirs are the parameter names that count.
    for declaration in sorted(found.functions, key=lambda declaration: declaration.body is None):
        if (declaration.template_parameters is None) == (found.part.arguments is None):
            type = instance_type(program, declaration, arguments)
            if type is not None:
                fitting.setdefault(type, []).append(declaration)
    if len(fitting) != 1:
        raise _no_overload(found, arguments, len(fitting), name)
    [(type, declarations)] = fitting.items()
    function = CxxFunction(found.path, arguments, type, name.span, tuple(declarations), program)
    program.instances[key] = function
    return function


def least_arguments(declaration: FunctionDeclaration) -> int:
    """How many arguments a call of it has at least, by this declaration."""
    listed = declaration.declarator.child_by_field_name("parameters")
    nodes = [node.type for node in argument_nodes(listed)] if listed is not None else []
    return len(nodes) - nodes.count("optional_parameter_declaration")


def instance_type(
    program: Program, declaration: FunctionDeclaration, arguments: tuple[TemplateArgument, ...]
) -> FunctionType | None:
    """The declared function's type with these template arguments, or None if they don't fit."""
    parameters = declaration.template_parameters or ()
    bound = bind(program, declaration.scope, parameters, arguments)
    if bound is None:
        return None
    type = generic_type(program, declaration)
    type = substitute(type, bound) if bound else type
    return type if isinstance(type, FunctionType) else None


def generic_type(program: Program, declaration: FunctionDeclaration) -> Type:
    """A function's type in terms of its template's parameters, worked out once for all instances."""
    known = program.types.get(declaration.position)
    if known is None:
        no_syntax_errors(program.source, declaration.declarator)
        names = frozenset(p.name for p in declaration.template_parameters or ())
        place = Place(declaration.scope, names)
        known = read_type(program, declaration.node, place)
        program.types[declaration.position] = known
    return known


def _no_overload(
    found: Found, arguments: tuple[TemplateArgument, ...], fitting: int, name: QualifiedName
) -> CxxError:
    if fitting:
        return CxxError(f"`{found.path}` is ambiguous: {fitting} overloads fit", name.span)
    templates = [f.template_parameters for f in found.functions if f.template_parameters]
    if not templates:
        return CxxError(f"`{found.path}` is a function, not a template", name.span)
    wanted = " or ".join(dict.fromkeys(f"<{', '.join(p.name for p in t)}>" for t in templates))
    count = f"{len(arguments)} argument{'' if len(arguments) == 1 else 's'}"
    return CxxError(f"`{found.path}` is a template of {wanted} and is given {count}", name.span)
