"""Exit codes, and what goes to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic

OK, INPUT_ERROR, USAGE_ERROR, INTERRUPTED = 0, 1, 2, 130


def report(diagnostics: Iterable[Diagnostic]) -> int:
    """Diagnostics on stderr, each once; the exit code that they mean."""
    sys.stdout.flush()
    code = OK
    for text, severity in dict.fromkeys((str(d), d.severity) for d in diagnostics):
        print(text, file=sys.stderr)
        code = INPUT_ERROR if severity == "error" else code
    return code


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
