"""Exit codes, and what goes to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.commands.legible import raw

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic

OK, INPUT_ERROR, USAGE_ERROR, INTERRUPTED = 0, 1, 2, 130


def report(diagnostics: Iterable[Diagnostic], unsaved: Iterable[tuple[str, str]] = ()) -> int:
    """Diagnostics on stderr, each once; the exit code that they mean. A terminal shows the source with
    them, from texts that are `unsaved` too; in a pipe the first line of each is what editors parse."""
    sys.stdout.flush()
    told = {str(d): d for d in diagnostics}
    for text, diagnostic in told.items():
        if sys.stderr.isatty():
            for row in _on_terminal(diagnostic, unsaved):
                print(row, file=raw(sys.stderr))
        else:
            print(text, file=sys.stderr)
    return INPUT_ERROR if any(d.severity == "error" for d in told.values()) else OK


def _on_terminal(diagnostic: Diagnostic, unsaved: Iterable[tuple[str, str]]) -> Iterator[str]:
    import shutil

    from visualizer.commands.diagnostic_rows import rows

    coloured = not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    return rows(diagnostic, unsaved, shutil.get_terminal_size((80, 24)).columns, coloured)


def complain(message: str, code: int = INPUT_ERROR) -> int:
    """One line on stderr that is about no place in a file; returns the exit code."""
    sys.stdout.flush()
    print(f"unfold: error: {message}", file=sys.stderr)
    return code


def why_not_written(path: Path | None) -> str:
    """What keeps a file from being written there, said before the work and not after it; empty if
    nothing does, and for stdout, which is None."""
    if path is None:
        return ""
    if path.is_dir():
        return f"cannot write {path}: it is a folder"
    if os.access(path if path.exists() else path.parent, os.W_OK):
        return ""
    reason = (
        "it may not be written" if path.exists() else f"{path.parent} is no folder to write into"
    )
    return f"cannot write {path}: {reason}"


def has_screen() -> bool:
    """Whether there is a terminal that a screen can be drawn on, or Textual was told of another place:
    a browser."""
    if "TEXTUAL_DRIVER" in os.environ:
        return True
    dumb = os.environ.get("TERM", "dumb") == "dumb"
    return sys.stdin.isatty() and sys.stdout.isatty() and not dumb
