"""What is wrong with an opened file, said once: at the token that a user wrote, without what follows.

The preprocessor and the C++ reader each say what they stumble over, and one mistake makes both stumble
many times. What led to what is told by the codes of the diagnostics, never by their words.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from registry_runtime.cxx import Code as CxxCode
from registry_runtime.cxx import Span
from registry_runtime.diagnostic import Diagnostic as Explained
from visualizer.expansion import Diagnostic, Expansion, Token, Trace
from visualizer.expansion.diagnostics import Code, Cure, around, at_token
from visualizer.expansion.tokens import (
    IDENTIFIER,
    Pasted,
    Source,
    first_made,
    spell,
    standing_at,
    written_at,
)
from visualizer.workbench.expanded_text import ExpandedText
from visualizer.workbench.wheels import advised

_UNREAD = (CxxCode.NOT_UNDERSTOOD, CxxCode.NOT_A_MACRO)
_LEAVES_NO_CPLUSPLUS = (Code.ARGUMENT_COUNT, Code.OPEN_LITERAL)
_NO_CPLUSPLUS = (CxxCode.NOT_UNDERSTOOD, CxxCode.INCOMPLETE)


def told_once(expanded: ExpandedText, reading: Iterable[Explained]) -> tuple[Diagnostic, ...]:
    """What the preprocessor said of a file, and what the C++ reader says of the text that it became."""
    trace = expanded.trace
    begun = sorted(e.where for e in trace.expansions)
    found = _at_their_tokens(expanded, reading)
    told = advised(trace.diagnostics) if trace.diagnostics else ()
    return tuple(_without_what_follows(told, found, begun))


# --- Where it stands ------------------------------------------------------------------------------


def _at_their_tokens(
    expanded: ExpandedText, diagnostics: Iterable[Explained]
) -> Iterator[Diagnostic]:
    """What the C++ reader found, at the tokens that a user wrote. An invocation whose list of
    arguments is empty or too long gives text that is no C++; that is said once, and what the reader
    stumbles over behind it isn't. Nor is what it has against a registration with a wrong argument."""
    broken_until = -1
    included = _included_at(expanded.trace)
    diagnostics = tuple(diagnostics)
    broken = _broken(expanded, diagnostics)
    refused: set[int] = set()  # those with a wrong argument
    for d in diagnostics:
        at, token = expanded.place_of(d.span)
        index = expanded.expansion_of(at)
        if index is not None and index in broken:
            from visualizer.workbench.registration_arguments import wrong_argument

            broken.remove(index)
            wrong = wrong_argument(expanded.trace.expansions[index])
            if wrong is not None:
                refused.add(index)
                yield wrong
        if index in refused:
            continue
        if d.code in (*_UNREAD, CxxCode.INCOMPLETE) and _is_cut(expanded, d.span, included):
            continue
        if d.code in _UNREAD and at <= broken_until:
            continue
        if d.code in _UNREAD and index is not None:
            told = _wrong_list(expanded.trace.expansions[index], token)
            if told:
                d = replace(d, message=told[0], hint=told[1], code=None)
                following = expanded.bounds[index + 1 : index + 2]
                broken_until = following[0][0] if following else len(expanded.trace.output)
        hint = d.hint
        if d.earlier is not None:
            _, line, _ = written_at(expanded.place_of(d.earlier)[1])
            hint = f"{hint}; the first is on line {line}" if hint else f"first on line {line}"
        found = at_token(
            d.severity, d.message, _of_the_users(expanded, d.span, token), hint, d.code
        )
        column = found.where.column + expanded.columns_before(d.span)
        cures = tuple(_cures(expanded, d, token)) if d.instead else ()
        where = found.where._replace(column=column)
        yield replace(found, where=where, about=token.text, cures=cures)


def _cures(expanded: ExpandedText, d: Explained, token: Token) -> Iterator[Cure]:
    """What is to stand there, in the place of the word or the `;` that does; or, where something else
    stands behind an invocation, right behind that."""
    stretch = around((token,))
    if stretch is not None and (token.kind == IDENTIFIER or token.text == ";"):
        title = f"write {d.instead} instead of {token.text}"
        if token.kind != IDENTIFIER or d.instead.isidentifier():
            yield Cure(title, ((*stretch, d.instead),))
            return
    index = expanded.expansion_of(expanded.place_of(d.span)[0] - 1)
    behind = around(expanded.trace.expansions[index].before) if index is not None else None
    if behind is not None:
        yield Cure(f"write {d.instead}", ((behind[1], behind[1], f" {d.instead}"),))


def _of_the_users(expanded: ExpandedText, span: Span, first: Token) -> Token:
    """Of a name that a macro begins, `::phi::CPUContext`: the word in it that is made of what a user
    wrote, if there is one. Of anything else, where it begins."""
    name = expanded.covering(span)
    if any(token.kind != IDENTIFIER and token.text != "::" for token in name):
        return first
    return next((token for token in name if written_at(token) != standing_at(token)), first)


def _broken(expanded: ExpandedText, diagnostics: Iterable[Explained]) -> set[int]:
    """The invocations that the C++ reader has an error in."""
    places = (expanded.place_of(d.span)[0] for d in diagnostics if d.severity == "error")
    return {i for at in places if (i := expanded.expansion_of(at)) is not None}


