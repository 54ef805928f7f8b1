"""Which files of a tree are worth preprocessing.

Most files of a source tree register nothing, and preprocessing them would take most of the time. So a
first pass looks at the bytes only: does a file contain a registration macro's name? That is not quite
the question, since a tree may wrap a registration in a macro of its own, defined in a header: files
that use it contain only the wrapper's name. Therefore the pass also collects the macros whose
replacement contains such a name, then those whose replacement contains one of these, and so on until
there are no new ones. Names may be made by `##` as well: a piece of a name counts like the name.

The pass errs on the side of too many files. What is a registration, the preprocessor says.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from visualizer.expansion import InputError
from visualizer.expansion.readable import read_regular
from visualizer.expansion.source_files import HEADERS, LARGEST, display_path, read_source
from visualizer.expansion.tokens import Source
from visualizer.workbench.registration_macros import MACROS

SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".cu", ".hip", ".kps", ".m", ".mm")


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be surveyed, wholly or in part, and why."""

    file: str
    line: int
    column: int
    reason: str


@dataclass(frozen=True, slots=True)
class Selection:
    """The files to preprocess, with their sizes, those that can't be, and how many there were."""

    files: tuple[tuple[Path, int], ...]
    failures: tuple[Failure, ...]
    looked_at: int


def source_files(roots: Iterable[str | Path]) -> tuple[list[Path], list[Failure]]:
    """The C and C++ files below these folders, in order, each once; and folders that can't be read.

    A root may be a file as well: then it is surveyed whatever its name says, and it is a failure if it
    is empty. Symbolic links are followed; what is reached a second time, through a link or because the
    roots overlap, is left out. So are hidden folders. Raises InputError for a root that is not there.
    """
    files: list[Path] = []
    failures: list[Failure] = []
    seen: set[str] = set()
    for root in map(Path, roots):
        if not root.exists():
            where = Source(display_path(root), 1, 1)
            hint = "name C or C++ source files, or a folder of them"
            raise InputError("no such file or folder", where, hint)
        if _is_blank(root):
            failures.append(Failure(display_path(root), 1, 1, "is empty, and registers nothing"))
            continue
        for path in _below(root, seen, failures) if root.is_dir() else iter([root]):
            real = os.path.realpath(path)
            if real not in seen:
                seen.add(real)
                files.append(path)
    return files, failures


def _below(root: Path, seen: set[str], failures: list[Failure]) -> Iterator[Path]:
    def cannot_list(error: OSError) -> None:
        reason = f"cannot be read: {error.strerror}"
        failures.append(Failure(display_path(error.filename), 1, 1, reason))

    for folder, folders, names in os.walk(root, onerror=cannot_list, followlinks=True):
        real = os.path.realpath(folder)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if os.path.splitext(name)[1].lower() in (*SOURCES, *HEADERS):
                yield Path(folder, name)


# A name may be put together: `PD_REGISTER_##kind`. So pieces of names count, if they are telling.
_STEMS = (b"REGISTER", b"TORCH_LIBRARY", b"PD_BUILD")


def _pieces(names: Iterable[bytes]) -> set[bytes]:
    pieces = set()
    for name in names:
        ends = (i + 1 for i, byte in enumerate(name) if byte == ord("_"))
        pieces |= {name[:end] for end in ends if any(stem in name[:end] for stem in _STEMS)}
    return pieces


def select(files: Sequence[Path], headers: Iterable[Path] = (), definitions: str = "") -> Selection:
    """Those of `files` that may register something. `headers` from outside, and the text of `-D`s,
    are searched for wrapper macros only."""
    readable: list[tuple[Path, int]] = []
    failures = []
    for path in files:
        try:
            readable.append((path, len(read_source(path))))
        except InputError as error:
            if not _is_blank(path):
                at, hint = error.diagnostic.where, error.diagnostic.hint
                reason = error.diagnostic.message + (f" ({hint})" if hint else "")
                failures.append(Failure(at.file, at.line, at.column, reason))
    chosen: set[Path] = set()
    known: set[bytes] = set()
    new = {name.encode() for name in MACROS}
    stems: Sequence[bytes] = _STEMS
    everywhere = [*(path for path, _ in readable), *headers]
    while new:
        new |= _pieces(new)
        known |= new
        words = re.compile(rb"\b(?:" + b"|".join(map(re.escape, sorted(new))) + rb")\b")
        found = _wrappers(definitions.encode(), words)
        for path in everywhere:
            text = _text(path)
            if any(stem in text for stem in stems) and words.search(text):
                chosen.add(path)
                found |= _wrappers(text, words)
        new = found - known
        stems = sorted(new)
    return Selection(tuple(f for f in readable if f[0] in chosen), tuple(failures), len(files))


_SPLICE = re.compile(rb"\\[ \t]*\r?\n")
_DEFINITION = re.compile(rb"^[ \t]*(?:#|%:)[ \t]*define[ \t]+(\w+)(.*)", re.MULTILINE)


def _text(path: Path) -> bytes:
    """The file's bytes, lines spliced. One that has gone in the meantime will say so later."""
    try:
        text = read_regular(path, LARGEST)
    except OSError:
        return b""
    return _SPLICE.sub(b"", text) if b"\\\n" in text or b"\\\r" in text else text


def _is_blank(path: Path) -> bool:
    try:
        return not read_regular(path, LARGEST).removeprefix(b"\xef\xbb\xbf").strip()
    except OSError:
        return False


def _wrappers(text: bytes, words: re.Pattern[bytes]) -> set[bytes]:
    """The macros defined here whose replacement contains one of the words."""
    return {name for name, body in _DEFINITION.findall(text) if words.search(body)}
