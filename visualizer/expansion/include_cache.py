"""What an include did to the macro table, kept on disk.

The effect of `#include "x.h"` in the main file depends on four things: what was defined before it, the
compiler and options, the text of every file that was read, and where headers were and were not found.
The first two make up the entry's name: a digest of all that led to this place, in order. The others
are in the entry, as times and sizes of files and folders, and the folders that were not there; it
holds as long as all of them are as they were. So a header that was edited, and one that newly stands
before another on the include path, both make the entry stale, and it is made anew without a word.

Not kept: an effect with a message to the user, one that leaves `push_macro` open, asserts or poisons,
one of files so new that another edit could have the same time, and one of a text that an editor hasn't
saved.
"""

from __future__ import annotations

import json
import os
import time
from array import array
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from visualizer.expansion.cache_folder import fits, name_of, read_entry, write_entry
from visualizer.expansion.definitions import Definition
from visualizer.expansion.include_path import FoundFile, Stamp, stamp, still_so
from visualizer.expansion.language import Language
from visualizer.expansion.macro_table import WrittenDefinition
from visualizer.expansion.readable import may_read
from visualizer.expansion.source_files import display_path
from visualizer.expansion.tokens import Source, Token

if TYPE_CHECKING:
    from visualizer.expansion.preprocessor import Preprocessor
    from visualizer.expansion.saved import Saved

_VERSION = "include 2"
_WORTH_KEEPING = 0.005  # seconds: what is done faster is done again
_TOO_NEW = 100_000_000  # nanoseconds: two edits within a clock tick have the same time


class IncludeCache:
    """The includes of one main file, each from its entry if that holds, else run and kept."""

    def __init__(self, preprocessor: Preprocessor) -> None:
        self.preprocessor = preprocessor
        p = preprocessor
        path = p.include_path
        folders = (*path.folders, "", *path.system_folders, "", *p.options.quote_folders)
        self._history = name_of(
            *(
                _VERSION,
                p.compiler.identity,
                p.compiler.macros,
                str(p.language),
                str(p.options.exact),
            ),
            *(p.options.command_line(), *folders),
        )
        self._trusted = True  # whether the history tells all that led here

    def note(self, *event: str) -> None:
        """Something in the main file that changes what a later include does."""
        self._history = name_of(self._history, *event)

    def distrust(self) -> None:
        """Neither use nor keep anything in this run."""
        self._trusted = False

    def include(self, found: FoundFile, at: Source) -> None:
        """Do what this include, which stands there, does."""
        p = self.preprocessor
        self.note(*map(str, found), str(p.counter))
        name = f"include-{self._history}"
        if self._trusted:
            depends = self._apply(name)
            if depends is not None:
                self.note(depends)
                return
        begun, began = time.perf_counter(), time.time_ns()
        before = p.scan.include(found, at)
        read = {**p.scan.considered, **p.inclusion.compared}
        files = {path: p.inclusion.stamps[path] for path in read}
        folders = p.include_path.looked_up()
        depends = json.dumps([files, folders])
        stamps = (*files.values(), *(s for s, _, _ in folders.values()))
        times = [t for s in stamps if s is not None for t in s[:2]]
        if max(times, default=0) > began - _TOO_NEW or p.inclusion.unsaved.keys() & read.keys():
            self._trusted = False
        elif self._trusted and time.perf_counter() - begun >= _WORTH_KEEPING:
            entry = _packed(p, before, depends, list(p.scan.considered))
            if entry is not None:
                write_entry(name, entry)
        self.note(depends)

    def _apply(self, name: str) -> str | None:
        """Do what an entry says, if it holds; gives what it depends on."""
        data = read_entry(name)
        if data is None:
            return None
        try:
            head, table = _unpacked(data)
            depends: str = head["depends"]
            stamps, folders = json.loads(depends)
            p = self.preprocessor
            if not _holds(stamps, folders) or not p.inclusion.unsaved.keys().isdisjoint(stamps):
                return None
            if any(map(p.sought.is_file, stamps)):  # each time that it is read must be seen
                return None
            definitions = _definitions(head, table, p.language)
            known = _as_stamps(stamps)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
            return None
        for name in head["removed"]:
            p.macros.pop(name, None)
        p.macros.update(definitions)
        p.counter = head["counter"]
        p.inclusion.done_before(head["files"], head["once"], known)
        return depends


