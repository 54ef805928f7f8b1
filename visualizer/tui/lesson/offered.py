"""The lessons as the app offers them: what stands on the home screen, and how one is opened."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from visualizer.learning.course import lesson_folders
from visualizer.messages import _, spoken
from visualizer.tui.home.choices import ListedLesson

if TYPE_CHECKING:
    from visualizer.learning.lesson import Lesson
    from visualizer.learning.player import OpenPage
    from visualizer.learning.progress import Left
    from visualizer.tui.app import UnfoldApp
    from visualizer.workbench.bench import Workbench


def glanced(app: UnfoldApp) -> Sequence[ListedLesson]:
    """Every lesson, without what is known only when its pages are read. One that can't be read is
    left out; `offered` tells it."""
    from visualizer.learning import lesson

    found = []
    for folder in lesson.folders():
        with suppress(lesson.LessonError):
            found.append(_shown(lesson.outline(folder, spoken()), None))
    return found


def offered(app: UnfoldApp) -> Sequence[ListedLesson]:
    """Every lesson, with how far the learner has come."""
    from visualizer.learning.overview import overview

    every = overview(app.say, language=spoken())
    return [_shown(read, left) for read, left in every]


def _shown(lesson: Lesson, left: Left | None) -> ListedLesson:
    pages = tuple(page.title for page in lesson.pages)
    own = lesson.folder in lesson_folders()
    title, share = f"{lesson.short_id}  {lesson.title}", None if left is None else left.share
    open = str(left) if left is not None and left.begun else ""
    return ListedLesson(lesson.id, title, share, lesson.idea, pages, own, open)


def open_lesson(app: UnfoldApp, id: str) -> None:
    """The lesson's screen, on the page that was read last. A thread reads its files; until they are
    there, what is open stays."""
    from visualizer.expansion import InputError
    from visualizer.learning import lesson
    from visualizer.tui.home.loading import LoadingScreen

    def prepare() -> tuple[Lesson, OpenPage, Workbench]:
        from visualizer.tui.lesson.screen import prepared  # takes a while

        return prepared(lesson.load(lesson.find(id), spoken()), app.say)

    def opened(outcome: tuple[Lesson, OpenPage, Workbench] | Exception | None) -> None:
        if isinstance(outcome, lesson.LessonError | InputError | LookupError):
            app.say(_("The lesson can't be opened: {outcome}").format(outcome=outcome))
        elif isinstance(outcome, Exception):
            raise outcome
        elif outcome is not None:
            from visualizer.tui.lesson.screen import LessonScreen

            app.leave_what_is_open()
            app.push_screen(LessonScreen(*outcome))

    app.push_screen(LoadingScreen(lesson.short_id(id), prepare, _(" and its files")), opened)
