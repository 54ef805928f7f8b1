"""The folder that a teacher serves. `unfold serve` tells a visitor's app where the visitor's copy of it
lies; the lessons and the sources in it come before what Unfold brings along.

A lesson is a folder with a `lesson.md`, at any depth, and is called by the names of the folder that it
lies in and of its own. All other sources are the course's files.
"""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "UNFOLD_COURSE"
_MOST = 500  # files in a list: who looks for one among more types its path


def course_folder() -> Path | None:
    """The served folder, or None where the app isn't served."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given else None


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
