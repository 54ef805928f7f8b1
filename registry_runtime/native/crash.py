"""What became of a body that did not return, as a sentence, and the line of its text.

The program says on stderr with which signal it ends, and the addresses that led there (`phi/call.h`);
`addr2line` knows their lines, those of inlined calls too. Of a sanitizer's report it is the first line
that names the text. Its words are all that there is to read.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
from enum import StrEnum
from typing import TYPE_CHECKING

from registry_runtime.native.child import Ended, Limits, Stopped, run_child
from registry_runtime.native.compiler import Place

if TYPE_CHECKING:
    from registry_runtime.native.program import Program

_SIGNALLED = re.compile(rb"^UNFOLD ((?:[0-9a-f]+ ?)+)$", re.M)
_THREW = re.compile(rb"^UNFOLD threw (.*)", re.M)
_UNDEFINED = re.compile(
    r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): runtime error: (?P<what>.*)", re.M
)
_ADDRESS = re.compile(r"ERROR: AddressSanitizer: (?P<what>[\w-]+)")
_FRAME = re.compile(
    r"^ +#\d+ 0x[0-9a-f]+ in .*? (?P<file>/.+?):(?P<line>\d+)(?::(?P<column>\d+))?$", re.M
)
_ACCESS = re.compile(r"^(?P<how>READ|WRITE) of size (?P<bytes>\d+)", re.M)
_SIDE = re.compile(
    r"is located (?P<by>\d+) bytes? (?:to the )?(?P<side>\w+) .*?(?P<of>\d+)-byte region"
)
_MEANS = {
    "SIGSEGV": "it used memory that isn't its own, or called itself until the stack was full",
    "SIGBUS": "it used memory that isn't there",
    "SIGFPE": "an integer was divided by 0, or the quotient doesn't fit",
    "SIGILL": "this processor doesn't know an instruction",
    "SIGABRT": "it called abort, as a failed assert does, and the C library where its heap is damaged",
}


_OF_MEMORY = ("SIGSEGV", "SIGBUS", "SIGABRT")


class Reason(StrEnum):
    """Why a body gave no result."""

    SIGNAL = "signal"
    THREW = "threw"
    TIME = "time"
    OUTPUT = "output"
    CANCELLED = "cancelled"
    SANITIZER = "sanitizer"
    ENDED = "ended"


class BodyFailed(Exception):
    """A sentence, and the line of the text that it is about, where one is known."""

    def __init__(
        self, message: str, where: Place | None = None, reason: Reason = Reason.ENDED
    ) -> None:
        super().__init__(message)
        self.where, self.reason = where, reason


def failed(ended: Ended, program: Program, limits: Limits) -> BodyFailed:
    """What to say of a child that did not end well."""
    by = _SIGNALLED.findall(ended.err)
    numbers = [int(word, 16) for word in by[-1].split()] if by else []
    where = _line(numbers[1:], program) if numbers else None
    match ended.stopped:
        case Stopped.CANCELLED:
            return BodyFailed("the body was called off", None, Reason.CANCELLED)
        case Stopped.OUTPUT:
            message = f"the body printed more than {limits.output >> 10} KB, and was ended"
            return BodyFailed(message, where, Reason.OUTPUT)
        case Stopped.TIME:
            return BodyFailed(_too_long(limits), where, Reason.TIME)
    if program.sanitized and (said := _sanitizer(ended.err.decode(errors="replace"), program)):
        return said
    if numbers or ended.signal:
        name = _named(numbers[0]) if numbers else ended.signal
        if name in ("SIGALRM", "SIGXCPU"):
            return BodyFailed(_too_long(limits), where, Reason.TIME)
        means = f": {_MEANS[name]}" if name in _MEANS else ""
        if name in _OF_MEMORY and not program.sanitized:
            means = f"{means} (--sanitize shows which access did it)"
        return BodyFailed(f"the body was ended by {name}{means}", where, Reason.SIGNAL)
    if (threw := _THREW.search(ended.err)) is not None:
        text = threw[1].decode(errors="replace")
        return BodyFailed(f"the body threw an exception: {text}", None, Reason.THREW)
    match ended.code:  # phi/call.h's own
        case 4:
            return BodyFailed("the compiled text registers no such kernel")
        case 5:
            return BodyFailed("the arguments don't fit on the disk, or the results")
    return BodyFailed(f"the body ended the process with exit code {ended.code}")


def _too_long(limits: Limits) -> str:
    return f"the body ran for {limits.seconds:.0f} seconds, and was ended"


def _named(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _line(addresses: list[int], program: Program) -> Place | None:
    """The first of these that stands in the text, from the innermost out."""
    tool = shutil.which("addr2line", path=_absolute_path())
    if tool is None or not addresses:
        return None
    command = [tool, "-i", "-e", str(program.path), *(f"{address:x}" for address in addresses)]
    try:
        ended = run_child(command, Limits(seconds=20), program.path.parent)
    except OSError:
        return None
    for row in ended.out.decode(errors="replace").splitlines():
        file, _, line = row.partition(" (")[0].rpartition(":")
        if file == program.source.path and line.isdecimal() and int(line):
            return Place(file, int(line))
    return None


def _absolute_path() -> str:
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(filter(os.path.isabs, entries))


def _sanitizer(said: str, program: Program) -> BodyFailed | None:
    """A sanitizer's report: what it saw first, at the line of the text."""
    if (match := _UNDEFINED.search(said)) is not None:
        where = Place(match["file"], int(match["line"]), int(match["column"]))
        if where.file != program.source.path:
            where = _first_frame(said, program) or where
        return BodyFailed(f"undefined behaviour: {match['what']}", where, Reason.SANITIZER)
    if (match := _ADDRESS.search(said)) is None:
        return None
    message = match["what"]
    if (access := _ACCESS.search(said)) is not None:
        how = "it reads" if access["how"] == "READ" else "it writes"
        message += f": {how} {access['bytes']} bytes"
        if (side := _SIDE.search(said)) is not None:
            place = {"after": "behind", "before": "before"}.get(side["side"])
            place = place or ("behind" if side["side"] == "right" else "before")
            if side["side"] in ("after", "before", "right", "left"):
                message += f", {side['by']} bytes {place} the end of {side['of']}"
            else:
                message += f" in {side['of']}"
    return BodyFailed(message, _first_frame(said, program), Reason.SANITIZER)


def _first_frame(said: str, program: Program) -> Place | None:
    for frame in _FRAME.finditer(said):
        if frame["file"] == program.source.path:
            return Place(frame["file"], int(frame["line"]), int(frame["column"] or 1))
    return None
