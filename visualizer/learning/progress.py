"""How far a learner has come, and what they have written. Neither is ever lost.

For each lesson there is the page that was reached, the predictions that were made, and the exercises
that are solved; together they are one JSON file in the user's state folder. Two windows on one lesson
write the same file: each change reads it anew while it holds the lock, and what was done once stays
done. The texts of exercises are files of their own beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from visualizer import folders, safe_file
from visualizer.learning.lesson import Lesson
from visualizer.learning.parts import Exercise

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Progress:
    """`page` was read last, of all pages `furthest` is the last that was seen. `predicted` and `solved`
    name parts by `PAGE.PART`."""

    page: int = 0
    furthest: int = 0
    predicted: dict[str, str] = field(default_factory=dict)
    solved: tuple[str, ...] = ()

    def share(self, lesson: Lesson) -> float:
        """From 0 to 1: half is for the pages that were seen, half for the exercises solved."""
        exercises = sum(1 for _ in lesson.exercises())
        pages = max(len(lesson.pages) - 1, 1)
        solved = len(self.solved) / exercises if exercises else 1.0
        return min(self.furthest, pages) / pages / 2 + min(solved, 1.0) / 2


def progress_path() -> Path:
    return folders.state_folder() / "progress.json"


def exercise_path(lesson: Lesson, exercise: Exercise) -> Path:
    """Where the learner's own text of an exercise is kept."""
    return folders.state_folder() / "exercises" / lesson.id / exercise.file


def all_progress(say: Say) -> dict[str, Progress]:
    """By lesson. What is wrong with the file is said, and never raised; a damaged one is set aside."""
    path = progress_path()
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return {id: _from_json(entry) for id, entry in document["lessons"].items()}
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


def of_lesson(lesson: Lesson, say: Say) -> Progress:
    return all_progress(say).get(lesson.id, Progress())


def at_page(lesson: Lesson, page: int, say: Say) -> Progress:
    """The page is being read."""
    return _change(lesson, lambda p: replace(p, page=page, furthest=max(page, p.furthest)), say)


def predicted(lesson: Lesson, part: str, answer: str, say: Say) -> Progress:
    return _change(lesson, lambda p: replace(p, predicted={**p.predicted, part: answer}), say)


def solved(lesson: Lesson, part: str, say: Say) -> Progress:
    return _change(
        lesson, lambda p: replace(p, solved=tuple(dict.fromkeys((*p.solved, part)))), say
    )


def begin_anew(lesson: Lesson, say: Say) -> Progress:
    """Forget how far the learner came in this lesson. Their texts stay."""
    return _change(lesson, lambda _: Progress(), say)


def _change(lesson: Lesson, change: Callable[[Progress], Progress], say: Say) -> Progress:
    path = progress_path()
    new = Progress()
    try:
        with safe_file.taking_turns(path):
            every = all_progress(say)
            new = every[lesson.id] = change(every.get(lesson.id, Progress()))
            document = {"version": 1, "lessons": {id: asdict(p) for id, p in every.items()}}
            safe_file.write(path, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    except OSError as error:
        say(f"{path}: the progress cannot be written: {error.strerror}")
        new = change(new)
    return new


def _from_json(entry: dict[str, Any]) -> Progress:
    predicted = {str(k): str(v) for k, v in entry["predicted"].items()}
    solved = tuple(map(str, entry["solved"]))
    return Progress(int(entry["page"]), int(entry["furthest"]), predicted, solved)
