"""Classes that register, named where nothing comes of it.

An object in a function's body is constructed when that is called, and one of a class that only looks
like a framework's never is by us. Whoever wrote it wanted an entry, so silence would mislead.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence

from tree_sitter import Node

from registry_runtime.cxx.bindings import registers
from registry_runtime.cxx.parse import goes_on
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import Code, CxxError, Span


def registrar_names(program: Program) -> re.Pattern[str]:
    """The last names of the bound classes whose objects register."""
    pattern: re.Pattern[str] = program.once(("registrars",), lambda: _registrar_names(program))
    return pattern


def registrars(program: Program) -> Sequence[Span]:
    """Where one of these names stands."""
    found: list[Span] = program.once(("where registrars stand",), lambda: _registrars(program))
    return found


def may_register(program: Program, span: Span) -> bool:
    """Whether one of them stands there."""
    stand = registrars(program)
    first = bisect_left(stand, span.start, key=lambda one: one.start)
    return first < len(stand) and stand[first].start < span.end


def _registrar_names(program: Program) -> re.Pattern[str]:
    return re.compile(rf"\b{_any_of(program)}")


def _registrars(program: Program) -> list[Span]:
    # By a pattern that begins with `\b` each letter of the text is looked at.
    text, pattern = program.source.text, re.compile(_any_of(program))
    spans = (Span(*match.span()) for match in pattern.finditer(text))
    return [span for span in spans if not goes_on(text, span.start)]


def _any_of(program: Program) -> str:
    names = (name for name, binding in program.bindings.names.items() if registers(binding))
    last = sorted({re.escape(name.rpartition("::")[2]) for name in names})
    return rf"(?:{'|'.join(last) or '(?!)'})\b"


def idle_registrars(program: Program, explained: Collection[Span]) -> Iterator[CxxError]:
    """A warning at each of them that stands in no span of what was constructed, or has an error."""
    spans = sorted(explained, key=lambda span: span.start)
    starts = [span.start for span in spans]
    for span in registrars(program):
        before = bisect_right(starts, span.start) - 1
        if before >= 0 and span.end <= spans[before].end:
            continue
        node = program.source.root.descendant_for_byte_range(span.start, span.end)
        if node is not None and (where := _constructed_in(program, node)) is not None:
            name = program.source.text[span.start : span.end]
            said = f"`{name}` registers, and nothing comes of it here"
            yield CxxError(said, span, where, Code.NOTHING_REGISTERED)


_NO_OBJECT = frozenset(
    (
        *("class_specifier", "struct_specifier", "base_class_clause", "friend_declaration"),
        *("template_declaration", "template_argument_list", "alias_declaration"),
        *("type_definition", "using_declaration", "parameter_list", "comment", "string_literal"),
        *("raw_string_literal", "decltype", "ERROR", "specialisation"),
    )
)


def _constructed_in(program: Program, node: Node) -> str | None:
    """What to do about an object that is written around this name, or None if there is none."""
    is_object = False
    while (parent := node.parent) is not None:
        if parent.type in _NO_OBJECT or (parent.has_error and parent.type == "declaration"):
            return None
        if parent.type == "function_definition":
            in_body = parent.child_by_field_name("body") == node
            return "the function that it stands in would have to run first" if in_body else None
        if parent.type == "declaration":
            declarator = parent.child_by_field_name("declarator")
            words = {program.source.spell(child) for child in parent.children}
            is_function = declarator is not None and "function_declarator" in (
                declarator.type,
                *(child.type for child in declarator.children),
            )
            if "extern" in words or is_function:
                return None
            is_object = True
        node = parent
    return (
        "only an object of the framework's own class at namespace scope does" if is_object else None
    )
