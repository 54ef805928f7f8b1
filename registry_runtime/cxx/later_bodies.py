"""What bodies will need that run later, when a call comes to them: said while headers can be asked.

Static initialisation runs few bodies, and a name in another isn't looked up before that one runs. By
then it is late: what a text misses is looked up in its headers once it was read. So a body is searched
for functions that it takes the type of, `decltype(&phi::TraceInferMeta)`, as Fluid's functors do.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from registry_runtime.cxx.context import inside
from registry_runtime.cxx.lookup import look_up
from registry_runtime.cxx.names import NAMES, qualified_name
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError


def note_unknown_types(program: Program) -> None:
    """Add to the program's unknown names those of functions whose type a body takes."""
    for scope, body in _bodies(program):
        if "decltype" in program.source.spell(body):
            for node in inside(body):
                if node.type == "decltype" and (name := _pointed_to(node)) is not None:
                    _note(program, name, scope)


def _bodies(program: Program) -> Iterator[tuple[str, Node]]:
    """Those of functions and classes, and the namespaces that they stand in."""
    declarations = program.declarations
    for functions in declarations.functions.values():
        yield from ((f.scope, f.body) for f in functions if f.body is not None)
    yield from ((c.scope, c.node) for c in declarations.class_definitions.values())


def _pointed_to(decltype: Node) -> Node | None:
    """The name in `decltype(&name)`."""
    for operand in decltype.named_children:
        pointed_to = operand.child_by_field_name("argument")
        if operand.type == "pointer_expression" and pointed_to and pointed_to.type in NAMES:
            return pointed_to
    return None


def _note(program: Program, node: Node, scope: str) -> None:
    try:
        name = qualified_name(program.source, node)
        if look_up(program, name, scope) is None:
            program.unknown.add(str(name))
    except CxxError:  # it is declared further down, or no name of a function
        return
