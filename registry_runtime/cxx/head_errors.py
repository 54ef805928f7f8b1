"""What is said of declarations that break off, which `heads` finds before any name is known."""

from __future__ import annotations

import re
from collections.abc import Iterator

from registry_runtime.cxx.head_faults import Fault
from registry_runtime.cxx.head_tokens import RESERVED
from registry_runtime.cxx.names import join
from registry_runtime.cxx.parse import namespaces_around
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import Code, CxxError, Span
from registry_runtime.cxx.types import typedef
from registry_runtime.near import nearest


def errors_of_heads(program: Program) -> Iterator[CxxError]:
    """An error for each of them, in order."""
    for fault in program.source.faults:
        yield _error(program, fault)


def _error(program: Program, fault: Fault) -> CxxError:
    spelled = _spelled(program, fault.span)
    if fault.type is not None and not _may_be_a_type(program, fault.type):
        type = _spelled(program, fault.type)
        said = f"`{type}` does not name a type"
        return CxxError(said, fault.type, _meant(type), _of_a_word(type))
    match fault.kind:
        case "unended":
            said, hint = f"`;` is missing after `{spelled}`", ""
            return CxxError(said, fault.span, hint, Code.INCOMPLETE)
        case "unclosed":
            said = f"`>` is missing after `{spelled}`"
            return CxxError(said, fault.span, "", Code.INCOMPLETE)
        case "idle":
            said, hint = (
                f"`{spelled}` is for objects and functions, and this is neither",
                "remove it",
            )
        case "conflicts":
            said, hint = (
                f"`{spelled}` can't stand before what follows",
                "remove it, or what is like it",
            )
        case "in a class":
            asserted = re.search(r'^static_assert.*"(.*)"', spelled)
            said = asserted[1] if asserted is not None else _IN_A_CLASS
            return CxxError(said, fault.span, "it stands in a class: move it out")
        case "of members":
            said, hint = f"`{spelled}` is for what a class declares", "remove it"
        case "of objects":
            said, hint = f"`{spelled}` is for objects, and this is a function", "remove it"
        case "unexpected":
            said, hint = f"`{spelled}` is not expected here", _meant(spelled)
        case "alone":
            said = f"`{spelled}` stands alone: another declaration begins behind it"
            hint = "remove it, or end what it begins with `;`"
    return CxxError(said, fault.span, hint, _of_a_word(spelled))


_IN_A_CLASS = "this is an object, and in a class such parentheses would hold parameters"


def _spelled(program: Program, span: Span) -> str:
    return " ".join(program.source.text[span.start : span.end].split())


def _is_word(spelled: str) -> bool:
    return re.fullmatch(r"\w+", spelled) is not None and spelled not in RESERVED


def _of_a_word(spelled: str) -> Code:
    return Code.NOT_A_MACRO if _is_word(spelled) else Code.INCOMPLETE


def _meant(spelled: str) -> str:
    """What to do about a stray word: write the keyword that it is most like, or none."""
    if not _is_word(spelled):
        return "remove it"
    if near := nearest(spelled, sorted(RESERVED), 0.75):
        return f"did you mean `{near}`?"
    return "remove it; if it is meant as a macro, include the header that defines it"


def _may_be_a_type(program: Program, span: Span) -> bool:
    """Whether a name is declared as one, here or, for all that is known, in a header."""
    name = re.sub(r"<.*|\s", "", program.source.text[span.start : span.end], flags=re.DOTALL)
    name = name.removeprefix("typename").removeprefix("::")
    declarations, bindings = program.declarations, program.bindings
    node = program.source.root.descendant_for_byte_range(span.start, span.start)
    scope = (
        "::".join(s for s in reversed(namespaces_around(program.source, node)) if s) if node else ""
    )
    spaces = {str(used) for used_in in declarations.directives.values() for used in used_in}
    while scope:
        spaces.add(scope)
        scope = scope.rpartition("::")[0]
    paths = [join(space, name) for space in ("", *spaces)]
    return (
        typedef(name) is not None
        or name.startswith("std::")
        or program.elsewhere(name.rpartition("::")[2])
        or any(
            path in known
            for path in paths
            for known in (
                *(declarations.classes, declarations.aliases, declarations.using),
                *(bindings.names, bindings.types),
            )
        )
    )
