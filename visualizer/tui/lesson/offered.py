"""The lessons as the app offers them: what stands on the home screen, and how one is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from visualizer.learning.course import lesson_folders
from visualizer.messages import _, ngettext, spoken
from visualizer.tui.home.choices import RECALL, ListedLesson

if TYPE_CHECKING:
    from visualizer.learning.lesson import Lesson
    from visualizer.learning.player import OpenPage
    from visualizer.learning.progress import Left
    from visualizer.learning.recall import Recall
    from visualizer.personal.settings import Say
    from visualizer.tui.app import UnfoldApp
    from visualizer.tui.lesson.screen import LessonScreen
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
    """Every lesson, with how far the learner has come, and what is to be asked again."""
    from visualizer.learning import progress, recall
    from visualizer.learning.overview import overview

    every = [*overview(app.say, language=spoken())]
    kept = progress.all_progress(app.say)
    open = [lesson for lesson, left in every if left.begun and left.share < 1]
    times = {time: lesson for lesson in open if (time := progress.within(kept, lesson).read)}
    last = times[max(times)] if times else None
    shown = [replace(_shown(lesson, left), is_last=lesson is last) for lesson, left in every]
    if asked := recall.due(kept, [lesson for lesson, _left in every], _today()):
        count = min(len(asked), recall.AT_ONCE)
        title = ngettext("{count} question from before", "{count} questions from before", count)
        about = _("asked again, before they are forgotten")
        shown.append(ListedLesson(RECALL, title.format(count=count), None, about))
    return shown


def _due(say: Say) -> Sequence[Recall]:
    """What is to be asked again now, the most overdue first."""
    from visualizer.learning import progress, recall
    from visualizer.learning.overview import overview

    lessons = [lesson for lesson, _left in overview(say, language=spoken())]
    return recall.due(progress.all_progress(say), lessons, _today())[: recall.AT_ONCE]


def _today() -> int:
    return date.today().toordinal()


def answered_before(lesson: Lesson, say: Say) -> Sequence[Recall]:
    """Some questions that were answered in the lessons before this one, the most overdue first."""
    from visualizer.learning import lesson as lessons
    from visualizer.learning import progress, recall

    before = [lessons.load(folder, spoken()) for folder in lessons.before(lesson)]
    return recall.answered(progress.all_progress(say), before, _today())[: recall.AT_ONCE]


def open_recall(app: UnfoldApp, choose: Callable[[], Sequence[Recall]]) -> None:
    """The first of the questions that are chosen, which a thread does; the others come behind it."""
    from visualizer.expansion import InputError
    from visualizer.learning import lesson
    from visualizer.tui.home.loading import LoadingScreen

    def prepare() -> list[LessonScreen]:
        from visualizer.tui.lesson.recall import RecallScreen

        asked = choose()
        return [RecallScreen(asked, app.say)] if asked else []

    def opened(outcome: list[LessonScreen] | Exception | None) -> None:
        if isinstance(outcome, lesson.LessonError | InputError):
            app.say(_("The lesson can't be opened: {outcome}").format(outcome=outcome))
        elif isinstance(outcome, Exception):
            raise outcome
        elif outcome == []:
            app.notify(_("Nothing was answered in earlier lessons yet: there is nothing to ask."))
        elif outcome is not None:
            app.leave_what_is_open()
            app.push_screen(outcome[0])

    app.push_screen(LoadingScreen(_("questions from before"), prepare), opened)


def _shown(lesson: Lesson, left: Left | None) -> ListedLesson:
    pages = tuple(page.title for page in lesson.pages)
    own = lesson.folder in lesson_folders()
    title, share = f"{lesson.short_id}  {lesson.title}", None if left is None else left.share
    open = str(left) if left is not None and left.begun else ""
    return ListedLesson(lesson.id, title, share, lesson.idea, pages, own, open)


def open_lesson(app: UnfoldApp, id: str) -> None:
    """The lesson's screen, on the page that was read last. A thread reads its files; until they are
    there, what is open stays."""
    if id == RECALL:
        open_recall(app, partial(_due, app.say))
        return
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
