"""Classes of the text whose constructor calls a function that registers.

No class of C++ crosses the border of a C API, only functions do. So a macro over one writes a class of
its own, with the call in its constructor, and a static object of it: the call is made before `main()`
all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from registry_runtime.cxx.classes import CxxClass
from registry_runtime.cxx.constructors import declared_constructors
from registry_runtime.cxx.context import Context, Place
from registry_runtime.cxx.instances import bind, instance_scope
from registry_runtime.cxx.member_functions import takes
from registry_runtime.cxx.parameters import bind_parameters
from registry_runtime.cxx.parse import no_syntax_errors
from registry_runtime.cxx.span import CxxError, NotUnderstood
from registry_runtime.cxx.statements import Return, run_block
from registry_runtime.cxx.variables import Variables


def registered_by(of: CxxClass, values: Sequence[object]) -> tuple[object, ...]:
    """Run the class's constructor for these values, and give what the calls in it registered. Raises
    CxxError."""
    name, span, program = of.name, of.span, of.program
    definition, running = of.definition, program.running
    assert definition is not None
    fitting = [one for one in declared_constructors(program, name) if takes(one[1], len(values))]
    if not fitting:
        raise CxxError(f"no constructor of `{of}` takes {len(values)} arguments", span)
    node, declarator = fitting[0]
    body = node.child_by_field_name("body")
    if name in program.declarations.bases or body is None:
        raise NotUnderstood(f"`{of}`", span)
    no_syntax_errors(program.source, node)
    scope = name
    if definition.template_parameters is not None:
        bound = bind(program, definition.scope, definition.template_parameters, of.arguments)
        if bound is None:
            raise NotUnderstood(f"`{of}`", span)
        scope = instance_scope(program, name, bound)
    before, running.registered = running.registered, ()
    place = Place(scope, depth=3 * running.depth)
    if running.depth == 0:
        running.steps, running.temporaries = 0, ()
    running.depth += 1
    variables = Variables({})
    try:
        context = Context(program, place, variables)
        bind_parameters(context, name, declarator, values)
        with suppress(Return):
            run_block(context, body)
        return running.registered
    finally:
        running.depth -= 1
        running.registered = before
        variables.end()
