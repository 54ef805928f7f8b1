"""What the home screen offers: lessons, the files opened last, the samples, and any other file.

A choice is data: where it stands, what it says, and what opening it means. The list on the screen
knows nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice, takewhile
from pathlib import Path

from visualizer.expansion.readable import may_read
from visualizer.learning.course import course_folder, source_files
from visualizer.messages import N_, _
from visualizer.personal.recent_files import RecentFile, ago, recent_files
from visualizer.workbench.opening import Opening
from visualizer.workbench.samples import sample_files, samples_folder

_GLANCE, _WIDTH = 2_000, 500  # lines of a file that are looked at, and characters of each
_LONG = 1 << 16  # characters of a line behind which nothing is looked at
_FOLDER = 28  # cells for a recent file's folder
RECALL = "recall"  # in the place of a lesson: what is to be asked again
GO_ON = N_("Go on")
LESSONS, RECENT, SAMPLES, OTHER = N_("Lessons"), N_("Recent files"), N_("Samples"), N_("Files")


@dataclass(frozen=True, slots=True)
class ListedLesson:
    """A lesson as the home screen shows it; `progress` goes from 0 to 1, None is not known yet. Of one
    that was begun there is something `left`; `is_last` the one that was read last, if it is still open.
    Those of a course that is served are its `own`."""

    id: str
    title: str
    progress: float | None = 0.0
    idea: str = ""
    pages: tuple[str, ...] = ()
    own: bool = False
    left: str = ""
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class HomeRow:
    """One row. It opens a file (`opening`), a lesson (`lesson`), or the question for a path (neither);
    a `hint` opens nothing."""

    section: str
    title: str
    about: str = ""
    note: str = ""
    opening: Opening | None = None
    lesson: str = ""
    pages: tuple[str, ...] = ()
    left: str = ""
    gone: bool = False
    done: bool = False
    hint: bool = False

    @property
    def opens(self) -> tuple[Opening | None, str]:
        """What tells a choice from others, whatever it says of itself by now."""
        return self.opening, self.lesson

    def matches(self, words: Sequence[str]) -> bool:
        """Whether all of these words, in lower case, stand somewhere in the row."""
        text = f"{self.section} {self.title} {self.about}".lower()
        return all(word in text for word in words)


def choices(lessons: Iterable[ListedLesson], say: Callable[[str], None]) -> list[HomeRow]:
    """All rows of the home screen, in their order."""
    every = list(lessons)
    known = [lesson for lesson in every if lesson.id != RECALL]
    left = [lesson for lesson in every if lesson.is_last or lesson.id == RECALL]
    return [
        *(_lessons(left, _(GO_ON)) if left else ()),
        *_course([lesson for lesson in known if lesson.own]),
        HomeRow(
            _(OTHER),
            _("Open a file …"),
            _("any C or C++ source, with the preprocessor's flags for it"),
        ),
        *_recent(recent_files(say), datetime.now(UTC)),
        *_lessons([lesson for lesson in known if not lesson.own], _(LESSONS)),
        *_samples(),
    ]


def _course(lessons: Sequence[ListedLesson]) -> Iterator[HomeRow]:
    """What a teacher serves."""
    folder = course_folder()
    if folder is None:
        return
    if lessons:
        yield from _lessons(lessons, f"{_(LESSONS)} · {folder.name}")
    for path in source_files():
        title = str(path.relative_to(folder))
        yield HomeRow(
            f"{_(OTHER)} · {folder.name}", title, first_sentence(path), opening=Opening(path)
        )


def _lessons(lessons: Sequence[ListedLesson], section: str) -> Iterator[HomeRow]:
    for lesson in lessons:
        done = round((lesson.progress or 0) * 100)  # as `unfold lessons` has it
        note = _("done ✓") if done >= 100 else f"{done} %" if done or lesson.left else _("new")
        if lesson.progress is None:
            note = ""
        yield HomeRow(
            section,
            lesson.title,
            lesson.idea,
            note,
            lesson=lesson.id,
            pages=lesson.pages,
            left=lesson.left,
            done=done >= 100,
        )
    if not lessons:
        yield HomeRow(section, _("There are none yet: the samples teach by example."), hint=True)


def _recent(files: Sequence[RecentFile], now: datetime) -> Iterator[HomeRow]:
    for file in files:
        opening, gone = file.opening, file.gone
        line = f":{opening.line}" if opening.line else ""
        about = "  ".join(filter(None, [_end_of(opening.path.parent), opening.flags.text()]))
        note = _("gone") if gone else ago(file.opened, now)
        yield HomeRow(_(RECENT), f"{opening.path.name}{line}", about, note, opening, gone=gone)


def _samples() -> Iterator[HomeRow]:
    root = samples_folder()
    files = sample_files()
    frameworks = dict.fromkeys(_framework(path, root) for path in files)
    for framework in frameworks:
        for path in files:
            if _framework(path, root) == framework:
                section = f"{_(SAMPLES)} · {framework}" if framework else _(SAMPLES)
                yield HomeRow(section, path.name, first_sentence(path), opening=Opening(path))


def _framework(path: Path, root: Path) -> str:
    inside = path.relative_to(root).parts
    return inside[0] if len(inside) > 1 else ""


def first_sentence(path: Path) -> str:
    """The first sentence of the comment that a file begins with, or nothing."""
    return re.split(r"(?<=[.?!]) ", next(iter(opening_comment(path)), ""), maxsplit=1)[0]


def opening_comment(path: Path) -> list[str]:
    """The paragraphs of the `//` comment that a file begins with."""
    paragraphs: list[list[str]] = [[]]
    for line in takewhile(lambda text: text.startswith("//"), first_lines(path)):
        text = line.lstrip("/").strip()
        if text:
            paragraphs[-1].append(text)
        elif paragraphs[-1]:
            paragraphs.append([])
    return [" ".join(p) for p in paragraphs if p]


def first_lines(path: Path) -> Iterator[str]:
    """A file's lines for a glance at it, as far as one may read it, and no more than some thousands; up
    to one that is longer than any line, in a file that may have grown to any size."""
    if not may_read(path) or not path.is_file():
        return
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for line in islice(iter(lambda: file.readline(_LONG), ""), _GLANCE):
                yield line[:_WIDTH].rstrip()
                if not line.endswith("\n"):
                    return
    except OSError:
        return


def _end_of(folder: Path) -> str:
    """The last part of a folder's path: what tells it from others mostly stands there."""
    text = short_path(folder)
    if len(text) <= _FOLDER:
        return text
    _, slash, end = text[-_FOLDER:].partition("/")
    return f"…{slash}{end}" if end else f"…{text[-_FOLDER:]}"


def short_path(path: Path) -> str:
    """A path for reading: the home folder is `~`."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(path)
