"""A process for somebody's Python kernels: its limits, and what is said where it is ended by them.

A kernel's file is Python, and does whatever stands in it. So it runs in a process that was started for
it. When its processor seconds are used up, or it crashes, Python's faulthandler writes where it was
(`watch_this`, called in there), and here that is read: a sentence, with the file's line.
"""

from __future__ import annotations

import faulthandler
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from registry_runtime.native.child import Limits, Stopped, run_child
from visualizer.expansion.source_files import display_path

_FRAME = re.compile(r'File "(?P<path>.+)", line (?P<line>\d+) in (?P<function>.+)')
_DUMPED = ("Fatal Python error: ", "Stack (most recent call first)")
_LEAST_MEMORY = 4 << 30
_WAITS = 10  # times its processor seconds, that a process may last on the clock
_OUTPUT = 4 << 20


@dataclass(frozen=True, slots=True)
class Apart:
    """How it went. `fault` says why the process was ended, empty where it ended by itself, or where
    nobody waited for it any more."""

    code: int
    out: bytes
    said: str
    fault: str


def run_python(
    module: str,
    words: Sequence[str],
    files: Sequence[Path],
    seconds: float,
    given: bytes = b"",
    cancelled: Callable[[], bool] | None = None,
) -> Apart:
    """Run `python -m module words…`, which is to run those files for so many seconds of a processor,
    with `given` on its standard input."""
    limits = Limits(seconds=seconds * _WAITS, memory=_memory(), output=_OUTPUT)
    command = [sys.executable, "-P", "-m", module, *words]
    environment = {"LC_ALL": os.environ.get("LC_ALL") or "C.UTF-8"}
    ended = run_child(command, limits, Path.cwd(), given, environment, None, cancelled)
    said, dump = _split(ended.err.decode(errors="replace"))
    fault, place = "", _place(dump, files)
    if ended.stopped is Stopped.OUTPUT:
        fault = f"{place}: it printed more than {_OUTPUT >> 20} MB, and was ended"
    elif ended.stopped is Stopped.TIME or ended.signal == "SIGPROF":
        how_long = ended.seconds if ended.stopped else seconds
        fault = f"{place}: it ran for {how_long:.0f} seconds, and was ended"
    elif ended.signal:
        fault = f"{place}: it crashed ({ended.signal})"
        fault += "; with NUMBA_BOUNDSCHECK=1 Numba looks at each index"
    return Apart(ended.code, ended.out, said, fault)


def watch_this(seconds: float) -> None:
    """In that process: what it was at is written when it crashes, or has used up its seconds."""
    faulthandler.enable(all_threads=False)
    faulthandler.register(signal.SIGPROF, all_threads=False, chain=True)  # chained: it ends us
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _memory() -> int:
    """All that there is of it: more would have the machine swap."""
    try:
        return max(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), _LEAST_MEMORY)
    except (AttributeError, ValueError, OSError):
        return _LEAST_MEMORY


def _split(text: str) -> tuple[str, str]:
    """What was said, and what Python's faulthandler dumped behind it."""
    at = min((text.find(word) for word in _DUMPED if word in text), default=len(text))
    return text[:at], text[at:]


def _place(dump: str, files: Sequence[Path]) -> str:
    """The innermost line of a kernel's file that was being run, or the file."""
    paths = {str(path): path for path in files}
    for match in _FRAME.finditer(dump):
        if match["path"] in paths:
            return f"{display_path(paths[match['path']])}:{match['line']}: {match['function']}"
    return ", ".join(str(display_path(path)) for path in files)
