"""Registrations that stand in a function, where no compiler takes them.

A macro that registers writes more than an object: it asserts that it stands in the global namespace,
or it defines a function. Neither compiles in a body. A mere object does there, and waits until the
function runs (see `idle_registrars`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from registry_runtime.cxx.context import Context, Place, span_of
from registry_runtime.cxx.evaluate import evaluate
from registry_runtime.cxx.idle_registrars import registrar_names, registrars
from registry_runtime.cxx.parse import surrounding
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError, Span

# That a class is the global one of its name. Where it has just been declared in a body it never is.
# What begins with `\b` takes twenty times as long to look for.
_IS_GLOBAL = re.compile(
    r"static_assert(?<!\wstatic_assert)\s*\(\s*(?:::\s*)?std\s*::\s*is_same\s*<\s*::\s*(\w+)\s*,\s*\1\s*>\s*::\s*value\s*[,)]"
)
_BODY = "compound_statement"
_DEFINES = "what registers here defines a function, and C++ takes no definition in another function"


class Misplaced(NamedTuple):
    """An error, and the body that it is about."""

    error: CxxError
    body: Span


def registrations_in_functions(program: Program) -> Iterator[Misplaced]:
    """One for each registration."""
    source = program.source
    told: set[int] = set()
    for match in _IS_GLOBAL.finditer(source.text):
        asserted = _around(program, match.start(), "static_assert_declaration")
        body = asserted.parent if asserted is not None else None
        if asserted is None or body is None or body.type != _BODY:
            continue
        if any(_declares(program, child, match[1]) for child in body.named_children):
            told.add(body.id)
            message = asserted.child_by_field_name("message")
            said: object = "a static_assert fails"
            if message is not None:
                said = evaluate(Context(program, Place("")), message)
            error = CxxError(str(said), span_of(asserted), "it stands in a function: move it out")
            yield Misplaced(error, span_of(body))
    met: set[int] = set()
    for registrar in registrars(program):
        object = _around(program, registrar.start, "declaration")
        body = object.parent if object is not None else None
        if body is None or body.type != _BODY or body.id in told | met:
            continue
        met.add(body.id)
        for node in _that_define_functions(program, body):
            error = CxxError(_DEFINES, span_of(node), "move it out of the function")
            yield Misplaced(error, span_of(body))


def _around(program: Program, at: int, type: str) -> Node | None:
    within = program.source.root.descendant_for_byte_range(at, at + 1)
    around = (within, *surrounding(program.source, within)) if within is not None else ()
    found = next((node for node in around if node.type in (type, "function_definition")), None)
    return found if found is not None and found.type == type else None


def _declares(program: Program, node: Node, name: str) -> bool:
    """Whether a statement is this class."""
    named = node.child_by_field_name("name") if node.type == "struct_specifier" else None
    return named is not None and program.source.spell(named) == name


def _that_define_functions(program: Program, body: Node) -> Iterator[Node]:
    """The objects that register, each the last before a function's definition."""
    names, before = registrar_names(program), None
    for node in body.named_children:
        if node.type == "declaration" and names.search(program.source.spell(node)):
            before = node
        elif node.type != "function_definition" or before is None:
            continue
        elif node.child_by_field_name("type") is not None:  # else a macro's loop, not expanded
            yield before
            before = None
