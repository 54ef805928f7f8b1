"""A file compiled for a judge, with its own flags, and what ran of it told as it goes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from registry_runtime.native.child import Ended, Limits, Stopped, run_child
from registry_runtime.native.compiler import PLAIN, compile_with

_COMPILING = Limits(seconds=300, memory=4 << 30, output=4 << 20, file=512 << 20, patience=4)
_WHAT = re.compile(r"^\s*what\(\):\s+(.*)", re.M)


class JudgeFailed(Exception):
    """The judge gives no verdict. The message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Compilation:
    """A file, and what compiles it: the compiler's absolute path, and the file's flags as its words."""

    file: Path
    compiler: str
    words: tuple[str, ...]

    def with_words(self, *more: str) -> Compilation:
        """The same with more flags."""
        return replace(self, words=(*self.words, *more))


@dataclass(frozen=True, slots=True)
class Watch:
    """Who waits: is told what is being done, some times a second, and may call it off."""

    say: Callable[[str], None] = lambda doing: None
    cancelled: Callable[[], bool] = lambda: False


def compile_file(
    of: Compilation, to: Path, watch: Watch, doing: str, libraries: Sequence[str] = ()
) -> None:
    """Compile and link it. Raises CompilerFailed, with the compiler's errors."""
    words = [
        of.compiler,
        *PLAIN,
        *of.words,
        "-w",
        "-x",
        "c++",
        str(of.file),
        "-x",
        "none",
        *libraries,
    ]
    compile_with(
        [*words, "-o", str(to)],
        b"",
        to.parent,
        str(of.file),
        progress=_told(watch, doing),
        cancelled=watch.cancelled,
        limits=_COMPILING,
    )


def run_judge(
    command: Sequence[str],
    folder: Path,
    watch: Watch,
    doing: str,
    limits: Limits,
    given: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> str:
    """The last line that the child prints. Raises JudgeFailed where it doesn't end well."""
    told = _told(watch, doing)
    ended = run_child(command, limits, folder, given, environment, told, watch.cancelled)
    lines = ended.out.decode(errors="replace").splitlines()
    if ended.code or ended.stopped is not None or not lines:
        raise JudgeFailed(_why(ended, doing))
    return lines[-1]


def _told(watch: Watch, doing: str) -> Callable[[float], None]:
    return lambda seconds: watch.say(f"{doing}, {seconds:.0f} s")


def _why(ended: Ended, doing: str) -> str:
    match ended.stopped:
        case Stopped.CANCELLED:
            return f"{doing} was called off"
        case Stopped.TIME:
            return f"{doing} was stopped after {ended.seconds:.0f} seconds"
        case Stopped.OUTPUT:
            return f"{doing} printed without end, and was stopped"
    said = ended.err.decode(errors="replace")
    thrown = _WHAT.search(said)
    last = [line for line in said.splitlines() if line.strip()][-1:]
    told = thrown[1] if thrown is not None else "".join(last)
    ending = ended.signal or f"exit code {ended.code}"
    return f"{doing} failed ({ending})" + (f": {told.strip()}" if told else "")
