"""A compiler run in a child process, and what it says, at the line that somebody can mend.

`compile_with(words, text, …)` returns when it has compiled, or raises `CompilerFailed` with its
errors. An error in a macro's replacement list is told where the macro was used: gcc says so in notes
behind it (`in expansion of macro`), clang at once, CUDA's (`file(line): error`) not at all. An error in
a template stands where it is, and what it was made for in its notes. What the linker misses, functions
that are called and that nobody defines, is `CompilerFailed.undefined`, each as C++ spells it.

A compiler's output is for people, and words are all that there is to read: `LC_ALL=C`, no colours,
so that a line is a message."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from registry_runtime.native.child import Ended, Limits, Stopped, run_child

LIMITS = Limits(seconds=200, memory=3 << 30, output=4 << 20, file=512 << 20, patience=5)
PLAIN = ("-fdiagnostics-color=never",)

_SAID = re.compile(
    r"(?P<file>(?:[A-Za-z]:)?[^:\n]+?)(?::(?P<line>\d+):(?:(?P<column>\d+):)?|\((?P<cudas>\d+)\):) "
    r"(?P<severity>fatal error|error|warning|note)(?: #\S+)?: (?P<text>.*)"
)
_EXPANSION = re.compile(r"in expansion of macro ['‘](?P<name>\w+)['’]")
_NO_HEADER = re.compile(r"(?P<gcc>.+): No such file or directory|'(?P<clang>.+)' file not found")
_UNDEFINED = re.compile(r"undefined reference to [`'‘](?P<name>.+)['’]$", re.M)


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file, as the compiler names it; line and column count from 1."""

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Error:
    """One error: where to mend it, and the macros in between, innermost first."""

    message: str
    where: Place
    through: tuple[tuple[str, Place], ...] = ()

    def __str__(self) -> str:
        return f"{self.where}: error: {self.message}"

    @property
    def missing_header(self) -> str:
        """The header that isn't found, as it is included; "" where that isn't the error."""
        match = _NO_HEADER.fullmatch(self.message)
        return match["gcc"] or match["clang"] if match is not None else ""


class CompilerFailed(Exception):
    """It refused the text, or could not end. `errors` is empty where it named no line."""

    def __init__(
        self, message: str, errors: tuple[Error, ...] = (), undefined: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.errors = errors
        self.undefined = undefined


def compile_with(
    words: Sequence[str],
    text: bytes,
    folder: Path,
    source: str,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    limits: Limits = LIMITS,
) -> None:
    """Run the compiler of `words`, its absolute path first, in `folder` with `text` on its stdin
    (`-` among the words reads it). `source` is how the text's file is named in it (`# 1 "source"`):
    errors are told there where macros lead to it.

    Raises CompilerFailed where it doesn't end well, OSError where it can't be started.
    """
    ended = run_child(words, limits, folder, text, progress=progress, cancelled=cancelled)
    if ended.code or ended.stopped is not None:
        raise failure(ended, source, Path(words[0]).name)


def failure(ended: Ended, source: str, name: str) -> CompilerFailed:
    """What to say of a compiler that did not end well."""
    match ended.stopped:
        case Stopped.CANCELLED:
            return CompilerFailed(f"{name} was called off")
        case Stopped.TIME:
            return CompilerFailed(f"{name} was stopped after {ended.seconds:.0f} seconds")
        case Stopped.OUTPUT:
            found = errors_in(ended.err.decode(errors="replace"), source)
            return CompilerFailed(_first(found) or f"{name} printed without end", found)
    said = ended.err.decode(errors="replace")
    found = errors_in(said, source)
    undefined = tuple(dict.fromkeys(_bare(match["name"]) for match in _UNDEFINED.finditer(said)))
    if undefined and not found:
        called = "which the text calls" if len(undefined) == 1 else "which the text uses"
        message = f"nothing defines {', '.join(undefined)}, {called}"
        return CompilerFailed(message, (), undefined)
    if found:
        return CompilerFailed(_first(found), found, undefined)
    ending = ended.signal or f"exit code {ended.code}"
    last = next((line for line in reversed(said.splitlines()) if line.strip()), "")
    return CompilerFailed(f"{name} failed ({ending})" + (f": {last.strip()}" if last else ""))


def _bare(symbol: str) -> str:
    """`n::twice` of `int n::twice<int>(std::vector<int> const&)`: without what depends on types."""
    name, depth = "", 0
    for letter in symbol:
        if letter in "(" and not depth:
            break
        depth += (letter == "<") - (letter == ">")
        if not depth and letter != ">":
            name += letter
    return name.split()[-1] if name.split() else symbol


def _first(found: tuple[Error, ...]) -> str:
    return str(found[0]) if found else ""


def errors_in(said: str, source: str) -> tuple[Error, ...]:
    """The errors among a compiler's messages, in their order, each moved out of the macros that it
    stands in: to the outermost that is used in `source`, if one is."""
    found: list[Error] = []
    fresh = False  # whether notes that follow are of the last error
    for match in map(_SAID.match, said.splitlines()):
        if match is None:
            continue
        line = match["line"] or match["cudas"]
        where = Place(match["file"], int(line), int(match["column"] or 1))
        if match["severity"] in ("error", "fatal error"):
            found.append(Error(match["text"], where))
            fresh = True
        elif match["severity"] == "warning":
            fresh = False
        elif fresh and (expansion := _EXPANSION.search(match["text"])) is not None:
            last = found[-1]
            through = (*last.through, (expansion["name"], where))
            at = last.where
            if at.file != source or where.file == source:
                at = where
            found[-1] = Error(last.message, at, through)
    return tuple(found)
