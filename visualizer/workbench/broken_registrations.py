"""Registrations of PHI's in which something is wrong: nothing of one is there, as nothing compiles.

A registration is one statement to who writes it, and in the text that it becomes an object for each of
its types. Of these a compiler makes none where one is wrong. What stands beside it in the file is kept,
so that one mistake doesn't hide the others.
"""

from __future__ import annotations

from collections.abc import Iterable

from registry_runtime.cxx import Code, Span
from registry_runtime.diagnostic import Diagnostic
from visualizer.workbench.expanded_text import ExpandedText
from visualizer.workbench.registration_macros import MACROS, PHI

# A kernel that nothing declares is listed as such, and one that isn't defined here may be elsewhere.
_REGISTERED_ALL_THE_SAME = (Code.UNKNOWN_NAME, Code.UNDEFINED_REFERENCE)


def broken_registrations(
    expanded: ExpandedText, diagnostics: Iterable[Diagnostic]
) -> tuple[Span, ...]:
    """Where those stand in the text in which there is an error, without the head of the function whose
    body follows."""
    found: dict[int, Span] = {}
    for diagnostic in diagnostics:
        if diagnostic.severity != "error" or diagnostic.code in _REGISTERED_ALL_THE_SAME:
            continue
        invocation = expanded.expansion_of(expanded.place_of(diagnostic.span)[0])
        if invocation is not None and invocation not in found and _is_of_phi(expanded, invocation):
            whole = expanded.spanned_by(invocation)
            end = expanded.text.rfind(";", whole.start, whole.end) + 1
            found[invocation] = Span(whole.start, end or whole.end)
    return tuple(found.values())


def _is_of_phi(expanded: ExpandedText, invocation: int) -> bool:
    macro = MACROS.get(expanded.trace.expansions[invocation].macro)
    return macro is not None and macro.framework == PHI and "dtypes..." in macro.roles
