"""What the edited texts expand to, kept up with whoever types them.

Each open file is read as the workshop reads one: wholly, a moment after the last key, in a thread that
is called off when another key comes. Until then a question about a place is answered by what the
invocation there comes to alone, which takes a fraction of that; what a file registers is known once
all of it has been read. The texts that other open files have stand for what is on disk.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from visualizer.editor.standing import Standing
from visualizer.editor.texts import EditedText
from visualizer.expansion import Diagnostic, InputError, Options, memory, under_way
from visualizer.expansion.diagnostics import Code
from visualizer.expansion.source_files import is_header, read_source
from visualizer.expansion.under_way import CalledOff, UnderWay
from visualizer.expansion.why.answers import Answer
from visualizer.messages import _
from visualizer.workbench.background import in_background
from visualizer.workbench.bench import Workbench
from visualizer.workbench.flags import Flags
from visualizer.workshop.ahead import ahead
from visualizer.workshop.attempt import TOO_LONG, Attempt, attempt

PAUSE = 0.12  # seconds after the last key until all of the text is read
_T = TypeVar("_T")
_LINES = 16  # whose invocations are known alone
_GROWN = 64 << 20  # bytes after which garbage is looked for


@dataclass(eq=False)
class OpenFile:
    """A file that an editor has open. Each change that is felt in it has a `turn`; `tried` is the
    attempt at what it was at the turn `known`, and `included` what was read for it. `early` is what
    single lines of this turn come to alone, and `looks` what is known of names of it."""

    path: str
    text: EditedText
    options: Options | None = None
    tried: Attempt | None = None
    included: frozenset[str] = frozenset()
    turn: int = 1
    known: int = 0
    is_open: bool = True
    early: dict[int, asyncio.Task[Attempt | None]] = field(default_factory=dict)
    reading: asyncio.Task[None] | None = None
    waited_for: UnderWay = field(default_factory=UnderWay)
    looks: dict[int, asyncio.Task[Answer | None]] = field(default_factory=dict)
    _told: tuple[object, object, dict[object, str]] = field(default=(None, None, {}), repr=False)

    @property
    def is_read(self) -> bool:
        return self.known == self.turn

    @property
    def bench(self) -> Workbench | None:
        return self.tried.bench if self.tried is not None else None

    def told(self, say: Callable[[Standing, bool], str], at: Standing, is_whole: bool) -> str:
        """What is said of a place; the second time it is known."""
        of = at.bench, is_whole
        if self._told[:2] != of:
            self._told = (*of, {})
        key = at.index, id(at.token)
        known = self._told[2]
        if key not in known:
            known[key] = say(at, is_whole)
        return known[key]

    def reads(self, path: str) -> bool:
        """Whether it is this file, or was seen to include it."""
        return self.path == path or path in self.included


class Readings:
    """The open files. `done` is told of each that has been read, `say` has something to be said to the
    user once, and whether it is an error."""

    def __init__(
        self,
        flags: Flags,
        done: Callable[[OpenFile], None],
        say: Callable[[str, bool], None],
    ) -> None:
        self.files: dict[str, OpenFile] = {}
        self._flags = flags
        self._done = done
        self._say = say
        self._said: set[str] = set()
        self._collected = memory.held()
        self._look = UnderWay()  # at a name, with eyes open
        self._looking: set[asyncio.Future[Attempt | None]] = set()  # at one line each
        self._ahead_of_all = asyncio.Lock()
        self._collecting: asyncio.Task[None] | None = None

    # ------------------------------------------------------------------ what the editor tells

    def opened(self, path: str, text: EditedText) -> None:
        if path in self.files:
            self.closed(path)
        self.files[path] = OpenFile(path, text)
        self._felt(path, 0.0)

    def changed(self, path: str, text: EditedText) -> None:
        file = self.files.get(path)
        if file is not None:
            file.text = text
            self._felt(path, PAUSE)

    def closed(self, path: str) -> None:
        file = self.files.pop(path, None)
        if file is not None:
            file.is_open = False
            self._stop(file)
            self._felt(path, 0.0)

    def changed_on_disk(self, path: str) -> None:
        """Flags may be others since: a database, or what it is made of, was written."""
        for file in self.files.values():
            file.options = None
        self._felt(path, 0.0)
        if os.path.basename(path) == "compile_commands.json":
            for file in self.files.values():
                self._begin(file, 0.0)

    def end(self) -> None:
        for file in self.files.values():
            self._stop(file)

    # ------------------------------------------------------------------ what is asked

    async def whole(self, path: str) -> tuple[OpenFile, Attempt] | None:
        """The file with the attempt at its text as it is now; None if it isn't open."""
        file = self.files.get(path)
        while file is not None and file.is_open and not file.is_read:
            reading = file.reading
            if reading is None or reading.done():
                return None  # it was ended, and no edit has begun another
            await asyncio.wait({reading})
        if file is None or not file.is_open or file.tried is None:
            return None
        return file, file.tried

    async def at(self, path: str, line: int) -> tuple[OpenFile, Attempt] | None:
        """The same, or just what a line of it invokes, counted from 1."""
        file = self.files.get(path)
        if file is None or file.is_read or file.tried is None or file.options is None:
            return await self.whole(path)
        turn, early = file.turn, file.early.get(line)
        if early is None:
            while len(file.early) >= _LINES:
                del file.early[next(iter(file.early))]
            early = asyncio.get_running_loop().create_task(self._ahead(file, line))
            file.early[line] = early
            self._looking.add(early)
            early.add_done_callback(self._looking.discard)
        tried = await asyncio.shield(early)
        if file.turn != turn or not file.is_open:
            return None
        return (file, tried) if tried is not None else await self.whole(path)

    async def _ahead(self, file: OpenFile, line: int) -> Attempt | None:
        """What a line comes to alone; None if it takes all of the text to say, or that has changed."""
        turn, wanted = file.turn, file.waited_for
        async with self._ahead_of_all:  # two threads take twice as long
            if file.turn != turn or file.tried is None:
                return None
            work = partial(ahead, file.tried, self._texts(file), line)
            with _waited_for(wanted):
                tried = await in_background(partial(_called_off_is_none, work))
        self._look_for_garbage()
        return tried

    async def looked_into(
        self, file: OpenFile, offset: int, work: Callable[[], Answer | None]
    ) -> Answer | None:
        """What there is to know of a name, which may take all of the headers: once for each place of
        a text, for one place at a time. None where it was called off for another, or the text has
        changed. Raises what the work does."""
        known = file.looks.get(offset)
        if known is None:
            for each in self.files.values():
                each.looks = {at: look for at, look in each.looks.items() if look.done()}
            self._look.wanted = False
            with _waited_for(UnderWay()) as self._look:  # the task has it, and all that it starts
                looking = in_background(partial(_called_off_is_none, work))
                known = asyncio.get_running_loop().create_task(looking)
            file.looks[offset] = known
        return await asyncio.shield(known)

    # ------------------------------------------------------------------ reading

    def _felt(self, path: str, pause: float) -> None:
        """A text has changed, which others may include."""
        for file in self.files.values():
            if file.reads(path):
                self._begin(file, pause)

    def _begin(self, file: OpenFile, pause: float) -> None:
        self._stop(file)
        file.turn += 1
        file.early = {}
        file.waited_for = UnderWay()
        file.reading = asyncio.get_running_loop().create_task(self._read(file, pause))

    def _stop(self, file: OpenFile) -> None:
        file.waited_for.wanted = False
        if not all(look.done() for look in file.looks.values()):
            self._look.wanted = False
        file.looks = {}
        if file.reading is not None:
            file.reading.cancel()

    async def _read(self, file: OpenFile, pause: float) -> None:
        turn = file.turn
        await asyncio.sleep(pause)
        while self._looking:  # somebody waits for those, and two threads take twice as long
            await asyncio.wait(set(self._looking))
        work = partial(_tried, file.path, file.options, self._flags, self._texts(file))
        with _waited_for(file.waited_for):
            try:
                options, tried, notes = await in_background(work)
            except CalledOff:
                self._look_for_garbage()
                return
        if file.turn != turn or not file.is_open:
            return
        file.options, file.tried, file.known, file.early = options, tried, turn, {}
        files = tried.bench.files() if tried.bench is not None else ()
        file.included = frozenset(map(str, files))
        for note in notes:
            self._say_once(note)
        self._say_what_is_missing(tried)
        self._done(file)
        self._look_for_garbage()

    def _look_for_garbage(self) -> None:
        """What no reading holds any more is mostly in circles; and of what is typed on and on, none is
        ever finished."""
        is_looking = self._collecting is not None and not self._collecting.done()
        if not is_looking and memory.held() > self._collected + _GROWN:
            self._collecting = asyncio.get_running_loop().create_task(self._let_go())

    async def _let_go(self) -> None:
        await in_background(_let_go)
        self._collected = memory.held()

    def _texts(self, file: OpenFile) -> Mapping[Path, str]:
        """The file's own, and what others have that it may include and that differs from the disk. One
        that is too long to be traced is none that can be included."""
        texts = {Path(file.path): file.text.text}
        left = TOO_LONG - len(file.text.text)
        for other in self.files.values():
            text = other.text.text
            if other is file or not (is_header(other.path) or file.reads(other.path)):
                continue
            if len(text) <= left and text != _on_disk(other):
                texts[Path(other.path)] = text
                left -= len(text)
        return texts

    # ------------------------------------------------------------------ what is said once

    def _say_once(self, note: Diagnostic) -> None:
        said = f"{note.where.file}: {note.message}"
        said += f". {note.hint}" if note.hint else ""
        if said not in self._said:
            self._said.add(said)
            self._say(said, note.severity == "error")

    def _say_what_is_missing(self, tried: Attempt) -> None:
        """That no database speaks for a file whose headers aren't found."""
        missing = [d.about for d in tried.diagnostics if d.code is Code.HEADER_MISSING]
        bench = tried.bench
        if not missing or bench is None or bench.options.database or "database" in self._said:
            return
        self._said.add("database")
        text = _("{header} isn't found, and no compile_commands.json says where: start {command}")
        self._say(text.format(header=missing[0], command="unfold lsp -p DIR"), False)


