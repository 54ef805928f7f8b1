"""What the invocation under the cursor comes to, before the rest of an edited text is read.

A preprocessor reads from top to bottom, so above an edit all is as it was. Of a text that was traced
before the edit, the last place above it is looked for at which nothing is open: behind a `;` or a `}`
that ends a line. What was defined by then, the directives above say; how often `__COUNTER__` was asked,
the trace does. So the directives and what stands from that place on, to some lines below the cursor,
are all that is read, whatever the length of the text.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from visualizer.expansion import Expansion, InputError, Trace, memory
from visualizer.expansion.alike import COUNTER
from visualizer.expansion.ask_compiler import compiler_for
from visualizer.expansion.diagnostics import Code
from visualizer.expansion.directives import Directive, read_directives
from visualizer.expansion.language import language as language_of
from visualizer.expansion.tokens import Source
from visualizer.expansion.trace import every
from visualizer.workbench.bench import Workbench, line_alone
from visualizer.workshop.attempt import Attempt

_BELOW = 100  # lines that are read behind the cursor's, in which the invocation has to end
# Directives that count nothing, and may stand between that place and the cursor.
_INERT = ("define", "undef", "ifdef", "ifndef", "else", "endif", "pragma")


class _Place(NamedTuple):
    """Nothing is open where this line begins. The next invocation stood on line `until`, and before it
    `__COUNTER__` was asked so often; None: all above is read again."""

    line: int
    until: int
    counted: int | None


def ahead(before: Attempt, texts: Mapping[Path, str], line: int) -> Attempt | None:
    """An attempt at what one line of the source invokes, made of the attempt before some edits; None
    where that takes an attempt at all of it. `texts` are the source's, and those that aren't saved."""
    bench = before.bench
    if bench is None or bench.options.main or before.is_felt_below:
        return None
    source = Path(os.path.abspath(bench.path))
    now = texts[source]
    others = [(p, t) for p, t in bench.options.unsaved if p != str(source)]
    if dict(others) != {str(p): t for p, t in texts.items() if p != source}:
        return None
    edited = now.count("\n", 0, _same(before.text, now)) + 1
    place = _place_above(bench.trace, before.text.split("\n"), min(edited, line))
    lines = now.split("\n")
    above = _above(bench, before.text, now, place, line)
    if above is None:
        return None
    options = bench.options
    for last in (_likely_end(lines, line), line + _BELOW):
        more = [""] if last < len(lines) else []
        text = above + "\n".join([*lines[place.line - 1 : last], *more])
        options = replace(options, unsaved=((str(source), text), *others))
        try:
            with memory.no_garbage():
                found = line_alone(bench.path, options, line, place.counted)
        except InputError:
            return None
        if last >= len(lines) or _ends(found, line):
            at = found.expansion_at(line)
            is_one = at is not None and not found.expansions[at].directive
            return Attempt(found, (), text) if is_one else None
    return None


def _likely_end(lines: Sequence[str], line: int) -> int:
    """The first line, from this one on, that an invocation doesn't seem to go on behind."""
    each = range(line, min(line + _BELOW, len(lines)))
    return next((n for n in each if lines[n - 1].rstrip().endswith((";", "}"))), line + _BELOW)


def _ends(found: Workbench, line: int) -> bool:
    """Whether what is invoked there ends in what was read, and it is known what stands behind it: no
    `(` that it might take."""
    at = found.expansion_at(line)
    if at is None or any(d.code is Code.OPEN_LIST for d in found.trace.diagnostics):
        return False
    expansion = found.expansions[at]
    return expansion.at + len(expansion.after) < len(found.trace.output)


def _same(one: str, other: str) -> int:
    """With how many characters both begin."""
    known, more = 0, min(len(one), len(other)) + 1
    while more - known > 1:
        middle = (known + more) // 2
        if one[known:middle] == other[known:middle]:
            known = middle
        else:
            more = middle
    return known


def _place_above(trace: Trace, lines: Sequence[str], line: int) -> _Place:
    """The last one that is above a line, or at its beginning; or else that of the text."""
    each = trace.expansions
    n = next((n for n, e in enumerate(each) if e.where.line >= line), len(each))
    at = (each[n].at if n < len(each) else len(trace.output)) - 1
    while at >= 0:
        if n and each[n - 1].at + len(each[n - 1].after) > at:
            n -= 1
            at = min(at, each[n].at - 1)
            continue
        token = trace.output[at]
        where = token.origin
        if token.text in (";", "}") and isinstance(where, Source) and where.file == trace.file:
            written = lines[where.line - 1]
            ends_line = written[where.column - 1 :].rstrip() == token.text
            if where.line < line and ends_line:
                until = each[n].where.line if n < len(each) else line
                return _Place(where.line + 1, until, _counted(each, n))
        at -= 1
    return _Place(1, 0, None)


def _counted(each: Sequence[Expansion], n: int) -> int:
    """How often `__COUNTER__` was asked before an invocation, or behind the last."""
    if n < len(each):
        return each[n].counted
    return (
        sum(step.macro == COUNTER for step in every(each[-1].steps)) + each[-1].counted if n else 0
    )


def _above(bench: Workbench, before: str, now: str, place: _Place, line: int) -> str | None:
    """The text above, its directives alone, each on its line; None where it can't be told which lines
    are directives, or one that counts stands between that and the cursor."""
    known, each = (_directives(bench, text) for text in (before, now))
    if known is None or each is None:
        return None
    between = [d.name for d in known if place.line <= d.line <= place.until]
    between += [d.name for d in each if place.line <= d.line <= line]
    if place.counted is not None and not all(name in _INERT for name in between):
        return None
    pieces, at, above = list[str](), 0, 0
    for directive in each:
        if directive.line < place.line:
            pieces.append("\n" * now.count("\n", at, directive.start))
            pieces.append(now[directive.start : directive.stop])
            at, above = directive.stop, now.count("\n", 0, directive.stop)
    return "".join([*pieces, "\n" * (place.line - 1 - above)])


def _directives(bench: Workbench, text: str) -> list[Directive] | None:
    if "\r" in text:
        return None
    asked = bench.options
    macros = compiler_for(asked.cc, asked.std, asked.compiler_flags).macros
    language = language_of(asked.std, asked.dialect, asked.compiler_flags, macros)
    found = read_directives(text, language, bench.trace.file)
    return None if found is None or language.assembler else found.each
