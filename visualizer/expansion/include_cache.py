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

Who wants a file expanded wants the text of what it includes too. It is kept beside the effect, line by
line (`printed_lines`), if it says no time of day. What led to a place is told by effects there: what
takes no time is done anew in each run, and other files are read for it than in the first.
"""

from __future__ import annotations

import json
import os
import time
from array import array
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from visualizer.expansion.cache_folder import fits, name_of, read_entry, write_entry
from visualizer.expansion.definitions import Definition
from visualizer.expansion.include_path import FoundFile, Stamp, stamp, still_so
from visualizer.expansion.language import Language
from visualizer.expansion.macro_table import WrittenDefinition
from visualizer.expansion.printed_lines import PrintedLines, printed
from visualizer.expansion.readable import may_read
from visualizer.expansion.source_files import display_path
from visualizer.expansion.tokens import Source, Token

if TYPE_CHECKING:
    from visualizer.expansion.preprocessor import Preprocessor
    from visualizer.expansion.saved import Saved

_VERSION = "include 3"
_WORTH_KEEPING = 0.005  # seconds: what is done faster is done again
_TEXT_WORTH_KEEPING = 0.02
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
            *(p.options.command_line(), *folders, *p.options.compiler_flags, *path.spellings()),
        )
        self._trusted = True  # whether the history tells all that led here
        self.asks_more = False  # a text, than stamps tell: the time of day, say

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
        depends, is_new = self._depends(read, began)
        if is_new:
            self._trusted = False
        elif self._trusted and time.perf_counter() - begun >= _WORTH_KEEPING:
            entry = _packed(p, before, depends, list(p.scan.considered))
            if entry is not None:
                write_entry(name, entry)
        self.note(depends)

    def text(self, found: FoundFile, at: Source) -> Iterator[Token]:
        """The text of what this include reads, expanded, while it does what it does."""
        p = self.preprocessor
        self._trusted &= not (p.interrupted.tokens or p.poisoned or p.asserted)
        self.note(*map(str, found), str(p.counter))
        name = f"text-{self._history}"
        if self._trusted and (known := self._known_text(name)) is not None:
            yield from known
            return
        if not self._trusted:
            yield from p.includes.text(found, at)
            return
        begun, began = time.perf_counter(), time.time_ns()
        before, stamps, so_far = p.save(), p.inclusion.stamps.copy(), len(p.entered)
        lines, self.asks_more = PrintedLines(p.language), False
        yield from lines.of(p.includes.text(found, at))
        read = [path for path in p.inclusion.stamps if path not in stamps]
        depends, is_new = self._depends(read, began)
        names = {entered.file for entered in p.entered[so_far:]} - {p.files[0].name}
        files = [path for path in p.inclusion.included if display_path(path) in names]
        effect = _packed(p, before, "", files)
        if effect is None or is_new or p.interrupted.tokens:
            self._trusted = False
            return
        self.note(effect.decode("latin-1"))
        if not self.asks_more and time.perf_counter() - begun >= _TEXT_WORTH_KEEPING:
            spelled = [p.spelled[display_path(path)] for path in files]
            entry = _with_text(effect, depends, spelled, lines.packed(_numbered(files)))
            if entry is not None:
                write_entry(name, entry)

    def _known_text(self, name: str) -> Iterator[Token] | None:
        """The text that an entry has, if it holds; what the include does is done then."""
        data = read_entry(name)
        if data is None:
            return None
        p = self.preprocessor
        try:
            size = int.from_bytes(data[:8], "little")
            depends, spelled, *sizes = json.loads(data[8 : 8 + size])
            effect, lines, places = _cut(data[8 + size :], sizes)
            head, _ = unpacked = _unpacked(effect)
            tokens = printed(lines, places, _shown(head["files"]))
            if not fits(spelled, [str]) or len(spelled) != len(head["files"]):
                return None
            if self._taken(depends, unpacked) is None:
                return None
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
            return None
        for file, said in zip(_shown(head["files"]), spelled, strict=True):
            p.spelled.setdefault(file, said)
        self.note(effect.decode("latin-1"))
        return tokens

    def _depends(self, read: Iterable[str], began: int) -> tuple[str, bool]:
        """What these files and the lookups depend on, and whether one of them is too new, or not saved,
        to be known by its time."""
        p = self.preprocessor
        files = {path: p.inclusion.stamps[path] for path in read}
        folders = p.include_path.looked_up()
        stamps = (*files.values(), *(s for s, _, _ in folders.values()))
        times = [t for s in stamps if s is not None for t in s[:2]]
        is_new = max(times, default=0) > began - _TOO_NEW
        return json.dumps([files, folders]), is_new or bool(
            p.inclusion.unsaved.keys() & files.keys()
        )

    def _apply(self, name: str) -> str | None:
        """Do what an entry says, if it holds; gives what it depends on."""
        data = read_entry(name)
        if data is None:
            return None
        try:
            unpacked = _unpacked(data)
            return self._taken(unpacked[0]["depends"], unpacked)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
            return None

    def _taken(self, depends: str, unpacked: Unpacked) -> str | None:
        """Do this, if what it depends on is as it was; gives that."""
        p, (head, table) = self.preprocessor, unpacked
        stamps, folders = json.loads(depends)
        if not _holds(stamps, folders) or not p.inclusion.unsaved.keys().isdisjoint(stamps):
            return None
        if any(map(p.sought.is_file, stamps)):  # each time that it is read must be seen
            return None
        definitions = _definitions(head, table, p.language)
        known = _as_stamps(stamps)
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
    index = _numbered(files)
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


Unpacked = tuple[dict[str, Any], tuple[list[str], list[str], "array[int]"]]


def _unpacked(data: bytes) -> Unpacked:
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
    files = _shown(head["files"])
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


def _shown(files: Iterable[str]) -> list[str]:
    here = os.getcwd().rstrip("/") + "/"
    return [path.removeprefix(here) for path in files]


def _numbered(files: Iterable[str]) -> dict[str, int]:
    return {display_path(path): i for i, path in enumerate(files)}


def _with_text(
    effect: bytes, depends: str, spelled: list[str], text: tuple[bytes, bytes] | None
) -> bytes | None:
    """An effect with the text that goes along with it."""
    if text is None:
        return None
    parts = (effect, *text)
    head = json.dumps([depends, spelled, *map(len, parts)]).encode()
    return b"".join((len(head).to_bytes(8, "little"), head, *parts))


def _cut(data: bytes, sizes: Iterable[int]) -> list[bytes]:
    ends = list(accumulate(sizes))
    if len(data) != ends[-1]:
        raise ValueError("of another length")
    return [data[start:end] for start, end in zip([0, *ends], ends, strict=False)]


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
