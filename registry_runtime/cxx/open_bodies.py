"""What only follows from the `}` that a function lacks: all that stands below it, and in no function.

A body that is never closed reaches to the end of the text (see `braces`). What it holds by mistake
begins with the first thing that no body can hold: another function, one that is declared static, a
registration. A compiler too has much to say of that, and none of it helps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile

from tree_sitter import Node

from registry_runtime.cxx.idle_registrars import registrar_names
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError, Span


def without_what_follows(program: Program, errors: Iterable[CxxError]) -> list[CxxError]:
    """The errors that don't stand where a body should have ended."""
    swallowed = [*_swallowed(program)]
    return [
        error
        for error in errors
        if not any(span.start <= error.span.start < span.end for span in swallowed)
    ]


def own_statements(program: Program, block: Node) -> list[Node]:
    """What stands in a block; in one that is never closed, what stands there before all else."""
    if block.start_byte not in program.source.braces.unclosed:
        return block.named_children
    return [*takewhile(lambda node: not _is_outside(program, node), block.named_children)]


def _swallowed(program: Program) -> Iterator[Span]:
    source = program.source
    for position in source.braces.unclosed:
        brace = source.root.descendant_for_byte_range(position, position + 1)
        body = brace.parent if brace is not None else None
        if body is None or body.type != "compound_statement":
            continue
        own = own_statements(program, body)
        if len(own) < body.named_child_count:
            first = body.named_children[len(own)]
            yield Span(first.start_byte, len(source.text) + 1)


def _is_outside(program: Program, node: Node) -> bool:
    """Whether this stands in no body."""
    if node.type in _OUTSIDE:
        return True
    spelled = program.source.spell(node)
    declares = node.child_by_field_name("declarator")
    is_function = declares is not None and declares.type == "function_declarator"
    is_static = is_function and spelled.startswith("static ")
    return node.type == "declaration" and (
        is_static or registrar_names(program).search(spelled) is not None
    )


_OUTSIDE = (
    "function_definition",
    "namespace_definition",
    "template_declaration",
    "template_instantiation",
    "linkage_specification",
)
