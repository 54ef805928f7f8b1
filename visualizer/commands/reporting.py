"""Exit codes, and what goes to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

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


def has_screen() -> bool:
    """Whether there is a terminal that a screen can be drawn on, or Textual was told of another place:
    a browser."""
    if "TEXTUAL_DRIVER" in os.environ:
        return True
    dumb = os.environ.get("TERM", "dumb") == "dumb"
    return sys.stdin.isatty() and sys.stdout.isatty() and not dumb
