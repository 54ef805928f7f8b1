"""What it takes to open a file: its path, a line to begin at, and the preprocessor's flags for it.

The same opening can be typed into the app, come from `unfold open`, and be kept among the recent files.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.expansion.diagnostics import no_such_line
from visualizer.expansion.source_files import is_compiled, read_source
from visualizer.expansion.tokens import Source
from visualizer.workbench.flags import Flags

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic, Options
    from visualizer.workbench.bench import Workbench


_NO_FLAGS = Flags()
_LONG = 16 << 10  # bytes of a file that takes more than a moment: some 200 registrations
_MOST_OPENED = 8  # texts, each of which is read to find one that invokes a macro


@dataclass(frozen=True, slots=True)
class Opening:
    path: Path
    line: int | None = None
    flags: Flags = _NO_FLAGS

    def absolute(self) -> Opening:
        """The same wherever one stands: with no path in it that is relative."""
        return Opening(self.path.absolute(), self.line, self.flags.absolute())


def file_and_line(text: str) -> tuple[str, int | None]:
    """`FILE[:LINE[:COLUMN]]`, as compilers print it and editors copy it. The file as it is spelled, for
    so `__FILE__` spells it: a Path would drop the `./`."""
    return file_and_place(text)[:2]


def file_and_place(text: str) -> tuple[str, int | None, int | None]:
    """The same, for who asks about a column too."""
    match = re.fullmatch(r"(.+?):(\d{1,18})(?::(\d{0,18}))?", text)
    if match is None or os.path.exists(text):  # not Path's, which raises for a name too long
        return text, None, None
    return match[1], int(match[2]), int(match[3]) if match[3] else None


def load(opening: Opening) -> tuple[Workbench, str]:
    """The file on the bench, and a note on how it was read, mostly empty.

    Raises InputError if the file cannot be read as source, or the flags can't be followed: a wheel
    that isn't installed, a damaged compile_commands.json.
    """
    from visualizer.workbench.bench import open_file

    options, note = opening.flags.options_for(opening.path)
    return open_file(opening.path, options), _said(note)


def first_look(opening: Opening, left: int | None = None) -> tuple[Workbench, str, bool]:
    """The file on the bench, the note, and whether that is all of it: of a long file, what one line
    invokes is there long before the rest is. It is the line at which it is opened, or was `left`, or
    else the first registration's. Raises InputError as `load` does.
    """
    from visualizer.workbench.bench import line_alone

    line, flags = opening.line or left, opening.flags
    if not flags.main and _is_long(opening.path):
        options, note = flags.options_for(opening.path)
        line = line or _first_registration(opening.path, options)
        bench = line_alone(opening.path, options, line) if line is not None else None
        if bench is not None and bench.expansion_at(line or 0) is not None:
            return bench, _said(note), False
    return *load(opening), True


def _first_registration(path: Path, options: Options) -> int | None:
    """The line on which a macro that registers seems to be invoked first."""
    from visualizer.workbench.registration_macros import first_invoked

    return first_invoked(read_source(path, unsaved=options.unsaved))


def _is_long(path: Path) -> bool:
    try:
        return path.stat().st_size > _LONG
    except OSError:  # which is said when it is opened
        return False


def _said(note: Diagnostic | None) -> str:
    if note is None:
        return ""
    return f"{note.message}. {note.hint}" if note.hint else note.message


def benches(path: str, line: int | None, options: Options) -> list[tuple[Workbench, int | None]]:
    """FILE[:LINE] on the bench, and the line: a text that is included in each of its passes, if nobody
    said which. A line with an `#include` stands for the text that is read there, all of it, behind the
    steps of the directive, if it has some.

    Raises InputError where a file cannot be read, or is not included.
    """
    from visualizer.workbench.bench import open_file, open_line, open_pass, passes_of

    if line is None or options.main:
        each = [open_file(path, options)]
    else:
        each = [open_line(path, options, line)]
    if options.main and not options.nth:
        each += [open_pass(each[0], one) for one in passes_of(each[0])[1:]]
    if line is None:
        return [(b, None) for b in each]
    told: list[tuple[Workbench, int | None]] = []
    for bench in each:
        text = bench.include_at(line)
        if text is None or bench.expansion_at(line) is not None:
            told.append((bench, line))
        if text is not None:
            told.append((open_pass(bench, text), None))
    return told


def why_not(error: Exception) -> str:
    """One message for a file that could not be opened."""
    from visualizer.expansion import InputError

    if isinstance(error, InputError):
        return str(error.diagnostic)
    return f"{type(error).__name__}: {error}"


def nothing_at(bench: Workbench, line: int | None, why: str = "") -> Diagnostic:
    """The error of a file that is there, asked for a line on which no macro is invoked, or for any.
    The hint says `why`."""
    from visualizer.expansion import Diagnostic
    from visualizer.expansion.wording import listed

    file, expansions = bench.trace.file, bench.trace.expansions
    length = len(bench.source_lines)
    if line is not None and not 1 <= line <= max(length, 1):
        return no_such_line(Source(file, line, 1), length)
    alone = not expansions and not bench.options.main and not is_compiled(file)
    included = "a file that includes it is named with --from" if alone else ""
    if line is None and bench.trace.includes:
        message = "this file invokes no macro itself, it includes others"
        return Diagnostic("error", message, Source(file, 1, 1), _instead(bench))
    if line is None:
        return Diagnostic("error", "no macro is invoked in this file", Source(file, 1, 1), included)
    hint = "; ".join(filter(None, ["this file invokes no macro", included]))
    lines = sorted({e.where.line for e in expansions})
    if lines:
        nearest = sorted(sorted(lines, key=lambda at: abs(at - line))[:3])
        hint = f"the nearest {listed(map(str, nearest), 'is on line', 'are on lines')}"
    hint += f"; {why}"
    return Diagnostic("error", "no macro is invoked on this line", Source(file, line, 1), hint)


def _instead(bench: Workbench) -> str:
    """What can be stepped through instead of a file that invokes no macro itself: a text that it
    includes and that invokes one, the system's headers last, else the file that includes it."""
    from visualizer.expansion.ask_compiler import of_system
    from visualizer.workbench.bench import open_pass

    file, main = bench.trace.file, bench.options.main
    is_others = of_system(bench.options)
    for text in sorted(bench.trace.includes, key=lambda one: is_others(one.file))[:_MOST_OPENED]:
        if open_pass(bench, text).trace.expansions:
            line, name = text.through[-1].line, os.path.basename(text.file)
            return f"unfold steps {file}:{line}{_unit(bench)} steps through {name}"
    here = f"; unfold steps {main} steps through that file" if main else ""
    return (
        f"nor do these invoke any{here}" if len(bench.trace.includes) <= _MOST_OPENED else here[2:]
    )


def _unit(bench: Workbench) -> str:
    """The words that name the pass of an included text."""
    main, nth = bench.options.main, bench.options.nth or 1
    return main and f" --from {main}" + (f" --pass {nth}" if len(bench.trace.passes) > 1 else "")


def why_nothing(line: int, bench: Workbench) -> str:
    """What `unfold why` says of the line's only macro; where there is no such, or several, that it
    should be asked."""
    from visualizer.expansion import InputError
    from visualizer.expansion.why import answers, wording

    options = bench.options
    try:
        said = wording.in_short(answers.why(bench.path, line, options).each)
    except InputError:  # no such line
        said = ""
    return said or f"unfold why {bench.trace.file}:{line}{_unit(bench)} tells why"


def nothing_on(line: int, bench: Workbench) -> Diagnostic:
    """Why there is nothing to step through on a line: the error that stands there, or else that no
    macro is invoked. It takes a while to find out."""
    for found in bench.diagnostics:
        places = ((at.file, at.line) for at in found.places())
        if found.severity == "error" and (bench.trace.file, line) in places:
            return found
    return nothing_at(bench, line, why_nothing(line, bench))
