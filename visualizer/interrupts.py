"""Ctrl-C where there is nothing to put back: before a command begins, behind its end, and when all is
put back.

Python makes an exception of it, wherever it is. Among imports that is a traceback, or a line that says
that it was ignored, and then it was; while the interpreter ends, too. As the system has it, a process
ends at once and says nothing, and a shell shows 130.
"""

from __future__ import annotations

# What `signal` is written on: to import that one takes milliseconds, in which Ctrl-C is a traceback.
import _signal  # type: ignore[import-not-found]
import atexit
import os
from contextlib import suppress

_ours = False  # whether it is we who had it so


def end_at_once() -> None:
    """From now on Ctrl-C ends the process, unless somebody has decided otherwise, as `nohup` does."""
    global _ours
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        with suppress(ValueError):  # not in the main thread
            _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
            _ours = True


def be_raised() -> None:
    """From now on it is a KeyboardInterrupt again."""
    global _ours
    if _ours:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        _ours = False


def end_now(code: int) -> None:
    """End the process where an exception has come to its end, with all still held that it passed: to
    let go of a million objects takes longer than whoever pressed Ctrl-C wants to wait. What is not
    written by now won't be: who reads it may have stopped, as a pager does."""
    atexit._run_exitfuncs()
    os._exit(code)
