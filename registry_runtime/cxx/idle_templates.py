"""A template's head that was left behind, before a class that is none.

`template <typename T>` alone on a line makes a template of whatever follows: of the class, say, by
which a macro asserts that it stands in the global namespace. A compiler stops where that class is named
without arguments; who wrote the head looks for it there in vain.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from registry_runtime.cxx.context import inside
from registry_runtime.cxx.lookup import look_up
from registry_runtime.cxx.names import NAMES, qualified_name
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import Code, CxxError, Span


def idle_template(program: Program, asserted: Node, scope: str) -> CxxError | None:
    """The error at the head that makes a template of what `std::is_same` compares as a class."""
    for node in _compared(program, asserted):
        name = qualified_name(program.source, node)
        found = look_up(program, name, scope)
        if found is None or not found.is_class or found.rest or found.part.arguments is not None:
            continue
        for declared in program.declarations.declared.get(found.path, ()):
            if declared.kind == "class" and declared.is_template:
                return _error(program, declared.node.parent)
    return None


def _compared(program: Program, asserted: Node) -> Iterator[Node]:
    for node in inside(asserted):
        name = node.child_by_field_name("name")
        if node.type != "template_type" or name is None or program.source.spell(name) != "is_same":
            continue
        arguments = node.child_by_field_name("arguments")
        for argument in arguments.named_children if arguments is not None else ():
            type = argument.child_by_field_name("type")
            if type is not None and type.type in NAMES and argument.named_child_count == 1:
                yield type


def _error(program: Program, template: Node | None) -> CxxError | None:
    parameters = template.child_by_field_name("parameters") if template is not None else None
    if template is None or parameters is None:
        return None
    span = Span(template.start_byte, parameters.end_byte)
    head = " ".join(program.source.text[span.start : span.end].split())
    said = f"`{head}` stands alone: what follows is used as a class, and is no template"
    return CxxError(said, span, "remove it, or write the template that it begins", Code.INCOMPLETE)
