"""Invocations that are none: a macro's name in the wrong case or shortened, or without its `(`.

The preprocessor has nothing against either, and leaves them in the text (C++17 [cpp.replace]). There a
compiler refuses what is left, since no declaration begins so. That is told whether the file registers
anything or not: what was meant to register may have been the only thing that did. So is a brace without
its partner, which takes in or lets go all that stands behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from registry_runtime.cxx import Code as CxxCode
from registry_runtime.cxx import Span
from registry_runtime.diagnostic import Diagnostic
from registry_runtime.near import did_you_mean, nearest
from visualizer.expansion.diagnostics import Code
from visualizer.expansion.source_files import is_compiled
from visualizer.expansion.tokens import IDENTIFIER, Source
from visualizer.workbench.expanded_text import ExpandedText
from visualizer.workbench.registration_macros import defining_header, registering

_ENDS = (";", "}")
_MANY = 20  # names that are no macro's: behind so many a header is missing, and no letter


def with_misspelt(
    expanded: ExpandedText, reading: Iterable[Diagnostic], matters: bool
) -> list[Diagnostic]:
    """What the C++ reader says, all of it or, where nothing else `matters`, of what seems to be a
    macro and is none, with the name that was meant, and of braces; and the invocations that lack their
    `(`."""
    unopened = [*_unopened(expanded)]
    behind = [Span(d.span.start, _end_behind(expanded, d.span)) for d in unopened]
    told = [*unopened]
    left = _MANY
    is_alone = is_compiled(expanded.trace.file)  # whoever includes a text may define its macros
    for d in reading:
        if any(span.start <= d.span.start < span.end for span in behind):
            continue
        is_no_macro = d.code is CxxCode.NOT_A_MACRO
        if is_no_macro and left:
            left -= 1
            hint, instead = _meant(expanded, d.span)
            d = replace(d, hint=hint or d.hint, instead=instead)
        stands = is_no_macro and _is_written(expanded, d.span)
        if matters or (is_alone and (stands or _is_unpaired(expanded, d))):
            told.append(d)
    return sorted(told, key=lambda d: d.span.start)


def _is_written(expanded: ExpandedText, span: Span) -> bool:
    """Whether it is an invocation that stands so in the file: what one comes to may be looked at for
    its own sake."""
    first = expanded.covered(span)[0]
    token, behind = expanded.tokens[first], [t.text for t in expanded.tokens[first + 1 : first + 2]]
    return isinstance(token.origin, Source) and behind == ["("]


def _is_unpaired(expanded: ExpandedText, d: Diagnostic) -> bool:
    """Whether a brace has no partner; where a header is missing, that may define what has it."""
    is_brace = expanded.text[d.span.start : d.span.end] in ("{", "}")
    missing = (one.code is Code.HEADER_MISSING for one in expanded.trace.diagnostics)
    return is_brace and d.code is CxxCode.INCOMPLETE and not any(missing)


def _meant(expanded: ExpandedText, span: Span) -> tuple[str, str]:
    """The macro that is most like this name, in words and by itself; or the header that defines it."""
    name = expanded.text[span.start : span.end]
    if header := defining_header(name):
        return f"include {header}, which defines it", ""
    definitions = expanded.trace.definitions
    defined = [d.name for d in definitions.values() if d.parameters is not None]
    for names in (defined, registering({})):
        if near := nearest(name, sorted(names)):
            return did_you_mean(name, [near]), near
    return "", ""


def _unopened(expanded: ExpandedText) -> Iterator[Diagnostic]:
    definitions = expanded.trace.definitions
    names = {n for n in registering(definitions) if n in definitions}
    names = {n for n in names if definitions[n].parameters is not None}
    for at, (token, behind) in enumerate(pairwise(expanded.tokens)):
        if behind.text != "," and token.text not in names:
            continue
        if token.kind != IDENTIFIER or behind.text == "(":
            continue
        begins = at == 0 or expanded.tokens[at - 1].text in _ENDS
        if begins and behind.text == "," and token.text not in definitions:  # NAMEfirst, second)
            glued = max((n for n in names if token.text.startswith(n)), key=len, default="")
            if glued and isinstance(token.origin, Source):
                said = f"`{token.text}` begins with `{glued}`, a macro with arguments"
                hint = f"write {glued}( before `{token.text.removeprefix(glued)}`"
                span = expanded.span_of(at)
                yield Diagnostic(said, span, hint, "error", code=CxxCode.INCOMPLETE)
        if token.text not in names:
            continue
        if isinstance(token.origin, Source):
            span = expanded.span_of(at)
            said = f"`{token.text}` is a macro with arguments, and no `(` stands behind it"
            hint = f"write {token.text}( before `{behind.text}`"
            yield Diagnostic(said, span, hint, "error", code=CxxCode.INCOMPLETE)


def _end_behind(expanded: ExpandedText, span: Span) -> int:
    """Where what begins there ends, if nothing else is wrong with it."""
    first = expanded.covered(span)[0]
    ends = (at for at in range(first, len(expanded.tokens)) if expanded.tokens[at].text in _ENDS)
    at = next(ends, None)
    return len(expanded.text) if at is None else expanded.span_of(at).end
