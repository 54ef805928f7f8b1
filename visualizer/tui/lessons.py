"""The lessons as the app offers them: what stands on the home screen, and how one is opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from visualizer.tui.choices import Lesson as Offered

if TYPE_CHECKING:
    from visualizer.tui.app import UnfoldApp


def offered(app: UnfoldApp) -> Sequence[Offered]:
    """Every lesson, with how far the learner has come. One that can't be read is told, and left out."""
    from visualizer.learning import lesson, progress

    done = progress.all_progress(app.say)
    found = []
    for folder in lesson.folders():
        try:
            read = lesson.load(folder, app.settings.language)
        except lesson.LessonError as error:
            app.say(str(error))
            continue
        share = done.get(read.id, progress.Progress()).share(read)
        number = read.id.partition("/")[2].partition("-")[0].lstrip("0")
        title = f"{read.track}/{number}  {read.title}"
        pages = tuple(page.title for page in read.pages)
        found.append(Offered(read.id, title, share, read.idea, pages))
    return found


def open_lesson(app: UnfoldApp, id: str) -> None:
    """The lesson's screen, on the page that was read last."""
    from visualizer.expansion import InputError
    from visualizer.learning import lesson
    from visualizer.tui.screens.lesson import first_screen

    try:
        app.push_screen(first_screen(lesson.load(lesson.find(id), app.settings.language), app))
    except (lesson.LessonError, InputError, LookupError) as error:
        app.say(f"The lesson can't be opened: {error}")
