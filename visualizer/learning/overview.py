"""What there is to learn, and how far the learner has come in each lesson."""

from __future__ import annotations

from collections.abc import Iterator

from visualizer.learning import lesson, progress
from visualizer.learning.lesson import Lesson
from visualizer.learning.progress import Left
from visualizer.personal.settings import Say


def overview(
    say: Say, track: str | None = None, language: str = ""
) -> Iterator[tuple[Lesson, Left]]:
    """The lessons of a track, or all, each with what the learner has still to do of it. One that can't
    be read is told, and left out."""
    every = progress.all_progress(say)
    for folder in lesson.folders():
        if track in (None, folder.parent.name):
            try:
                read = lesson.load(folder, language)
            except lesson.LessonError as error:
                say(str(error))
            else:
                yield read, progress.within(every, read).left(read)
