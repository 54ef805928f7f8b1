"""How far a learner has come, and what they have written. Neither is ever lost.

For each lesson there are the pages that were read, the predictions that were made, and the exercises
that are solved, or whose solution was shown; together they are one JSON file in the user's state
folder. A page is done when its questions are answered and its exercise is solved, and not sooner: to
turn a page over is not to have read it. Two windows on one lesson write the same file: each change
reads it anew while it holds the lock, and what was done once stays done. The texts of exercises are
files of their own beside it.

All of it is kept by the names of lesson, page and part, so that a lesson may be edited. Older files had
numbers in their place, `PAGE` and `PAGE.PART`: they are read as names, and a lesson that finds itself
there under its old id takes them for its own. So does one that continues another: its pages were
the other's once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from pathlib import Path
from time import time
from types import UnionType
from typing import Any

from visualizer.learning.lesson import Lesson, without_number
from visualizer.learning.parts import Asked, Exercise
from visualizer.messages import _, ngettext
from visualizer.personal import folders, safe_file
from visualizer.personal.settings import Say


@dataclass(frozen=True, slots=True)
class Left:
    """What is still to be done of a lesson of so many `pages`, by the number of the page, from 1:
    those that are `unread`, and one for each question that is still `asked`, each that was `missed`,
    each exercise `unsolved`, and each whose solution was `shown`."""

    pages: int
    unread: tuple[int, ...] = ()
    asked: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()
    unsolved: tuple[int, ...] = ()
    shown: tuple[int, ...] = ()

    @property
    def begun(self) -> bool:
        return len(self.unread) < self.pages

    @property
    def share(self) -> float:
        """From 0 to 1, of the pages that are done."""
        undone = {*self.unread, *self.asked, *self.missed, *self.unsolved, *self.shown}
        return (self.pages - len(undone)) / self.pages

    def __str__(self) -> str:
        """`2 pages, 3 questions, 1 exercise`; nothing where nothing is left."""
        unread, asked, missed = map(len, (self.unread, self.asked, self.missed))
        unsolved, shown = len(self.unsolved), len(self.shown)
        said = [
            (unread, ngettext("{count} page", "{count} pages", unread)),
            (asked, ngettext("{count} question", "{count} questions", asked)),
            (
                missed,
                ngettext(
                    "{count} question (answered wrongly)",
                    "{count} questions (answered wrongly)",
                    missed,
                ),
            ),
            (unsolved, ngettext("{count} exercise", "{count} exercises", unsolved)),
            (
                shown,
                ngettext(
                    "{count} exercise (solution shown)", "{count} exercises (solution shown)", shown
                ),
            ),
        ]
        return _(", ").join(words.format(count=f"{count:,}") for count, words in said if count)


@dataclass(frozen=True, slots=True)
class Progress:
    """`page` was read last, `seen` are all that were. `predicted` has the answers that a question got,
    one after the other: the first shows what its reader thought. Questions in `missed` were answered
    wrongly once, and left before the truth was told. Of the exercises in `shown` the
    learner has asked for a solution; one that they have solved themselves is `solved` all the same.
    `recalled` has of a question how often it has come back, and the day of its last answer, counted as
    Python does; `read` is the time in seconds at which a page was read last."""

    page: str = ""
    seen: tuple[str, ...] = ()
    predicted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    missed: tuple[str, ...] = ()
    solved: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    recalled: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    read: int = 0

    def left(self, lesson: Lesson) -> Left:
        """What is still to be done of a lesson."""
        pages = enumerate(lesson.pages, 1)
        to_answer = [part for part in _parts_of(lesson, Asked) if part[0] not in self.predicted]
        to_solve = [part for part in _parts_of(lesson, Exercise) if part[0] not in self.solved]
        return Left(
            len(lesson.pages),
            tuple(number for number, page in pages if page.name not in self.seen),
            tuple(number for name, number in to_answer if name not in self.missed),
            tuple(number for name, number in to_answer if name in self.missed),
            tuple(number for name, number in to_solve if name not in self.shown),
            tuple(number for name, number in to_solve if name in self.shown),
        )

    def page_in(self, lesson: Lesson) -> int:
        """Where to read on. Where that page is gone, it is the last one that was seen."""
        names = [page.name for page in lesson.pages]
        if self.page in names:
            return names.index(self.page)
        return max((names.index(name) for name in self.seen if name in names), default=0)


def progress_path() -> Path:
    return folders.state_folder() / "progress.json"


def exercise_path(lesson: Lesson, exercise: Exercise) -> Path:
    """Where the learner's own text of an exercise is kept."""
    return folders.state_folder() / "exercises" / lesson.name / exercise.file


def carry_over(lesson: Lesson, exercise: Exercise) -> None:
    """Take the text, and what of it isn't saved, from where it was kept by the lesson's number.
    Raises OSError."""
    from visualizer.personal import drafts

    path, every = exercise_path(lesson, exercise), folders.state_folder() / "exercises"
    for folder in every.glob(f"{lesson.track}/*"):
        old = folder / exercise.file
        name = without_number(f"{lesson.track}/{folder.name}")
        if name in (lesson.name, lesson.continues) and old.exists() and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            drafts.move(old, path)
            old.rename(path)


