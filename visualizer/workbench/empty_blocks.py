"""Blocks that register nothing, because `#if` leaves nothing in them.

An extension that is built for several devices has some of its registrations under `#if`. Without the
right `-D` a block compiles, and is empty; whoever opened the file for its operators sees none of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from registry_runtime.cxx import Code
from registry_runtime.diagnostic import Diagnostic
from visualizer.expansion import Token, Trace
from visualizer.expansion.tokens import Source
from visualizer.workbench.expanded_text import ExpandedText
from visualizer.workbench.registration_macros import MACROS


def empty_blocks(expanded: ExpandedText) -> Iterator[Diagnostic]:
    """A warning at each of them of which a directive leaves something out."""
    trace = expanded.trace
    for index, expansion in enumerate(trace.expansions):
        name = expansion.macro
        if name not in MACROS or "library" not in MACROS[name].roles:
            continue
        end = expansion.at + len(expansion.after)
        block = trace.output[end : end + 2]
        if [token.text for token in block] == ["{", "}"] and (line := _leaving_out(trace, *block)):
            said = f"nothing is left in this block of `{name}`, so no operator comes of it"
            hint = f"line {line} leaves out what follows it: a -D may bring it"
            code = Code.NOTHING_REGISTERED
            yield Diagnostic(said, expanded.spanned_by(index), hint, "warning", code=code)


def _leaving_out(trace: Trace, opened: Token, closed: Token) -> int | None:
    """The line of the first directive between two braces that leaves lines out."""
    if not isinstance(opened.origin, Source) or not isinstance(closed.origin, Source):
        return None
    first, last = opened.origin.line, closed.origin.line
    left_out = (lines.start for lines in trace.skipped if lines)
    return next((line - 1 for line in left_out if first < line < last), None)
