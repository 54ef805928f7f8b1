"""What it takes to open a file: its path, a line to begin at, and the preprocessor's flags for it.

The same opening can be typed into the app, come from `unfold open`, and be kept among the recent files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.workbench.flags import Flags

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic, Expansion, InputError
    from visualizer.workbench.bench import Workbench


_NO_FLAGS = Flags()


@dataclass(frozen=True, slots=True)
class Opening:
    path: Path
    line: int | None = None
    flags: Flags = _NO_FLAGS

    def absolute(self) -> Opening:
        """The same wherever one stands: with no path in it that is relative."""
        return Opening(self.path.absolute(), self.line, self.flags.absolute())


def file_and_line(text: str) -> tuple[Path, int | None]:
    """`FILE[:LINE[:COLUMN]]`, as compilers print it and editors copy it."""
    match = re.fullmatch(r"(.+?):(\d+)(?::\d*)?", text)
    if match is None or os.path.exists(text):  # not Path's, which raises for a name too long
        return Path(text), None
    return Path(match[1]), int(match[2])


def load(opening: Opening) -> tuple[Workbench, str]:
    """The file on the bench, and a note on how it was read, mostly empty.

    Raises InputError if the file cannot be read as source, or the flags can't be followed: a wheel
    that isn't installed, a damaged compile_commands.json.
    """
    from visualizer.workbench.bench import open_file

    options, note = opening.flags.options_for(opening.path)
    bench = open_file(opening.path, options)
    if note is None:
        return bench, ""
    return bench, f"{note.message}. {note.hint}" if note.hint else note.message


def why_not(error: Exception) -> str:
    """One message for a file that could not be opened."""
    from visualizer.expansion import InputError

    if isinstance(error, InputError):
        return str(error.diagnostic)
    return f"{type(error).__name__}: {error}"


def nothing_at(file: str, line: int | None, expansions: Sequence[Expansion]) -> Diagnostic:
    """The error of a file that is there, asked for a line on which no macro is invoked, or for any."""
    from visualizer.expansion import Diagnostic
    from visualizer.expansion.tokens import Source
    from visualizer.expansion.wording import listed

    if line is None:
        return Diagnostic("error", "no macro is invoked in this file", Source(file, 1, 1))
    hint = "this file invokes no macro"
    lines = sorted({e.where.line for e in expansions})
    if lines:
        nearest = sorted(sorted(lines, key=lambda at: abs(at - line))[:3])
        hint = f"the nearest {listed(map(str, nearest), 'is on line', 'are on lines')}"
    return Diagnostic("error", "no macro is invoked on this line", Source(file, line, 1), hint)


def nothing_on(line: int, bench: Workbench) -> InputError:
    """The same, to be raised."""
    from visualizer.expansion import InputError

    found = nothing_at(bench.trace.file, line, bench.trace.expansions)
    return InputError(found.message, found.where, found.hint)