def _let_go() -> None:
    """Of what no reading holds any more, to the system too: glibc keeps what each thread has freed."""
    gc.collect()
    with suppress(OSError, AttributeError, TypeError):  # no glibc
        ctypes.CDLL(None).malloc_trim(0)


def _on_disk(file: OpenFile) -> str | None:
    try:
        return read_source(file.path, included=True).replace("\r\n", "\n")
    except InputError:
        return None


@contextmanager
def _waited_for(this: UnderWay) -> Iterator[UnderWay]:
    """Threads that are started inside look whether this is still wanted."""
    outside = under_way.given.set(this)
    try:
        yield this
    finally:
        with suppress(ValueError):  # a task that was dropped is ended elsewhere
            under_way.given.reset(outside)


def _called_off_is_none(work: Callable[[], _T | None]) -> _T | None:
    try:
        return work()
    except CalledOff:
        return None


def _tried(
    path: str, options: Options | None, flags: Flags, texts: Mapping[Path, str]
) -> tuple[Options, Attempt, list[Diagnostic]]:
    """The file's options, the attempt at its text, and what is to be said of the flags."""
    notes = list[Diagnostic]()
    if options is None:
        options, notes = _options(path, flags)
    return options, attempt(Path(path), options, texts), notes


def _options(path: str, flags: Flags) -> tuple[Options, list[Diagnostic]]:
    """What can't be had of the flags is left out, and said."""
    notes = list[Diagnostic]()
    for fewer in (flags, replace(flags, database=None), Flags()):
        try:
            options, note = fewer.options_for(path)
        except InputError as error:
            notes.append(error.diagnostic)
            continue
        return options, [*notes, *([note] if note is not None else [])]
    return Options(), notes
