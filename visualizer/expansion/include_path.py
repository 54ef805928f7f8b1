"""The include path: which file an `#include` names.

A name in quotes is looked for beside the file that includes, in the folders of `-iquote`, then, like
one in angle brackets, in each folder of the path, in order: those of `-I`, those of `-isystem`, the
compiler's own, those of `-idirafter`. With
`#include_next` the search goes on behind the folder in which the including file was found.

Most of the places that are looked at hold no such file. So we don't try to open it in each; we list
each folder once and look the name up. What was listed, and what was not there to be listed, is also
what a cache must know: a header put there later would be found first.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from visualizer.expansion.readable import may_read
from visualizer.expansion.source_files import display_path

BESIDE = -1


Stamp = tuple[int, int, int, int]


def stamp(path: str) -> Stamp | None:
    """What changes whenever a file or folder does; None if it is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


class FoundFile(NamedTuple):
    """A file, the index of the folder of the path in which it was found (or BESIDE), whether it is a
    system header, about whose style nobody is told, and its name as `__FILE__` spells it: made of
    the folder as the command line has it."""

    path: str
    folder: int
    system: bool
    spelled: str = ""


ASSUMED = FoundFile("", BESIDE, True)  # a header that is taken to be there, and empty


class IncludePath:
    """The folders to search, as gcc arranges them, and what has been seen in them."""

    def __init__(
        self,
        folders: Sequence[str],
        system_folders: Sequence[str],
        quoted: Sequence[str] = (),
        here: str = "",
        spelled: Iterable[tuple[str, str]] = (),
        shortens: bool = False,
    ) -> None:
        """`quoted` are searched for a name in quotes only, and first. `here` is how the compiler spells
        the folder of a file that is named without one. `spelled` are paths as its command line spells
        them, where the folders are given otherwise. `shortens` is whether it shortens the names of
        system headers."""
        self._here = here
        self._shortens = shortens
        self._real: dict[str, str] = {}
        self._as_said = dict(spelled)
        given = [*quoted, *folders, *system_folders]
        said = {os.path.abspath(f): self._as_said.get(f, f) for f in reversed(given)}
        self._spelled = {folder: word.rstrip("/") or "/" for folder, word in said.items()}
        self.system_folders = _each_once(map(os.path.abspath, system_folders))
        system = {os.path.realpath(f) for f in self.system_folders}
        own = _each_once(map(os.path.abspath, folders))
        # A folder that is a system folder too stays at its place among those (cpp's manual).
        own = [f for f in own if os.path.realpath(f) not in system]
        before = _each_once(map(os.path.abspath, quoted))
        before = [f for f in before if os.path.realpath(f) not in system]
        self.folders = [*before, *own, *self.system_folders]
        self._first_bracketed = len(before)
        self._first_system = len(before) + len(own)
        self.stamps: dict[str, Stamp | None] = {}  # of each folder, as it was before it was listed
        self.sought: dict[str, set[str]] = {}  # the names that were looked for in it
        self._listed: dict[str, frozenset[str] | None] = {}
        self._found: dict[tuple[str, str, int], FoundFile | None] = {}

    def find(
        self, header: str, includer: FoundFile, after_current: bool = False
    ) -> FoundFile | None:
        """The file that `"x.h"` or `<x.h>` stands for, or None."""
        name = header[1:-1]
        beside = header[0] == '"' and not after_current
        start = includer.folder + 1 if after_current else 0
        if header[0] == "<":
            start = max(start, self._first_bracketed)
        folder = os.path.dirname(includer.path) if beside else ""
        key = (name, folder, start)
        if key in self._found:
            found = self._found[key]
        else:
            found = self._found[key] = self._search(name, folder if beside else None, start)
        if found is not None and found.folder == BESIDE:
            slash = includer.spelled.rfind("/") + 1
            folder = includer.spelled[:slash] or self._here
            said = self._as_said.get(name, name)
            spelled = said if os.path.isabs(said) else folder + said
            found = FoundFile(found.path, BESIDE, includer.system, spelled)
        if found is not None and found.system and self._shortens:
            return found._replace(spelled=self._shortest(found))
        return found

    def _shortest(self, found: FoundFile) -> str:
        """gcc names a system header by its real path where that is shorter."""
        if found.path not in self._real:
            self._real[found.path] = os.path.realpath(found.path)
        return min(found.spelled, self._real[found.path], key=len)

    def spellings(self) -> tuple[str, ...]:
        """What the names of files in these folders begin with."""
        return (self._here, *(word for pair in self._spelled.items() for word in pair))

    def searched(self, header: str, includer: FoundFile, again: bool = False) -> str:
        """Where `find` looked, for a message; `again` where one has named the folders before."""
        beside = [os.path.dirname(includer.path)] if header[0] == '"' else []
        same = ["the same folders"] if again and self.folders else []
        path = self.folders[0 if header[0] == '"' else self._first_bracketed :]
        folders = [] if same else path
        shown = [display_path(f) for f in (*beside, *folders)]
        return ", ".join(dict.fromkeys([*shown, *same])) or "no folder"

    def beside(self, header: str, includer: FoundFile) -> tuple[str, ...]:
        """The names of the same kind that are where a header was looked for that isn't there."""
        inner, _, last = header[1:-1].rpartition("/")
        ending = os.path.splitext(last)[1]
        folders = self.folders[0 if header[0] == '"' else self._first_bracketed :]
        if header[0] == '"':
            folders = [os.path.dirname(includer.path), *folders]
        below = [f"{folder}/{inner}" if inner else folder for folder in folders]
        return tuple(
            name
            for where in below
            if may_read(where)
            for name in sorted(self._listed.get(where) or ())
            if os.path.splitext(name)[1] == ending
        )

    def looked_up(self) -> dict[str, tuple[Stamp | None, list[str], list[str]]]:
        """Of each folder that was looked into, its stamp, and the names found there and not found."""
        result = {}
        for where, names in self._listed.items():
            sought = self.sought[where]
            there = sought & names if names is not None else set()
            result[where] = (self.stamps[where], sorted(there), sorted(sought - there))
        return result

    def _search(self, name: str, beside: str | None, start: int) -> FoundFile | None:
        if not name:
            return None
        if os.path.isabs(name):
            there = os.path.isfile(name) and may_read(name)
            return FoundFile(os.path.normpath(name), BESIDE, False) if there else None
        if beside is not None and (path := self._in_folder(beside, name)) is not None:
            return FoundFile(path, BESIDE, False)
        for i in range(start, len(self.folders)):
            if (path := self._in_folder(self.folders[i], name)) is not None:
                spelled = f"{self._spelled[self.folders[i]]}/{name}"
                return FoundFile(path, i, i >= self._first_system, spelled)
        return None

    def _in_folder(self, folder: str, name: str) -> str | None:
        inner, _, last = name.rpartition("/")
        where = f"{folder}/{inner}" if inner else folder
        try:
            names = self._listed[where]
        except KeyError:
            self.stamps[where] = stamp(where)
            self.sought[where] = set()
            names = self._listed[where] = _names_in(where)
        self.sought[where].add(last)
        if names is None or last not in names:
            return None
        path = f"{where}/{last}"
        if not os.path.isfile(path) or not may_read(path):
            return None
        return os.path.normpath(path) if "/." in path or "//" in path else path


def still_so(
    where: str, known: Sequence[int] | None, there: Sequence[str], missing: Sequence[str]
) -> bool:
    """Whether looking these names up in a folder would give what `looked_up` told of it."""
    now = stamp(where)
    if (None if now is None else list(now)) == known:
        return True
    names = _names_in(where) or frozenset()
    return names.issuperset(there) and names.isdisjoint(missing)


def _names_in(folder: str) -> frozenset[str] | None:
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return None


def _each_once(folders: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(folders))