def _included_at(trace: Trace) -> list[int]:
    """The lines at which a file includes something, found or not."""
    missing = (d.where for d in trace.diagnostics if d.code is Code.HEADER_MISSING)
    included = (i.through[-1] for i in trace.includes if i.through)
    return sorted(at.line for at in (*missing, *included) if at.file == trace.file)


def _is_cut(expanded: ExpandedText, span: Span, included: Sequence[int]) -> bool:
    """Whether something is included behind what stands there, before the next token: that is left out
    of the text, and may end or go on with what seems broken."""
    behind = expanded.covered(span)[-1] + 1
    if not included or behind >= len(expanded.tokens):
        return False
    last, following = (written_at(expanded.tokens[at]) for at in (behind - 1, behind))
    files = {last.file, following.file}
    between = included[bisect_right(included, last.line) : bisect_left(included, following.line)]
    return files == {expanded.trace.file} and bool(between)


def _wrong_list(expansion: Expansion, token: Token) -> tuple[str, str] | None:
    """Message and hint where the arguments for a macro's `...` are none, or too many to count: then
    a macro's name was made by ##, and no such macro exists. None for any other trouble."""
    step = expansion.steps[0] if expansion.steps else None
    variadic = step.definition.variadic if step is not None and step.definition else None
    if step is None or variadic is None:
        return None
    listed = next((a.raw for a in step.arguments if a.parameter == variadic), ())
    if not listed:
        last = next((a for a in reversed(step.arguments) if a.parameter != variadic), None)
        behind = f" behind {spell(last.raw)}" if last else ""
        return f"the list of types of {step.name.text} is empty", f"write at least one{behind}"
    origin = first_made(token).origin
    if not isinstance(origin, Pasted):
        return None
    count = f"{_counted(listed)} arguments in the list of {step.name.text}"
    return (
        f"`{token.text}` is not a macro: {count} are more than this header's macros count",
        f"made by ## in {origin.by.text}; take types out of the list",
    )


def _counted(arguments: Sequence[Token]) -> int:
    """How many arguments stand between these commas."""
    depth, commas = 0, 0
    for token in arguments:
        depth += (token.text == "(") - (token.text == ")")
        commas += token.text == "," and not depth
    return commas + 1


# --- What follows from what -----------------------------------------------------------------------


def _without_what_follows(
    preprocessing: Iterable[Diagnostic], reading: Iterable[Diagnostic], begun: Sequence[Source]
) -> list[Diagnostic]:
    """What is wrong with a token is said once. On a line that the preprocessor could not do, and
    behind an invocation that is never closed, the C++ reader's troubles only follow from that. So
    does what is no C++ either behind what is none, up to where the next invocation has `begun`. And
    what is no macro where a header is missing may be one of that header's."""
    told: list[Diagnostic] = []
    following: Counter[int] = Counter()
    no_macros: list[str] = []
    header: int | None = None  # the first that is missing
    causes: list[tuple[Source, int]] = []  # where, and which one it is of `told`
    seen: set[Source] = set()
    lines: set[tuple[str, int]] = set()
    open_from: dict[str, int] = {}
    for diagnostic in preprocessing:
        where = diagnostic.where
        if diagnostic.severity == "error":
            lines.add((where.file, where.line))
            if diagnostic.code is Code.OPEN_LIST:
                open_from.setdefault(where.file, where.line)
        if where not in seen:
            if diagnostic.code in _LEAVES_NO_CPLUSPLUS:
                causes.append((where, len(told)))
            if diagnostic.code is Code.HEADER_MISSING and header is None:
                header = len(told)
            seen.add(where)
            told.append(diagnostic)
    for diagnostic in reading:
        where = diagnostic.where
        behind = where.line >= open_from.get(where.file, where.line + 1)
        if where in seen or (where.file, where.line) in lines or behind:
            continue
        seen.add(where)
        if diagnostic.code is CxxCode.NOT_A_MACRO and header is not None:
            no_macros.append(diagnostic.about)
            continue
        if diagnostic.code in _NO_CPLUSPLUS and diagnostic.severity == "error":
            above = (c for c in causes if c[0].file == where.file and c[0] <= where)
            cause = max(above, default=None)
            if cause and bisect_right(begun, cause[0]) == bisect_right(begun, where):
                following[cause[1]] += 1
                continue
            causes.append((where, len(told)))
        told.append(diagnostic)
    if header is not None and no_macros:
        told[header] = _with_hint(told[header], _no_macros(no_macros))
    return [_and_more(d, following[i]) for i, d in enumerate(told)]


def _no_macros(names: Sequence[str]) -> str:
    """Of the invocations that a missing header leaves as they are: of what, and how many."""
    each = list(dict.fromkeys(names))
    listed = ", ".join(f"`{name}`" for name in each[:_NAMED])
    others = f" and {len(each) - _NAMED} more" if len(each) > _NAMED else ""
    uses = f"{len(names)} use{'s' if len(names) > 1 else ''}"
    return f"it may define what nothing here does: {listed}{others} ({uses})"


_NAMED = 3


def _and_more(diagnostic: Diagnostic, following: int) -> Diagnostic:
    if not following:
        return diagnostic
    more = f"{following} more error{'s follow' if following > 1 else ' follows'} from it"
    return _with_hint(diagnostic, more)


def _with_hint(diagnostic: Diagnostic, more: str) -> Diagnostic:
    return replace(diagnostic, hint=f"{diagnostic.hint}; {more}" if diagnostic.hint else more)
