"""Instances of templates: which argument each parameter gets, and where an instance's body is read.

A compiler writes a template anew for its arguments. Here its body is read in a scope of its own, whose
name nobody can write, where `T` is the name of a type as any other. A template that is specialised has
another body for some arguments; which one, isn't worked out, and so none is run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from registry_runtime.cxx.context import Place
from registry_runtime.cxx.declarations import FunctionDeclaration, TemplateParameter
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.names import join
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import default_argument
from registry_runtime.cxx.span import NotUnderstood
from registry_runtime.cxx.types import TemplateArgument, Type, substitute

Bound = Mapping[str, Type | object]


def bind(
    program: Program,
    scope: str,
    parameters: Sequence[TemplateParameter],
    arguments: Sequence[TemplateArgument],
) -> Bound | None:
    """Which argument each parameter of a template in `scope` gets; None if they don't fit in number."""
    pack = parameters[-1].name if parameters and parameters[-1].is_pack else None
    if pack is not None:  # what is left over; `f<int>` leaves nothing, and the pack is empty
        parameters = parameters[:-1]
        rest, arguments = arguments[len(parameters) :], arguments[: len(parameters)]
    if any(parameter.is_pack for parameter in parameters) or len(arguments) > len(parameters):
        return None
    bound: dict[str, Type | object] = {
        parameter.name: argument.value
        for parameter, argument in zip(parameters, arguments, strict=False)
    }
    for parameter in parameters[len(arguments) :]:
        if parameter.default is None:
            return None
        names = frozenset(p.name for p in parameters)
        default = default_argument(program, parameter.default, Place(scope, names))
        bound[parameter.name] = substitute(default, bound) if isinstance(default, Type) else default
    if pack is not None:
        bound[pack] = tuple(argument.value for argument in rest)
    return bound


def instance_scope(program: Program, name: str, bound: Bound) -> str:
    """The scope in which the template `name`, with what its parameters stand for, is read."""
    key = ("instance", name, *((n, str(value)) for n, value in bound.items()))
    known = program.instances.get(key)
    if isinstance(known, str):
        return known
    scope = join(name, f"{{instance {len(program.declarations.template_arguments)}}}")
    for parameter, value in bound.items():
        program.declarations.template_arguments[join(scope, parameter)] = value
    program.instances[key] = scope
    return scope


def body_scope(function: CxxFunction, declaration: FunctionDeclaration) -> str:
    """The scope in which the function's body is read. Raises CxxError for a template's that is not
    the only one."""
    program = function.program
    owner = function.name.rpartition("::")[0]
    if {function.name, owner} & program.declarations.specialised.keys():
        said = f"a call of the template `{function}`, which is specialised"
        raise NotUnderstood(said, function.span)
    if declaration.template_parameters is None:
        return function.scope or declaration.scope
    bound = bind(program, declaration.scope, declaration.template_parameters, function.arguments)
    if bound is None or any(p.is_pack for p in declaration.template_parameters):
        raise NotUnderstood(f"a call of the template `{function}`", function.span)
    return instance_scope(program, function.name, bound)