def all_progress(say: Say) -> dict[str, Progress]:
    """By lesson. What is wrong with the file is said, and never raised; a damaged one is set aside."""
    path = progress_path()
    try:
        document = safe_file.parsed(safe_file.read(path))
        return {name: _from_json(entry) for name, entry in document["lessons"].items()}
    except FileNotFoundError:
        return {}
    except OSError as error:
        say(f"{path}: the progress cannot be read: {error.strerror}")
        return {}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        try:
            aside = safe_file.set_aside(path).name
            say(f"{path} is damaged. It is kept as {aside}, and the lessons begin anew.")
        except OSError as error:
            say(f"{path} is damaged and cannot be set aside: {error.strerror}")
        return {}


def within(every: Mapping[str, Progress], lesson: Lesson) -> Progress:
    """One lesson's among all."""
    if lesson.name in every:
        return every[lesson.name]
    for id, old in every.items():
        if without_number(id) == lesson.name:
            return _by_name(old, lesson)
    return every.get(lesson.continues, Progress())


def of_lesson(lesson: Lesson, say: Say) -> Progress:
    return within(all_progress(say), lesson)


def at_page(lesson: Lesson, page: int, say: Say) -> Progress:
    """The page is being read."""
    name = lesson.pages[page].name
    now = int(time())
    return _change(lesson, lambda p: replace(p, page=name, seen=_with(p.seen, name), read=now), say)


def predicted(lesson: Lesson, part: str, answers: tuple[str, ...], say: Say) -> Progress:
    def change(p: Progress) -> Progress:
        recalled = {part: (0, date.today().toordinal()), **p.recalled}
        return replace(p, predicted={**p.predicted, part: answers}, recalled=recalled)

    return _change(lesson, change, say)


def came_back(lesson: Lesson, part: str, right: bool, say: Say) -> Progress:
    """A question was asked again: it comes later next time, or as if it had never been asked."""

    def change(p: Progress) -> Progress:
        times = p.recalled.get(part, (0, 0))[0] + 1 if right else 0
        return replace(p, recalled={**p.recalled, part: (times, date.today().toordinal())})

    return _change(lesson, change, say)


def missed(lesson: Lesson, part: str, say: Say) -> Progress:
    """The first answer to a question was wrong, and there may be another."""
    return _change(lesson, lambda p: replace(p, missed=_with(p.missed, part)), say)


def solved(lesson: Lesson, part: str, say: Say) -> Progress:
    return _change(lesson, lambda p: replace(p, solved=_with(p.solved, part)), say)


def shown(lesson: Lesson, part: str, say: Say) -> Progress:
    """The learner has asked for a solution of an exercise."""
    return _change(lesson, lambda p: replace(p, shown=_with(p.shown, part)), say)


def begin_anew(lesson: Lesson, say: Say) -> Progress:
    """Forget how far the learner came in this lesson. Their texts stay."""
    return _change(lesson, lambda _: Progress(), say)


def _with(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*names, name)))


def _change(lesson: Lesson, change: Callable[[Progress], Progress], say: Say) -> Progress:
    path = progress_path()
    new = Progress()
    try:
        with safe_file.taking_turns(path):
            every = all_progress(say)
            new = change(within(every, lesson))
            others = {id: p for id, p in every.items() if without_number(id) != lesson.name}
            kept = {name: asdict(p) for name, p in {**others, lesson.name: new}.items()}
            document = {"version": 2, "lessons": kept}
            safe_file.write(path, json.dumps(document, indent=1) + "\n")
    except OSError as error:
        say(f"{path}: the progress cannot be written: {error.strerror}")
        new = change(new)
    return new


def _from_json(entry: dict[str, Any]) -> Progress:
    seen = entry["seen"] if "seen" in entry else range(int(entry["furthest"]) + 1)
    predicted = {
        str(k): (v,) if isinstance(v, str) else tuple(map(str, v))
        for k, v in entry["predicted"].items()
    }
    return Progress(
        str(entry["page"]),
        tuple(map(str, seen)),
        predicted,
        tuple(map(str, entry.get("missed", ()))),
        tuple(map(str, entry["solved"])),
        tuple(map(str, entry.get("shown", ()))),
        {str(k): (int(times), int(day)) for k, (times, day) in entry.get("recalled", {}).items()},
        int(entry.get("read", 0)),
    )


def _by_name(old: Progress, lesson: Lesson) -> Progress:
    """What an older file has by number. What fits no page or part any more is left out."""
    pages = {str(number): page.name for number, page in enumerate(lesson.pages)}
    asked, to_solve = (_by_place(lesson, kind) for kind in _KEPT)
    return Progress(
        pages.get(old.page, ""),
        tuple(pages[at] for at in old.seen if at in pages),
        {asked[at]: given for at, given in old.predicted.items() if at in asked},
        solved=tuple(to_solve[at] for at in old.solved if at in to_solve),
    )


_KEPT = Asked, Exercise


def _parts_of(lesson: Lesson, kind: type[Exercise] | UnionType) -> Iterator[tuple[str, int]]:
    """The names of the parts of a kind, each with the number of its page, from 1."""
    for number, page in enumerate(lesson.pages):
        for at, part in enumerate(page.parts):
            if isinstance(part, kind):
                yield lesson.part_name(number, at), number + 1


def _by_place(lesson: Lesson, kind: type[Exercise] | UnionType) -> dict[str, str]:
    """The names of the parts of a kind, by the old ones, `PAGE.PART`."""
    return {
        f"{number}.{at}": lesson.part_name(number, at)
        for number, page in enumerate(lesson.pages)
        for at, part in enumerate(page.parts)
        if isinstance(part, kind)
    }
