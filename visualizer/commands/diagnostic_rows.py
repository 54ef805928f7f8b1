"""A diagnostic as a terminal shows it: the line that is wrong, what in it, and how that came about.

    a.c:3:9: error: macro "ADD" passed 3 arguments, but takes just 2
        3 | int n = ADD(1, 2, 3);
          |         ^~~~~~~~~~~~
          |             1  2  3
          = argument 1 is a: 1

Below the source stand a caret with the range, and the numbers of the notes that are about places in the
same line. A note about another place, as in the chain of expansions, has its own line of source. The
first row is the one that a pipe gets too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from rich.cells import cell_len

from visualizer.expansion import Diagnostic, InputError
from visualizer.expansion.source_files import read_source
from visualizer.expansion.tokens import Source
from visualizer.layout.row_breaks import filled
from visualizer.layout.shown import shown_chars

_BOLD, _RED, _MAGENTA, _CYAN, _GREEN = "1", "1;31", "1;35", "1;36", "1;32"
_SEVERITIES = {"error": _RED, "warning": _MAGENTA, "note": _CYAN}
_GUTTER = 5  # cells of a line's number
_NARROWEST = 40

Unsaved = Iterable[tuple[str, str]]


def rows(diagnostic: Diagnostic, unsaved: Unsaved, width: int, coloured: bool) -> Iterator[str]:
    """The rows, for a terminal of this width. Source text is read from `unsaved`, or else the disk."""
    ink = _in_colour if coloured else _plain
    where = diagnostic.where
    line = _source_line(where, unsaved)
    yield _headline(diagnostic.severity, diagnostic.message, where, ink)
    here = [n for n in diagnostic.notes if line is not None and n.where[:2] == where[:2]]
    if line is not None:
        marks = [note.where.column for note in here]
        yield from _snippet(line, where, diagnostic.end, marks, width, ink)
    for said in (*(note.text for note in here), *filter(None, [diagnostic.hint])):
        yield from _said(said, width)
    for note in diagnostic.all_notes():
        if note in here:
            continue
        yield _headline("note", note.text, note.where, ink)
        line = _source_line(note.where, unsaved)
        if line is not None and note.where[:2] != where[:2]:
            yield from _snippet(line, note.where, None, (), width, ink)


def _headline(severity: str, message: str, where: Source, ink: Callable[[str, str], str]) -> str:
    place = ink(f"{shown_chars(where.file)}:{where.line}:{where.column}:", _BOLD)
    said = "\n".join(map(shown_chars, message.split("\n")))
    return f"{place} {ink(f'{severity}:', _SEVERITIES[severity])} {ink(said, _BOLD)}"


def _said(text: str, width: int) -> Iterator[str]:
    before = f"{'':{_GUTTER}} = "
    yield from filled(shown_chars(text), max(width, _NARROWEST), before, " " * len(before))


def _snippet(
    line: str,
    where: Source,
    end: Source | None,
    marks: Sequence[int],
    width: int,
    ink: Callable[[str, str], str],
) -> Iterator[str]:
    """The source line with what is below it; of a long line, the part around the caret."""
    start = where.column - 1
    if end is None:
        stop = start + len((re.match(r"\w+|.", line[start:]) or [""])[0])
    else:
        stop = end.column - 1 if end.line == where.line else len(line.rstrip())
    room = max(width, _NARROWEST) - _GUTTER - 4
    cut = max(0, min(start - room // 3, len(line) - room))
    shown = line[cut : cut + room]

    def cells(column: int) -> int:
        return cell_len(shown[: max(column - cut, 0)])

    length = max(cells(min(stop, cut + len(shown))) - cells(start), 1)
    blank = f"{'':{_GUTTER}} | "
    yield f"{where.line:>{_GUTTER}} | {shown}"
    yield blank + " " * cells(start) + ink("^" + "~" * (length - 1), _GREEN)
    numbers = ""
    for number, column in enumerate(marks, 1):
        at = cells(column - 1)
        if at >= len(numbers) + bool(numbers) and column - 1 < cut + len(shown):
            numbers = f"{numbers:<{at}}{number}"
    if numbers:
        yield blank + ink(numbers, _CYAN)


def _source_line(where: Source, unsaved: Unsaved) -> str | None:
    """The text of a line, a blank for a tab; None where there is no such file to read again."""
    texts = dict(unsaved)
    if os.path.abspath(where.file) not in texts and not os.path.isfile(where.file):
        return None
    try:
        lines = read_source(where.file, included=True, unsaved=unsaved).split("\n")
    except InputError:
        return None
    if not 1 <= where.line <= len(lines):
        return None
    return shown_chars(lines[where.line - 1].removesuffix("\r").replace("\t", " "))


def _in_colour(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[m"


def _plain(text: str, style: str) -> str:
    return text
