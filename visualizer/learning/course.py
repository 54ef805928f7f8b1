"""The folder of a teacher's course. `unfold serve` tells a visitor's app where the visitor's copy of it
lies, and `unfold lesson PATH` opens one that lies anywhere; the lessons and the sources in it come
before what Unfold brings along.

A lesson is a folder with a `lesson.md`, at any depth, and is called by the names of the folder that it
lies in and of its own. All other sources are the course's files.
"""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "UNFOLD_COURSE"
_MOST = 500  # files in a list: who looks for one among more types its path


def course_folder() -> Path | None:
    """The course's folder, or None where there is none."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given else None


def open_course(path: str) -> str | None:
    """The id of the lesson in that folder, `course/week1/01-logging` or `course/week1/1`; its course is
    open from now on. None if no lesson is there. A lesson lies two folders deep in its course."""
    folder = Path(path)
    if folder.name.isdecimal():
        folder = next(iter(folder.parent.glob(f"{int(folder.name):02d}-*")), folder)
    if not (folder / "lesson.md").is_file():
        return None
    folder = folder.resolve()
    os.environ[VARIABLE] = str(folder.parent.parent)
    return f"{folder.parent.name}/{folder.name}"


def lesson_folders() -> list[Path]:
    """The course's lessons, in the order of their paths."""
    folder = course_folder()
    return sorted(path.parent for path in folder.rglob("lesson.md")) if folder else []


def source_files() -> list[Path]:
    """The sources to step through: neither headers nor what belongs to a lesson."""
    from visualizer.survey import walk

    folder = course_folder()
    if folder is None:
        return []
    found, _ = walk.source_files([folder])
    lessons = lesson_folders()
    sources = (f for f in found if f.suffix.lower() in walk.SOURCES)
    return [f for f in sources if not any(f.is_relative_to(one) for one in lessons)][:_MOST]