def _holds(files: dict[str, list[int]], folders: dict[str, list[Any]]) -> bool:
    """Whether files are as they were, and looking for headers would find the same ones."""
    for path, known in files.items():
        now = stamp(path)
        if now is None or list(now) != known or not may_read(path):
            return False
    return all(still_so(where, *looked_up) for where, looked_up in folders.items())


def _as_stamps(files: dict[str, list[int]]) -> dict[str, Stamp | None]:
    return {path: (s[0], s[1], s[2], s[3]) for path, s in files.items()}


def _packed(p: Preprocessor, before: Saved, depends: str, files: list[str]) -> bytes | None:
    """An effect as bytes, or None if it is one that is not kept."""
    if len(p.diagnostics) != before.diagnostics or p.pushed != before.pushed:
        return None
    if p.asserted != before.asserted or p.poisoned != before.poisoned:
        return None
    index = {display_path(path): i for i, path in enumerate(files)}
    changed = [d for name, d in p.macros.items() if before.macros.get(name) is not d]
    names, texts, places, read = [], [], array("I"), []
    for definition in changed:
        if not isinstance(definition, WrittenDefinition):
            read.append(_as_json(definition, index))
            continue
        text, file, line, column, _ = definition.written
        if "\0" in text or file not in index:
            return None
        names.append(definition.name)
        texts.append(text)
        places.extend((index[file], line, column))
    if None in read:
        return None
    table = ["\n".join(names).encode(), "\0".join(texts).encode("utf-8", "surrogatepass")]
    head = json.dumps(
        {
            "depends": depends,
            "files": files,
            "removed": [name for name in before.macros if name not in p.macros],
            "once": [path for path in p.inclusion.once if path not in before.once],
            "counter": p.counter,
            "read": read,
            "sizes": [*map(len, table)],
        }
    ).encode()
    return b"".join((len(head).to_bytes(8, "little"), head, *table, places.tobytes()))


_HEAD: dict[str, Any] = {
    "depends": str,
    "files": [str],
    "removed": [str],
    "once": [str],
    "counter": int,
    "read": list,
    "sizes": [int],
}


def _unpacked(data: bytes) -> tuple[dict[str, Any], tuple[list[str], list[str], array[int]]]:
    at = 8 + int.from_bytes(data[:8], "little")
    head = json.loads(data[8:at])
    if not fits(head, _HEAD):
        raise ValueError("of another version")
    first, second = head["sizes"]
    names = data[at : at + first].decode().split("\n") if first else []
    at += first
    texts = data[at : at + second].decode("utf-8", "surrogatepass").split("\0")
    places = array("I", data[at + second :])
    return head, (names, texts, places)


def _definitions(
    head: dict[str, Any], table: tuple[list[str], list[str], array[int]], language: Language
) -> dict[str, Definition]:
    names, texts, places = table
    here = os.getcwd().rstrip("/") + "/"
    files = [path.removeprefix(here) for path in head["files"]]
    shown = map(files.__getitem__, places[0::3])
    rows = zip(names, texts, shown, places[1::3], places[2::3], strict=names != [])
    definitions: dict[str, Definition] = {row[0]: WrittenDefinition(*row, language) for row in rows}
    for name, parameters, variadic, replacement, where in head["read"]:
        tokens = tuple(
            Token(kind, text, space, Source(files[file], line, column))
            for kind, text, space, (file, line, column) in replacement
        )
        given = None if parameters is None else tuple(parameters)
        place = Source(files[where[0]], where[1], where[2])
        definitions[name] = Definition(name, given, variadic, tokens, place)
    return definitions


def _as_json(definition: Definition, index: Mapping[str, int]) -> list[Any] | None:
    """A definition that was read already, every token with its place."""

    def places(sources: Iterable[Source]) -> list[tuple[int, int, int]]:
        return [(index[at.file], at.line, at.column) for at in sources]

    origins = [token.origin for token in definition.replacement]
    try:
        where, *rest = places([definition.where, *(o for o in origins if isinstance(o, Source))])
    except KeyError:
        return None
    replacement = [
        (t.kind, t.text, t.space, place)
        for t, place in zip(definition.replacement, rest, strict=True)
    ]
    return [definition.name, definition.parameters, definition.variadic, replacement, where]
