"""A child process with limits, of which nothing can hurt its parent.

`run_child(command, Limits(...))` waits for a program and says how it ended. Three limits are the
kernel's own, set by the shell that becomes the program (`ulimit`, then `exec`: what Python could do
between fork and exec is not safe beside threads): the address space, the processor seconds, the size of
a file. Two are kept here: the seconds on the clock, and the bytes of output, after which the child is
ended. It leads a process group of its own, which is killed whole, so that a compiler's `cc1plus` or a
grandchild that a body forks goes with it. `cancelled` is asked some times a second, `progress` told
the seconds that it has taken; both are called in the thread that waits.

The child has no standard input but what it is given, the environment without what a loader or a
compiler takes as an order (`LD_PRELOAD`, `CPATH`…), and a folder of the caller's to run in."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import IO

_TICK = 0.05  # seconds between two looks at the clock
_ORDERS = (  # what programs take from the environment beside what they are told
    *("LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH"),
    *("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH"),
    *("GCC_EXEC_PREFIX", "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "CCC_OVERRIDE_OPTIONS"),
)
_LIMITED = (
    'ulimit -c 0 && ulimit -f "$1" && ulimit -t "$2" && ulimit -v "$3" && shift 3 && exec "$@"'
)


class Stopped(StrEnum):
    """Why we ended a child that had not ended itself."""

    TIME = "time"
    OUTPUT = "output"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Limits:
    """`seconds` of one processor, and on the clock `patience` times as many, where others may have the
    processors; `memory` in bytes of address space, None for none (a sanitizer reserves terabytes);
    `output` in bytes of stdout and stderr together; `file` in bytes of one file."""

    seconds: float = 60.0
    memory: int | None = 4 << 30
    output: int = 1 << 20
    file: int = 1 << 30
    patience: float = 1.0


@dataclass(frozen=True, slots=True)
class Ended:
    """How it went. `code` is the exit code, or minus the signal that ended it; `stopped` says why we
    did. `out` and `err` are what it printed, up to the limit."""

    code: int
    out: bytes
    err: bytes
    seconds: float
    stopped: Stopped | None = None

    @property
    def signal(self) -> str:
        """The signal that ended it, `SIGSEGV`; empty if none did, or it was us."""
        if self.code >= 0 or self.stopped is not None:
            return ""
        with contextlib.suppress(ValueError):
            return signal.Signals(-self.code).name
        return f"signal {-self.code}"


def run_child(
    command: Sequence[str],
    limits: Limits,
    folder: str | Path,
    given: bytes = b"",
    environment: Mapping[str, str] | None = None,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Ended:
    """Run `command`, whose first word is an absolute path, in `folder`, with `given` on its stdin and
    `environment` added to ours. Raises OSError where it can't be started; an exception of a callback is
    raised again, with the child gone."""
    surroundings = {name: value for name, value in os.environ.items() if name not in _ORDERS}
    surroundings |= {"LC_ALL": "C", **(environment or {})}
    begin = time.monotonic()
    with _ending_is_raised():
        child = subprocess.Popen(
            ["/bin/sh", "-c", _LIMITED, "unfold", *_numbers(limits), *command],
            cwd=folder,
            env=surroundings,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            stopped, out, err = _watch(child, limits, given, begin, progress, cancelled)
        finally:
            _end(child)
    seconds = time.monotonic() - begin
    if stopped is None and child.returncode == -signal.SIGXCPU:
        stopped = Stopped.TIME
    return Ended(child.returncode, out, err, seconds, stopped)


@contextlib.contextmanager
def _ending_is_raised() -> Iterator[None]:
    """A signal that would end us at once is raised instead, so that the child is ended first. Only the
    main thread can say what a signal does, and a program that has said it itself keeps that."""
    ours: list[int] = []
    if threading.current_thread() is threading.main_thread():
        ours += [n for n in _ENDING if signal.getsignal(n) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, _raise_end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


_ENDING = (signal.SIGTERM, signal.SIGHUP)


def _raise_end(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def _numbers(limits: Limits) -> tuple[str, str, str]:
    memory = _allowed(resource.RLIMIT_AS, limits.memory)
    file = _allowed(resource.RLIMIT_FSIZE, limits.file) or 1
    seconds = _allowed(resource.RLIMIT_CPU, int(limits.seconds) + 1)
    shown = "unlimited" if memory is None else str(max(memory >> 10, 1))
    return str(max(file >> 9, 1)), str(seconds), shown


def _allowed(kind: int, wanted: int | None) -> int | None:
    """As much of it as we have been allowed ourselves, who may be a child with limits."""
    _, most = resource.getrlimit(kind)
    if most == resource.RLIM_INFINITY:
        return wanted
    return most if wanted is None else min(wanted, most)


def _watch(
    child: subprocess.Popen[bytes],
    limits: Limits,
    given: bytes,
    begin: float,
    progress: Callable[[float], None] | None,
    cancelled: Callable[[], bool] | None,
) -> tuple[Stopped | None, bytes, bytes]:
    """Until it has ended, or has to: then why, and in any case what it printed."""
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    printed = {child.stdout: bytearray(), child.stderr: bytearray()}
    stopped: Stopped | None = None
    with DefaultSelector() as waiting, child.stdout, child.stderr:
        for stream, text in printed.items():
            os.set_blocking(stream.fileno(), False)
            waiting.register(stream, EVENT_READ, text)
        rest = memoryview(given)
        os.set_blocking(child.stdin.fileno(), False)
        while stopped is None and (waiting.get_map() or child.poll() is None):
            rest = _feed(child.stdin, rest)
            for key, _ in waiting.select(_TICK) if waiting.get_map() else ():
                piece = os.read(key.fd, 1 << 16)
                key.data.extend(piece)
                if not piece:
                    waiting.unregister(key.fileobj)
            if not waiting.get_map():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(_TICK)
            elif child.poll() is not None and not waiting.select(0):
                break  # a grandchild holds the pipe
            seconds = time.monotonic() - begin
            if sum(map(len, printed.values())) > limits.output:
                stopped = Stopped.OUTPUT
            elif seconds > limits.seconds * limits.patience:
                stopped = Stopped.TIME
            elif cancelled is not None and cancelled():
                stopped = Stopped.CANCELLED
            elif progress is not None:
                progress(seconds)
    out, err = (bytes(text[: limits.output]) for text in printed.values())
    return stopped, out, err


def _feed(stdin: IO[bytes], rest: memoryview) -> memoryview:
    """Give it what it takes now; when all is given, or it takes no more, its input ends."""
    if stdin.closed:
        return rest
    try:
        rest = rest[os.write(stdin.fileno(), rest) :] if rest else rest
    except BlockingIOError:
        return rest
    except BrokenPipeError:
        rest = rest[:0]
    if not rest:
        stdin.close()
    return rest


def _end(child: subprocess.Popen[bytes]) -> None:
    """Its whole group, whoever is left in it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    if child.stdin is not None and not child.stdin.closed:
        with contextlib.suppress(OSError):
            child.stdin.close()
