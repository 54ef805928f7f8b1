"""An instance of a function template as a function that can be run.

A compiler writes the function anew for its arguments. So is it done here, in the text: `using T =
float;` takes the place of the template's head, and the text is read once more.
"""

from __future__ import annotations

from registry_runtime.cxx.bindings import Bindings
from registry_runtime.cxx.declarations import FunctionDeclaration
from registry_runtime.cxx.definitions import defined_in
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.span import UndefinedFunction
from registry_runtime.cxx.static_initialisation import initialise


def instantiated(function: CxxFunction, bindings: Bindings) -> CxxFunction | None:
    """The function, its names bound so; None for one whose body is empty. Raises UndefinedFunction."""
    declaration = _defined(function)
    if declaration.body is None or not declaration.body.named_child_count:
        return None
    source, template = function.program.source, declaration.node.parent
    assert template is not None
    head, rest = source.span(template).start, source.span(declaration.node).start
    named = zip(declaration.template_parameters or (), function.arguments, strict=True)
    aliases = " ".join(f"using {parameter.name} = {of};" for parameter, of in named)
    text = f"{source.text[:head]}{aliases} {source.text[rest:]}"
    program = initialise(text, bindings).program
    return defined_in(
        program, CxxFunction(function.name, (), function.type, function.span, (), program)
    )


def _defined(function: CxxFunction) -> FunctionDeclaration:
    for declaration in function.program.declarations.functions.get(function.name, ()):
        parameters = declaration.template_parameters or ()
        if declaration.body is not None and len(parameters) == len(function.arguments):
            return declaration
    raise UndefinedFunction(function.name, function.span)
